import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'

/** `tools dynamic`: the files of the dynamic folder, and what became of each. */
export async function runToolsDynamic(context: CommandContext): Promise<void> {
  const { files, folder } = await context.withHost(async (host) => ({
    files: await host.call('tools.dynamic', {}, context.signal),
    folder: host.folder.dynamicTools,
  }))
  context.printer.result(files, () =>
    files.length === 0
      ? `No files. A file agent_{agentId}_{toolName}.ts in ${folder} becomes a proposal of that agent.`
      : formatTable(
          ['FILE', 'STATUS', 'VERSION', 'STANDS', 'WHY'],
          files.map(({ file, status, toolName, version, lifecycleStatus, reason }) => [
            shownLine(file, 70),
            status,
            version === undefined ? '-' : `${toolName}@${version}`,
            lifecycleStatus ?? '-',
            shownLine(reason ?? '', 160),
          ]),
        ),
  )
}

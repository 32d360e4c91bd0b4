import type { BuiltInStanding } from '../../tools/built-in/built-in-standing.ts'
import type { CommandContext } from '../program/command-context.ts'
import { shownText } from '../review/shown-text.ts'
import type { CodeStanding } from '../../tools/code/code-standing.ts'
import type { ToolStanding } from '../../operations/tool-operations.ts'

/** `tools policy`: what the built-in tools may do, which are on, and why; what code tools may do at most. */
export async function runToolsPolicy(context: CommandContext): Promise<void> {
  const standing = await context.withHost((host) => host.call('tools.policy', {}, context.signal))
  context.printer.result(standing, () =>
    standing === null
      ? 'This host has no built-in tools.'
      : shownText(formatStanding(standing, context).join('\n')),
  )
}

/** Which tools are on, as `start` and `tools policy` print it. */
export function formatToolSwitches({ tools }: BuiltInStanding): readonly string[] {
  return tools.map(({ name, isOn, because }) => `${isOn ? '✔' : '○'} ${name.padEnd(6)} ${because}`)
}

function formatStanding(standing: ToolStanding, { printer }: CommandContext): readonly string[] {
  const { workspace, sentences, secrets, settingsFile, hasSettings } = standing
  return [
    `Workspace ${workspace}`,
    hasSettings
      ? `Settings  ${settingsFile}, read when the host starts`
      : `Settings  none: the safe defaults. To change them write ${settingsFile}`,
    '',
    ...formatToolSwitches(standing),
    '',
    printer.style('bold', 'Built-in tools'),
    ...sentences.map((sentence) => `  ${sentence}`),
    ...(standing.code === undefined ? [] : formatCode(standing.code, printer)),
    ...(secrets.length === 0
      ? []
      : [
          '',
          printer.style('bold', 'Secrets'),
          ...secrets.map(({ name, placeholder, sentence }) =>
            placeholder === undefined
              ? `  ✘ ${name} ${sentence}`
              : `  ${name} ${sentence}. A tool writes ${placeholder} for it, until the host ends`,
          ),
        ]),
  ]
}

function formatCode(code: CodeStanding, printer: CommandContext['printer']): readonly string[] {
  const title = printer.style('bold', 'Code tools')
  if (!code.isOn) return ['', title, `  off: ${code.because}`]
  const { sandbox, typeCheck } = code
  return [
    '',
    `${title}, each at most (and only what it was approved for)`,
    ...code.sentences.map((sentence) => `  ${sentence}`),
    `  Run in the sandbox mode ${sandbox.mode} (${sandbox.because}); types are ${typeCheck.isOn ? '' : 'not '}checked (${typeCheck.because})`,
    `  Files in ${code.dynamicFolder} become proposals`,
  ]
}

import { once } from 'node:events'
import type { CommandContext } from '../program/command-context.ts'
import { describeLogProblem } from '../review/log-problem.ts'
import { shownText } from '../review/shown-text.ts'
import { type ServedHost, serveHost } from '../../host/serve-host.ts'
import { type ShowcaseReport, playShowcase } from './showcase.ts'

/** `start [--once]`: runs the host; on a new data folder it first shows the main job and the gate. */
export async function runStart(
  context: CommandContext,
  { once: onlyOnce = false }: { readonly once?: boolean },
): Promise<void> {
  const host = await serveHost({ ...context.kernelOptions(), watchDynamicTools: true })
  try {
    const isNew = host.kernel.toolsmaker.listVersions().length === 0
    const showcase = isNew ? await playShowcase(host.kernel) : undefined
    const health = host.kernel.health()
    const audit = await host.kernel.toolsmaker.verifyAudit()
    const { builtInTools } = host.kernel
    const report = { health, audit, ...(builtInTools === undefined ? {} : { builtInTools }) }
    context.printer.result({ ...report, ...(showcase === undefined ? {} : { showcase }) }, () =>
      shownText(
        [
          ...(showcase === undefined ? describeStanding(host) : formatShowcase(showcase)),
          ...describeBuiltInTools(host),
          ...(health.logProblem === undefined
            ? []
            : [`✘ ${describeLogProblem(context, health.logProblem)}`]),
          ...(audit.ok
            ? []
            : [`✘ the record is wrong at event ${audit.sequence}: ${audit.reason}`]),
          ...suggestions(context, showcase),
          '',
          onlyOnce
            ? `Everything is in ${health.dataFolder}.`
            : `The host runs (process ${health.pid}, data in ${health.dataFolder}). Ctrl-C stops it.`,
        ].join('\n'),
      ),
    )
    if (!onlyOnce && !context.signal.aborted) await once(context.signal, 'abort')
    if (!onlyOnce) context.printer.note('Stopping: calls that run are waited for.')
  } finally {
    await host.close()
  }
}

function formatShowcase({ made, call, waiting, tampered }: ShowcaseReport): readonly string[] {
  const input = JSON.stringify(call.input)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replace('{', '{ ')
    .replace('}', ' }')
  return [
    `✔ ${made.name} v${made.version}   ${made.checks} checks, ${made.examples} examples   sha256 ${made.hash.slice(0, 4)}…`,
    `    may touch: ${describePowers(made.powers)}      approved by: ${made.approvedBy}`,
    `    ${made.name}(${input}) → ${JSON.stringify(call.output)}     ${call.durationMs.toFixed(1)} ms   ${call.logged} logged`,
    `● ${waiting.name} v${waiting.version} WAITS FOR YOU      ${waiting.changed.join('   ')}`,
    tampered.refused
      ? `✘ a copy of v1 with one byte changed was refused: ${tampered.code}`
      : '✘ a copy of v1 with one byte changed was NOT refused: this is a defect, please report it',
  ]
}

function describePowers(powers: readonly string[]): string {
  return powers.length === 0 || /nothing/i.test(powers.join(' ')) ? 'nothing' : powers.join(' ')
}

function describeStanding({ kernel }: ServedHost): readonly string[] {
  const { tools, waitingForApproval, status } = kernel.health()
  return [
    `${status === 'ok' ? '✔' : '●'} ${tools.total} tools: ${tools.builtIn} built in, ${tools.custom} made by agents${status === 'paused' ? ', paused' : ''}`,
    waitingForApproval === 0
      ? '✔ nothing waits for you'
      : `● ${waitingForApproval} versions WAIT FOR YOU`,
  ]
}

/** What the built-in tools are and where the agent's files lie, in two lines; `tools policy` says more. */
function describeBuiltInTools({ kernel: { builtInTools } }: ServedHost): readonly string[] {
  if (builtInTools === undefined) return []
  const { tools, workspace } = builtInTools
  const names = (isOn: boolean): string =>
    tools
      .filter((tool) => tool.isOn === isOn)
      .map(({ name }) => name)
      .join(', ')
  return [
    `✔ built-in tools: ${names(true) || 'none'}${names(false) === '' ? '' : `   (off: ${names(false)})`}`,
    `    workspace ${workspace}`,
  ]
}

function suggestions(
  { prefix }: CommandContext,
  showcase: ShowcaseReport | undefined,
): readonly string[] {
  const tries =
    showcase === undefined
      ? [`${prefix} approvals list`, `${prefix} log`, `${prefix} tools policy`]
      : [
          `${prefix} approvals approve ${showcase.waiting.name}@${showcase.waiting.version}`,
          `${prefix} log`,
          `${prefix} tools call ${showcase.made.name} '${JSON.stringify(showcase.call.input)}'`,
        ]
  return [
    '',
    'Try, in another terminal:',
    ...tries.map((command, index) => `  ${index + 1}  ${command}`),
  ]
}

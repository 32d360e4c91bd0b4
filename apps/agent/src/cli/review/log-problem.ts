import type { Host } from '../../host/host.ts'
import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from './shown-text.ts'

/** What an operator has to know of an event log that is not the one that the host knows, and what to do. */
export function describeLogProblem({ prefix }: CommandContext, problem: string): string {
  return `The event log is not the one that this host knows: ${shownLine(problem, 300)}. Custom tools are paused. Find out what happened to it, then: ${prefix} audit accept`
}

/** Says above every approvals screen that the log is not the one that is known, where it is not. */
export async function noteLogProblem(context: CommandContext, host: Host): Promise<void> {
  const { logProblem } = await host.call('health', {}, context.signal)
  if (logProblem !== undefined && !context.printer.isJson)
    context.printer.note(`✘ ${describeLogProblem(context, logProblem)}`)
}

import { ToolError } from '@toolcrib/registry'
import type { LogHead } from '@toolcrib/toolsmaker'
import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import { type SigningOptions, signForLog } from '../review/sign.ts'

/** `audit accept`: takes the event log for the right one although it is not the one that the host knows, under a signature. */
export async function runAuditAccept(
  context: CommandContext,
  options: SigningOptions,
): Promise<void> {
  await context.withHost(async (host) => {
    const problem = await host.call('audit.show-problem', {}, context.signal)
    if (problem === null)
      throw new ToolError<string>(
        'TRANSITION_REFUSED',
        'The event log is the one that this host knows, so there is nothing to accept.',
      )
    const { found, known, place, reason } = problem
    if (!context.printer.isJson)
      context.printer.note(
        [
          `The host says: the event log is not the one that it knows: ${shownLine(reason, 300)}.`,
          `  known  ${known === null ? 'none that this host signed' : describeHead(known)}`,
          `  found  ${describeHead(found)}`,
          'What was stopped before stays stopped. Accept only what you have looked into: events that are missing are gone.',
        ].join('\n'),
      )
    const verb = `take the event log that ends at ${found.headHash.slice(0, 16)}… for the right one`
    return signForLog(context, host, {
      ...options,
      action: 'accept_log',
      place,
      known,
      found,
      verb,
    })
  })
  context.printer.result(
    { accepted: true },
    () => `✔ The event log is accepted. What is in use: ${context.prefix} tools list`,
  )
}

function describeHead({ headHash, sequence, store }: LogHead): string {
  return `${sequence} events, the last ${headHash.slice(0, 16)}…, log ${store.slice(0, 16)}…`
}

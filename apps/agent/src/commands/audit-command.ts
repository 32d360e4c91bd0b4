import type { CommandContext } from '../cli/command-context.ts'
import { type ExitCode, exitCodes } from '../cli/exit-code.ts'
import { shownText } from '../cli/shown-text.ts'

/** `audit verify`: reads the record again and checks every hash. */
export async function runAuditVerify(context: CommandContext): Promise<ExitCode> {
  const found = await context.withHost((host) => host.call('audit.verify', {}, context.signal))
  context.printer.result(found, () =>
    found.ok
      ? `✔ ${found.events} events, the chain of hashes is whole. Head ${found.headHash.slice(0, 16)}…`
      : shownText(`✘ Event ${found.sequence} of ${found.events} is wrong: ${found.reason}`),
  )
  return found.ok ? exitCodes.ok : exitCodes.failure
}

import type { CommandContext } from '../program/command-context.ts'
import type { OperationOutput } from '../../operations/catalogue.ts'
import { type ExitCode, exitCodes } from '../exit-code.ts'
import { shownLine, shownText } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import { hostError } from '../../host-error.ts'

/** `audit list`: the latest events. */
export async function runAuditList(
  context: CommandContext,
  {
    tool,
    type,
    limit,
  }: { readonly tool?: string; readonly type?: string; readonly limit?: string },
): Promise<void> {
  const query = {
    ...(tool === undefined ? {} : { name: tool }),
    ...(type === undefined ? {} : { type: type as NonNullable<AuditEvent['event']>['type'] }),
    ...(limit === undefined ? {} : { limit: parseLimit(limit) }),
  }
  const events = await context.withHost((host) => host.call('audit.list', query, context.signal))
  context.printer.result(events, () =>
    formatTable(['#', 'TIME', 'EVENT', 'TOOL', 'BY', 'WHY'], events.map(describe)),
  )
}

type AuditEvent = OperationOutput<'audit.list'>[number]

/** What events may hold that is worth a column. */
interface EventFacts {
  readonly type: string
  readonly name?: string
  readonly version?: number
  readonly principal?: { readonly kind: string; readonly id: string }
  readonly reason?: string
  readonly reasons?: readonly string[]
  readonly count?: number
}

function describe({ sequence, event, problem }: AuditEvent): readonly string[] {
  if (event === undefined) return [String(sequence), '', 'unreadable', '', '', problem ?? '']
  const facts: EventFacts = event
  const { name = '', version, count = 1, reason, reasons = [] } = facts
  const { kind, id } = facts.principal ?? event.actor
  const why = problem ?? reason ?? reasons.join('; ')
  return [
    String(sequence),
    event.at,
    event.type,
    shownLine(version === undefined ? name : `${name}@${version}`, 70),
    shownLine(`${kind}:${id}`, 40),
    (count > 1 ? `${count} × ` : '') + shownLine(why, 160),
  ]
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit
  throw hostError('USAGE', `--limit must be a whole number from 1 to 10000, got "${text}".`)
}

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

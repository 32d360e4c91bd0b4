import type { ClientBase } from 'pg'
import type { CallRow } from './call-row.ts'
import { isRowRefused } from './pooled-client.ts'
import { needsMore, type RowStatements, rowKey } from './row-statements.ts'

/** What came of a row: stored now, there already, or refused by the server for what it holds. */
export type RowOutcome =
  | { readonly kind: 'written' | 'present' }
  | { readonly kind: 'refused'; readonly error: unknown }

/** Something that carries a row. */
export interface RowCarrier {
  readonly row: CallRow
  /** It went out before and the answer was lost. */
  readonly retried: boolean
}

/** How a group is written. */
export interface RowFlush<Carrier> {
  readonly statements: RowStatements
  /** From how many rows on COPY is used; Infinity where there is no COPY. */
  readonly copyFrom: number
  /** Hears of each row as soon as its fate is known. */
  readonly settle: (carrier: Carrier, outcome: RowOutcome) => void
}

/**
 * Writes a group. A row that the server refuses is found by halving and fails alone.
 *
 * @throws what the connection throws; rows that were settled before stay settled.
 */
export async function flushRows<Carrier extends RowCarrier>(
  client: ClientBase,
  group: readonly Carrier[],
  flush: RowFlush<Carrier>,
): Promise<void> {
  const small = group.filter(({ row }) => row.largeText === undefined)
  if (small.length > 0 && !(await tryCopy(client, small, flush))) await insert(client, small, flush)
  for (const carrier of group)
    // oxlint-disable-next-line no-await-in-loop -- one connection takes one statement at a time
    if (carrier.row.largeText !== undefined) await insertLarge(client, carrier, flush)
}

/** Tells whether the rows were written. Rows that may be there already are left to INSERT. */
async function tryCopy<Carrier extends RowCarrier>(
  client: ClientBase,
  group: readonly Carrier[],
  { statements, copyFrom, settle }: RowFlush<Carrier>,
): Promise<boolean> {
  if (group.length < copyFrom || group.some(({ row, retried }) => retried || needsMore(row)))
    return false
  try {
    await statements.copy(
      client,
      group.map(({ row }) => row),
    )
  } catch (error) {
    if (isRowRefused(error)) return false
    throw error
  }
  for (const carrier of group) settle(carrier, { kind: 'written' })
  return true
}

async function insert<Carrier extends RowCarrier>(
  client: ClientBase,
  group: readonly Carrier[],
  flush: RowFlush<Carrier>,
): Promise<void> {
  const outcome = await attempt(() =>
    flush.statements.insert(
      client,
      group.map(({ row }) => row),
    ),
  )
  if (outcome instanceof Set) {
    settleWritten(group, outcome, flush)
    return
  }
  const [only] = group
  if (group.length === 1 && only !== undefined) {
    flush.settle(only, outcome)
    return
  }
  const middle = Math.ceil(group.length / 2)
  await insert(client, group.slice(0, middle), flush)
  await insert(client, group.slice(middle), flush)
}

async function insertLarge<Carrier extends RowCarrier>(
  client: ClientBase,
  carrier: Carrier,
  flush: RowFlush<Carrier>,
): Promise<void> {
  const outcome = await attempt(() => flush.statements.insertLarge(client, carrier.row))
  if (outcome instanceof Set) settleWritten([carrier], outcome, flush)
  else flush.settle(carrier, outcome)
}

async function attempt(
  write: () => Promise<Set<string>>,
): Promise<Set<string> | { kind: 'refused'; error: unknown }> {
  try {
    return await write()
  } catch (error) {
    if (isRowRefused(error)) return { kind: 'refused', error }
    throw error
  }
}

/** Of two rows with one key in a group, the first was written. */
function settleWritten<Carrier extends RowCarrier>(
  group: readonly Carrier[],
  written: Set<string>,
  { settle }: RowFlush<Carrier>,
): void {
  for (const carrier of group)
    settle(carrier, { kind: written.delete(rowKey(carrier.row)) ? 'written' : 'present' })
}

import type { Logger } from '@toolcrib/registry'
import type { Pool } from 'pg'
import { type CallRow, toLateRow } from './call-row.ts'
import { ignoredEnd, refuseDuplicate } from './ignored-row.ts'
import { withClient } from './pooled-client.ts'
import type { RowStatements } from './row-statements.ts'

/** What is needed to judge a row whose key is there already. */
export interface PresentRowOptions {
  readonly pool: Pool
  readonly schema: string
  readonly hostId: string
  readonly statements: RowStatements
  readonly timeoutMs: number
  readonly logger: Logger
}

/**
 * Decides what becomes of a row whose key is there already. A start row of another call is an error. A terminal row
 * of a call that was swept meanwhile is kept as a late row. Anything else is ignored, and said in the log.
 */
export function createPresentRowJudge(
  options: PresentRowOptions,
): (row: CallRow, retried: boolean) => Promise<Error | undefined> {
  const { logger } = options
  return async (row, retried) => {
    if (row.kind === 's')
      return retried && (await isOwnStart(row, options)) ? undefined : refuseDuplicate(row.callId)
    if (row.kind === 'e' && (await keepAsLate(row, options))) {
      logger.warn(
        { callId: row.callId },
        'A call that had been swept ended after all; kept as late.',
      )
      return undefined
    }
    // A row that was sent again may find itself.
    if (!retried) logger.warn({ callId: row.callId, row: row.kind }, ignoredEnd)
    return undefined
  }
}

/** The answer to a write was lost: is the row that is there the one that was sent? */
function isOwnStart(
  row: CallRow,
  { pool, schema, hostId, timeoutMs }: PresentRowOptions,
): Promise<boolean> {
  return withClient(pool, { timeoutMs }, async (client) => {
    const { rowCount } = await client.query(
      `select from ${schema}.tool_calls where call_id = $1 and kind = 's' and host_id = $2 and at = $3::timestamptz`,
      [row.callId, hostId, row.values[6]],
    )
    return rowCount === 1
  })
}

function keepAsLate(
  row: CallRow,
  { pool, schema, statements, timeoutMs }: PresentRowOptions,
): Promise<boolean> {
  return withClient(pool, { timeoutMs }, async (client) => {
    const { rowCount } = await client.query(
      `select from ${schema}.tool_calls where call_id = $1 and kind = 'e' and status = 'interrupted'`,
      [row.callId],
    )
    if (rowCount !== 1) return false
    const late = toLateRow(row)
    if (late.largeText === undefined) await statements.insert(client, [late])
    else await statements.insertLarge(client, late)
    return true
  })
}

import { encodeParameters } from './sql-params.ts'
import type { SqlLimits, SqlStatement } from './sql-tool.ts'
import {
  encodeDescribeStatement,
  encodeOwnStatement,
  encodeParse,
  encodeRun,
  encodeSync,
} from './sql-wire.ts'

/** What is sent for one statement. */
export interface SqlPlan {
  readonly bytes: Buffer
  /** How many statements of our own come before the caller's. */
  readonly ownStatements: number
  /** What makes the session as new, one statement each; may be sent along, to be answered after the caller's. */
  readonly reset: readonly string[]
}

/**
 * One statement through the extended protocol, which takes no second one. To only read, it runs in a transaction that is
 * read-only and has its snapshot already: from then on Postgres lets nothing make it writable again. Whoever runs the
 * plan ends that transaction by ROLLBACK.
 *
 * @throws {ToolError} SQL_PARAMETER_INVALID
 */
export function planStatement(
  statement: SqlStatement,
  limits: SqlLimits,
  parameterTypes?: readonly number[],
): SqlPlan {
  const own = limits.readOnly ? ['BEGIN READ ONLY', 'SELECT 1'] : []
  return {
    bytes: Buffer.concat([
      ...own.map(encodeOwnStatement),
      encodeParse(statement.query),
      // One more than wanted shows whether there are more.
      encodeRun(encodeParameters(statement.params, parameterTypes), limits.maxRows + 1),
      encodeSync(),
    ]),
    ownStatements: own.length,
    reset: limits.readOnly ? ['ROLLBACK', 'DISCARD ALL'] : ['DISCARD ALL'],
  }
}

/** Asks for the types of a statement's parameters without running it. */
export function planDescription({ query }: SqlStatement): SqlPlan {
  return {
    bytes: Buffer.concat([encodeParse(query), encodeDescribeStatement(), encodeSync()]),
    ownStatements: 0,
    reset: [],
  }
}

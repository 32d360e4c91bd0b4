import { builtInToolError } from '../error-catalogue.ts'
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
  /** What makes the session as new, one statement each; may be sent along in one exchange, behind the caller's. */
  readonly reset: readonly string[]
}

/**
 * One statement through the extended protocol, which takes no second one. To only read, it runs in a transaction that is
 * read-only and has its snapshot already: from then on Postgres lets nothing make it writable again. Whoever runs the
 * plan ends that transaction by ROLLBACK.
 *
 * @throws {ToolError} SQL_PARAMETER_INVALID, SQL_TRANSACTION_COMMAND
 */
export function planStatement(
  statement: SqlStatement,
  limits: SqlLimits,
  parameterTypes?: readonly number[],
): SqlPlan {
  if (limits.readOnly && preparesTransaction(statement.query))
    throw builtInToolError(
      'SQL_TRANSACTION_COMMAND',
      'PREPARE TRANSACTION is not possible here: the transaction would stay on the server after the call.',
    )
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

/**
 * Tells whether a text is the one statement that could take the read-only transaction out of the session, where no reset
 * reaches it. The server takes it only as a statement of its own, so the beginning of the text says it.
 */
function preparesTransaction(query: string): boolean {
  const [, first, rest = ''] = /^([a-z]+)([^]*)$/i.exec(withoutLeadingSpace(query)) ?? []
  return (
    first?.toLowerCase() === 'prepare' && /^transaction(?![\w$])/i.test(withoutLeadingSpace(rest))
  )
}

/** Drops what the server reads over: spaces, comments, which may stand in each other, and empty statements. */
function withoutLeadingSpace(text: string): string {
  let position = 0
  let depth = 0
  while (position < text.length) {
    const two = text.slice(position, position + 2)
    if (two === '/*' || (depth > 0 && two === '*/')) {
      depth += two === '/*' ? 1 : -1
      position += 2
    } else if (depth > 0 || /[\s;]/.test(two.charAt(0))) position += 1
    else if (two === '--') {
      const length = text.slice(position).search(/[\n\r]/)
      if (length < 0) return ''
      position += length
    } else break
  }
  return text.slice(position)
}

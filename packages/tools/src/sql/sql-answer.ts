import type { JsonObject, ToolError } from '@toolcrib/registry'
import { type BuiltInToolErrorCode, builtInToolError } from '../error-catalogue.ts'
import type { ServerError, SqlAnswer } from './sql-exchange.ts'
import type { SqlLimits, SqlOutcome } from './sql-tool.ts'

/** Turns the server's answer into what a call gives. @throws {ToolError} SQL_… when the statement failed. */
export function readAnswer(answer: SqlAnswer, limits: SqlLimits): SqlOutcome {
  const { error, tag, rows } = answer
  if (answer.copy)
    throw builtInToolError(
      'SQL_FAILED',
      'COPY from or to the client does not work in a call. Use INSERT with params, or SELECT.',
    )
  if (error?.['C'] === canceled && answer.flooded)
    return limits.readOnly
      ? { rowCount: rows.length, rows, truncated: true }
      : { rowCount: rows.length, rows, truncated: true, rolledBack: true }
  if (error !== undefined) throw readServerError(error, limits)
  if (answer.empty)
    throw builtInToolError('SQL_FAILED', 'query holds no statement, only spaces or comments.')
  if (tag !== undefined && transactionTags.has(tag))
    throw builtInToolError(
      'SQL_TRANSACTION_COMMAND',
      `${tag} has no effect here: every call is a transaction of its own, and the session is reset after it. To change several things together, use one statement: WITH … AS (INSERT … RETURNING …), or DO with a block.`,
    )
  return { rowCount: readRowCount(answer), rows, truncated: answer.truncated }
}

/** A statement that ended because its time was up. */
export function timeoutError(limits: SqlLimits, options: { mayStillRun: boolean }): SqlError {
  const { mayStillRun } = options
  return builtInToolError(
    'SQL_TIMEOUT',
    mayStillRun
      ? `The statement took longer than ${limits.timeoutMs} ms, and it could not be made sure that it ended on the server: it may still run. Name an administrator's connection as option terminate, so that such statements can be ended.`
      : `The statement took longer than ${limits.timeoutMs} ms and was ended; what it had not committed was rolled back. ${timeoutAdvice}`,
    { data: { timeoutMs: limits.timeoutMs, mayStillRun } },
  )
}

/** A statement of an embedded database whose time was up: the thread was ended with it. */
export function endedError({ timeoutMs }: SqlLimits, options: { isInMemory: boolean }): SqlError {
  const { isInMemory } = options
  const aftermath = isInMemory
    ? aftermathOf(true)
    : 'What it had not committed was rolled back, and what had been committed is kept.'
  return builtInToolError(
    'SQL_TIMEOUT',
    `The statement took longer than ${timeoutMs} ms and was ended. ${aftermath} ${timeoutAdvice}`,
    { data: { timeoutMs, mayStillRun: false, databaseLost: isInMemory } },
  )
}

/** A statement that did not run, because an embedded database was lost before it. */
export function lostError(): SqlError {
  return builtInToolError(
    'SQL_DATABASE_LOST',
    'This statement did not run. The database lived in memory and was lost, because an earlier statement had to be ended or broke it. It is empty now, and the next statement runs: make tables and rows again first.',
  )
}

/** What is left of an embedded database that was ended with a statement. */
export function aftermathOf(isInMemory: boolean): string {
  return isInMemory
    ? 'The database lives in memory and was lost with it: all tables and rows are gone.'
    : 'It starts again with the next statement; what had been committed is kept.'
}

const timeoutAdvice = 'Ask for less at once, add an index, or raise timeoutMs.'

/** An error of a statement. */
export type SqlError = ToolError<BuiltInToolErrorCode>

/** Statements that begin or end transactions, as the server names them. */
const transactionTags = new Set([
  'BEGIN',
  'START TRANSACTION',
  'COMMIT',
  'ROLLBACK',
  'SAVEPOINT',
  'RELEASE',
  'PREPARE TRANSACTION',
])

const canceled = '57014'

/** The number at the end of `INSERT 0 3`, `SELECT 2`; other statements count as 0. */
function readRowCount({ tag, rows }: SqlAnswer): number {
  if (tag === undefined) return rows.length
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0)
}

/** The server's error as one of ours, with its facts as data. */
export function readServerError(error: ServerError, limits: SqlLimits): SqlError {
  const code = findCode(error, limits)
  if (code === 'SQL_TIMEOUT') return timeoutError(limits, { mayStillRun: false })
  return builtInToolError(code, describe(code, error), { data: readFacts(error) })
}

function findCode(error: ServerError, limits: SqlLimits): BuiltInToolErrorCode {
  const state = error['C'] ?? ''
  // The routine's name, unlike the message, is the same in every language.
  if (state === '42601' && error['R'] === 'exec_parse_message') return 'SQL_SEVERAL_STATEMENTS'
  if (state === '25006' || (state === '25001' && limits.readOnly)) return 'SQL_READ_ONLY'
  if (state === '55P03' || state === '40P01') return 'SQL_LOCKED'
  if (state === canceled) return 'SQL_TIMEOUT'
  // 08P01 is a wrong number of params.
  return /^(?:08(?!P01)|57P0[1-5]|53300)/.test(state) ? 'SQL_UNAVAILABLE' : 'SQL_FAILED'
}

function describe(code: BuiltInToolErrorCode, error: ServerError): string {
  const message = cut(error['M'] ?? 'The server gave no reason', maxMessageLength)
  const advice = advices[code]
  return advice === undefined ? message : `${message}. ${advice}`
}

const advices: Partial<Record<BuiltInToolErrorCode, string>> = {
  SQL_SEVERAL_STATEMENTS: 'Give one statement a call; call again for the next.',
  SQL_READ_ONLY: 'This tool only reads.',
  SQL_LOCKED: 'Somebody else is using these rows or this table; try again later.',
}

const maxMessageLength = 4000
const maxFactLength = 1000

/** Names of the fields that help to mend a statement. */
const facts: Readonly<Record<string, string>> = {
  C: 'sqlState',
  P: 'position',
  D: 'detail',
  H: 'hint',
  W: 'where',
  t: 'table',
  c: 'column',
  n: 'constraint',
}

function readFacts(error: ServerError): JsonObject {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([letter, name]) => {
      const value = error[letter]
      if (value === undefined) return []
      return [[name, letter === 'P' ? Number(value) : cut(value, maxFactLength)]]
    }),
  )
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every code that a call log can report, with what it means. */
export const callLogErrorCatalogue = {
  LOG_WRITE_FAILED:
    'A row could not be made durable; for a start row it may or may not have been stored.',
  LOG_READ_FAILED: 'The log could not be read.',
  LOG_CLOSED: 'The log was closed before the row was durable, or takes no more rows.',
  LOG_QUEUE_FULL: 'More rows wait for the database than the log may hold in memory.',
  LOG_CALL_EXISTS: 'A call of that id has been logged before; the start row was not written.',
  LOG_ROW_INVALID: 'A field of the row is missing or out of range; nothing was written.',
  LOG_QUERY_INVALID: 'A field of the query is out of range, or its cursor is not from this log.',
  LOG_OPTION_INVALID: 'An option of the log is out of range.',
  LOG_DATABASE_UNAVAILABLE: 'The database could not be reached or prepared.',
  LOG_DATABASE_UNSUPPORTED: 'The database lacks something that the log needs.',
  LOG_SCHEMA_NEWER: 'The schema was migrated by a newer version of this package.',
  LOG_SCHEMA_OLDER: 'The schema lacks migrations, and this log was told not to apply them.',
  LOG_SCHEMA_CHANGED: 'A migration that was applied differs from the one in this package.',
} as const

/** A code from {@link callLogErrorCatalogue}. */
export type CallLogErrorCode = keyof typeof callLogErrorCatalogue

/** What a call log throws; `ToolError.is(error, code)` knows it. */
export type CallLogError = ToolError<CallLogErrorCode>

/** Makes an error with a code of this package. */
export function logError(
  code: CallLogErrorCode,
  message: string,
  options: { readonly cause?: unknown; readonly data?: JsonObject } = {},
): CallLogError {
  return new ToolError<CallLogErrorCode>(code, message, options)
}

/** What an unknown thrown value says. */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // Node reports a refused connection to several addresses with an empty message and a list.
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(describeCause).join('; ')
  return cause.message
}

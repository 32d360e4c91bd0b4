import { type CallLogError, logError } from './log-error.ts'

/** What is said when a second terminal or late row comes. */
export const ignoredEnd = 'A second terminal or late row for a call was ignored.'

/** The error for a call id that was used before. */
export function refuseDuplicate(callId: string): CallLogError {
  return logError(
    'LOG_CALL_EXISTS',
    `Call ${callId} has been logged before. Give every call an id of its own.`,
    { data: { callId } },
  )
}

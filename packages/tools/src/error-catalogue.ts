import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every code with which the built-in tools fail, beside those of `@toolcrib/policy`. In results they stand as `toolErrorCode`. */
export const builtInToolErrorCatalogue = {
  COMMAND_NOT_FOUND: 'There is no such command in the search path.',
  COMMAND_NOT_EXECUTABLE: 'The file is no program, or may not be executed.',
  COMMAND_FAILED_TO_START: 'The operating system could not start the command.',
  CONTAINMENT_UNAVAILABLE:
    'The containment that commands were to run in does not work on this machine.',
  FOLDER_INVALID: 'The working folder does not exist or is no folder.',
  ENCODING_UNSUPPORTED: 'The encoding is none that is known here.',
  ENCODING_MISMATCH: 'The bytes or the characters cannot be had in that encoding.',
  RANGE_INVALID: 'The range lies behind the end of the file, or begins or ends inside a character.',
  COOKIE_FILE_INVALID: 'The cookie file cannot be read, or holds something else.',
  COOKIE_FILE_NOT_SAVED: 'The cookies could not be written to their file; they are kept in memory.',
  SQL_FAILED: 'The database refused the statement; the message is its own.',
  SQL_TIMEOUT:
    'The statement took longer than it may and was ended; the message says if that is unsure.',
  SQL_LOCKED: 'The statement waited too long for a lock that somebody else holds.',
  SQL_SEVERAL_STATEMENTS: 'A call runs one statement; the text holds several.',
  SQL_READ_ONLY: 'The statement would change something, and the tool only reads.',
  SQL_UNAVAILABLE: 'The database cannot be reached.',
  SQL_DATABASE_LOST:
    'A database in memory was lost before this statement, which did not run; it is empty.',
  SQL_TRANSACTION_COMMAND:
    'A call is a transaction of its own; BEGIN, COMMIT and their like have no effect.',
  SQL_PARAMETER_INVALID: 'A parameter cannot be sent to the database.',
  SQL_ROLE_PRIVILEGED:
    "The role may do more than an agent's should, or sees the host's own tables.",
  SQL_OPTION_INVALID: 'An option of the sql tool or its database is missing or wrong.',
} as const

/** A code of {@link builtInToolErrorCatalogue}. */
export type BuiltInToolErrorCode = keyof typeof builtInToolErrorCatalogue

/** An error of a built-in tool. */
export function builtInToolError(
  code: BuiltInToolErrorCode,
  message: string,
  options: { readonly cause?: unknown; readonly data?: JsonObject } = {},
): ToolError<BuiltInToolErrorCode> {
  return new ToolError(code, message, options)
}

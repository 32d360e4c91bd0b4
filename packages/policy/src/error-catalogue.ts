import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every code with which guards report what is no violation, with what it means. */
export const policyErrorCatalogue = {
  POLICY_INVALID: 'The policy cannot be used; the message names the field and the rule.',
  FILE_NOT_FOUND: 'There is no file or folder of that name.',
  FILE_EXISTS: 'There is a file or folder of that name already.',
  FILE_IS_FOLDER: 'The path names a folder where a file was meant.',
  FILE_NOT_FOLDER: 'The path, or a step of it, names a file where a folder was meant.',
  FOLDER_NOT_EMPTY: 'The folder is not empty.',
  FILE_ACCESS_DENIED: 'The operating system does not let the host use that file.',
  FILE_NAME_TOO_LONG: 'The operating system does not take names that long.',
  DISK_FULL: 'The disk is full or the quota is used up; the file is as it was.',
  DISK_READ_ONLY: 'The disk cannot be written to.',
  FILE_SYSTEM_FAILED: 'The operating system reports another failure; the message says which.',
  HTTP_REQUEST_INVALID: 'The request cannot be sent as it is; the message names the field.',
  FILE_ARGUMENT_INVALID: 'An argument of a file operation cannot be used; the message names it.',
  FILE_GUARD_CLOSED: 'The guard was closed and reaches no file any more.',
  HTTP_UNKNOWN_HOST: 'The host name cannot be resolved.',
  HTTP_CONNECTION_REFUSED: 'Nothing listens at that host and port.',
  HTTP_CONNECTION_FAILED: 'The connection could not be made, or broke.',
  HTTP_TLS_FAILED: 'The encrypted connection could not be made, such as for a bad certificate.',
  HTTP_TIMEOUT: 'The request was not answered in time.',
  HTTP_RESPONSE_INVALID: 'The answer breaks the rules of HTTP or of its own encoding.',
  SECRET_UNAVAILABLE: 'The value of a secret cannot be read.',
} as const

/** A code of {@link policyErrorCatalogue}. */
export type PolicyErrorCode = keyof typeof policyErrorCatalogue

/** An error of a guard that is no violation. */
export function policyError(
  code: PolicyErrorCode,
  message: string,
  options: { readonly cause?: unknown; readonly data?: JsonObject } = {},
): ToolError<PolicyErrorCode> {
  return new ToolError(code, message, options)
}

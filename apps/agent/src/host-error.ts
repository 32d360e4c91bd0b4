import { ToolError, type ToolErrorOptions } from '@toolcrib/registry'

/** Every code of the host and its command line, beside those of the packages. */
export const hostErrorCatalogue = {
  USAGE: 'The command was written wrongly; the message says what to write.',
  REQUEST_INVALID: 'A request over the socket names no operation, or its input does not fit.',
  NEEDS_APPROVAL: 'A version of the tool is there and waits for a person.',
  CALL_NOT_FOUND: 'The log has no call of that id.',
  HOST_DIFFERS:
    'The running host was started with another trust folder or workspace than this command.',
  HOST_UNTRUSTED:
    'Whoever answers as the host may be somebody else: the socket is not only ours, or what it says does not fit together.',
  HOST_BUSY: 'Another process owns the data folder and does not answer.',
  SETTINGS_INVALID: 'The settings of the tools cannot be used; the message names the field.',
  WORKSPACE_MISPLACED:
    'Tools would reach the data of the host itself through the workspace or the policy.',
  TOOL_OFF:
    'The built-in tool, or code tools, are switched off; the message says why and how to switch them on.',
  AGENT_DATABASE_EXISTS: 'The sql tool already has a database of its own in PostgreSQL.',
  INTERRUPTED: 'The person gave up; nothing was decided.',
  INTERNAL: 'Something failed that should not; the host log has the details.',
} as const

/** A code from {@link hostErrorCatalogue}. */
export type HostErrorCode = keyof typeof hostErrorCatalogue

/** Makes an error with a code of the host. */
export function hostError(
  code: HostErrorCode,
  message: string,
  options: ToolErrorOptions = {},
): ToolError<HostErrorCode> {
  return new ToolError<HostErrorCode>(code, message, options)
}

/**
 * Every code that a tool call, the registry or an invoker can report, with what it means.
 *
 * A code is part of the public contract: match on it, never on a message.
 */
export const toolErrorCatalogue = {
  TOOL_NOT_FOUND: 'No tool of that name is registered, or the principal may not see it.',
  TOOL_EXISTS: 'A tool of that name is already registered; nothing was overwritten.',
  TOOL_NAME_INVALID: 'The tool name breaks the naming rule or is reserved.',
  TOOL_DEFINITION_INVALID: 'The tool definition has a field that is missing or out of range.',
  OPTIONS_INVALID: 'An option is not known to the function that was given it; nothing was done.',
  SCHEMA_INVALID: 'The schema is not a JSON Schema or Standard Schema that can be used here.',
  SCHEMA_UNSUPPORTED: 'The schema uses a feature that is refused, such as a remote reference.',
  VALUE_NOT_JSON: 'The value cannot be written as canonical JSON.',
  INPUT_INVALID:
    'The input does not match the input schema, or an option of the call is wrong; the tool did not run.',
  INPUT_TOO_LARGE: 'The input is larger than the tool or the invoker accepts; it did not run.',
  OUTPUT_INVALID: 'The tool ran, and its output does not match its output schema.',
  OUTPUT_UNSERIALISABLE: 'The tool ran, and its output cannot be written as JSON.',
  TOOL_FAILED: 'The tool ran and failed with an error of its own.',
  TIMEOUT: 'The tool did not finish before its deadline; it may still be running.',
  CANCELLED: 'The caller cancelled the call; the tool may still be running.',
  LOG_UNAVAILABLE: 'The start of the call could not be logged durably; the tool did not run.',
  CONCURRENCY_LIMIT: 'Too many calls are running or waiting; the tool did not run.',
  CIRCUIT_OPEN: 'The tool failed too often of late and is paused for a while; it did not run.',
  DEPTH_EXCEEDED: 'Tools called tools too deeply; the innermost tool did not run.',
  TOOL_REVOKED: 'The version of the tool was revoked or taken out of use; it did not run.',
  TOOL_TAMPERED: 'What would run is not what was signed; it did not run.',
  TOOL_UNVERIFIED:
    'Whether what would run elsewhere is what was signed could not be found out; it did not run.',
  TOOLS_PAUSED: 'All made tools are paused by an operator; the tool did not run.',
  POLICY_VIOLATION: 'The tool tried something that its policy does not allow.',
  INVOKER_CLOSED: 'The invoker is shutting down and takes no more calls.',
} as const

/** A code from {@link toolErrorCatalogue}. */
export type ToolErrorCode = keyof typeof toolErrorCatalogue

/** Tells whether a text is a code of the catalogue. */
export function isToolErrorCode(value: unknown): value is ToolErrorCode {
  return typeof value === 'string' && Object.hasOwn(toolErrorCatalogue, value)
}

import { ToolError, type ToolErrorOptions } from '@toolcrib/registry'

/** Every code that the toolsmaker can throw beside the registry's own, with what it means. */
export const toolsmakerErrorCatalogue = {
  INTENT_INVALID: 'The intent has a field that is missing, unknown or out of range.',
  REQUEST_INVALID: 'The build request has a field that is missing, unknown or out of range.',
  TOOL_FILE_INVALID: 'A file of code cannot become a proposal; the message says where and why.',
  TOOL_NAME_NOT_MEANINGFUL: 'The proposed name says nothing about what the tool does.',
  TOOL_NAME_TAKEN: 'The name belongs to a tool that was not made here, or is kept for one.',
  TOOL_HELD:
    'Its kind changed and with it what the tool does, or what lives outside was changed; a person must activate it again.',
  TOOL_NOT_OWNED: 'The tool belongs to another owner.',
  OWNER_QUOTA_EXCEEDED:
    'An owner proposes too fast, or has too much on record; the data says which limit, how much is used, and after how long it may do so again.',
  TOOL_KIND_UNKNOWN: 'No kind of that name was given to the toolsmaker.',
  KIND_FAILED: 'A kind threw, gave an answer of the wrong shape, or did not answer in time.',
  VERSION_NOT_FOUND: 'No version of that number is on record for the tool.',
  TRANSITION_REFUSED: 'The version is in a state from which this is not possible.',
  DECISION_INVALID: 'The decision is not signed by a known approver, or says something else.',
  DECISION_STALE: 'The decision was made for another moment: something moved since, or it is old.',
  REVIEW_CHANGED:
    'What is on record about the version is not what is made of it now; it must be validated and reviewed again.',
  FOUR_EYES_REQUIRED:
    'The policy wants somebody other than the proposer, or another approver; or nobody knows who proposed it.',
  APPROVAL_EXPIRED: 'The approval or the request has run out.',
  LIMIT_NOT_NARROWER: 'A limit given at activation is wider than what was approved.',
  ACTIVATION_FAILED: 'The version could not be put into use; nothing changed.',
  APPROVER_UNKNOWN: 'No approver of that id is in the trust directory.',
  APPROVER_EXISTS: 'An approver of that id is already in the trust directory.',
  PASSPHRASE_WRONG: 'The passphrase does not open the key, or the key file was changed.',
  PASSPHRASE_TOO_SHORT: 'The passphrase is shorter than accepted.',
  TRUST_INVALID: 'A file of the trust directory cannot be used.',
  TRUST_MISPLACED: 'The trust directory and the store directory must not contain each other.',
  STORE_CONFLICT: 'Somebody else wrote to the event store first; nothing was written.',
  STORE_WRITE_FAILED: 'The event store could not be written; it is as it was before.',
  STORE_FULL: 'The disk is full; the event store is as it was before.',
  STORE_CLOSED: 'The event store or the toolsmaker is closed.',
  STORE_INVALID: 'The event store cannot be read.',
  EVENT_TOO_LARGE: 'An event is larger than the event store accepts.',
} as const

/** A code from {@link toolsmakerErrorCatalogue}. */
export type ToolsmakerErrorCode = keyof typeof toolsmakerErrorCatalogue

/** Makes an error with a code of this package. */
export function toolsmakerError(
  code: ToolsmakerErrorCode,
  message: string,
  options: ToolErrorOptions = {},
): ToolError<ToolsmakerErrorCode> {
  return new ToolError<ToolsmakerErrorCode>(code, message, options)
}

import { ToolError, type ToolErrorOptions } from '@toolcrib/registry'

/** Every code that the factory can throw or answer with, beside those of the registry and the toolsmaker, with what it means. */
export const factoryErrorCatalogue = {
  CUSTOM_TOOL_INVALID: 'The custom tool has a field that is missing, unknown or out of range.',
  CUSTOM_TOOL_UNSUPPORTED: 'The custom tool is of a type that cannot be made here.',
  CUSTOM_TOOL_NOT_FOUND: 'The principal owns no custom tool of that name.',
  PROPOSAL_REJECTED: 'The proposal failed its checks or its examples.',
  PROPOSAL_OUT_OF_USE: 'The same tool was proposed before, and that version was taken out of use.',
  IMPLEMENTATION_INVALID: 'The implementation cannot be read as the body of a function.',
  EXAMPLES_NEEDED: 'Code needs an example that passes; none was given and none could be made.',
  CREDENTIAL_UNKNOWN: 'The workflow names a credential of n8n that made tools may not use.',
  WORKFLOW_NOT_GENERATED:
    'The model wrote no workflow that can be used, also when it was asked once more.',
  WORKFLOW_MODEL_FAILED: 'The model that writes workflows could not be asked.',
  WORKFLOW_MODEL_TIMEOUT: 'The model that writes workflows did not answer in time.',
  WORKFLOW_MODEL_BUSY:
    'A workflow is being written already, for the same principal or for too many.',
  WORKFLOW_LEFT: 'The tool is out of use, but something of its workflow is left in n8n.',
  DYNAMIC_PATH_INVALID: 'The path is no TypeScript file directly in the folder of dynamic tools.',
  DYNAMIC_SERVICE_STOPPED: 'The service of dynamic tools is not running.',
} as const

/** A code from {@link factoryErrorCatalogue}. */
export type FactoryErrorCode = keyof typeof factoryErrorCatalogue

/** Makes an error with a code of this package. */
export function factoryError(
  code: FactoryErrorCode,
  message: string,
  options: ToolErrorOptions = {},
): ToolError<FactoryErrorCode> {
  return new ToolError<FactoryErrorCode>(code, message, options)
}

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

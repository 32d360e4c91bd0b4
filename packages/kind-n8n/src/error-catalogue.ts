import { ToolError, type ToolErrorOptions } from '@toolcrib/registry'

/** Every code that this package throws beside those of the registry and the n8n client, with what it means. */
export const n8nKindErrorCatalogue = {
  N8N_DEPLOYMENT_BROKEN: 'What is kept of a workflow on n8n cannot be read.',
} as const

/** A code from {@link n8nKindErrorCatalogue}. */
export type N8nKindErrorCode = keyof typeof n8nKindErrorCatalogue

/** Makes an error with a code of this package. */
export function n8nKindError(
  code: N8nKindErrorCode,
  message: string,
  options: ToolErrorOptions = {},
): ToolError<N8nKindErrorCode> {
  return new ToolError<N8nKindErrorCode>(code, message, options)
}

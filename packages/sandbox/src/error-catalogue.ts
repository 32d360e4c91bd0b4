import { type JsonObject, ToolError } from '@toolcrib/registry'

/** Every error code that this package throws, with what it means. */
export const sandboxErrorCatalogue = {
  SANDBOX_UNAVAILABLE: 'The sandbox cannot run in this mode on this machine.',
  SANDBOX_ARGUMENT_INVALID:
    'A module, an input or a limit handed to the sandbox is not what it takes.',
} as const

/** A code of {@link sandboxErrorCatalogue}. */
export type SandboxErrorCode = keyof typeof sandboxErrorCatalogue

export function sandboxError(
  code: SandboxErrorCode,
  message: string,
  data: JsonObject = {},
): ToolError<SandboxErrorCode> {
  return new ToolError(code, message, { data })
}

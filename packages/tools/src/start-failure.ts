import type { ToolError } from '@toolcrib/registry'
import type { Launch } from './containment.ts'
import { type BuiltInToolErrorCode, builtInToolError } from './error-catalogue.ts'

/** What a system or a launcher says, in words that tell what to do. */
export function startFailure(launch: Launch, cause: unknown): ToolError<BuiltInToolErrorCode> {
  const { code, message } = describe(cause)
  const data = { field: 'command', command: launch.file }
  if (code === 'EACCES' || code === 'ENOEXEC' || /exec format|permission denied/iu.test(message))
    return builtInToolError(
      'COMMAND_NOT_EXECUTABLE',
      `The command is no program for this machine, or may not be executed: ${message}`,
      { cause, data },
    )
  if (/execvp .*no such file/iu.test(message) || code === 'ENOENT')
    return builtInToolError(
      'COMMAND_NOT_FOUND',
      `The command, or the interpreter that its first line names, is not there: ${message}`,
      { cause, data },
    )
  return builtInToolError(
    'COMMAND_FAILED_TO_START',
    `The command could not be started: ${message}`,
    {
      cause,
      data,
    },
  )
}

function describe(cause: unknown): { readonly code: string | undefined; readonly message: string } {
  if (!(cause instanceof Error)) return { code: undefined, message: String(cause) }
  const { code } = cause as NodeJS.ErrnoException
  const message = cause.message.trim().slice(0, 500)
  return { code, message: message === '' ? 'nothing was said about why.' : message }
}

import type { ToolError } from '@toolcrib/registry'
import type { Launch } from './containment/containment.ts'
import { type BuiltInToolErrorCode, builtInToolError } from '../error-catalogue.ts'

/** What was to be started. */
interface FailedStart {
  readonly launch: Launch
  /** The program that was asked for, whatever launches it. */
  readonly command: string
}

/** What a system or a launcher says, in words that tell what to do. */
export function startFailure(
  { launch, command }: FailedStart,
  cause: unknown,
): ToolError<BuiltInToolErrorCode> {
  const { code, message } = describe(cause)
  const data = { field: 'command', command }
  if (code === 'E2BIG' || /argument list too long/iu.test(message))
    return builtInToolError(
      'COMMAND_FAILED_TO_START',
      'args and env are together more than this machine passes on to a command. Give long texts through stdin or a file.',
      { cause, data: { field: 'args', command } },
    )
  if (code !== undefined && outOfResources.has(code))
    return builtInToolError(
      'COMMAND_FAILED_TO_START',
      `The host has no descriptors, processes or memory left to start a command: ${message} Try again when other calls have ended.`,
      { cause, data },
    )
  // What stops a launcher before it comes to the command says nothing about the command.
  const isAboutCommand = launch.file === command || /\bexecvp /u.test(message)
  if (
    isAboutCommand &&
    (code === 'EACCES' || code === 'ENOEXEC' || /exec format|permission denied/iu.test(message))
  )
    return builtInToolError(
      'COMMAND_NOT_EXECUTABLE',
      `The command is no program for this machine, or may not be executed: ${message}`,
      { cause, data },
    )
  if (isAboutCommand && (code === 'ENOENT' || /no such file/iu.test(message)))
    return builtInToolError(
      'COMMAND_NOT_FOUND',
      `The command, or the interpreter that its first line names, is not there: ${message}`,
      { cause, data },
    )
  return builtInToolError(
    'COMMAND_FAILED_TO_START',
    `The command could not be started: ${message}`,
    { cause, data },
  )
}

const outOfResources: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])

function describe(cause: unknown): { readonly code: string | undefined; readonly message: string } {
  if (!(cause instanceof Error)) return { code: undefined, message: String(cause) }
  const { code } = cause as NodeJS.ErrnoException
  const message = cause.message.trim().slice(0, 500)
  return { code, message: message === '' ? 'nothing was said about why.' : message }
}

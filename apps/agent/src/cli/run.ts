import { createRequire } from 'node:module'
import { CommanderError } from 'commander'
import { hostError } from '../host-error.ts'
import { commandPrefix } from './program/command-prefix.ts'
import { type ExitCode, exitCodeFor, exitCodes } from './exit-code.ts'
import { createWiring } from './program/command-wiring.ts'
import { createPrinter } from './printer.ts'
import { createProgram } from './program/program.ts'

/** What to try after an error, by its code. */
const nextCommands: Readonly<Record<string, string>> = {
  TOOL_NOT_FOUND: 'tools list',
  VERSION_NOT_FOUND: 'versions',
  APPROVER_UNKNOWN: 'approver init',
  TRANSITION_REFUSED: 'versions',
  DECISION_STALE: 'approvals list',
  FOLDER_LOCKED: 'doctor',
  HOST_BUSY: 'doctor',
  CALL_NOT_FOUND: 'log',
  TOOLS_PAUSED: 'resume',
  TOOL_OFF: 'tools policy',
  SETTINGS_INVALID: 'doctor',
}

/** Runs one command line and gives the exit code; never throws and never ends the process. */
export async function runCommandLine(
  parameters: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok
  const prefix = commandPrefix()
  const wiring = createWiring({
    prefix,
    signal,
    conclude: (code) => {
      exitCode = code ?? exitCodes.ok
    },
  })
  const program = createProgram({ version: readVersion(), prefix }, wiring)
  overrideExit(program)
  try {
    await program.parseAsync(parameters, { from: 'user' })
    return signal.aborted && exitCode !== exitCodes.ok ? exitCodes.interrupted : exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok
      // commander has written its message for people already.
      if (parameters.includes('--json'))
        createPrinter({ json: true }).failure(hostError('USAGE', error.message), undefined)
      return exitCodes.usage
    }
    const { code } = error as { code?: unknown }
    const name = typeof code === 'string' ? code : 'INTERNAL'
    const next = nextCommands[name]
    createPrinter({ json: parameters.includes('--json') }).failure(
      error,
      next === undefined ? undefined : `${prefix} ${next}`,
    )
    return signal.aborted ? exitCodes.interrupted : exitCodeFor(name)
  }
}

function overrideExit(command: ReturnType<typeof createProgram>): void {
  command.exitOverride()
  for (const child of command.commands) overrideExit(child)
}

/** The package finds itself by name, so this holds in the sources and in what is published. */
function readVersion(): string {
  const manifest = createRequire(import.meta.url)('toolcrib/package.json') as { version: string }
  return manifest.version
}

import { realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'
import { ToolError } from '@toolcrib/registry'
import { defaultHostVariables } from './command-environment.ts'
import { isInside, realPlace } from './command-folder.ts'
import { markerVariable } from './command-input.ts'
import { usualSearchPath } from './command-lookup.ts'
import type { ContainmentName } from './containment/containment.ts'

/** How the shell tool works. */
export interface ShellToolOptions {
  /** Commands that may be run: names as they stand in the search path, or absolute paths. @default every command */
  readonly commands?: readonly string[]
  /** The working folder of calls that name none, and the only one in which commands may write inside a sandbox. */
  readonly workspace: string
  /**
   * Files and folders that commands may read inside a sandbox, beside the system's programs; nothing that holds or lies
   * in /proc, /dev or /sys. @default none
   */
  readonly readable?: readonly string[]
  /** Files and folders that commands never see inside a sandbox: the host's own data. @default none */
  readonly hidden?: readonly string[]
  /** Whether commands reach the network; inside a sandbox or namespace only. @default 'none' */
  readonly network?: 'none' | 'host'
  /**
   * What keeps a command's processes together: 'bubblewrap' and 'namespace' (util-linux's unshare) end them for sure, and
   * hide the host's processes; 'process-group' cannot be sure. 'best' takes the first that works here. Only 'bubblewrap'
   * is a sandbox, which fences files. @default 'best'
   */
  readonly containment?: 'best' | ContainmentName
  /** Variables of the host that commands may see. @default PATH, LANG, LC_ALL, TZ, TERM; HOME is the workspace */
  readonly environment?: readonly string[]
  /**
   * Variables that calls may set. @default any; where `commands` is given, only ones that steer how programs write
   * (LANG, TZ, NO_COLOR and their like)
   */
  readonly inputVariables?: readonly string[]
  /** @default 30_000 */
  readonly timeoutMs?: number
  /** Over stdout and stderr together, in bytes; at most 268_435_456. @default 10_485_760 */
  readonly maxOutputBytes?: number
  /** How long a command may take to end after SIGTERM before it gets SIGKILL, in milliseconds. @default 1_000 */
  readonly killAfterMs?: number
}

/** The options of a shell tool, checked, with paths as they really are. */
export interface ShellSettings {
  readonly commands: readonly string[] | undefined
  readonly workspace: string
  readonly readable: readonly string[]
  readonly hidden: readonly string[]
  readonly network: 'none' | 'host'
  readonly containment: 'best' | ContainmentName
  readonly environment: readonly string[]
  readonly inputVariables: readonly string[] | undefined
  readonly timeoutMs: number
  readonly maxOutputBytes: number
  readonly killAfterMs: number
  /** Where programs are looked for when the command sees no PATH. */
  readonly searchPath: string
  /** The host's search path without what lies in the workspace, where a call could put a program of any name. */
  readonly safeSearchPath: () => string
}

/** Folders that a sandbox makes itself; a workspace that holds or is one of them cannot be put there. */
const systemFolders = [
  '/usr',
  '/etc',
  '/proc',
  '/dev',
  '/sys',
  '/bin',
  '/sbin',
  '/lib',
  '/boot',
  '/run',
]

/** What they hold of the host no sandbox may show. */
const kernelFolders = ['/proc', '/dev', '/sys']

/** Longer texts than a string can hold would come of more. */
const maxOutputLimit = 268_435_456

/**
 * Reads the options of a shell tool.
 *
 * @throws {ToolError} TOOL_DEFINITION_INVALID
 */
export function readShellOptions(options: ShellToolOptions): ShellSettings {
  const workspace = readWorkspace(options.workspace)
  const commands = readCommands(options.commands, workspace)
  const { network = 'none', containment = 'best', environment = defaultHostVariables } = options
  if (!['none', 'host'].includes(network))
    throw invalid('network', `must be 'none' or 'host', got ${JSON.stringify(network)}`)
  if (!['best', 'bubblewrap', 'namespace', 'process-group'].includes(containment))
    throw invalid('containment', `is none that is known: ${JSON.stringify(containment)}`)
  if (environment.includes(markerVariable))
    throw invalid('environment', `may not name ${markerVariable}, which each call sets itself`)
  const hidden = (options.hidden ?? []).map((path) => realPlace(resolve(path)))
  if (hidden.includes(workspace)) throw invalid('hidden', 'names the workspace itself')
  return {
    commands,
    workspace,
    readable: (options.readable ?? []).map((path) => readReadable(path)),
    hidden,
    network,
    containment,
    environment,
    inputVariables: options.inputVariables ?? (commands === undefined ? undefined : []),
    timeoutMs: readNumber('timeoutMs', options.timeoutMs, 30_000),
    maxOutputBytes: readMaxOutput(options.maxOutputBytes),
    killAfterMs: readNumber('killAfterMs', options.killAfterMs, 1_000),
    searchPath: usualSearchPath,
    safeSearchPath: () => withoutFolder(process.env['PATH'] ?? usualSearchPath, workspace),
  }
}

function readWorkspace(path: string): string {
  let real: string
  try {
    real = realpathSync(path)
    if (!statSync(real).isDirectory()) throw new Error('it is no folder')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw invalid('workspace', `must be a folder that exists, got ${JSON.stringify(path)}: ${why}`)
  }
  const covered = systemFolders.find((folder) => isInside(real, folder) || isInside(folder, real))
  if (covered !== undefined)
    throw invalid('workspace', `may not hold or lie in ${covered}, got ${JSON.stringify(real)}`)
  return real
}

function readCommands(
  commands: readonly string[] | undefined,
  workspace: string,
): readonly string[] | undefined {
  for (const command of commands ?? []) {
    const shown = JSON.stringify(command)
    if (command === '' || command.includes('\0') || (command.includes('/') && !isAbsolute(command)))
      throw invalid('commands', `must hold names or absolute paths, got ${shown}`)
    if (isAbsolute(command) && isInside(workspace, realPlace(command)))
      throw invalid(
        'commands',
        `may not name a file in the workspace, where a call could replace it: ${shown}`,
      )
  }
  return commands
}

function readReadable(path: string): string {
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    throw invalid('readable', `names something that does not exist: ${JSON.stringify(path)}`)
  }
  const covered = kernelFolders.find((folder) => isInside(real, folder) || isInside(folder, real))
  if (covered !== undefined)
    throw invalid(
      'readable',
      `may not hold or lie in ${covered}, where processes and devices of the host are, got ${JSON.stringify(path)}`,
    )
  return real
}

function withoutFolder(searchPath: string, workspace: string): string {
  return searchPath
    .split(delimiter)
    .filter((place) => isAbsolute(place) && !isInside(workspace, realPlace(place)))
    .join(delimiter)
}

function readMaxOutput(value: number | undefined): number {
  const bytes = readNumber('maxOutputBytes', value, 10_485_760)
  if (bytes <= maxOutputLimit) return bytes
  throw invalid('maxOutputBytes', `may be at most ${maxOutputLimit} (256 MiB), got ${bytes}`)
}

function readNumber(field: string, value: number | undefined, usual: number): number {
  if (value === undefined) return usual
  if (Number.isFinite(value) && value > 0) return value
  throw invalid(field, `must be a number above 0, got ${String(value)}`)
}

function invalid(field: string, problem: string): ToolError {
  return new ToolError('TOOL_DEFINITION_INVALID', `Shell tool: ${field} ${problem}.`, {
    data: { toolName: 'shell', field },
  })
}

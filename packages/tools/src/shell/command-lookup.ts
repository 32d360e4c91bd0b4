import { type Stats, accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { ToolPolicyViolation } from '@toolcrib/policy'
import type { ToolError } from '@toolcrib/registry'
import { type BuiltInToolErrorCode, builtInToolError } from '../error-catalogue.ts'

/** Where a command is looked for. */
export interface CommandPlaces {
  /** Folders between colons; relative ones are passed over. */
  readonly searchPath: string
  /** What relative paths start from. */
  readonly folder: string
  /** Tells whether the command could see a file; anything else counts as not there. */
  readonly isVisible: (path: string) => boolean
}

/** What is used where a host has no search path. */
export const usualSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Finds the program that a name or path stands for. Links are not resolved, since programs go by the name they have.
 *
 * @throws {ToolError} COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export function findCommand(command: string, places: CommandPlaces): string {
  let problem: ToolError<BuiltInToolErrorCode> | undefined
  let unseen: string | undefined
  for (const path of candidates(command, places)) {
    const state = stateOf(path, places)
    if (state === 'program') return path
    if (state === 'unseen') unseen ??= path
    else if (state !== 'absent') problem ??= notExecutable(command, state)
  }
  throw problem ?? notFound(command, unseen)
}

/**
 * Finds one of the allowed commands. A command counts as the same when it is the same entry of the same real folder, so
 * neither a link that points to an allowed program nor an allowed name of a program with many names (busybox) opens others.
 *
 * @throws {ToolPolicyViolation} shell.command when it is none of them.
 */
export function findAllowedCommand(
  command: string,
  allowed: readonly string[],
  places: CommandPlaces,
): string {
  if (allowed.includes(command)) return findCommand(command, places)
  const wanted = entryOf(command, places)
  if (wanted !== undefined)
    for (const name of allowed)
      if (entryOf(name, places) === wanted) return findCommand(name, places)
  throw new ToolPolicyViolation({
    rule: 'shell.command',
    tried: `run ${JSON.stringify(command.slice(0, 200))}`,
    howToAsk:
      allowed.length === 0
        ? 'None is allowed; an operator names them in the commands of the shell tool.'
        : `Allowed are: ${allowed.join(', ')}. An operator adds others in the commands of the shell tool.`,
  })
}

/** The real folder and the name in it; `undefined` where there is none. */
function entryOf(command: string, places: CommandPlaces): string | undefined {
  for (const path of candidates(command, places)) {
    if (stateOf(path, places) === 'absent') continue
    try {
      return join(realpathSync.native(dirname(path)), basename(path))
    } catch {
      // It went away meanwhile.
    }
  }
  return undefined
}

function candidates(command: string, { searchPath, folder }: CommandPlaces): string[] {
  if (command.includes('/')) return [resolve(folder, command)]
  if (process.platform === 'win32') return [command]
  return searchPath
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .map((place) => join(place, command))
}

type FileState = 'program' | 'folder' | 'plain' | 'unseen' | 'absent'

function stateOf(path: string, { isVisible }: CommandPlaces): FileState {
  // Windows finds programs by rules of its own.
  if (process.platform === 'win32') return 'program'
  try {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return 'absent'
    if (!isVisible(path) || !isVisible(realpathSync.native(path))) return stateOfUnseen(path, facts)
    if (facts.isDirectory()) return 'folder'
    return mayBeExecuted(path) ? 'program' : 'plain'
  } catch {
    return 'absent'
  }
}

/** That the host has a program may be said, so that somebody can let commands see it; nothing is said of other files. */
function stateOfUnseen(path: string, facts: Stats): FileState {
  return facts.isFile() && mayBeExecuted(path) ? 'unseen' : 'absent'
}

function mayBeExecuted(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function notExecutable(command: string, state: FileState): ToolError<BuiltInToolErrorCode> {
  const what = state === 'folder' ? 'is a folder' : 'may not be executed'
  const advice =
    state === 'folder'
      ? 'Name the program in it.'
      : 'Set its mode with chmod +x, or run it by its interpreter.'
  return builtInToolError(
    'COMMAND_NOT_EXECUTABLE',
    `${JSON.stringify(command)} ${what}. ${advice}`,
    { data: { field: 'command', command } },
  )
}

function notFound(command: string, unseen: string | undefined): ToolError<BuiltInToolErrorCode> {
  return builtInToolError(
    'COMMAND_NOT_FOUND',
    `There is no command ${JSON.stringify(command.slice(0, 200))}. ${adviceFor(command, unseen)}`,
    { data: { field: 'command', command } },
  )
}

function adviceFor(command: string, unseen: string | undefined): string {
  if (unseen !== undefined)
    return 'The host has it where commands cannot see it; an operator can name its folder in the readable folders of the shell tool.'
  if (/[|&;<>$`*]/u.test(command))
    return 'No shell reads it: for pipes and the like, give command "sh" and args ["-c", "…"].'
  if (/\s/u.test(command)) return 'Give the program alone as command, and its arguments as args.'
  return command.includes('/')
    ? 'Paths start in the working folder of the call.'
    : 'Check its spelling, or give the path of a program in the workspace, such as "./build.sh".'
}

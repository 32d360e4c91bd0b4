import { readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ToolPolicyViolation } from '@toolcrib/policy'
import { builtInToolError } from '../error-catalogue.ts'

/** Tells whether a path is a folder or lies below it. Both must be absolute and normal. */
export function isInside(folder: string, path: string): boolean {
  const steps = relative(folder, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps))
}

function isFolder(real: string, folder: string): boolean {
  try {
    return statSync(real).isDirectory()
  } catch (cause) {
    throw builtInToolError(
      'FOLDER_INVALID',
      `cwd ${JSON.stringify(folder)} does not exist in the workspace. Make the folder first, or leave cwd out.`,
      { cause, data: { field: 'cwd', folder } },
    )
  }
}

/** As many links as Linux follows. */
const maxLinks = 40

/** Where an absolute path leads when links are followed, also where there is nothing yet. */
export function realPlace(path: string, links: number = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const above = dirname(path)
    if (above === path || links > maxLinks) return path
    const place = join(realPlace(above, links), basename(path))
    const target = linkTarget(place)
    return target === undefined ? place : realPlace(resolve(dirname(place), target), links + 1)
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // It is none.
    return undefined
  }
}

/**
 * The real place of the folder in which a command starts.
 *
 * @throws {ToolPolicyViolation} fs.path when it does not lie in the workspace, or is hidden.
 * @throws {ToolError} FOLDER_INVALID when it does not exist or is no folder.
 */
export function commandFolder(
  workspace: string,
  hidden: readonly string[],
  folder: string = '.',
): string {
  const wanted = resolve(workspace, folder)
  // What lies outside is refused before it is looked at, so that no answer tells what exists there.
  if (!isInside(workspace, wanted)) throw outside(folder)
  // The same holds where a link leads out, or into what is hidden.
  const real = realPlace(wanted)
  if (
    !isInside(workspace, real) ||
    hidden.some((path) => isInside(workspace, path) && isInside(path, real))
  )
    throw outside(folder)
  if (!isFolder(real, folder))
    throw builtInToolError(
      'FOLDER_INVALID',
      `cwd ${JSON.stringify(folder)} is a file, no folder.`,
      {
        data: { field: 'cwd', folder },
      },
    )
  return real
}

function outside(folder: string): ToolPolicyViolation {
  return new ToolPolicyViolation({
    rule: 'fs.path',
    tried: `run a command in ${JSON.stringify(folder)}`,
    howToAsk:
      'Commands start in the workspace; give a folder inside it, relative to it, or leave cwd out.',
  })
}

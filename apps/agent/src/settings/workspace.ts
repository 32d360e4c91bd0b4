import { realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { DataFolder } from '../host/data-folder.ts'
import { hostError } from '../host-error.ts'

/** Where the workspace may be named, the first that names one wins. */
export interface WorkspaceChoice {
  readonly folder: DataFolder
  /** As on the command line or in the environment: relative to the working folder. */
  readonly named?: string | undefined
  /** As in the settings. */
  readonly settings?: string | undefined
  /** @default process.cwd() */
  readonly workingFolder?: string | undefined
}

/**
 * The folder for the agent's files. The one in the data folder is made where it is missing; one that somebody named must be
 * there, for a misspelt name should not become a new folder.
 *
 * @throws {ToolError} USAGE when the named folder is not there.
 * @throws {ToolError} WORKSPACE_MISPLACED when tools would reach the host's own data.
 */
export async function openWorkspace(choice: WorkspaceChoice): Promise<string> {
  const { folder, named, settings, workingFolder = process.cwd() } = choice
  const chosen = named === undefined ? settings : resolve(workingFolder, named)
  const path = chosen ?? defaultWorkspace(folder)
  assertApartFromHost(path, { folder, what: 'The workspace' })
  if (chosen === undefined) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return realPath(path)
  }
  try {
    return realpathSync.native(path)
  } catch (cause) {
    throw hostError(
      'USAGE',
      `The workspace ${path} cannot be used: ${(cause as Error).message}. Make the folder, or name another with --workspace.`,
      { cause },
    )
  }
}

/** The one place inside the data folder that tools may use. */
export function defaultWorkspace(folder: DataFolder): string {
  return join(folder.root, 'workspace')
}

/**
 * Makes sure that who writes to a folder cannot replace or move the host's data: the folder neither contains it nor lies in it,
 * links followed. To hide the data from a tool would not be enough: a folder above it could be moved away and another, with
 * other approvers, put in its place.
 *
 * @throws {ToolError} WORKSPACE_MISPLACED
 */
export function assertApartFromHost(
  path: string,
  { folder, what }: { readonly folder: DataFolder; readonly what: string },
): void {
  const place = realPath(path)
  const own = { 'the data folder': folder.root, 'the trust folder': folder.trust }
  for (const [name, owned] of Object.entries(own)) {
    const real = realPath(owned)
    const contains = isWithin(place, real)
    const isAllowed = !contains && isWithin(realPath(defaultWorkspace(folder)), place)
    if (contains || (isWithin(real, place) && !isAllowed))
      throw hostError(
        'WORKSPACE_MISPLACED',
        `${what} ${path} ${place === real ? 'is' : contains ? 'contains' : 'lies in'} ${name} ${owned}: tools could reach the approvers, the record or the ` +
          `log. Choose a folder beside it${contains ? ', or move the data elsewhere with --data and --trust' : ''}.`,
      )
  }
}

/** Tells whether a path is a folder or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path of something that need not exist yet. */
export function realPath(path: string): string {
  const absolute = resolve(path)
  try {
    return realpathSync.native(absolute)
  } catch {
    const parent = dirname(absolute)
    return parent === absolute ? absolute : join(realPath(parent), basename(absolute))
  }
}

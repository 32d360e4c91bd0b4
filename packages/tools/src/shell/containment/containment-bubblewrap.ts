import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemMounts, systemRoots } from './bubblewrap-system.ts'
import { isInside } from '../command-folder.ts'
import type { Containment } from './containment.ts'
import { builtInToolError } from '../../error-catalogue.ts'
import { NamespaceTree } from './namespace-tree.ts'

/** What a sandbox is made of. */
export interface BubblewrapOptions {
  /** The program, by absolute path. */
  readonly bwrap: string
  readonly workspace: string
  readonly readable: readonly string[]
  readonly hidden: readonly string[]
  readonly network: 'none' | 'host'
}

/**
 * A sandbox by bubblewrap: commands see the system's programs, the workspace and nothing else of the host, and none of
 * them outlives the call.
 */
export function createBubblewrap(options: BubblewrapOptions): Containment {
  const { bwrap, workspace, readable, hidden, network } = options
  const roots = [...systemRoots, ...readable, workspace]
  const system = systemMounts(network)
  const prefix = [
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    ...(network === 'none' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--json-status-fd',
    '3',
    ...system.args,
  ]
  return {
    name: 'bubblewrap',
    isVisible: (path) => longestMatch(hidden, path) < longestMatch(roots, path),
    environment: { TMPDIR: '/tmp' },
    launch: ({ file, args, folder, environment }) => ({
      file: bwrap,
      args: [
        ...prefix,
        ...ownMounts(options),
        '--remount-ro',
        '/',
        '--chdir',
        folder,
        '--clearenv',
        ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
        '--',
        file,
        ...args,
      ],
      folder: '/',
      // Variables of the call reach no program outside of the sandbox: LD_PRELOAD would run there.
      environment: {},
      reports: true,
      files: system.files,
    }),
    follow: (pid) => new NamespaceTree(pid, true),
  }
}

/**
 * The workspace, what else may be read, and what is hidden in them. Outer ones come first, since each covers what lies
 * below it.
 *
 * @throws {ToolError} COMMAND_FAILED_TO_START when a hidden path has become a link.
 */
function ownMounts({ workspace, readable, hidden }: BubblewrapOptions): string[] {
  const mounts = new Map<string, readonly string[]>()
  const closed: string[] = []
  for (const path of readable) mounts.set(path, ['--ro-bind', path, path])
  mounts.set(workspace, ['--bind', workspace, workspace])
  for (const path of hidden) {
    if (![workspace, ...readable, '/usr'].some((root) => isInside(root, path))) continue
    if (!existsSync(path)) continue
    assertUnmoved(path)
    const isFolder = statSync(path).isDirectory()
    mounts.set(path, isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path])
    if (isFolder) closed.push('--remount-ro', path)
    // A mounted folder cannot be renamed. Otherwise a command could move what is hidden to where nothing covers it.
    if (isInside(workspace, path))
      for (let above = dirname(path); above !== workspace; above = dirname(above))
        if (!mounts.has(above)) mounts.set(above, ['--bind', above, above])
  }
  const outerFirst = [...mounts].toSorted(([left], [right]) => depth(left) - depth(right))
  return [...outerFirst.flatMap(([, mount]) => mount), ...closed]
}

function assertUnmoved(path: string): void {
  if (realpathSync(path) === join(path)) return
  throw builtInToolError(
    'COMMAND_FAILED_TO_START',
    'A hidden path has become a link since the shell tool was made, so it cannot be hidden. An operator must look at it.',
    { data: { path } },
  )
}

/** How long the longest of these folders is that a path lies in; -1 for none. */
function longestMatch(folders: readonly string[], path: string): number {
  return Math.max(-1, ...folders.filter((folder) => isInside(folder, path)).map(depth))
}

function depth(path: string): number {
  return path.split('/').length
}

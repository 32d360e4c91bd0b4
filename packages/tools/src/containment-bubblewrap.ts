import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from './command-folder.ts'
import type { Containment } from './containment.ts'
import { builtInToolError } from './error-catalogue.ts'
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

/** Below `/`, what a distribution keeps its programs in: folders, or links to `/usr`. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What programs need of `/etc`; nothing of it is secret. Keys, passwords and settings of services are not among it. */
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/passwd', '/etc/group']
const networkFiles = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/etc/ca-certificates',
]
/** Bytes of memory that files in `/tmp` may take. */
const maxTemporaryBytes = 268_435_456

/**
 * A sandbox by bubblewrap: commands see the system's programs, the workspace and nothing else of the host, and none of
 * them outlives the call.
 */
export function createBubblewrap(options: BubblewrapOptions): Containment {
  const { bwrap, workspace, readable, hidden, network } = options
  const roots = ['/usr', '/etc/alternatives', ...systemFolders, ...readable, workspace]
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
    ...systemMounts(network),
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
    }),
    follow: (pid) => new NamespaceTree(pid, true),
  }
}

/** The system's programs, devices and a private place for temporary files. Each mount costs time, so they are few. */
function systemMounts(network: 'none' | 'host'): string[] {
  const files = network === 'host' ? [...systemFiles, ...networkFiles] : systemFiles
  return [
    '--ro-bind',
    '/usr',
    '/usr',
    ...systemFolders.flatMap(linkOrBind),
    ...files
      .filter((path) => existsSync(path))
      .flatMap((path) => ['--ro-bind', realpathSync(path), path]),
    ...timeZone(),
    '--proc',
    '/proc',
    '--dev-bind',
    '/dev/null',
    '/dev/null',
    '--dev-bind',
    '/dev/zero',
    '/dev/zero',
    '--dev-bind',
    '/dev/urandom',
    '/dev/urandom',
    '--symlink',
    '/dev/urandom',
    '/dev/random',
    '--symlink',
    '/proc/self/fd',
    '/dev/fd',
    '--symlink',
    '/proc/self/fd/0',
    '/dev/stdin',
    '--symlink',
    '/proc/self/fd/1',
    '/dev/stdout',
    '--symlink',
    '/proc/self/fd/2',
    '/dev/stderr',
    '--symlink',
    '/tmp',
    '/dev/shm',
    '--symlink',
    '/tmp',
    '/var/tmp',
    '--perms',
    '1777',
    '--size',
    String(maxTemporaryBytes),
    '--tmpfs',
    '/tmp',
  ]
}

function linkOrBind(path: string): string[] {
  if (!existsSync(path)) return []
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}

function timeZone(): string[] {
  try {
    return ['--symlink', realpathSync('/etc/localtime'), '/etc/localtime']
  } catch {
    // A system without it keeps UTC.
    return []
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

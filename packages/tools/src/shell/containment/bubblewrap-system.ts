import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'

/** What a sandbox holds of the system, whatever the workspace is. */
export interface SystemMounts {
  readonly args: readonly string[]
  /** Files of the host that the launcher copies: the first from the descriptor `firstFile`, and so on. */
  readonly files: readonly string[]
}

/** The descriptor after stdin, stdout, stderr and the one for reports. */
const firstFile = 4
/** Below `/`, what a distribution keeps its programs in: folders, or links to `/usr`. */
const programFolders: readonly string[] = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** What programs need of `/etc`; nothing of it is secret. Keys, passwords and settings of services are not among it. */
const settings: readonly string[] = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/passwd',
  '/etc/group',
]
const networkSettings: readonly string[] = [
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

/** Where programs of the system lie. */
export const systemRoots: readonly string[] = ['/usr', '/etc/alternatives', ...programFolders]

/**
 * The system's programs, some devices and a private place for temporary files. A mount costs as much as a tenth of a
 * bare spawn, so they are few: links and copies do where they can.
 */
export function systemMounts(network: 'none' | 'host'): SystemMounts {
  const wanted = network === 'host' ? [...settings, ...networkSettings] : settings
  const there = wanted.filter((path) => existsSync(path))
  const files = there.filter((path) => statSync(path).isFile())
  const folders = there.filter((path) => !files.includes(path))
  return {
    files,
    args: [
      ...words('--ro-bind /usr /usr'),
      ...programFolders.flatMap(linkOrBind),
      ...folders.flatMap((path) => ['--ro-bind', realpathSync(path), path]),
      ...files.flatMap((path, at) => words(`--perms 0444 --file ${firstFile + at} ${path}`)),
      ...timeZone(),
      // Root owns the settings of the kernel in there, and needs no further power to change them.
      ...words('--proc /proc --remount-ro /proc'),
      ...words('--dev-bind /dev/null /dev/null --dev-bind /dev/zero /dev/zero'),
      ...words('--dev-bind /dev/urandom /dev/urandom --symlink /dev/urandom /dev/random'),
      ...words('--symlink /proc/self/fd /dev/fd --symlink /proc/self/fd/0 /dev/stdin'),
      ...words('--symlink /proc/self/fd/1 /dev/stdout --symlink /proc/self/fd/2 /dev/stderr'),
      ...words('--symlink /tmp /dev/shm --symlink /tmp /var/tmp'),
      ...words(`--perms 1777 --size ${maxTemporaryBytes} --tmpfs /tmp`),
    ],
  }
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

function words(text: string): string[] {
  return text.split(' ')
}

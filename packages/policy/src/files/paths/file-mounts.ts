import type { HeldEntry } from '../file-access.ts'
import type { FileSystemCalls } from '../file-system-calls.ts'

/**
 * Types of Linux file systems whose files are doors to the kernel or to other processes: proc, sysfs, devpts, debugfs,
 * tracefs, securityfs, cgroup 1 and 2, bpf, efivarfs, configfs, selinuxfs, pstore, binfmt_misc, fusectl, nsfs, mqueue.
 */
const kernelTypes = new Set([
  0x9fa0, 0x62656572, 0x1cd1, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270, 0xcafe4a11,
  0xde5e81e4, 0x62656570, 0xf97cff8c, 0x6165676c, 0x42494e4d, 0x65735543, 0x6e736673, 0x19800202,
])
/** Any user may mount one, and its server decides how long a read takes. */
const userType = 0x65735546
const kernelFolders = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/u

/** Whether a path leads to devices or into the kernel, by its name. */
export function isKernelPath(realPath: string): boolean {
  return kernelFolders.test(realPath)
}

/**
 * Says what is wrong with the file system of an entry; undefined when nothing is. An allowed folder may lie on any disk,
 * mounted by users too; a mount below it that users can make may not be entered.
 */
export function findMountFault(fs: FileSystemCalls, entry: HeldEntry): string | undefined {
  if (process.platform !== 'linux') return undefined
  if (entry.folder !== undefined && entry.folder.stats.dev === entry.stats.dev) return undefined
  const type = Number(BigInt.asUintN(32, BigInt(fs.statfsSync(entry.at).type)))
  if (kernelTypes.has(type)) return 'it lies on a file system of the kernel'
  if (entry.folder !== undefined && type === userType) {
    return 'another file system begins there; name it in the policy'
  }
  return undefined
}

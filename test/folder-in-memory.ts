import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const roomBytes = 4 * 2 ** 30

/**
 * Makes a folder in memory for the temporary files of tests, where Linux has room for them; it goes with this process. What is
 * tested flushes all that it writes, and waiting for a disk takes a third of the time.
 */
export function makeFolderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < roomBytes) return undefined
    const folder = mkdtempSync(join(memory, 'tests-'))
    // Postgres runs as another user, who has to get to its own folder.
    chmodSync(folder, 0o711)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return undefined
  }
}

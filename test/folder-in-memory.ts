import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const roomBytes = 4 * 2 ** 30

function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** A process that was ended could not remove its own. */
function removeThoseLeft(): void {
  for (const name of readdirSync(memory)) {
    const owner = /^toolcrib-tests-(\d+)-/.exec(name)?.[1]
    if (owner !== undefined && isGone(Number(owner)))
      rmSync(join(memory, name), { recursive: true, force: true })
  }
}

/**
 * Makes a folder in memory for the temporary files of tests, where Linux has room for them; it goes with this process. What is
 * tested flushes all that it writes, and waiting for a disk takes a third of the time.
 */
export function makeFolderInMemory(): string | undefined {
  try {
    removeThoseLeft()
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < roomBytes) return undefined
    const folder = mkdtempSync(join(memory, `toolcrib-tests-${process.pid}-`))
    // Postgres runs as another user, who has to get to its own folder.
    chmodSync(folder, 0o711)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return undefined
  }
}

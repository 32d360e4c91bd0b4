import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How long one process waits for another that makes the folder. */
const longestWaitMs = 180_000

/** A folder that takes long to make and does not change once it is made. */
export interface FolderMadeOnce {
  /** What it holds, as part of its name. */
  readonly name: string
  /** All that its content depends on: versions, settings, the text of what makes it. */
  readonly madeFrom: readonly string[]
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>
}

/**
 * Copies a folder that the first test to need it made, into `target`, which does not exist yet. What was made stays in
 * `node_modules/.cache`, so that later runs find it. Owners and modes are kept.
 */
export async function copyFolderMadeOnce(folder: FolderMadeOnce, target: string): Promise<void> {
  const made = await findOrMake(folder)
  await promisify(execFile)('cp', ['-a', made, target])
}

/** Where the folder is kept once it is made. */
export function placeOfFolder({ name, madeFrom }: FolderMadeOnce): string {
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'toolcrib-test')
  return join(cache, `${name}-${hash('sha256', JSON.stringify(madeFrom)).slice(0, 12)}`)
}

async function findOrMake(folder: FolderMadeOnce): Promise<string> {
  const made = placeOfFolder(folder)
  if (existsSync(made)) return made
  await mkdir(dirname(made), { recursive: true })
  return underLock(`${made}.lock`, async () => {
    if (existsSync(made)) return made
    const part = await mkdtemp(`${made}.part-`)
    try {
      // Whoever fills it may do so as another user.
      await chmod(part, 0o711)
      await folder.make(join(part, 'content'))
      await rename(join(part, 'content'), made)
    } finally {
      await rm(part, { recursive: true, force: true })
    }
    return made
  })
}

/** One process at a time. A lock whose process is gone is taken over. */
async function underLock<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + longestWaitMs
  while (!(await take(path))) {
    if (Date.now() > deadline) throw new Error(`Another process holds ${path}`)
    if (!(await isHeld(path))) await rm(path, { force: true })
    await wait(100)
  }
  try {
    return await act()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

async function isHeld(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  // Whoever has just made the file has not written to it yet.
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

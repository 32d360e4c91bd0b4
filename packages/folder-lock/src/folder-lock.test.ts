import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  FolderLockedError,
  FolderUnusableError,
  folderLockErrorCatalogue,
  lockFolder,
} from './index.ts'

let root: string
const children: ChildProcess[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'folder-lock-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

/** Starts a process that locks the folder; gives it and the lines it says up to its verdict. */
async function startHolder(
  folder: string,
  ...mode: string[]
): Promise<{ child: ChildProcess; lines: string[] }> {
  const script = join(import.meta.dirname, '../test/fixtures/hold-folder.ts')
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--conditions=@toolcrib/source', script, folder, ...mode],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  children.push(child)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (!line.startsWith('child')) break
  }
  return { child, lines }
}

const refusal = (promise: Promise<unknown>): Promise<FolderLockedError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => error as FolderLockedError,
  )

describe('lockFolder', () => {
  it('makes a missing folder that only its owner may enter', async () => {
    const folder = join(root, 'a', 'b')
    await using lock = await lockFolder(folder)
    expect((await stat(lock.path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(lock.path, '.lock.sqlite'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(lock.path, '.lock.json'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a second owner in the same process and names the first', async () => {
    await using lock = await lockFolder(root, {
      purpose: 'the call log',
      now: () => 1_700_000_000_000,
    })
    const error = await refusal(lockFolder(root))
    expect(error).toBeInstanceOf(FolderLockedError)
    expect(error.code).toBe('FOLDER_LOCKED')
    expect(error.data).toEqual({
      path: lock.path,
      holder: { pid: process.pid, since: 1_700_000_000_000, purpose: 'the call log' },
    })
    expect(error.message).toContain(`process ${process.pid} for "the call log" since 2023-11-14`)
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: 'FOLDER_LOCKED',
      data: error.data,
    })
  })

  it('keeps the lock after a refused attempt', async () => {
    await using lock = await lockFolder(root)
    expect(lock.path).toContain('folder-lock-')
    await refusal(lockFolder(root))
    expect((await refusal(lockFolder(root))).code).toBe('FOLDER_LOCKED')
    expect((await startHolder(root)).lines).toEqual(['FOLDER_LOCKED'])
  })

  it('sees through a symbolic link to the same folder', async () => {
    await using lock = await lockFolder(join(root, 'real'))
    expect(lock.path).toContain('folder-lock-')
    await symlink(join(root, 'real'), join(root, 'link'))
    expect((await refusal(lockFolder(join(root, 'link')))).code).toBe('FOLDER_LOCKED')
  })

  it('lets the next owner in after release, which may be called twice', async () => {
    const first = await lockFolder(root)
    await first.release()
    const second = await lockFolder(root)
    await first.release()
    expect((await refusal(lockFolder(root))).data.holder?.pid).toBe(process.pid)
    await second.release()
    expect(await readdir(root)).toEqual(['.lock.sqlite'])
  })

  it('waits as long as waitMs allows, and no longer', async () => {
    const first = await lockFolder(root)
    const startedAt = performance.now()
    expect((await refusal(lockFolder(root, { waitMs: 60 }))).code).toBe('FOLDER_LOCKED')
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55)
    const waiting = lockFolder(root, { waitMs: 10_000 })
    await first.release()
    await (await waiting).release()
  })

  it('stops waiting when its signal is aborted', async () => {
    await using lock = await lockFolder(root)
    expect(lock.path).toContain('folder-lock-')
    const controller = new AbortController()
    const waiting = lockFolder(root, { waitMs: 10_000, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(lockFolder(root, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('says why a folder cannot be used', async () => {
    await writeFile(join(root, 'file'), '')
    const error = await refusal(lockFolder(join(root, 'file')))
    expect(error).toBeInstanceOf(FolderUnusableError)
    expect(error.code).toBe('FOLDER_UNUSABLE')
    expect(error.message).toContain('file')
    await writeFile(join(root, '.lock.sqlite'), 'x'.repeat(4096))
    expect((await refusal(lockFolder(root))).code).toBe('FOLDER_UNUSABLE')
  })

  it('refuses a lock file that is a link, and writes through none', async () => {
    const folder = join(root, 'store')
    const elsewhere = join(root, 'policy.json')
    // oxlint-disable no-await-in-loop -- one link after the other
    for (const make of [symlink, link]) {
      await mkdir(folder, { recursive: true })
      if (make === link) await writeFile(elsewhere, '')
      await make(elsewhere, join(folder, '.lock.sqlite'))
      const error = await refusal(lockFolder(folder))
      expect(error.code).toBe('FOLDER_UNUSABLE')
      expect(error.message).toContain('.lock.sqlite is not a plain file')
      await rm(folder, { recursive: true })
    }
    // oxlint-enable no-await-in-loop
    await rm(elsewhere)
    await mkdir(folder)
    await symlink(elsewhere, join(folder, '.lock.json'))
    await symlink(elsewhere, join(folder, `.lock.json.${process.pid}.part`))
    await using lock = await lockFolder(folder)
    expect(lock.path).toContain('store')
    expect(await readdir(root)).toEqual(['store'])
  })

  it('does not trust what the note about the holder says', async () => {
    await using lock = await lockFolder(root)
    // oxlint-disable no-await-in-loop -- one note at a time lies in the folder
    for (const note of ['', '{', 'null', '{"pid":"x","since":1}', '{"pid":1,"since":1e99}']) {
      await writeFile(join(lock.path, '.lock.json'), note)
      expect((await refusal(lockFolder(root))).data).toEqual({ path: lock.path })
    }
    // oxlint-enable no-await-in-loop
    await writeFile(
      join(lock.path, '.lock.json'),
      JSON.stringify({ pid: 1, since: 1, purpose: 'p'.repeat(5000) }),
    )
    expect((await refusal(lockFolder(root))).data.holder?.purpose).toHaveLength(200)
  })

  it('lists its codes', () => {
    expect(Object.keys(folderLockErrorCatalogue)).toEqual(['FOLDER_LOCKED', 'FOLDER_UNUSABLE'])
  })
})

describe('a folder locked by another process', () => {
  it('is refused and names that process, also after the garbage of that process was collected', async () => {
    const { child, lines } = await startHolder(root)
    expect(lines).toEqual(['locked'])
    const error = await refusal(lockFolder(root))
    expect(error.data.holder).toMatchObject({ pid: child.pid, purpose: 'a test' })
  })

  it('is free at once when that process is killed with -9', async () => {
    const { child } = await startHolder(root)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(JSON.parse(await readFile(join(root, '.lock.json'), 'utf8'))).toMatchObject({
      pid: child.pid,
    })
    await using lock = await lockFolder(root)
    expect(lock.path).toContain('folder-lock-')
    expect((await refusal(lockFolder(root))).data.holder?.pid).toBe(process.pid)
  })

  it('is free when that process is killed and a child of it lives on', async () => {
    const { child, lines } = await startHolder(root, 'with-child')
    const grandchildId = Number(lines[0]?.slice('child '.length))
    child.kill('SIGKILL')
    await once(child, 'exit')
    try {
      process.kill(grandchildId, 0)
      await using lock = await lockFolder(root)
      expect(lock.path).toContain('folder-lock-')
    } finally {
      process.kill(grandchildId, 'SIGKILL')
    }
  })

  it('has exactly one owner when several processes want it in the same instant', async () => {
    for (let round = 0; round < 3; round += 1) {
      const folder = join(root, `round-${round}`)
      const at = String(Date.now() + 400)
      // oxlint-disable-next-line no-await-in-loop -- rounds must not disturb each other
      const rivals = await Promise.all([1, 2, 3, 4].map(() => startHolder(folder, 'at', at)))
      const verdicts = rivals.flatMap(({ lines }) => lines).toSorted()
      expect(verdicts).toEqual(['FOLDER_LOCKED', 'FOLDER_LOCKED', 'FOLDER_LOCKED', 'locked'])
      for (const { child } of rivals) child.kill('SIGKILL')
    }
  })
})

import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import {
  type StoreFile,
  type StoreFileSystem,
  openFileEventStore,
  realFileSystem,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf, makeFolder, openFolder, openWorkshop } from './bench-of-tests.ts'
import { pauseEvent } from './event-store-contract.ts'

let folder: Awaited<ReturnType<typeof makeFolder>>
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.remove())

const logPath = (): string => join(folder.path, 'store', 'audit.jsonl')

async function writeBatches(...batches: number[]): Promise<number[]> {
  const store = await openFolder(folder.path)
  const ends: number[] = []
  for (const count of batches) {
    const events = Array.from({ length: count }, (_, index) => pauseEvent(`row ${index}`))
    await store.append(events, store.sequence)
    ends.push((await stat(logPath())).size)
  }
  await store.close()
  return ends
}

/**
 * Where the log is cut: at every byte in `pnpm test:long`, else around the end of each row and at every eleventh byte between.
 */
function listCuts(whole: Buffer): number[] {
  const sizes = Array.from({ length: whole.length + 1 }, (_, size) => size)
  if (process.env['TOOLCRIB_LONG_TESTS'] !== undefined) return sizes
  const rowEnds = sizes.filter((size) => size === 0 || whole[size - 1] === newline)
  return sizes.filter((size) => size % 11 === 0 || rowEnds.some((end) => Math.abs(size - end) <= 2))
}
const newline = 10

test('cut at any byte, the log keeps every whole batch, verifies, and keeps the rest aside', async () => {
  const batches = [2, 1, 3]
  const ends = await writeBatches(...batches)
  const whole = await readFile(logPath())
  for (const size of listCuts(whole)) {
    await writeFile(logPath(), whole.subarray(0, size))
    const store = await openFolder(folder.path)
    const kept = ends.filter((end) => end <= size).length
    const expected = batches.slice(0, kept).reduce((sum, count) => sum + count, 0)
    expect(store.sequence, `cut at ${size}`).toBe(expected)
    expect(await store.verify()).toMatchObject({ ok: true, events: expected })
    const torn = size - (ends[kept - 1] ?? 0)
    expect(store.recovery?.bytes ?? 0).toBe(torn)
    const aside =
      store.recovery === undefined
        ? Buffer.alloc(0)
        : await readFile(join(folder.path, 'store', store.recovery.keptAs))
    expect(aside).toEqual(whole.subarray(size - torn, size))
    await store.append([pauseEvent('after')], expected)
    expect(await store.verify()).toMatchObject({ ok: true, events: expected + 1 })
    await store.close()
  }
})

test('pages that never reached the disk, read back as zeros, count as an unfinished write', async () => {
  const [first = 0] = await writeBatches(1, 4)
  const bytes = await readFile(logPath())
  bytes.fill(0, first + 100, first + 300)
  await writeFile(logPath(), bytes)
  const store = await openFolder(folder.path)
  expect(store.sequence).toBe(1)
  expect(await store.verify()).toMatchObject({ ok: true, events: 1 })
  await store.close()
})

test('a changed byte is found at its exact row, and the other rows stay readable', async () => {
  await writeBatches(5)
  const text = await readFile(logPath(), 'utf8')
  await writeFile(logPath(), text.replace('row 2', 'row X'))
  const store = await openFolder(folder.path)
  expect(await store.verify()).toMatchObject({ ok: false, sequence: 3 })
  const problems = (await store.read()).map(({ problem }) => problem !== undefined)
  expect(problems).toEqual([false, false, true, false, false])
  await store.close()
})

test('a removed, a doubled, a swapped and a garbled row are found, and only that place is blamed', async () => {
  await writeBatches(1, 1, 1, 1, 1)
  const rows = (await readFile(logPath(), 'utf8')).trimEnd().split('\n')
  const [one = '', two = '', three = '', four = '', five = ''] = rows
  const cases: readonly (readonly [string[], number])[] = [
    [[one, three, four, five], 2],
    [[one, two, two, three, four, five], 3],
    [[one, three, two, four, five], 2],
    [[one, 'garbage', three, four, five], 2],
    [[one, two.replace('"hash":"', '"hash":"f').replace(/f(.{63}).",/, 'f$1",'), three], 2],
  ]
  for (const [lines, sequence] of cases) {
    await writeFile(logPath(), `${lines.join('\n')}\n`)
    const store = await openFolder(folder.path)
    expect(await store.verify()).toMatchObject({ ok: false, sequence })
    const next = store.sequence
    await store.append([pauseEvent('more')], next)
    await store.close()
    const again = await openFolder(folder.path)
    const last = (await again.read()).at(-1)
    expect(last?.problem).toBeUndefined()
    expect(await again.verify()).toMatchObject({ ok: false, sequence })
    await again.close()
  }
})

test('a second opener is refused, in the same process too', async () => {
  const store = await openFolder(folder.path)
  expect(await codeOf(openFolder(folder.path))).toBe('FOLDER_LOCKED')
  await store.close()
  const next = await openFolder(folder.path)
  await next.close()
})

test('a log that somebody else writes to, replaces or cuts meanwhile is not written to', async () => {
  const store = await openFolder(folder.path)
  await store.append([pauseEvent('a')], 0)
  await appendFile(logPath(), 'foreign\n')
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_CONFLICT')
  expect(await readFile(logPath(), 'utf8')).toContain('foreign')
  expect(await store.verify()).toMatchObject({ ok: false, sequence: 2 })
  await truncate(logPath(), 0)
  expect(await store.verify()).toMatchObject({ ok: false, sequence: 1 })
  await rename(logPath(), `${logPath()}.old`)
  await writeFile(logPath(), '')
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_CONFLICT')
  expect(await store.verify()).toMatchObject({ ok: false })
  await store.close()
})

interface Fault {
  operation: 'none' | 'write' | 'sync' | 'both' | 'keep'
  code: string
  /** How many bytes get through before the write fails. */
  through: number
}

function failingFileSystem(fault: Fault): StoreFileSystem {
  const fail = (): never => {
    throw Object.assign(new Error(fault.code), { code: fault.code })
  }
  return {
    ...realFileSystem,
    writeNewFile: (path, bytes) =>
      fault.operation === 'keep' ? fail() : realFileSystem.writeNewFile(path, bytes),
    openFile: async (path) => {
      const file = await realFileSystem.openFile(path)
      const faulty: StoreFile = {
        read: (...read) => file.read(...read),
        stat: () => file.stat(),
        close: () => file.close(),
        write: async (...[buffer, offset, length, position]) => {
          if (fault.operation !== 'write' && fault.operation !== 'both')
            return file.write(buffer, offset, Math.min(length, 40), position)
          await file.write(buffer, offset, Math.min(length, fault.through), position)
          return fail()
        },
        truncate: (length) => (fault.operation === 'both' ? fail() : file.truncate(length)),
        sync: async () => {
          if (fault.operation === 'sync') {
            fault.operation = 'none'
            fail()
          }
          await file.sync()
        },
      }
      return faulty
    },
  }
}

test('a full disk leaves the log as it was, and says so; with space again it goes on', async () => {
  const fault: Fault = { operation: 'none', code: 'ENOSPC', through: 25 }
  const store = await openFileEventStore({
    directory: join(folder.path, 'store'),
    fileSystem: failingFileSystem(fault),
  })
  await store.append([pauseEvent('a')], 0)
  const before = await readFile(logPath())
  fault.operation = 'write'
  expect(await codeOf(store.append([pauseEvent('b'), pauseEvent('c')], 1))).toBe('STORE_FULL')
  expect(await readFile(logPath())).toEqual(before)
  fault.code = 'EIO'
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_WRITE_FAILED')
  fault.operation = 'sync'
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_WRITE_FAILED')
  expect(await readFile(logPath())).toEqual(before)
  expect(await store.append([pauseEvent('b')], 1)).toBe(2)
  expect(await store.verify()).toMatchObject({ ok: true, events: 2 })
  await store.close()
})

test('a write that cannot be taken back stops all writing until the store is opened again', async () => {
  const fault: Fault = { operation: 'none', code: 'ENOSPC', through: 25 }
  const store = await openFileEventStore({
    directory: join(folder.path, 'store'),
    fileSystem: failingFileSystem(fault),
  })
  await store.append([pauseEvent('a')], 0)
  fault.operation = 'both'
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_FULL')
  fault.operation = 'none'
  expect(await codeOf(store.append([pauseEvent('b')], 1))).toBe('STORE_WRITE_FAILED')
  await store.close()
  const again = await openFolder(folder.path)
  expect(again.recovery?.bytes).toBe(25)
  expect(again.sequence).toBe(1)
  await again.close()
})

test('with no space to keep a torn end aside, nothing is cut', async () => {
  await writeBatches(1)
  await appendFile(logPath(), 'torn')
  const fault: Fault = { operation: 'keep', code: 'ENOSPC', through: 0 }
  const open = openFileEventStore({
    directory: join(folder.path, 'store'),
    fileSystem: failingFileSystem(fault),
  })
  expect(await codeOf(open)).toBe('STORE_FULL')
  expect(await readFile(logPath(), 'utf8')).toMatch(/torn$/)
})

test('an event may be as large as the limit and not one byte larger', async () => {
  const store = await openFileEventStore({ directory: join(folder.path, 'store') })
  await store.append([pauseEvent('')], 0)
  const base = (await stat(logPath())).size
  await store.close()
  const open = (maxEventBytes: number): ReturnType<typeof openFileEventStore> =>
    openFileEventStore({ directory: join(folder.path, 'store'), maxEventBytes })
  const small = await open(base + 10)
  await small.append([pauseEvent('x'.repeat(10))], 1)
  expect(await codeOf(small.append([pauseEvent('x'.repeat(11))], 2))).toBe('EVENT_TOO_LARGE')
  await small.close()
})

test('the log and its folder are for their owner only, and a torn end is put on record', async () => {
  await writeBatches(1)
  expect((await stat(logPath())).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder.path, 'store'))).mode & 0o777).toBe(0o700)
  await appendFile(logPath(), '{"hash":"')
  const { maker } = await openWorkshop({ store: await openFolder(folder.path) })
  const files = await readdir(join(folder.path, 'store'))
  expect(files.filter((file) => file.startsWith('audit.torn-'))).toHaveLength(1)
  expect(await maker.verifyAudit()).toMatchObject({ ok: true, events: 3 })
  await maker.close()
  const types = (await readFile(logPath(), 'utf8')).match(/"type":"[a-z_]+"/g)
  expect(types).toEqual([
    '"type":"tools_paused"',
    '"type":"event_log_upgraded"',
    '"type":"audit_recovered"',
  ])
})

test('a folder in the place of the log is a typed error', async () => {
  await mkdir(logPath(), { recursive: true })
  expect(await codeOf(openFolder(folder.path))).toBe('STORE_WRITE_FAILED')
})

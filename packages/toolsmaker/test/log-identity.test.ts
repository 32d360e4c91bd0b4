import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolRegistry } from '@toolcrib/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Trust,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
  readLogIdentity,
} from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-log-identity-'))
const storeDirectory = join(folder, 'store')
const log = join(storeDirectory, 'audit.jsonl')
let trust: Trust
let identity: string

const atStart: unknown[] = []

beforeAll(async () => {
  trust = await openTrustDirectory(join(folder, 'trust'))
  atStart.push(await readLogIdentity({ storeDirectory, trust }))
  const store = await openFileEventStore({ directory: storeDirectory })
  const maker = await createToolsmaker({ store, trust, kinds: [], registry: new ToolRegistry() })
  await maker.pauseTools({ reason: 'look' })
  identity = maker.store
  atStart.push(await readLogIdentity({ storeDirectory, trust }))
  await maker.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a log is told while its host runs, and none before there is one', () => {
  expect(atStart).toEqual([{}, { store: identity, known: identity }])
})

test('a log is told by its files as the host itself tells it, also where its first row was changed', async () => {
  const whole = readFileSync(log, 'utf8')
  try {
    writeFileSync(log, whole.replace('event_log_started', 'event_log_startex'))
    const found = await readLogIdentity({ storeDirectory, trust })
    expect(found.known).toBe(identity)
    expect(found.store).not.toBe(identity)
    const store = await openFileEventStore({ directory: storeDirectory })
    expect(found.store).toBe(await store.hashAt(1))
    await store.close()
  } finally {
    writeFileSync(log, whole)
  }
})

test('a log of another namespace is none that this trust remembers', async () => {
  const found = await readLogIdentity({ storeDirectory, trust, namespace: 'other' })
  expect(found.known).toBeUndefined()
  expect(found.store).not.toBe(identity)
})

test('a first row may have as many bytes as events may, and one byte more is too long', async () => {
  const bytes = readFileSync(log).indexOf('\n')
  const read = (maxEventBytes: number): Promise<unknown> =>
    readLogIdentity({ storeDirectory, trust, maxEventBytes })
  expect(await read(bytes)).toMatchObject({ store: identity })
  await expect(read(bytes - 1)).rejects.toMatchObject({ code: 'STORE_INVALID' })
  const whole = readFileSync(log)
  try {
    // The usual limit.
    writeFileSync(log, Buffer.alloc(4 * 1_024 * 1_024 + 1, 120))
    await expect(readLogIdentity({ storeDirectory, trust })).rejects.toMatchObject({
      code: 'STORE_INVALID',
    })
  } finally {
    writeFileSync(log, whole)
  }
})

test('nothing is told of a first row that is not yet whole', async () => {
  const whole = readFileSync(log)
  try {
    writeFileSync(log, whole.subarray(0, 40))
    expect(await readLogIdentity({ storeDirectory, trust })).toEqual({ known: identity })
  } finally {
    writeFileSync(log, whole)
  }
})

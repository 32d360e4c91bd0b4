import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonValue, canonicalJson, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type MemoryTrust,
  type StoreFile,
  type StoreFileSystem,
  type StatementEnvelope,
  type VersionStatement,
  createMemoryTrust,
  openFileEventStore,
  realFileSystem,
  signDecision,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  readEvents,
  rewriteStore,
} from './bench-of-tests.ts'

// Somebody can write the whole store while the host starts and runs, at the worst moment. The trust is out of reach.

let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
const grace = makeSigner('grace')

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
})
afterEach(() => folder.remove())

const logPath = (): string => join(folder.path, 'store', 'audit.jsonl')
async function open(fileSystem?: StoreFileSystem): Promise<Workshop> {
  const store = await openFileEventStore({
    directory: join(folder.path, 'store'),
    ...(fileSystem === undefined ? {} : { fileSystem }),
  })
  try {
    return await openWorkshop({ store, trust, grace })
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Up to which event a checkpoint says that the log was verified. */
function verifiedIn(kept: Awaited<ReturnType<MemoryTrust['readCheckpoint']>>): number {
  const { payload } = kept as StatementEnvelope
  const { verified } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    verified: { sequence: number } | null
  }
  return verified?.sequence ?? 0
}

async function makeHistory(): Promise<Buffer> {
  const { maker } = await open()
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ name: 'other_sum', risk: 'high' }))
  await maker.approveTool('other_sum', 1, { signer: grace })
  await maker.activateToolVersion('other_sum', 1, { signer: grace })
  await maker.close()
  return readFile(logPath())
}

function readPayload({ payload }: StatementEnvelope): Record<string, JsonValue> {
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Record<string, JsonValue>
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** The whole log with other definitions and a row more, every hash recomputed; nothing of it is signed. */
async function forgeLog(): Promise<Buffer> {
  const events = await readEvents(folder.path)
  for (const event of events) {
    if (event.type !== 'tool_build_generated') continue
    Object.assign(event.content, { definition: { add: 6 } })
    Object.assign(event, { contentHash: await contentHash(event.content as unknown as JsonValue) })
  }
  const hashes = new Map(
    events.flatMap((event) =>
      event.type === 'tool_build_generated' ? [[event.name, event.contentHash]] : [],
    ),
  )
  for (const event of events)
    if ('decision' in event && event.decision !== undefined && 'name' in event) {
      const statement = { ...readPayload(event.decision), contentHash: hashes.get(event.name) }
      Object.assign(event.decision, { payload: toBase64(JSON.stringify(statement)) })
    }
  const before = await readFile(logPath())
  const ends = before.toString('utf8').trimEnd().split('\n')
  await rewriteStore(folder.path, [])
  const store = await openFolder(folder.path)
  let batch: LifecycleEvent[] = []
  for (const [index, event] of events.entries()) {
    batch.push(event)
    if (ends[index]?.includes('"end":true') !== true) continue
    // oxlint-disable-next-line no-await-in-loop -- batch after batch, as they were written
    await store.append(batch, store.sequence)
    batch = []
  }
  const actor = { kind: 'host', id: 'default' } as const
  await store.append(
    [{ type: 'projection_restored', at: '2030-01-01T00:00:00.000Z', actor, file: 'x' }],
    store.sequence,
  )
  await store.close()
  const forged = await readFile(logPath())
  await writeFile(logPath(), before)
  return forged
}

/** A file system on which somebody exchanges what the log holds before or after a number of reads. */
function exchanging(before: ReadonlyMap<number, Buffer>): StoreFileSystem {
  let reads = 0
  return {
    ...realFileSystem,
    openFile: async (path) => {
      const file = await realFileSystem.openFile(path)
      const exchanged: StoreFile = {
        write: (...bytes) => file.write(...bytes),
        truncate: (length) => file.truncate(length),
        sync: () => file.sync(),
        stat: () => file.stat(),
        close: () => file.close(),
        read: async (...place) => {
          reads += 1
          const bytes = before.get(reads)
          if (bytes !== undefined) await writeFile(path, bytes)
          return file.read(...place)
        },
      }
      return exchanged
    },
  }
}

test('whenever the log is exchanged for a forged one, and back, during a start: nothing unsigned runs, and no later start believes it', async () => {
  const genuine = await makeHistory()
  const forged = await forgeLog()
  for (let begin = 1; begin <= 4; begin += 1)
    for (let end = begin + 1; end <= begin + 3; end += 1) {
      // Also with the forged log there from the beginning.
      const first = begin === 1 ? forged : genuine
      await writeFile(logPath(), first)
      const moments = new Map([
        [begin, forged],
        [end, genuine],
      ])
      const workshop = await open(exchanging(moments)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'STORE_INVALID' })
      })
      if (workshop !== undefined) {
        const ran = await Promise.all(
          ['plus_some', 'other_sum'].map((name) => callTool(workshop, name, { value: 1 })),
        )
        for (const outcome of ran)
          // A start that sees the other log begins paused.
          expect([2, 'not registered', 'TOOLS_PAUSED'], `${begin}-${end}`).toContain(outcome)
        await workshop.maker.close()
      }
      await writeFile(logPath(), forged)
      const later = await open()
      expect(await callTool(later, 'plus_some', { value: 1 })).toBe('not registered')
      expect(await callTool(later, 'other_sum', { value: 1 })).toBe('not registered')
      expect(await later.maker.verifyAudit(), `${begin}-${end}`).toMatchObject({ ok: false })
      await later.maker.close()
    }
}, 120_000)

test('rows that are changed while the host runs are not shown as what was recorded', async () => {
  const genuine = await makeHistory()
  const { maker } = await open()
  const history = await maker.history('plus_some')
  const text = genuine.toString('utf8')
  await writeFile(
    logPath(),
    text.replace('"steps":["adds 1 to value"]', '"steps":["adds 0 to value"]'),
  )
  expect((await stat(logPath())).size).toBe(genuine.length)
  const changed = await maker.history('plus_some')
  expect(changed.filter(({ problem }) => problem !== undefined)).toHaveLength(1)
  expect(changed.filter(({ event }) => event !== undefined)).toHaveLength(history.length - 1)
  expect(await maker.readReview('plus_some', 1)).toBeUndefined()
  await maker.close()
})

test("a checkpoint stands for no person's signature: what a person approved is verified at every start", async () => {
  await makeHistory()
  const first = await open()
  expect(await callTool(first, 'other_sum', { value: 1 })).toBe(2)
  await first.maker.close()
  // The strongest case: the very checkpoint of a log that holds what nobody signed.
  const events = await readEvents(folder.path)
  const approved = events.find(
    (event) => event.type === 'tool_approved' && event.name === 'other_sum',
  )
  if (approved?.type !== 'tool_approved') throw new Error('It was not approved')
  const mallory = makeSigner('grace')
  const statement = readPayload(approved.decision) as unknown as VersionStatement
  Object.assign(approved, { decision: await signDecision(statement, mallory) })
  await rewriteStore(folder.path, events)
  const store = await openFolder(folder.path)
  const headHash = String(await store.hashAt(events.length))
  await store.close()
  const remembered = (await trust.readCheckpoint('default')) as StatementEnvelope | undefined
  if (remembered === undefined) throw new Error('Nothing was remembered')
  const known = readPayload(remembered)
  const verified = { ...(known['verified'] as object), sequence: events.length }
  const checkpoint = { ...known, sequence: events.length, headHash, verified }
  const payload = canonicalJson(checkpoint)
  const { payloadType } = remembered
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `
  const sig = Buffer.from(await trust.hostSigner().sign(Buffer.from(head + payload)))
  const [{ keyid }] = remembered.signatures
  const forged: StatementEnvelope = {
    payloadType,
    payload: toBase64(payload),
    signatures: [{ keyid, sig: sig.toString('base64') }],
  }
  trust.readCheckpoint = async () => forged
  const second = await open()
  expect(second.maker.listVersions().length).toBe(2)
  expect(await callTool(second, 'plus_some', { value: 1 })).toBe(2)
  expect(await callTool(second, 'other_sum', { value: 1 })).toBe('not registered')
  await second.maker.close()
})

test('a log is not remembered as verified with rows that hold no event, belong to no version, or cannot have happened, and audit names them', async () => {
  const frame = { at: '2030-01-01T00:00:00.000Z', actor: { kind: 'person', id: 'grace' } } as const
  const rows: readonly unknown[] = [
    { ...frame, type: 'unknown_event' },
    { ...frame, type: 'tool_deactivated', name: 'no_such_tool', version: 1, reason: 'x' },
    { ...frame, type: 'tool_deactivated', name: 'plus_some', version: 7, reason: 'x' },
    { ...frame, type: 'tool_rejected', name: 'plus_some', version: 1, reason: 'x' },
  ]
  for (const row of rows) {
    await rm(join(folder.path, 'store'), { recursive: true, force: true })
    trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    await makeHistory()
    const before = verifiedIn(await trust.readCheckpoint('default'))
    expect(before).toBeGreaterThan(0)
    const store = await openFolder(folder.path)
    await store.append([row as LifecycleEvent], store.sequence)
    await store.close()
    const workshop = await open()
    await workshop.maker.checkProjections()
    expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: false })
    await workshop.maker.close()
    expect(verifiedIn(await trust.readCheckpoint('default')), JSON.stringify(row)).toBe(before)
  }
})

test('what somebody adds to the log while the host runs is not signed when the host ends', async () => {
  await makeHistory()
  const { maker } = await open()
  await appendFile(logPath(), 'foreign\n')
  await maker.close()
  const signed = (await trust.readCheckpoint('default')) as StatementEnvelope | undefined
  const again = await open()
  expect(await again.maker.verifyAudit()).toMatchObject({ ok: true })
  const later = (await trust.readCheckpoint('default')) as StatementEnvelope | undefined
  if (signed === undefined || later === undefined) throw new Error('Nothing was remembered')
  expect(readPayload(later)['sequence']).toBeGreaterThanOrEqual(
    Number(readPayload(signed)['sequence']),
  )
  await again.maker.close()
})

import { afterEach, expect, test } from 'vitest'
import { encodeFrame } from './frame.ts'
import { HostRun } from '../host/host-run.ts'
import { monotonicMs } from '../host/monotonic-clock.ts'
import { Pool } from '../host/pool.ts'
import { ProcessLane } from './process-lane.ts'

// What a process can do that its guest has taken over: it answers the first frame with bytes of the test's.

let pool: Pool | undefined

afterEach(async () => {
  await pool?.close()
})

const ready = encodeFrame({ type: 'ready' })
const facts = { id: 'ID', cpuMs: 1, logs: [], droppedLogs: 0 }

/** `"ID"` in the bytes becomes the id of the run. */
const runAgainst = async (bytes: string): Promise<string> => {
  const script = `
    process.stdin.once('data', () => { ${bytes} })
    setInterval(() => {}, 1000)`
  pool = new Pool({
    maxLanes: 1,
    runsPerLane: 4,
    maxWaiting: 10,
    graceMs: 100,
    openLane: (events) => new ProcessLane({ file: process.execPath, args: ['-e', script] }, events),
    findModule: (hash) => ({ type: 'module', hash, source: '', imports: {} }),
  })
  const run = new HostRun({
    type: 'call',
    hash: 'h',
    inputJson: '{}',
    callJson: '{}',
    operations: {},
    limits: {
      deadline: monotonicMs() + 15_000,
      cpuMs: 15_000,
      memoryBytes: 2 ** 25,
      maxOutputBytes: 1000,
      maxHostCalls: 2,
      maxConcurrentHostCalls: 2,
      maxArgumentBytes: 1000,
      maxLogBytes: 10,
    },
  })
  lastId = run.id
  pool.submit(run)
  const { outcome } = await run.finished
  return outcome.ok ? outcome.json : outcome.reason
}

let lastId = 0

const say = (...messages: unknown[]): string => {
  const parts = messages.map((message) => {
    const text = JSON.stringify(message).replaceAll('"ID"', String(lastId + 1))
    return encodeFrame(JSON.parse(text) as object).toString('base64')
  })
  return [ready.toString('base64'), ...parts]
    .map((part) => `process.stdout.write(Buffer.from('${part}', 'base64'));`)
    .join('')
}

const end = (outcome: unknown, more: object = {}): unknown => ({
  type: 'end',
  ...facts,
  sleeps: [],
  outcome,
  ...more,
})

test('a process that keeps to the rules is believed', async () => {
  expect(await runAgainst(say(end({ ok: true, json: '7' })))).toBe('7')
})

test.for<[string, () => string]>([
  ['a message of no type', () => say({})],
  ['nothing', () => say(null)],
  ['a result that is no text', () => say(end({ ok: true, json: { toString: 1 } }))],
  ['a result without an outcome', () => say(end(undefined))],
  ['a reason that does not exist', () => say(end({ ok: false, reason: 'forged', message: '' }))],
  ['a reason of the host', () => say(end({ ok: false, reason: 'closed', message: '' }))],
  ['time that is no number', () => say(end({ ok: true, json: '1' }, { cpuMs: 'x' }))],
  ['logs that are no list', () => say(end({ ok: true, json: '1' }, { logs: { length: 1 } }))],
  [
    'an operation that is no text',
    () => say({ type: 'turn', ...facts, requests: [{ id: 1, operation: {}, argument: '{}' }] }),
  ],
  ['an id that nobody has', () => say(end({ ok: true, json: '1' }, { id: 1e9 }))],
  ['a frame that is no JSON', () => `process.stdout.write(Buffer.from([5,0,0,0,1,0,0,0,123]))`],
  ['noise', () => `process.stdout.write('A'.repeat(100000))`],
  [
    'a flood of values',
    () => `const head = Buffer.from('[' + '[],'.repeat(500000) + '1]'); const size = Buffer.alloc(8)
      size.writeUInt32LE(head.length + 4); size.writeUInt32LE(head.length, 4)
      process.stdout.write(size); process.stdout.write(head)`,
  ],
  [
    'a frame that says it has a gigabyte',
    () =>
      `process.stdout.write(Buffer.from([0,0,0,64])); setInterval(() => process.stdout.write('x'.repeat(1e5)), 1)`,
  ],
])('a process that sends %s is ended, and its calls are lost', async ([, bytes]) => {
  expect(await runAgainst(bytes())).toBe('worker-lost')
})

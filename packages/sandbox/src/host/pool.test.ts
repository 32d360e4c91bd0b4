import { afterEach, expect, test, vi } from 'vitest'
import { HostRun } from './host-run.ts'
import type { Lane, LaneEvents } from '../lanes/lane.ts'
import { monotonicMs } from './monotonic-clock.ts'
import { Pool } from './pool.ts'
import type { HostMessage, HostRequest } from '../lanes/protocol.ts'
import type { HostOperations } from '../sandbox.ts'

/** A lane that does what the test says. */
class FakeLane implements Lane {
  readonly events: LaneEvents
  readonly posted: HostMessage[] = []
  isKilled = false
  isHeld = false

  constructor(events: LaneEvents) {
    this.events = events
  }

  get begun(): number[] {
    return this.posted.flatMap((message) => (message.type === 'call' ? [message.id] : []))
  }

  post(message: HostMessage): void {
    this.posted.push(message)
  }

  setFlag(): void {}

  hold(isHeld: boolean): void {
    this.isHeld = isHeld
  }

  async kill(): Promise<void> {
    this.isKilled = true
  }

  turn(id: number, operation?: string, message?: string): void {
    const requests = operation === undefined ? [] : [{ id: 1, operation, argument: '{}' }]
    const logs = message === undefined ? [] : [{ level: 'info', message } as const]
    this.events.onMessage({ type: 'turn', id, cpuMs: 1, logs, droppedLogs: 0, requests })
  }

  turnWith(id: number, ...requests: HostRequest[]): void {
    this.events.onMessage({ type: 'turn', id, cpuMs: 1, logs: [], droppedLogs: 0, requests })
  }

  end(id: number, json = '1'): void {
    this.events.onMessage({
      type: 'end',
      id,
      cpuMs: 1,
      logs: [],
      droppedLogs: 0,
      sleeps: [],
      outcome: { ok: true, json },
    })
  }
}

const setUp = (maxLanes: number): { readonly pool: Pool; readonly lanes: FakeLane[] } => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const lanes: FakeLane[] = []
  const pool = new Pool({
    maxLanes,
    runsPerLane: 4,
    maxWaiting: 10,
    graceMs: 100,
    openLane: (events) => {
      const lane = new FakeLane(events)
      lanes.push(lane)
      return lane
    },
    findModule: (hash) => ({ type: 'module', hash, source: '', imports: {} }),
  })
  return { pool, lanes }
}

const begin = (
  pool: Pool,
  timeoutMs = 10_000,
  host: { readonly operations?: HostOperations; readonly maxHostCalls?: number } = {},
): HostRun => {
  const { operations = {}, maxHostCalls = 2 } = host
  const run = new HostRun({
    type: 'call',
    hash: 'h',
    inputJson: '{}',
    callJson: '{}',
    operations,
    limits: {
      deadline: monotonicMs() + timeoutMs,
      cpuMs: timeoutMs,
      memoryBytes: 2 ** 25,
      maxOutputBytes: 1000,
      maxHostCalls,
      maxConcurrentHostCalls: 2,
      maxArgumentBytes: 1000,
      maxLogBytes: 10,
    },
  })
  pool.submit(run)
  return run
}

const reasonOf = async (run: HostRun): Promise<string> => {
  const { outcome } = await run.finished
  return outcome.ok ? 'ok' : outcome.reason
}

afterEach(() => {
  vi.useRealTimers()
})

test('a run waits while every worker computes, and begins where one waits', () => {
  const { pool, lanes } = setUp(2)
  const runs = [begin(pool), begin(pool), begin(pool)] as const
  expect(lanes.map((lane) => lane.begun)).toEqual([[runs[0].id], [runs[1].id]])
  lanes[1]?.turn(runs[1].id)
  expect(lanes.map((lane) => lane.begun)).toEqual([[runs[0].id], [runs[1].id, runs[2].id]])
})

test('a worker holds the program open only while somebody waits for it', async () => {
  const { pool, lanes } = setUp(1)
  const run = begin(pool)
  expect(lanes[0]?.isHeld).toBe(true)
  lanes[0]?.end(run.id)
  expect(lanes[0]?.isHeld).toBe(false)
  expect(await reasonOf(run)).toBe('ok')
})

test('a worker that does not answer after the deadline is ended after the grace', async () => {
  const { pool, lanes } = setUp(1)
  const run = begin(pool, 50)
  await vi.advanceTimersByTimeAsync(60)
  expect(run.isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(lanes[0]?.isKilled).toBe(true)
  expect(await reasonOf(run)).toBe('timeout')
})

test('a run that waits ends at its deadline although its worker computes for another, which goes on', async () => {
  const { pool, lanes } = setUp(1)
  const waiting = begin(pool, 50)
  lanes[0]?.turn(waiting.id)
  const computing = begin(pool, 5000)
  await vi.advanceTimersByTimeAsync(60)
  expect(await reasonOf(waiting)).toBe('timeout')
  await vi.advanceTimersByTimeAsync(1000)
  expect(lanes[0]?.isKilled).toBe(false)
  lanes[0]?.end(computing.id)
  lanes[0]?.end(waiting.id)
  expect(await reasonOf(computing)).toBe('ok')
})

test('when a worker is ended, runs that asked nothing begin again and those that did are lost', async () => {
  const { pool, lanes } = setUp(1)
  const innocent = begin(pool)
  lanes[0]?.turn(innocent.id)
  const asked = begin(pool, 10_000, {
    operations: { ask: () => new Promise(() => undefined) },
  })
  lanes[0]?.turn(asked.id, 'ask')
  const stuck = begin(pool, 50)
  await vi.advanceTimersByTimeAsync(200)
  expect(await reasonOf(stuck)).toBe('timeout')
  expect(await reasonOf(asked)).toBe('worker-lost')
  expect(lanes[1]?.begun).toEqual([innocent.id])
  lanes[1]?.end(innocent.id)
  expect(await reasonOf(innocent)).toBe('ok')
})

test('what a run logged before it began again is not told twice', async () => {
  const { pool, lanes } = setUp(1)
  const innocent = begin(pool)
  lanes[0]?.turn(innocent.id, undefined, 'x'.repeat(10))
  begin(pool, 50)
  await vi.advanceTimersByTimeAsync(200)
  lanes[1]?.turn(innocent.id, undefined, 'x'.repeat(10))
  lanes[1]?.end(innocent.id)
  expect(await innocent.finished).toMatchObject({
    outcome: { ok: true },
    facts: { logs: [{ message: 'x'.repeat(10) }] },
  })
})

test('what a worker says of the run of another harms nobody but itself', async () => {
  const { pool, lanes } = setUp(2)
  const [other, mine] = [begin(pool, 50), begin(pool)]
  lanes[1]?.end(other.id, '"forged"')
  expect(lanes[1]?.isKilled).toBe(true)
  expect(await reasonOf(mine)).toBe('worker-lost')
  expect(other.isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(lanes[0]?.isKilled).toBe(true)
  expect(await reasonOf(other)).toBe('timeout')
})

test('answers of operations go out together while the guest is busy, and large ones one by one', async () => {
  const { pool, lanes } = setUp(1)
  const answers = ['a', 'b'.repeat(2 ** 20), 'c', 'd']
  const waiting: ((text: string) => void)[] = []
  const ask = (): Promise<string> => new Promise((resolve) => waiting.push(resolve))
  const run = begin(pool, 10_000, { operations: { ask }, maxHostCalls: 10 })
  const [lane] = lanes
  for (const [index] of answers.entries()) {
    lane?.turnWith(run.id, { id: index + 1, operation: 'ask', argument: '{}' })
    if (index < 3) lane?.events.onMessage({ type: 'wake', id: run.id })
  }
  for (const [index, text] of answers.entries()) waiting[index]?.(text)
  const sent = async (): Promise<number[][]> => {
    await vi.advanceTimersByTimeAsync(1)
    return (lane?.posted ?? []).flatMap((message) =>
      message.type === 'settle' ? [message.answers.map(({ id }) => id)] : [],
    )
  }
  expect(await sent()).toEqual([[1]])
  lane?.turn(run.id)
  expect(await sent()).toEqual([[1], [2]])
  lane?.turn(run.id)
  expect(await sent()).toEqual([[1], [2], [3, 4]])
})

test('a run begins again only once', async () => {
  const { pool, lanes } = setUp(1)
  const innocent = begin(pool)
  for (const lane of [0, 1]) {
    lanes[lane]?.turn(innocent.id)
    begin(pool, 50)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(await reasonOf(innocent)).toBe('worker-lost')
})

test('a worker that ends by itself loses its runs, and another takes the next one', async () => {
  const { pool, lanes } = setUp(1)
  const lost = begin(pool)
  const next = begin(pool)
  lanes[0]?.events.onLost('its thread ended with code 1')
  expect(await reasonOf(lost)).toBe('worker-lost')
  lanes[1]?.end(next.id)
  expect(await reasonOf(next)).toBe('ok')
})

test.for([
  [
    'more operations than it may',
    (lane: FakeLane, id: number) => {
      for (let count = 0; count < 3; count += 1) lane.turn(id, 'ask')
    },
  ],
  [
    'an argument larger than it may be',
    (lane: FakeLane, id: number) =>
      lane.events.onMessage({
        type: 'turn',
        id,
        cpuMs: 1,
        logs: [],
        droppedLogs: 0,
        requests: [{ id: 1, operation: 'ask', argument: 'x'.repeat(1001) }],
      }),
  ],
  [
    'more logs than it may',
    (lane: FakeLane, id: number) =>
      lane.events.onMessage({
        type: 'turn',
        id,
        cpuMs: 1,
        droppedLogs: 0,
        requests: [],
        logs: [{ level: 'info', message: 'x'.repeat(11) }],
      }),
  ],
  [
    'a result larger than it may be',
    (lane: FakeLane, id: number) => lane.end(id, `"${'x'.repeat(1000)}"`),
  ],
  [
    'turns that nobody asked for',
    (lane: FakeLane, id: number) => {
      lane.turn(id)
      lane.turn(id)
    },
  ],
  [
    'that it goes on, again and again',
    (lane: FakeLane, id: number) => {
      for (let count = 0; count < 100; count += 1) lane.events.onMessage({ type: 'wake', id })
    },
  ],
] as const)(
  'a worker that sends %s is ended: its engine is no longer itself',
  async ([, misbehave]) => {
    const { pool, lanes } = setUp(1)
    const run = begin(pool)
    const [lane] = lanes
    if (lane === undefined) throw new Error('No lane was opened')
    misbehave(lane, run.id)
    expect(lane.isKilled).toBe(true)
    expect(await reasonOf(run)).toBe('worker-lost')
  },
)

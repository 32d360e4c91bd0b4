import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Harness, createHarness, never, settleMicrotasks } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const circuitBreaker = { maxFailures: 3, windowMs: 10_000, coolDownMs: 5_000 }

interface Flaky extends Harness {
  isBroken: boolean
  runs: number
  call(id?: string): Promise<string>
}

/** A tool that fails while it is broken; calls give the error code or `ok`. */
function createFlaky(options: Parameters<typeof createHarness>[0] = { circuitBreaker }): Flaky {
  const harness = createHarness(options)
  const flaky: Flaky = {
    ...harness,
    isBroken: true,
    runs: 0,
    call: async (id = 'a') => {
      const result = await harness.invoker.invoke('flaky', {}, { principal: { kind: 'agent', id } })
      return result.success ? 'ok' : result.errorCode
    },
  }
  harness.add('flaky', () => {
    flaky.runs += 1
    if (flaky.isBroken) throw new Error('broken')
  })
  return flaky
}

async function callTimes(flaky: Flaky, times: number): Promise<string[]> {
  const codes: string[] = []
  for (let at = 0; at < times; at += 1) codes.push(await flaky.call())
  return codes
}

test('opens after exactly as many failures in a row as it says', async () => {
  const flaky = createFlaky()
  expect(await callTimes(flaky, 4)).toEqual([
    'TOOL_FAILED',
    'TOOL_FAILED',
    'TOOL_FAILED',
    'CIRCUIT_OPEN',
  ])
  expect(flaky.runs).toBe(3)
  expect(flaky.log.ends.at(-1)).toMatchObject({
    status: 'failed',
    error: { code: 'CIRCUIT_OPEN', data: { retryAfterMs: 5_000, toolRan: false } },
  })
})

test('by default opens after ten', async () => {
  const flaky = createFlaky({})
  const codes = await callTimes(flaky, 11)
  expect(codes.indexOf('CIRCUIT_OPEN')).toBe(10)
})

test('is closed again by one success', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 2)
  flaky.isBroken = false
  await callTimes(flaky, 1)
  flaky.isBroken = true
  expect(await callTimes(flaky, 3)).toEqual(['TOOL_FAILED', 'TOOL_FAILED', 'TOOL_FAILED'])
})

test('starts a new row when the last failure is older than its window', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 2)
  await vi.advanceTimersByTimeAsync(10_001)
  expect(await callTimes(flaky, 3)).toEqual(['TOOL_FAILED', 'TOOL_FAILED', 'TOOL_FAILED'])
  expect(await flaky.call()).toBe('CIRCUIT_OPEN')
})

test('after cooling down lets one call try, and closes when it works', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 3)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(await flaky.call()).toBe('CIRCUIT_OPEN')
  await vi.advanceTimersByTimeAsync(1)
  flaky.isBroken = false
  expect(await Promise.all([flaky.call(), flaky.call()])).toEqual(['ok', 'CIRCUIT_OPEN'])
  expect(await callTimes(flaky, 2)).toEqual(['ok', 'ok'])
})

test('opens again when the call that tries fails', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 3)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await callTimes(flaky, 2)).toEqual(['TOOL_FAILED', 'CIRCUIT_OPEN'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await flaky.call()).toBe('TOOL_FAILED')
})

test('lets the next one try when the call that tries is cancelled', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 3)
  await vi.advanceTimersByTimeAsync(5_000)
  const controller = new AbortController()
  flaky.log.before = (row) => (row === 'start' ? never() : undefined)
  const principal = { kind: 'agent', id: 'a' } as const
  const trial = flaky.invoker.invoke('flaky', {}, { principal, signal: controller.signal })
  await settleMicrotasks()
  controller.abort()
  expect(await trial).toMatchObject({ errorCode: 'CANCELLED' })
  flaky.log.before = () => undefined
  flaky.isBroken = false
  expect(await flaky.call()).toBe('ok')
})

test('is one for each owner', async () => {
  const flaky = createFlaky()
  await callTimes(flaky, 3)
  expect(await flaky.call('b')).toBe('TOOL_FAILED')
  expect(await flaky.call('a')).toBe('CIRCUIT_OPEN')
})

test('counts timeouts, and neither invalid inputs nor cancelled calls', async () => {
  const { invoker, add } = createHarness({ circuitBreaker })
  add('slow', never, { inputSchema: { type: 'object', required: ['a'] } })
  for (let at = 0; at < 5; at += 1) {
    expect(await invoker.invoke('slow', {})).toMatchObject({ errorCode: 'INPUT_INVALID' })
    const controller = new AbortController()
    const cancelled = invoker.invoke('slow', { a: 1 }, { signal: controller.signal })
    await settleMicrotasks()
    controller.abort()
    expect(await cancelled).toMatchObject({ errorCode: 'CANCELLED' })
  }
  for (let at = 0; at < 3; at += 1) {
    const pending = invoker.invoke('slow', { a: 1 }, { timeoutMs: 10 })
    await vi.advanceTimersByTimeAsync(10)
    expect(await pending).toMatchObject({ errorCode: 'TIMEOUT' })
  }
  expect(await invoker.invoke('slow', { a: 1 })).toMatchObject({ errorCode: 'CIRCUIT_OPEN' })
})

test('can be switched off', async () => {
  const flaky = createFlaky({ circuitBreaker: false })
  expect(new Set(await callTimes(flaky, 30))).toEqual(new Set(['TOOL_FAILED']))
})

test('lets the next one try when the call that tries is cancelled and its tool runs on', async () => {
  const { invoker, add } = createHarness({ circuitBreaker })
  let hangs = false
  add('flaky', () => {
    if (hangs) return never()
    throw new Error('broken')
  })
  for (let at = 0; at < 3; at += 1) await invoker.invoke('flaky', {})
  await vi.advanceTimersByTimeAsync(5_000)
  hangs = true
  const controller = new AbortController()
  const trial = invoker.invoke('flaky', {}, { signal: controller.signal })
  await settleMicrotasks()
  controller.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(await trial).toMatchObject({ errorCode: 'CANCELLED', mayStillBeRunning: true })
  hangs = false
  expect(await invoker.invoke('flaky', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGate, createHarness, never, settleMicrotasks } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fail = (): never => {
  throw new Error('database gone, password hunter2-hunter2')
}

describe('a start row that cannot be written', () => {
  test('means that the tool does not run, and the caller learns nothing about the database', async () => {
    const { invoker, log, lines, add } = createHarness()
    const execute = vi.fn<() => number>(() => 1)
    add('tool', execute)
    log.before = fail
    const result = await invoker.invoke('tool', {})
    expect(result).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
    expect(JSON.stringify(result)).not.toContain('database')
    expect(execute).not.toHaveBeenCalled()
    expect(lines[0]).toMatchObject({
      level: 'error',
      message: 'The start of a call could not be logged',
    })
  })

  test('in time is treated the same, and closed should it arrive after all', async () => {
    const { invoker, log, add } = createHarness()
    const execute = vi.fn<() => number>(() => 1)
    const gate = createGate()
    add('tool', execute)
    log.before = (row) => (row === 'start' ? gate.opened : undefined)
    const pending = invoker.invoke('tool', {}, { timeoutMs: 500 })
    await vi.advanceTimersByTimeAsync(500)
    expect(await pending).toMatchObject({ errorCode: 'LOG_UNAVAILABLE', durationMs: 500 })
    gate.open()
    await settleMicrotasks()
    expect(execute).not.toHaveBeenCalled()
    expect(log.starts).toHaveLength(1)
    expect(log.ends).toMatchObject([
      { status: 'failed', error: { code: 'LOG_UNAVAILABLE', data: { toolRan: false } } },
    ])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('before the caller cancels leaves nothing running', async () => {
    const { invoker, log, add } = createHarness()
    const execute = vi.fn<() => number>(() => 1)
    const controller = new AbortController()
    const gate = createGate()
    add('tool', execute)
    log.before = (row) => (row === 'start' ? gate.opened : undefined)
    const pending = invoker.invoke('tool', {}, { signal: controller.signal })
    await settleMicrotasks()
    controller.abort()
    expect(await pending).toMatchObject({ errorCode: 'CANCELLED' })
    gate.open()
    await settleMicrotasks()
    expect(execute).not.toHaveBeenCalled()
    expect(log.ends).toMatchObject([{ status: 'cancelled' }])
  })

  test('does not matter where the caller chose to run all the same', async () => {
    const { invoker, log, add } = createHarness({ whenLogFails: 'run' })
    add('tool', () => 1)
    log.before = fail
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true, output: 1 })
  })

  test('and never answers is then waited for only so long', async () => {
    const { invoker, log, add } = createHarness({ whenLogFails: 'run', logTimeoutMs: 200 })
    add('tool', () => 1)
    log.before = (row) => (row === 'start' ? never() : undefined)
    const pending = invoker.invoke('tool', {})
    const hurried = invoker.invoke('tool', {}, { timeoutMs: 100 })
    await vi.advanceTimersByTimeAsync(50)
    expect(await hurried).toMatchObject({ success: true })
    expect(log.ends).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(149)
    expect(log.ends).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await pending).toMatchObject({ success: true })
  })
})

describe('a terminal row that cannot be written', () => {
  test('takes nothing from the result and is reported to the program', async () => {
    const { invoker, log, lines, add } = createHarness()
    add('tool', () => 1)
    log.before = (row) => (row === 'start' ? undefined : fail())
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true })
    expect(lines).toMatchObject([
      { level: 'error', message: 'The end of a call could not be logged' },
    ])
  })

  test('and hangs holds the result back for logTimeoutMs and no longer', async () => {
    const { invoker, log, lines, add } = createHarness({ logTimeoutMs: 2_000 })
    add('tool', () => 1)
    log.before = (row) => (row === 'complete' ? never() : undefined)
    let result: unknown
    void invoker.invoke('tool', {}).then((given) => (result = given))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(result).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(result).toMatchObject({ success: true })
    expect(lines).toMatchObject([{ message: 'The end of a call is not logged yet' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not waited for where it is written in the background', async () => {
    const { invoker, log, add } = createHarness({ terminalRow: 'background' })
    const gate = createGate()
    add('tool', () => 1)
    log.before = (row) => (row === 'complete' ? gate.opened : undefined)
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true })
    expect(log.ends).toHaveLength(0)
    gate.open()
    await settleMicrotasks()
    expect(log.ends).toHaveLength(1)
  })
})

test('a refusal is not kept waiting long by a log that hangs', async () => {
  const { invoker, log, add } = createHarness({ logTimeoutMs: 300 })
  add('tool', () => 1, { inputSchema: { type: 'object', required: ['a'] } })
  log.before = never
  const pending = invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(300)
  expect(await pending).toMatchObject({ errorCode: 'INPUT_INVALID' })
})

test('a late row that cannot be written is reported to the program', async () => {
  const { invoker, log, lines, add } = createHarness()
  const gate = createGate()
  add('slow', () => gate.opened)
  log.before = (row) => (row === 'late' ? fail() : undefined)
  const pending = invoker.invoke('slow', {}, { timeoutMs: 10 })
  await vi.advanceTimersByTimeAsync(10)
  await pending
  gate.open()
  await settleMicrotasks()
  expect(lines).toMatchObject([{ message: 'A late result could not be logged' }])
})

describe('a start row that failed and may be there all the same', () => {
  const lost = (): never => {
    throw Object.assign(new Error('the answer was lost'), { data: { stored: 'unknown' } })
  }
  const absent = (): never => {
    throw Object.assign(new Error('nothing was sent'), { data: { stored: 'no' } })
  }

  test('is closed before its call is answered, so that no kill can leave it open', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => 1)
    const gate = createGate()
    log.before = (row) => (row === 'start' ? lost() : gate.opened)
    const pending = invoker.invoke('tool', {})
    await settleMicrotasks()
    expect(await Promise.race([pending, Promise.resolve('waiting')])).toBe('waiting')
    gate.open()
    expect(await pending).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
    expect(log.ends).toMatchObject([{ error: { data: { toolRan: false } } }])
  })

  test('is waited for no longer than logTimeoutMs, and not at all where it is surely not there', async () => {
    const { invoker, log, add } = createHarness({ logTimeoutMs: 300 })
    add('tool', () => 1)
    log.before = (row) => (row === 'start' ? lost() : never())
    const pending = invoker.invoke('tool', {})
    await vi.advanceTimersByTimeAsync(300)
    expect(await pending).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
    log.before = (row) => (row === 'start' ? absent() : never())
    expect(await invoker.invoke('tool', {})).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
  })

  test('is closed too when its call was answered at its deadline', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => 1)
    const gate = createGate()
    log.before = (row) => (row === 'start' ? gate.opened.then(lost) : undefined)
    const pending = invoker.invoke('tool', {}, { timeoutMs: 500 })
    await vi.advanceTimersByTimeAsync(500)
    expect(await pending).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
    gate.open()
    await settleMicrotasks()
    expect(log.ends).toMatchObject([{ error: { data: { toolRan: false } } }])
  })
})

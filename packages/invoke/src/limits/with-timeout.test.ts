import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { never } from '../../test/harness.ts'
import { ToolTimeoutError } from './tool-timeout-error.ts'
import { withTimeout } from './with-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('withTimeout', () => {
  test('gives what the function gives, and leaves no timer', async () => {
    expect(await withTimeout(async () => 42, 1_000, { toolName: 'tool' })).toBe(42)
    expect(await withTimeout(() => 42, 1_000, { toolName: 'tool' })).toBe(42)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('rejects at its limit and not a millisecond before, naming tool and limit', async () => {
    let signal: AbortSignal | undefined
    let outcome: unknown
    withTimeout(
      (given) => {
        signal = given
        return never()
      },
      1_000,
      { toolName: 'slow' },
    ).catch((error: unknown) => {
      outcome = error
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(outcome).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toBeInstanceOf(ToolTimeoutError)
    expect(ToolError.is(outcome, 'TIMEOUT')).toBe(true)
    expect(outcome).toMatchObject({
      name: 'ToolTimeoutError',
      toolName: 'slow',
      timeoutMs: 1_000,
      message: 'Tool "slow" did not finish within 1000 ms.',
    })
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toBe(outcome)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('passes errors on, also of a function that throws at once', async () => {
    const error = new Error('broken')
    const fail = (): never => {
      throw error
    }
    await expect(withTimeout(fail, 1_000, { toolName: 'tool' })).rejects.toBe(error)
    await expect(
      withTimeout(() => Promise.reject(error), 1_000, { toolName: 'tool' }),
    ).rejects.toBe(error)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('stops with the reason of the signal, and lets go of the signal afterwards', async () => {
    const controller = new AbortController()
    const remove = vi.spyOn(controller.signal, 'removeEventListener')
    let inner: AbortSignal | undefined
    const pending = withTimeout(
      (signal) => {
        inner = signal
        return never()
      },
      1_000,
      { toolName: 'tool', signal: controller.signal },
    )
    controller.abort('enough')
    await expect(pending).rejects.toBe('enough')
    expect(inner?.reason).toBe('enough')
    expect(remove).toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not start when the signal is aborted already', async () => {
    const work = vi.fn<() => number>(() => 1)
    await expect(
      withTimeout(work, 1_000, { toolName: 'tool', signal: AbortSignal.abort('early') }),
    ).rejects.toBe('early')
    expect(work).not.toHaveBeenCalled()
  })

  test.each([0, -1, Number.NaN])('refuses a limit of %s', async (timeoutMs) => {
    await expect(withTimeout(() => 1, timeoutMs, { toolName: 'tool' })).rejects.toThrow(
      `timeoutMs must be a number above 0, got ${timeoutMs}`,
    )
  })

  test('treats a limit that timers cannot hold as the longest that they can', async () => {
    const pending = withTimeout(never, Infinity, { toolName: 'tool' })
    const outcome = vi.fn<(error: unknown) => void>()
    pending.catch(outcome)
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(outcome).not.toHaveBeenCalled()
  })
})

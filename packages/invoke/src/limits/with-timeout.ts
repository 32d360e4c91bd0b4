import { ToolError, assertOptions, maxTimeoutMs } from '@toolcrib/registry'
import { ToolTimeoutError } from './tool-timeout-error.ts'

/** Whose time is limited, and who else may stop the work. */
export interface TimeoutOptions {
  /** Named in the error. */
  readonly toolName: string
  /** Stops the work early; the promise then rejects with this signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Runs a function and gives up waiting when the time is up. The function's signal is aborted at that moment; a function
 * that ignores it runs on, and what it gives later is dropped. No timer and no listener stays behind.
 *
 * @param timeoutMs milliseconds, above 0; more than 24.8 days counts as 24.8 days.
 * @throws {ToolTimeoutError} TIMEOUT when the function has not settled in time.
 * @throws {ToolError} TOOL_DEFINITION_INVALID when `timeoutMs` is not a number above 0.
 * @throws whatever the function throws, or the reason of `signal`.
 */
export function withTimeout<Value>(
  work: (signal: AbortSignal) => Promise<Value> | Value,
  timeoutMs: number,
  options: TimeoutOptions,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    assertOptions<TimeoutOptions>('withTimeout', options, { toolName: true, signal: true })
    const { toolName, signal } = options
    // Written so that NaN is refused too.
    if (!(timeoutMs > 0)) throw invalidTimeout(toolName, timeoutMs)
    signal?.throwIfAborted()
    const controller = new AbortController()
    const stop = (reason: unknown): void => {
      release()
      controller.abort(reason)
      reject(reason)
    }
    const cancel = (): void => stop(signal?.reason)
    const timer = setTimeout(
      () => stop(new ToolTimeoutError(toolName, timeoutMs)),
      Math.min(timeoutMs, maxTimeoutMs),
    )
    const release = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    settle(work, controller.signal).finally(release).then(resolve, reject)
  })
}

/** Turns a function that throws at once, or gives no promise, into one promise. */
async function settle<Value>(
  work: (signal: AbortSignal) => Promise<Value> | Value,
  signal: AbortSignal,
): Promise<Value> {
  return await work(signal)
}

function invalidTimeout(toolName: string, timeoutMs: unknown): ToolError {
  return new ToolError(
    'TOOL_DEFINITION_INVALID',
    `Tool "${toolName}": timeoutMs must be a number above 0, got ${String(timeoutMs)}.`,
    { data: { toolName, field: 'timeoutMs' } },
  )
}

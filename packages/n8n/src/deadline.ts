import { optionError, assertDuration } from './option-check.ts'
import type { N8nCallOptions } from './n8n-client.ts'

/** How long a call may still take, with everything that it does. */
export interface Deadline {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** In milliseconds; 0 when it has passed. */
  remaining(): number
}

/**
 * @throws {ToolError} N8N_OPTION_INVALID
 * @throws the reason of the signal when that has been aborted
 */
export function startDeadline(
  options: N8nCallOptions,
  { timeoutMs: usual, now }: { readonly timeoutMs: number; readonly now: () => number },
): Deadline {
  const { signal, timeoutMs = usual } = options
  assertDuration('timeoutMs', timeoutMs)
  if (signal !== undefined && typeof (signal as Partial<AbortSignal>).throwIfAborted !== 'function')
    throw optionError({ field: 'signal', rule: 'an AbortSignal', value: signal })
  signal?.throwIfAborted()
  const end = now() + timeoutMs
  return { timeoutMs, signal, remaining: () => Math.max(0, Math.ceil(end - now())) }
}

/** @throws the reason of the signal when that is aborted */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * What somebody else's function gives, unless the deadline or the signal is first.
 *
 * @throws what `late` makes when the deadline passes
 */
export async function withinDeadline<T>(
  work: Promise<T>,
  deadline: Deadline,
  late: () => Error,
): Promise<T> {
  const isOver = new AbortController()
  const { signal = isOver.signal } = deadline
  try {
    return await Promise.race([
      work,
      sleep(deadline.remaining(), AbortSignal.any([signal, isOver.signal])).then(() => {
        throw late()
      }),
    ])
  } finally {
    isOver.abort()
  }
}

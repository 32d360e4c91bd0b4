import { toolsmakerError } from '../error-catalogue.ts'
import type { KindHookOptions } from '../tool-kind.ts'

/** Which question is put to a kind, and how long the answer may take. */
export interface KindQuestion {
  readonly kind: string
  readonly hook: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Puts one question to a kind and waits for the answer, but not for ever: a kind that throws or hangs fails the question
 * and nothing else.
 *
 * @throws {ToolError} KIND_FAILED when it throws or is late.
 */
export async function askKind<Answer>(
  question: KindQuestion,
  ask: (options: KindHookOptions) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { hook, kind, signal, timeoutMs } = question
  signal?.throwIfAborted()
  const controller = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const stop = (reason: unknown): void => {
    controller.abort(reason)
    reject(reason)
  }
  const late = toolsmakerError(
    'KIND_FAILED',
    `The kind ${kind} did not answer "${hook}" within ${timeoutMs} ms.`,
    { data: { kind, hook } },
  )
  const timer = setTimeout(() => stop(late), timeoutMs)
  const onAbort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([answer(question, () => ask({ signal: controller.signal })), over])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function answer<Answer>(
  { hook, kind }: KindQuestion,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw kindFailure(kind, hook, cause)
  }
}

/** The error for a kind that threw. */
export function kindFailure(kind: string, hook: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : 'it threw something that is no error'
  return toolsmakerError(
    'KIND_FAILED',
    `The kind ${kind} failed at "${hook}": ${reason.slice(0, 500).toWellFormed()}`,
    { cause, data: { kind, hook } },
  )
}

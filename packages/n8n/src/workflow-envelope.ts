import type { JsonValue } from '@toolcrib/registry'
import { isObject } from './is-object.ts'

/** What a workflow says of its own run, where it answers in the common envelope. */
export type Envelope =
  | { readonly ok: true; readonly result: JsonValue; readonly executionId?: string }
  | {
      readonly ok: false
      readonly message: string
      readonly node?: string
      readonly details: JsonValue
      readonly executionId?: string
    }

const successKeys = new Set(['ok', 'result', 'executionId'])
const failureKeys = new Set(['ok', 'error', 'executionId'])

/**
 * `{ ok: true, result, executionId? }` or `{ ok: false, error, executionId? }`; nothing for any other value. Nothing is
 * lost where there is more in it: a success is then a result of its own, and the whole answer is the details of a failure.
 */
export function readEnvelope(value: JsonValue): Envelope | undefined {
  if (!isObject(value)) return undefined
  const { ok, result, error, executionId } = value
  const id = typeof executionId === 'string' ? { executionId } : {}
  if (ok === true && result !== undefined)
    return Object.keys(value).every((key) => successKeys.has(key))
      ? { ok, result, ...id }
      : undefined
  if (ok !== false || error === undefined || error === null) return undefined
  const hasMore = Object.keys(value).some((key) => !failureKeys.has(key))
  const details = hasMore ? value : error
  if (!isObject(error))
    return {
      ok,
      message: typeof error === 'string' ? error : JSON.stringify(error),
      details,
      ...id,
    }
  const { message, node } = error
  return {
    ok,
    message: typeof message === 'string' ? message : 'The workflow reported an error.',
    ...(typeof node === 'string' ? { node } : {}),
    details,
    ...id,
  }
}

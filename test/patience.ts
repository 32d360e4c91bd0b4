import { expect, vi } from 'vitest'

/** How long a test waits for what has to come, at least. It ends tests that hang and measures nothing. */
const longestWaitMs = 60_000

interface Waiting {
  timeout?: number
  interval?: number
}

function patient(options: number | Waiting = {}): Waiting {
  if (typeof options === 'number') return { timeout: Math.max(options, longestWaitMs) }
  return { ...options, timeout: Math.max(options.timeout ?? 0, longestWaitMs) }
}

const { waitFor, waitUntil } = vi
const { poll } = expect
const mark = Symbol.for('toolcrib.patience')

// Files that share a worker share these objects, too.
if (!Object.hasOwn(vi, mark)) {
  Object.defineProperty(vi, mark, { value: true })
  // One second, which is the default, is soon over on a machine that has much else to do, and so are five.
  vi.waitFor = (callback, options) => waitFor(callback, patient(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
}
if (!Object.hasOwn(expect, mark)) {
  Object.defineProperty(expect, mark, { value: true })
  expect.poll = (actual, options) => poll.call(expect, actual, patient(options))
}

import { vi } from 'vitest'
import './patient-deadlines.ts'

/** How long a test waits for what has to come, at least. It ends tests that hang and measures nothing. */
const longestWaitMs = 60_000

const { waitFor, waitUntil } = vi

// One second, which is the default, is soon over on a machine that has much else to do.
vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))

function patient(options: number | { timeout?: number; interval?: number } = {}): {
  timeout: number
  interval?: number
} {
  if (typeof options === 'number') return { timeout: Math.max(options, longestWaitMs) }
  return { ...options, timeout: Math.max(options.timeout ?? 0, longestWaitMs) }
}

/**
 * Deadlines of the product do not decide tests: where one of some seconds is set, ten times as much passes before it is over. What a
 * test is about has a shorter one, which it sets itself, or a clock of its own. Loaded before anything else.
 */
const shortestMs = 3_000
const longestMs = 600_000
const times = 10

const { setTimeout } = globalThis
const mark = Symbol.for('toolcrib.patience')

function stretch(delayMs: unknown): number | undefined {
  const ms = Number(delayMs ?? 0)
  return ms >= shortestMs && ms <= longestMs ? ms * times : ms
}

const patient = (callback: () => void, delayMs?: number, ...given: unknown[]): unknown =>
  setTimeout(callback, stretch(delayMs), ...(given as []))

// Files of tests that share a worker load this each. What `promisify` looks for stays.
if (!Object.hasOwn(setTimeout, mark)) {
  Object.defineProperties(patient, Object.getOwnPropertyDescriptors(setTimeout))
  Object.defineProperty(patient, mark, { value: true })
  globalThis.setTimeout = patient as typeof setTimeout
}

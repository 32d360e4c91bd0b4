import { expect, test, vi } from 'vitest'

/** What becomes true only after the time that a test gave it is over. */
function slowly(): () => boolean {
  const begun = performance.now()
  return () => performance.now() - begun > 300
}

test('what a test waits for may come late, whatever time the test gave it', async () => {
  await expect.poll(slowly(), { timeout: 50, interval: 10 }).toBe(true)
  const isThere = slowly()
  await vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 50, interval: 10 })
  expect(await vi.waitUntil(slowly(), 50)).toBe(true)
})

/** The delay for which Node keeps a timer. */
function delayOf(timer: NodeJS.Timeout): unknown {
  const delay: unknown = Reflect.get(timer, '_idleTimeout')
  clearTimeout(timer)
  return delay
}

test('a deadline of some seconds lasts ten times as long, a short one and a timer of hours do not', () => {
  const nothing = (): void => undefined
  const delays = [20, 2_999, 3_000, 30_000, 600_001]
  expect(delays.map((delayMs) => delayOf(setTimeout(nothing, delayMs)))).toEqual([
    20, 2_999, 30_000, 300_000, 600_001,
  ])
})

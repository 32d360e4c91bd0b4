import { expect, test } from 'vitest'
import { createCallId } from './create-call-id.ts'

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function timestampOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

test('an id is a UUIDv7 that carries its time', () => {
  const now = Date.now() + 60_000
  const id = createCallId(now)
  expect(id).toMatch(pattern)
  expect(timestampOf(id)).toBe(now)
})

test('a hundred thousand ids of one millisecond differ and sort in the order they were made', () => {
  const now = Date.now() + 120_000
  const ids = Array.from({ length: 100_000 }, () => createCallId(now))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.every((id) => pattern.test(id))).toBe(true)
})

test('ids stay in order over a clock that steps back a little, and follow one that jumps far', () => {
  const now = Date.now() + 600_000
  const first = createCallId(now)
  const second = createCallId(now - 5_000)
  expect(second > first).toBe(true)
  expect(timestampOf(createCallId(now - 500_000))).toBe(now - 500_000)
  expect(timestampOf(createCallId(now + 500_000))).toBe(now + 500_000)
})

test.each([Number.NaN, Infinity, -Infinity, -1, 1e300, 2 ** 53])(
  'is well formed, and in order afterwards, for the time %s',
  (timestamp) => {
    expect(createCallId(timestamp)).toMatch(pattern)
    const now = Date.now() + 1e9
    const ids = [createCallId(now), createCallId(Number.NaN), createCallId(now)]
    expect(ids.every((id) => pattern.test(id))).toBe(true)
    expect(ids.toSorted()).toEqual(ids)
  },
)

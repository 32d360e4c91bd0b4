import { expect, test } from 'vitest'
import { describeArgumentProblem } from './argument-check.ts'

const nested = (depth: number): string => '['.repeat(depth) + ' '.repeat(500) + ']'.repeat(depth)

test('an argument may nest 200 deep and no deeper', () => {
  expect(describeArgumentProblem('o', nested(200))).toBeUndefined()
  expect(describeArgumentProblem('o', nested(201))).toContain('200')
})

test('an argument may hold 100,000 values and no more', () => {
  const list = (count: number): string => `[${'1,'.repeat(count - 1)}1]`
  expect(describeArgumentProblem('o', list(100_000))).toBeUndefined()
  expect(describeArgumentProblem('o', list(100_001))).toContain('100000')
})

test('what stands in texts is no structure', () => {
  const text = JSON.stringify({ a: '[,"\\'.repeat(200_000) })
  expect(describeArgumentProblem('o', text)).toBeUndefined()
})

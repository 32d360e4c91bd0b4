import { CronTime } from 'cron'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cronProblem } from './cron-expression.ts'

/** What n8n does to find the first time. */
function isTaken(expression: string): boolean {
  try {
    return new CronTime(expression, 'Africa/Lagos').sendAt() !== undefined
  } catch {
    return false
  }
}

const field = fc.oneof(
  fc.constantFrom(
    '*',
    '*/5',
    '*/0',
    '0',
    '1',
    '5',
    '7',
    '8',
    '12',
    '13',
    '23',
    '24',
    '31',
    '32',
    '59',
    '60',
  ),
  fc.constantFrom(
    '1-5',
    '5-1',
    '0/2',
    '1,2',
    '1,',
    '*5',
    '**',
    'MON',
    'fri-SAT',
    'jan',
    'JANFEB',
    '?',
    'L',
    '1.5',
  ),
  fc.string({ unit: fc.constantFrom('1', '2', '-', '/', '*', ',', 'm', 'o', 'n'), maxLength: 5 }),
)

test('an expression is right exactly when the library that n8n uses takes it', () => {
  fc.assert(
    fc.property(
      fc.array(field, { minLength: 4, maxLength: 7 }),
      fc.constantFrom(' ', '  ', '\t'),
      (fields, space) => {
        const expression = fields.join(space)
        expect(cronProblem(expression) === undefined).toBe(isTaken(expression))
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['0 9 * * *', undefined],
  ['@daily', undefined],
  ['0 0 29 2 *', undefined],
  ['0 0 31 4 1', undefined],
  ['0 0 31 4 *', 'there is no such day in these months'],
  ['0 9 * *', 'it has 4 fields, and n8n takes 5, or 6 with seconds'],
  ['', 'it has no fields, and n8n takes 5, or 6 with seconds'],
  ['60 * * * *', 'a minute is 0 to 59, and not "60"'],
  ['5-1 * * * *', '"5-1" runs backwards'],
  ['*/0 * * * *', 'the step of "*/0" is zero'],
  ['every day', '"eve" is no month, weekday or preset such as @daily'],
])('%j: %s', (expression, problem) => {
  expect(cronProblem(expression)).toBe(problem)
  expect(isTaken(expression)).toBe(problem === undefined)
})

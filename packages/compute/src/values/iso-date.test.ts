import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  daysBetween,
  makeDate,
  parseDate,
  readDate,
  weekdayOf,
} from './iso-date.ts'

const dayLength = 86_400_000
const first = Date.parse('0001-01-01') / dayLength
const last = Date.parse('9999-12-31') / dayLength
const textOfDay = (day: number): string => new Date(day * dayLength).toISOString().slice(0, 10)
const day = fc.integer({ min: first, max: last })
const bad = expect.objectContaining({ code: 'bad_value' })

describe('against Date', () => {
  test('every day of four centuries has its successor and its weekday', () => {
    const start = Date.parse('1999-12-31') / dayLength
    let text = textOfDay(start)
    for (let index = start + 1; index <= start + 146_100; index++) {
      text = addDays(text, 1)
      if (text !== textOfDay(index)) expect(text).toBe(textOfDay(index))
      const weekday = new Date(index * dayLength).getUTCDay() || 7
      if (weekdayOf(text) !== weekday) expect(weekdayOf(text)).toBe(weekday)
    }
    expect(text).toBe(textOfDay(start + 146_100))
  })

  test('days between any two dates, forth and back', () => {
    fc.assert(
      fc.property(day, day, (from, to) => {
        expect(daysBetween(textOfDay(from), textOfDay(to))).toBe(to - from + 0)
        expect(addDays(textOfDay(from), to - from)).toBe(textOfDay(to))
        const [year, month, dayOfMonth] = parseDate(textOfDay(from))
        expect(makeDate(year, month, dayOfMonth)).toBe(textOfDay(from))
        expect(weekdayOf(textOfDay(from))).toBe(new Date(from * dayLength).getUTCDay() || 7)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a year, month and day is a date when Date keeps it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, dayOfMonth) => {
          const date = new Date(0)
          date.setUTCFullYear(year, month - 1, dayOfMonth)
          const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth
          if (exists)
            expect(makeDate(year, month, dayOfMonth)).toBe(date.toISOString().slice(0, 10))
          else expect(() => makeDate(year, month, dayOfMonth)).toThrow(bad)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('months later: the same day, or the last of a shorter month', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -2_400, max: 2_400 }), (from, count) => {
        const [year, month, dayOfMonth] = parseDate(textOfDay(from))
        const start = new Date(0)
        start.setUTCFullYear(year, month - 1 + count, 1)
        fc.pre(start.getUTCFullYear() >= 1 && start.getUTCFullYear() <= 9999)
        const end = new Date(start)
        end.setUTCMonth(end.getUTCMonth() + 1, 0)
        start.setUTCDate(Math.min(dayOfMonth, end.getUTCDate()))
        expect(addMonths(textOfDay(from), count)).toBe(start.toISOString().slice(0, 10))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('at the edges', () => {
  test.each([
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['1900-01-31', 1, '1900-02-28'],
    ['2000-01-31', 1, '2000-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-03-31', -1, '2024-02-29'],
    ['9999-11-30', 1, '9999-12-30'],
    ['0001-02-28', -1, '0001-01-28'],
  ])('%s and %d months', (from, count, expected) => {
    expect(addMonths(from, count)).toBe(expected)
  })

  test('the calendar ends with the years 1 and 9999', () => {
    expect(addDays('0001-01-01', 3_652_058)).toBe('9999-12-31')
    expect(weekdayOf('0001-01-01')).toBe(1)
    for (const move of [
      () => addDays('9999-12-31', 1),
      () => addDays('0001-01-01', -1),
      () => addDays('2024-01-01', 1e300),
      () => addMonths('9999-12-01', 1),
      () => addMonths('0001-01-31', -1),
      () => addMonths('2024-01-01', -1e300),
      () => makeDate(0, 12, 31),
      () => makeDate(10_000, 1, 1),
    ]) {
      expect(move).toThrow(bad)
    }
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d days or months are refused',
    (count) => {
      expect(() => addDays('2024-01-01', count)).toThrow(bad)
      expect(() => addMonths('2024-01-01', count)).toThrow(bad)
      expect(() => makeDate(2024, 1, count)).toThrow(bad)
      expect(() => makeDate(count, 1, 1)).toThrow(bad)
    },
  )

  test.each([
    '',
    '2024-1-01',
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '0000-01-01',
    '2024-00-10',
    '2024-13-01',
    '2024-01-00',
    '20240101',
    '2024-01-01 ',
    '2024-01-01\n',
    '+02024-01-01',
    '2024-01-01T00:00',
    '٢٠٢٤-٠١-٠١',
  ])('the string %j is no date', (text) => {
    expect(() => parseDate(text)).toThrow(bad)
    expect(() => daysBetween('2024-01-01', text)).toThrow(bad)
  })
})

describe('readDate', () => {
  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2024-02-29T23:59:60Z', '2024-02-29'],
    ['2024-02-29T23:30:00-05:00', '2024-02-29'],
    ['2024-02-29 08:15', '2024-02-29'],
    ['2024-02-29T08:15:30.123456789+0130', '2024-02-29'],
  ])('takes the date of %s as written', (text, expected) => {
    expect(readDate(text)).toBe(expected)
  })

  test.each([
    '2024-02-30T00:00',
    '2024-02-29T',
    '2024-02-29T8:15',
    '2024-02-29T24:00',
    '2024-02-29T08:60',
    '2024-02-29T08:15X',
    '2024-02-29T08:15:30.',
    '2024-02-29junk',
    `2024-02-29T08:15:30.${'1'.repeat(50_000)}`,
  ])('refuses %s', (text) => {
    expect(() => readDate(text)).toThrow(bad)
  })
})

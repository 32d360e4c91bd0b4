import { Fault } from './fault.ts'
import { checkWhole } from './whole-number.ts'

/*
 * Dates are counted in days since 1 March of the year 0 in the proleptic Gregorian calendar, and
 * months since January of that year.
 *
 * Counting years from March puts the leap day last, so that month lengths follow one linear formula:
 * Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days),
 * https://howardhinnant.github.io/date_algorithms.html. Years here are never negative, which makes
 * his eras unnecessary.
 */

const { floor } = Math

/** Days from 1 March to the first of a month, March being 0. */
const daysBefore = (month: number): number => floor((153 * month + 2) / 5)

/** The day on which a month begins. */
function firstOf(months: number): number {
  const year = floor((months - 2) / 12)
  const leapDays = floor(year / 4) - floor(year / 100) + floor(year / 400)
  return year * 365 + leapDays + daysBefore(months - 2 - year * 12)
}

const badDate = (): Fault =>
  new Fault('bad_value', 'not a date', 'Dates are YYYY-MM-DD, 0001-01-01 to 9999-12-31.')

const digits = (value: number, width: number): string => String(value).padStart(width, '0')

function textOf(days: number): string {
  if (!(days >= 306 && days <= 3_652_364)) throw badDate()
  const century = floor((days * 4 + 3) / 146_097)
  const inCentury = days - floor((century * 146_097) / 4)
  const year = floor((inCentury * 4 + 3) / 1_461)
  const inYear = inCentury - floor((year * 1_461) / 4)
  const month = floor((inYear * 5 + 2) / 153)
  const months = century * 1_200 + year * 12 + month + 2
  const day = inYear - daysBefore(month) + 1
  return `${digits(floor(months / 12), 4)}-${digits((months % 12) + 1, 2)}-${digits(day, 2)}`
}

/**
 * The year, month and day of a date.
 *
 * @throws {Fault} bad_value
 */
export function parseDate(text: string): readonly [year: number, month: number, day: number] {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.slice(1).map(Number) as
    | [number, number, number]
    | undefined
  if (!parts || textOf(daysOfParts(parts)) !== text) throw badDate()
  return parts
}

const daysOfParts = ([year, month, day]: readonly [number, number, number]): number =>
  firstOf(year * 12 + month - 1) + day - 1

const daysOf = (text: string): number => daysOfParts(parseDate(text))

/**
 * The date of a year, month and day.
 *
 * @throws {Fault} bad_value
 */
export const makeDate = (year: number, month: number, day: number): string =>
  readDate(`${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`)

const timeForm = /^([T ]([01]\d|2[0-3]):[0-5]\d(:[0-6]\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * The date part, as written, of a date or of a date-time of ISO 8601.
 *
 * @throws {Fault} bad_value
 */
export function readDate(text: string): string {
  const date = text.slice(0, 10)
  parseDate(date)
  if (!timeForm.test(text.slice(10))) throw badDate()
  return date
}

/**
 * The date so many days later.
 *
 * @throws {Fault} bad_value
 */
export function addDays(text: string, count: number): string {
  checkWhole(count, 'days', [-1e7, 1e7])
  return textOf(daysOf(text) + count)
}

/**
 * The same day so many months later, or the last day of that month where it is shorter.
 *
 * @throws {Fault} bad_value
 */
export function addMonths(text: string, count: number): string {
  checkWhole(count, 'months', [-1e6, 1e6])
  const [year, month, day] = parseDate(text)
  const months = year * 12 + month - 1 + count
  const first = firstOf(months)
  return textOf(Math.min(first + day, firstOf(months + 1)) - 1)
}

/**
 * Days from one date to another; negative if the second is earlier.
 *
 * @throws {Fault} bad_value
 */
export const daysBetween = (from: string, to: string): number => 0 - daysOf(from) + daysOf(to)

/**
 * 1 for Monday to 7 for Sunday.
 *
 * @throws {Fault} bad_value
 */
// Day 0 is a Wednesday.
export const weekdayOf = (text: string): number => ((daysOf(text) + 2) % 7) + 1

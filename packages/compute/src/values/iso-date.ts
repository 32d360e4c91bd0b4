import { Fault } from './fault.ts'

/**
 * Dates as day numbers: whole days since 1 March of the year 0 in the proleptic Gregorian calendar.
 *
 * Counting years from March puts the leap day last, so that month lengths follow one linear formula:
 * Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days),
 * https://howardhinnant.github.io/date_algorithms.html. Years here are never negative, which makes
 * his eras unnecessary.
 */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month < 3 ? year - 1 : year
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + daysBeforeMonth((month + 9) % 12) + day - 1
}

/** Days from 1 March to the first of a month, March being 0. */
const daysBeforeMonth = (month: number): number => Math.floor((153 * month + 2) / 5)

const firstDay = 306
const lastDay = 3_652_364

/** A day of the calendar. */
export interface CalendarDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

const badDate = (message: string): Fault =>
  new Fault('bad_value', message, 'Dates are written YYYY-MM-DD, from 0001-01-01 to 9999-12-31.')

function civilDate(days: number): CalendarDate {
  const century = Math.floor((days * 4 + 3) / 146_097)
  const inCentury = days - Math.floor((century * 146_097) / 4)
  const marchYear = Math.floor((inCentury * 4 + 3) / 1_461)
  const inYear = inCentury - Math.floor((marchYear * 1_461) / 4)
  const month = Math.floor((inYear * 5 + 2) / 153)
  return {
    year: century * 100 + marchYear + (month > 9 ? 1 : 0),
    month: month > 9 ? month - 9 : month + 3,
    day: inYear - daysBeforeMonth(month) + 1,
  }
}

const monthLength = (year: number, month: number): number =>
  month === 12 ? 31 : dayNumber(year, month + 1, 1) - dayNumber(year, month, 1)

function checkDate(year: number, month: number, day: number): CalendarDate {
  const exists =
    Number.isInteger(year) &&
    year > 0 &&
    year < 10_000 &&
    Number.isInteger(month) &&
    month > 0 &&
    month < 13 &&
    Number.isInteger(day) &&
    day > 0 &&
    day <= monthLength(year, month)
  if (!exists) throw badDate('there is no such date')
  return { year, month, day }
}

const dateForm = /^\d{4}-\d\d-\d\d$/
const timeForm =
  /^[Tt ]([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/

/**
 * The year, month and day of a date text.
 *
 * @throws {Fault} bad_value
 */
export function parseDate(text: string): CalendarDate {
  if (!dateForm.test(text)) throw badDate('the string is no date')
  return checkDate(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)))
}

const dateText = ({ year, month, day }: CalendarDate): string =>
  `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`

/**
 * The date of a year, month and day.
 *
 * @throws {Fault} bad_value
 */
export const makeDate = (year: number, month: number, day: number): string =>
  dateText(checkDate(year, month, day))

/**
 * The date part, as written, of a date or of a date-time of ISO 8601.
 *
 * @throws {Fault} bad_value
 */
export function readDate(text: string): string {
  const date = text.slice(0, 10)
  parseDate(date)
  if (text.length > 10 && !timeForm.test(text.slice(10, 50)))
    throw badDate('the string is no date-time')
  if (text.length > 50) throw badDate('the string is no date-time')
  return date
}

function daysOf(text: string): number {
  const { year, month, day } = parseDate(text)
  return dayNumber(year, month, day)
}

function checkCount(count: number): void {
  if (!Number.isInteger(count)) throw badDate(`${count} is no whole number of days or months`)
}

/**
 * The date so many days later.
 *
 * @throws {Fault} bad_value
 */
export function addDays(text: string, count: number): string {
  checkCount(count)
  const days = daysOf(text) + count
  if (!(days >= firstDay && days <= lastDay)) throw badDate('the date is out of range')
  return dateText(civilDate(days))
}

/**
 * The same day so many months later, or the last day of that month where it is shorter.
 *
 * @throws {Fault} bad_value
 */
export function addMonths(text: string, count: number): string {
  checkCount(count)
  const { year, month, day } = parseDate(text)
  const months = year * 12 + month - 1 + count
  if (!(months >= 12 && months < 120_000)) throw badDate('the date is out of range')
  const toYear = Math.floor(months / 12)
  const toMonth = (months % 12) + 1
  return dateText({
    year: toYear,
    month: toMonth,
    day: Math.min(day, monthLength(toYear, toMonth)),
  })
}

/**
 * Days from one date to another; negative if the second is earlier.
 *
 * @throws {Fault} bad_value
 */
export const daysBetween = (from: string, to: string): number => {
  const start = daysOf(from)
  return daysOf(to) - start
}

/**
 * 1 for Monday to 7 for Sunday.
 *
 * @throws {Fault} bad_value
 */
// Day 0 is a Wednesday.
export const weekdayOf = (text: string): number => ((daysOf(text) + 2) % 7) + 1

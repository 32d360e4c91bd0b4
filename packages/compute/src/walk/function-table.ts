import type { FunctionName } from '../language/functions.ts'
import { compareOrder, equalValues, orderValues } from '../values/compare-values.ts'
import { decimalToText, parseDecimal, parseNumber } from '../values/decimal-text.ts'
import { roundingUnits } from '../values/decimal-units.ts'
import type { Decimal, RoundingMode } from '../values/decimal.ts'
import { Fault } from '../values/fault.ts'
import {
  type FixedFormat,
  formatFixed,
  formatMoney,
  formatPercent,
  formatThousands,
} from '../values/format-number.ts'
import {
  addDays,
  addMonths,
  daysBetween,
  makeDate,
  parseDate,
  readDate,
  weekdayOf,
} from '../values/iso-date.ts'
import { padText } from '../values/pad-text.ts'
import { type DecimalRounding, roundDecimal } from '../values/round-decimal.ts'
import { roundNumber } from '../values/round-number.ts'
import {
  joinTexts,
  positionOf,
  replaceText,
  splitText,
  substringOf,
  textSize,
} from '../values/text-functions.ts'
import { checkWhole } from '../values/whole-number.ts'
import { calculate, squareRoot, textOf, toDecimal, toPlain } from './calculate.ts'
import { searchUnits, sortUnits } from './run-budget.ts'
import { isNumeric, type Numeric, type Run, typeOf } from './run.ts'
import { sortItems } from './sort-items.ts'

type Items = readonly unknown[]
type Whole = 'floor' | 'ceil' | 'trunc'

/** The numbers given one by one or as one array. */
function numbersOf(values: Items, name?: string): readonly Numeric[] {
  const [first] = values
  const items: Items = Array.isArray(first) ? first : values
  if (name !== undefined && items.length === 0) {
    throw new Fault('bad_value', `${name} of an empty array`, 'Test size(array) > 0 first.')
  }
  return items.map((item, index) => {
    if (isNumeric(item)) return item
    throw new Fault('type', `item ${index} is ${typeOf(item)}, not number`, 'Pass numbers only.')
  })
}

function roundedTo(
  value: Decimal,
  { places, rounding }: { readonly places: number; readonly rounding: DecimalRounding },
  { budget }: Run,
): Decimal {
  budget.charge(roundingUnits(value, places))
  return roundDecimal(value, places, rounding)
}

const wholeOf =
  (rounding: Whole) =>
  ([value]: [Numeric], run: Run): Numeric =>
    typeof value === 'number'
      ? Math[rounding](value)
      : roundedTo(value, { places: 0, rounding }, run)

const extremeOf =
  (name: string, wanted: number) =>
  (values: Items, { budget }: Run): Numeric =>
    numbersOf(values, name).reduce((best, value) =>
      compareOrder(value, best, budget) === wanted ? value : best,
    )

const sumOf = (values: Items, run: Run): Numeric =>
  numbersOf(values).reduce((sum, value) => calculate('+', [sum, value], run), 0)

const oneOf = <Choice extends string>(choice: string, choices: readonly Choice[]): Choice => {
  const found = choices.find((name) => name === choice)
  if (found !== undefined) return found
  const names = choices.map((name) => `"${name}"`).join(' or ')
  throw new Fault('bad_value', `the argument must be ${names}`, `Pass ${names}.`)
}

function roundTo([value, digits = 0, mode]: [Numeric, Numeric?, string?], run: Run): Numeric {
  const rounding: RoundingMode =
    mode === undefined ? run.program.rounding : oneOf(mode, ['half_up', 'half_even'])
  const places = toPlain(digits)
  if (typeof value === 'number') return roundNumber(value, places, rounding)
  checkWhole(places, 'digits', [-20, 20])
  return roundedTo(value, { places, rounding }, run)
}

/** What tells scalars apart; arrays and objects are compared one by one. */
function identityOf(value: unknown): unknown {
  if (typeof value === 'string') return `"${value}`
  return isNumeric(value) ? decimalToText(toDecimal(value)) : value
}

function distinctOf([items]: [Items], { budget }: Run): unknown[] {
  const seen = new Set<unknown>()
  const compound: unknown[] = []
  return items.filter((item) => {
    if (typeof item === 'object' && item !== null && !isNumeric(item)) {
      if (compound.some((kept) => equalValues(kept, item, budget))) return false
      compound.push(item)
      return true
    }
    const identity = identityOf(item)
    // Reading a text through is work, making that of a number as well.
    if (typeof identity === 'string') budget.charge(Math.floor(identity.length / 16))
    if (seen.has(identity)) return false
    seen.add(identity)
    return true
  })
}

function sliceOf([items, start, end = items.length]: [Items, Numeric, Numeric?]): Items {
  const to = toPlain(end)
  const from = toPlain(start)
  checkWhole(to, 'end', [0, items.length])
  checkWhole(from, 'start', [0, to])
  return items.slice(from, to)
}

function sizeOf([value]: [string | object], { budget }: Run): number {
  if (typeof value === 'string') return textSize(value)
  if (Array.isArray(value)) return value.length
  const { length } = Object.keys(value)
  budget.charge(length)
  return length
}

/** Notes the work of looking for a part of a text. */
function chargeSearch(
  [text, part]: readonly [string, string, ...unknown[]],
  { budget }: Run,
): void {
  budget.charge(searchUnits(text.length, part.length))
}

function fixedFormat(value: Numeric, digits: Numeric, { program, budget }: Run): FixedFormat {
  const places = toPlain(digits)
  // What is no number of digits is refused later.
  if (typeof value !== 'number' && places >= 0) budget.charge(roundingUnits(value, places))
  return { digits: places, rounding: program.rounding }
}

const maxLengthOf = ({ program }: Run): { readonly maxLength: number } => ({
  maxLength: program.limits.maxTextLength,
})

/**
 * What each function does with arguments whose number and types were checked, arrays as plain arrays of checked
 * items, numbers in decimal mode as decimals. Each throws a Fault for what it cannot do.
 */
export const functionTable: Readonly<Record<FunctionName, (values: never, run: Run) => unknown>> = {
  abs: ([value]: [Numeric], run) =>
    orderValues(value, 0) === -1 ? calculate('-', [0, value], run) : value,
  floor: wholeOf('floor'),
  ceil: wholeOf('ceil'),
  trunc: wholeOf('trunc'),
  sign: ([value]: [Numeric]) => orderValues(value, 0),
  sqrt: ([value]: [Numeric], run) => squareRoot(value, run),
  pow: (values: [Numeric, Numeric], run) => calculate('^', values, run),
  round: roundTo,
  min: extremeOf('min', -1),
  max: extremeOf('max', 1),
  sum: sumOf,
  avg: (values: Items, run) => {
    const { length } = numbersOf(values, 'avg')
    return calculate('/', [sumOf(values, run), length], run)
  },
  size: sizeOf,
  count: ([items]: [Items]) => items.length,
  contains: (values: [string, string], run) => {
    chargeSearch(values, run)
    return values[0].includes(values[1])
  },
  startsWith: ([text, part]: [string, string]) => text.startsWith(part),
  endsWith: ([text, part]: [string, string]) => text.endsWith(part),
  lower: ([text]: [string]) => text.toLowerCase(),
  upper: ([text]: [string]) => text.toUpperCase(),
  trim: ([text]: [string]) => text.trim(),
  substring: ([text, start, end]: [string, Numeric, Numeric?]) =>
    substringOf(text, toPlain(start), end === undefined ? end : toPlain(end)),
  replace: (values: [string, string, string], run) => {
    chargeSearch(values, run)
    const [text, from, to] = values
    return replaceText(text, from, { to, ...maxLengthOf(run) })
  },
  split: (values: [string, string], run) => {
    chargeSearch(values, run)
    return splitText(...values)
  },
  join: ([items, separator = '']: [Items, string?], run) =>
    joinTexts(items, separator, maxLengthOf(run)),
  indexOf: (values: [string, string, Numeric?], run) => {
    chargeSearch(values, run)
    const [text, part, from = 0] = values
    return positionOf(text, part, toPlain(from))
  },
  string: ([value]: [unknown], { program }) => textOf(value, program.decimal),
  number: ([value]: [string | Numeric], { program }) => {
    if (typeof value !== 'string') return value
    return program.decimal ? parseDecimal(value) : parseNumber(value)
  },
  sort: ([items, order = 'asc']: [Items, string?], { budget }) => {
    budget.charge(sortUnits(items.length))
    return sortItems(items, items, {
      descending: oneOf(order, ['asc', 'desc']) === 'desc',
      budget,
    })
  },
  reverse: ([items]: [Items]) => items.toReversed(),
  distinct: distinctOf,
  slice: sliceOf,
  date: ([first, month = 0, day = 0]: [string | Numeric, Numeric?, Numeric?]) =>
    typeof first === 'string'
      ? readDate(first)
      : makeDate(toPlain(first), toPlain(month), toPlain(day)),
  addDays: ([date, count]: [string, Numeric]) => addDays(date, toPlain(count)),
  addMonths: ([date, count]: [string, Numeric]) => addMonths(date, toPlain(count)),
  daysBetween: ([from, to]: [string, string]) => daysBetween(from, to),
  year: ([date]: [string]) => parseDate(date)[0],
  month: ([date]: [string]) => parseDate(date)[1],
  day: ([date]: [string]) => parseDate(date)[2],
  weekday: ([date]: [string]) => weekdayOf(date),
  fixed: ([value, digits = 2]: [Numeric, Numeric?], run) =>
    formatFixed(value, fixedFormat(value, digits, run)),
  money: ([value, symbol = '$', digits = 2]: [Numeric, string?, Numeric?], run) =>
    formatMoney(value, symbol, fixedFormat(value, digits, run)),
  percent: ([value, digits = 0]: [Numeric, Numeric?], run) =>
    formatPercent(value, fixedFormat(value, digits, run)),
  thousands: ([value, separator = ',']: [Numeric, string?]) => formatThousands(value, separator),
  pad: (
    [value, width, fill = ' ', side = 'start']: [string | Numeric, Numeric, string?, string?],
    run,
  ) =>
    padText(textOf(value, run.program.decimal) ?? '', {
      width: toPlain(width),
      fill,
      side,
      ...maxLengthOf(run),
    }),
}

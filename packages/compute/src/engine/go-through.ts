import type { MacroName } from '../language/functions.ts'
import { addDecimals, compareDecimals } from '../values/decimal-arithmetic.ts'
import { Decimal, powersOfTen } from '../values/decimal.ts'
import { lengthOf, makeArray, readItem } from '../walk/read-data.ts'
import type { Numeric, Run } from '../walk/run.ts'
import type { Column } from './column-operations.ts'
import { type ColumnCode, numberAt } from './compile-columns.ts'
import { giveUp, writeSlot } from './frame.ts'
import type { ValueCode } from './machine.ts'

type Items = readonly unknown[]

const isTrue = (value: unknown): boolean => (typeof value === 'boolean' ? value : giveUp('type'))

/** A macro item by item: its work is charged already. */
export function goThrough({
  run,
  name,
  slot,
  test,
  body,
}: {
  readonly run: Run
  readonly name: MacroName
  readonly slot: number
  readonly test: ValueCode | undefined
  readonly body: ValueCode
}): (items: Items) => unknown {
  return (items) => {
    const length = lengthOf(items, run.program.limits)
    const chosen: unknown[] = []
    for (let index = 0; index < length; index++) {
      const item = readItem(run, items, index)
      writeSlot(slot, item)
      if (test !== undefined && !isTrue(test())) continue
      const value = body()
      if (name === 'map') chosen.push(value)
      else if (isTrue(value)) {
        chosen.push(item)
        if (name === 'exists') return true
      } else if (name === 'all') return false
    }
    if (name === 'map' || name === 'filter') return makeArray(run, chosen)
    return name === 'all' || (name === 'exists_one' && chosen.length === 1)
  }
}

/** `map` by columns; undefined where that does not work. */
export function mapColumns(run: Run, code: ColumnCode, items: Items): unknown {
  const { decimal } = run.program
  const results: unknown[] = []
  const isDone = code(items, (column, count) => {
    for (let index = 0; index < count; index++) {
      const value = numberAt(column, index, decimal)
      if (value === undefined) return false
      results.push(value)
    }
    return true
  })
  return isDone ? makeArray(run, results) : undefined
}

/** The macros with a condition, by columns; undefined where that does not work. */
export function chooseByColumns(
  run: Run,
  name: MacroName,
  { code, items }: { readonly code: ColumnCode; readonly items: Items },
): unknown {
  const chosen: unknown[] = []
  const isDone = code(items, ({ data }, count, from) => {
    for (let index = 0; index < count; index++) {
      const item = items[from + index]
      // Negative zero is read as zero.
      if (data[index] === 1) chosen.push(item === 0 ? 0 : item)
      else if (data[index] !== 0) return false
    }
    return true
  })
  if (!isDone) return undefined
  const { length } = chosen
  if (name === 'filter') return makeArray(run, chosen)
  return name === 'all' ? length === items.length : name === 'exists' ? length > 0 : length === 1
}

/** What was reduced before, and whether numbers are decimals. */
interface Reduced {
  readonly before: Numeric | undefined
  readonly decimal: boolean
}

type Reduction = (column: Column, count: number, reduced: Reduced) => Numeric | undefined

function addAll(data: Float64Array, count: number, before: number): number {
  let total = before
  for (let index = 0; index < count; index++) total += data[index]!
  return total
}

/** The total of whole numbers, and how far from zero it was on the way. */
function addAllExactly(data: Float64Array, count: number): readonly [number, number] {
  let total = 0
  let most = 0
  for (let index = 0; index < count; index++) {
    total += data[index]!
    most = Math.max(most, Math.abs(total))
  }
  return [total, most]
}

/**
 * Whether what was reduced before and a column with whole numbers up to `most` are whole numbers of one scale that
 * doubles hold, added up as well. Only then they cost no units; NaN is none.
 */
function isExact(before: Numeric | undefined, most: number, places: number): boolean {
  if (before === undefined) return most <= Number.MAX_SAFE_INTEGER
  const { mantissa, exponent } = before as Decimal
  const shift = places + exponent
  const power = powersOfTen[Math.abs(shift)] ?? Number.NaN
  const size = Math.abs(Number(mantissa))
  return (shift < 0 ? size + most * power : size * power + most) <= Number.MAX_SAFE_INTEGER
}

const sum: Reduction = ({ data, places }, count, { before, decimal }) => {
  if (!decimal) {
    const total = addAll(data, count, before === undefined ? 0 : (before as number))
    return total - total === 0 ? total + 0 : undefined
  }
  const [total, most] = addAllExactly(data, count)
  if (!isExact(before, most, places)) return undefined
  const part = new Decimal(total + 0, 0 - places)
  return before === undefined ? part : addDecimals(before as Decimal, part)
}

const extreme =
  (sign: number): Reduction =>
  ({ data, places }, count, { before, decimal }) => {
    let best = Number.NEGATIVE_INFINITY
    let poison = 0
    let most = 0
    for (let index = 0; index < count; index++) {
      const value = data[index]! * sign
      // NaN of what is no number.
      poison += value - value
      if (value > best) best = value
      if (decimal) most = Math.max(most, Math.abs(value))
    }
    best *= sign
    if (poison !== 0) return undefined
    if (decimal) {
      if (!isExact(before, most, places)) return undefined
      const part = new Decimal(best + 0, 0 - places)
      return before !== undefined && compareDecimals(before as Decimal, part) * sign >= 0
        ? before
        : part
    }
    return before !== undefined && (before as number) * sign >= best * sign ? before : best + 0
  }

/** Numbers of a column as one; undefined for none at all. */
export const reductions: ReadonlyMap<string, Reduction> = new Map([
  ['sum', sum],
  ['avg', sum],
  ['min', extreme(-1)],
  ['max', extreme(1)],
])

import type { ComputeLimits } from '../language/compute-limits.ts'
import { escapedCandidates, suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { Decimal } from '../values/decimal.ts'
import { decimalToText, exactNumber } from '../values/decimal-text.ts'
import { Fault } from '../values/fault.ts'
import { checkValue } from '../values/json-value.ts'
import type { Numeric, Run } from './run.ts'

/** Checks what was read inside a caller's value, at each reading: a getter may give something else every time. */
function checkRead(value: unknown, label: string, { program }: Run): unknown {
  return checkValue(value, { path: '', label, limits: program.limits })
}

/** The item number that a key stands for; -1 if none. */
function indexOf(key: string | Numeric): number {
  if (typeof key === 'string') return /^(0|[1-9]\d{0,15})$/.test(key) ? Number(key) : -1
  const index = typeof key === 'number' ? key : (exactNumber(key) ?? Number.NaN)
  if (Number.isInteger(index)) return index
  throw new Fault('type', 'an index must be a whole number', 'Use trunc(x) or round(x).')
}

const nameOf = (key: string | Numeric): string =>
  key instanceof Decimal ? decimalToText(key) : String(key)

/**
 * An own field of an object by its name or an item of an array by its number, which may be in digits. What is
 * undefined is not there: JSON would leave it out.
 *
 * @returns undefined if there is none
 * @throws {Fault} type for a number that is not whole
 */
export function findEntry(run: Run, holder: object, key: string | Numeric): unknown {
  const own = Array.isArray(holder) ? indexOf(key) : nameOf(key)
  const value = Object.hasOwn(holder, own)
    ? (holder as Readonly<Record<string | number, unknown>>)[own]
    : undefined
  if (value === undefined || run.made.has(holder)) return value
  return checkRead(value, typeof own === 'string' ? quoteText(own) : `item ${own}`, run)
}

/**
 * The same, for what has to be there.
 *
 * @throws {Fault} unknown_key
 */
export function readEntry(run: Run, holder: object, key: string | Numeric): unknown {
  const value = findEntry(run, holder, key)
  if (value !== undefined) return value
  const name = nameOf(key)
  const hint = Array.isArray(holder)
    ? `The array has ${holder.length} items, counted from 0.`
    : suggestName(
        name,
        escapedCandidates(Object.keys(holder)),
        'Use one of its own keys; has(object.key) tells whether there is one.',
      )
  throw new Fault('unknown_key', `there is no key ${quoteText(name)}`, hint)
}

/**
 * The length of an array that is gone through.
 *
 * @throws {Fault} limit
 */
export function lengthOf(list: readonly unknown[], { maxListLength }: ComputeLimits): number {
  const { length } = list
  if (length <= maxListLength) return length
  throw new Fault(
    'limit',
    `the array has ${length} items, ${maxListLength} are allowed`,
    'Pass fewer, or raise maxListLength.',
  )
}

/** An item that has to be there, of an array that is gone through. */
export function readItem(run: Run, list: readonly unknown[], index: number): unknown {
  if (run.made.has(list)) return list[index]
  const value = Object.hasOwn(list, index) ? list[index] : undefined
  return checkRead(value, `item ${index}`, run)
}

/** Every item, each read once. */
export function readItems(run: Run, list: readonly unknown[]): readonly unknown[] {
  const length = lengthOf(list, run.program.limits)
  return run.made.has(list)
    ? list
    : Array.from({ length }, (_, index) => readItem(run, list, index))
}

/**
 * Notes an array as made by the program.
 *
 * @throws {Fault} limit
 */
export function makeArray(run: Run, items: readonly unknown[]): readonly unknown[] {
  lengthOf(items, run.program.limits)
  run.made.add(items)
  return items
}

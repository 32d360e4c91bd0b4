import type { ComputeError } from '../language/compute-error.ts'
import type { Problem } from '../language/compute-issue.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ValueDeclaration } from '../language/compute-logic.ts'
import { escapeText, quoteText } from '../text/quote-text.ts'
import { Fault } from '../values/fault.ts'
import { parseDate } from '../values/iso-date.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'

/** Where a value is that has to be as declared. `label` names the part at hand, such as `items[3].price`. */
export interface DeclaredPlace {
  readonly limits: ComputeLimits
  /** Refuses what is no JSON value; gives what is. */
  check(value: unknown, label: string): unknown
  /** The error for a part that is not as declared, or is too long. */
  error(label: string, problem: Omit<Problem, 'code'> & { readonly code?: 'limit' }): ComputeError
}

/** A value in few words: scalars themselves, otherwise the type. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quoteText(value)
  return typeof value === 'number' ? String(value) : describeType(value)
}

function isDate(text: string): boolean {
  try {
    parseDate(text)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

/** Whether an enum has a value. Each of many items may be looked for in a long one. */
function isAmong(choices: readonly unknown[], value: unknown): boolean {
  let set = sets.get(choices)
  if (set === undefined) sets.set(choices, (set = new Set(choices)))
  return set.has(value)
}

/** What the value should be and is not, looking no deeper than the value itself. */
function mismatchOf(value: unknown, declaration: ValueDeclaration): string | undefined {
  const { type, enum: choices, min, max, maxLength, maxItems, format } = declaration
  const isType = {
    number: typeof value === 'number',
    integer: Number.isInteger(value),
    string: typeof value === 'string',
    boolean: typeof value === 'boolean',
    array: Array.isArray(value),
    object: isPlainObject(value),
    any: true,
  }[type]
  if (!isType) return type
  if (choices !== undefined && !isAmong(choices, value)) {
    return `one of ${choices.slice(0, 10).map(shown).join(', ')}`
  }
  if (typeof value === 'number') {
    if (min !== undefined && value < min) return `at least ${min}`
    if (max !== undefined && value > max) return `at most ${max}`
  }
  if (typeof value === 'string') {
    if (maxLength !== undefined && value.length > maxLength) {
      return `at most ${maxLength} characters long`
    }
    if (format !== undefined && !isDate(value)) return 'a date, YYYY-MM-DD'
  }
  if (Array.isArray(value) && maxItems !== undefined && !(value.length <= maxItems)) {
    return `an array of at most ${maxItems} items`
  }
  return undefined
}

/**
 * Checks a value against its declaration at every level that the declaration has. Reads each part once.
 *
 * @returns the value; an array or an object whose parts are declared as a copy, so that nothing else can be read later
 * @throws {ComputeError} as `place` makes it
 */
export function checkDeclared(
  given: unknown,
  declaration: ValueDeclaration,
  at: { readonly place: DeclaredPlace; readonly label: string },
): unknown {
  const { place, label } = at
  const value = place.check(given, label)
  const wanted = mismatchOf(value, declaration)
  if (wanted !== undefined) {
    const message = `${label} must be ${wanted}, got ${shown(value)}`
    throw place.error(label, { message, hint: `Give ${wanted}.` })
  }
  const { items, fields } = declaration
  if (items !== undefined && Array.isArray(value)) return checkItems(value, items, at)
  return fields === undefined ? value : checkFields(value as object, fields, at)
}

function checkItems(
  list: readonly unknown[],
  items: ValueDeclaration,
  { place, label }: { readonly place: DeclaredPlace; readonly label: string },
): unknown[] {
  const { maxListLength } = place.limits
  const { length } = list
  if (!(length <= maxListLength)) {
    const message = `${label} has ${length} items, ${maxListLength} are allowed`
    const hint = 'Pass fewer, or raise maxListLength.'
    throw place.error(label, { code: 'limit', message, hint })
  }
  const copy: unknown[] = []
  for (let index = 0; index < length; index++) {
    const item = Object.hasOwn(list, index) ? list[index] : undefined
    copy.push(checkDeclared(item, items, { place, label: `${label}[${index}]` }))
  }
  return copy
}

function checkFields(
  object: object,
  fields: Readonly<Record<string, ValueDeclaration>>,
  { place, label }: { readonly place: DeclaredPlace; readonly label: string },
): object {
  const copy: Record<string, unknown> = { ...object }
  for (const [name, declaration] of Object.entries(fields)) {
    const inner = `${label}.${escapeText(name.slice(0, 40))}`
    if (!Object.hasOwn(copy, name) || copy[name] === undefined) {
      throw place.error(inner, { message: `${inner} is missing`, hint: 'Give it.' })
    }
    copy[name] = checkDeclared(copy[name], declaration, { place, label: inner })
  }
  return copy
}

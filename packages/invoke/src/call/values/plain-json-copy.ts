import { describeError } from './describe-error.ts'
import { describeOpaque } from './opaque-value.ts'
import {
  NotPlainJsonError,
  type PlainLimits,
  maxEntriesOfOneTurn,
  tooLongMessage,
} from './plain-json.ts'
import { defineOwn } from './plain-json-input.ts'
import { WorkStopped } from './work-slices.ts'

/** Where in a value something is. */
export interface Place {
  readonly key: string
  readonly parent: Place | undefined
  readonly nesting: number
  /** The object or list at this place; looked through for cycles. */
  readonly container: object | undefined
}

/** What goes on while a value is copied. */
export interface Copying {
  remaining: number
  readonly maxNesting: number
  readonly isLenient: boolean
  /** The object or list that was found last. */
  opened: object
  /** Something was met that JSON leaves out or writes differently. */
  isChanged: boolean
  /** Entries that were copied, for whoever pauses now and then. */
  steps: number
}

/** Objects that JSON writes as the primitive value in them. */
const boxedPrimitives: ReadonlySet<string> = new Set([
  '[object Number]',
  '[object String]',
  '[object Boolean]',
])

/** Stands for something that JSON leaves out. */
export const absent: unique symbol = Symbol('absent')

/** Stands for an object or a list whose entries are still to be copied. */
export const entered: unique symbol = Symbol('entered')

/**
 * Copies a value as plain JSON data: getters and `toJSON` are called once, `undefined`, functions and symbols inside it
 * are left out as JSON does (`null` in lists), errors become `{ name, message }`, class instances their own properties.
 *
 * With `lenient`, what cannot be written becomes a text that says what was there.
 *
 * More entries than can be copied in one turn count as a limit that is passed.
 *
 * @throws {NotPlainJsonError} when JSON would lose or change something, or a limit is passed.
 */
export function copyAsPlainJson(value: unknown, limits: PlainLimits, lenient = false): unknown {
  const copying = startCopying(limits, lenient)
  return orNull(copyValue(value, root, copying), value, copying)
}

/** The place of the whole. */
export const root: Place = { key: '', parent: undefined, nesting: 0, container: undefined }

export function startCopying(limits: PlainLimits, isLenient: boolean): Copying {
  const { maxLength: remaining, maxNesting } = limits
  return { remaining, maxNesting, isLenient, opened: root, isChanged: false, steps: 0 }
}

/** The whole must be something, where a part may be left out. */
export function orNull(copy: unknown, value: unknown, copying: Copying): unknown {
  if (copy !== absent) return copy
  return value === undefined ? null : refuse(copying, root, [`is a ${typeof value}`, typeof value])
}

function copyValue(value: unknown, place: Place, copying: Copying): unknown {
  const leaf = copyLeaf(value, place, copying)
  if (leaf !== entered) return leaf
  const opened = copying.opened
  try {
    return copyEntries(opened, place, copying)
  } catch (error) {
    return refuseUnreadable(error, place, copying)
  }
}

/**
 * The copy of a value that has nothing below it, {@link absent} for what JSON leaves out, and {@link entered} for an
 * object or a list whose entries are to be copied: it is put into `opened`.
 */
export function copyLeaf(value: unknown, place: Place, copying: Copying): unknown {
  switch (typeof value) {
    case 'string':
      spend(copying, value.length + 2)
      return value
    case 'number':
      spend(copying, 1)
      return Number.isFinite(value) ? value : refuse(copying, place, [`is ${value}`, String(value)])
    case 'boolean':
      spend(copying, 4)
      return value
    case 'bigint':
      return copyBigInt(value, place, copying)
    case 'object':
      return value === null ? null : openGuarded(value, place, copying)
    case 'undefined':
      if (Array.isArray(place.container)) copying.isChanged = true
      return absent
    default:
      copying.isChanged = true
      return absent
  }
}

function copyBigInt(value: bigint, place: Place, copying: Copying): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  copying.isChanged = true
  if (typeof toJSON === 'function') return copyLeaf(toJSON.call(value, place.key), place, copying)
  return refuse(copying, place, ['is a BigInt; return it as a number or a text', `BigInt ${value}`])
}

/** Foreign code runs while an object is read: getters, `toJSON`, traps of a proxy. */
function openGuarded(value: object, place: Place, copying: Copying): unknown {
  try {
    return openObject(value, place, copying)
  } catch (error) {
    return refuseUnreadable(error, place, copying)
  }
}

/** What a value becomes whose reading failed. */
export function refuseUnreadable(error: unknown, place: Place, copying: Copying): unknown {
  if (error instanceof NotPlainJsonError || error instanceof WorkStopped) throw error
  const reason = describeError(error).message.slice(0, 200)
  return refuse(copying, place, [`cannot be read: ${reason}`, 'unreadable'])
}

function openObject(value: object, place: Place, copying: Copying): unknown {
  for (let above: Place | undefined = place; above !== undefined; above = above.parent)
    if (above.container === value) return refuse(copying, place, ['contains itself', 'cyclic'])
  if (place.nesting >= copying.maxNesting)
    return refuse(copying, place, [`nests deeper than ${copying.maxNesting}`, 'nested too deeply'])
  const problem = describeOpaque(value)
  if (problem !== undefined) return refuse(copying, place, [problem.problem, problem.name])
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') {
    copying.isChanged = true
    const replaced: unknown = toJSON.call(value, place.key)
    // What toJSON gives is not asked for its own toJSON again, as JSON.stringify does it.
    return typeof replaced === 'object' && replaced !== null
      ? open(replaced, copying)
      : copyLeaf(replaced, place, copying)
  }
  if (boxedPrimitives.has(Object.prototype.toString.call(value))) {
    copying.isChanged = true
    return copyLeaf(value.valueOf(), place, copying)
  }
  if (value instanceof Error) return copyError(value, copying)
  if (!isPlainContainer(value)) copying.isChanged = true
  return open(value, copying)
}

function open(value: object, copying: Copying): typeof entered {
  copying.opened = value
  return entered
}

function isPlainContainer(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return prototype === Array.prototype
  return prototype === Object.prototype || prototype === null
}

function copyError(error: Error, copying: Copying): unknown {
  const { name, message } = describeError(error)
  copying.isChanged = true
  spend(copying, name.length + message.length)
  return { name, message }
}

function copyEntries(value: object, place: Place, copying: Copying): unknown {
  spend(copying, 2)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    const { length } = value
    for (let index = 0; index < length; index += 1) {
      const item = copyValue(value[index], below(place, String(index), value), copying)
      list.push(item === absent ? null : item)
      spend(copying, 1)
      takeStep(copying)
    }
    return list
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    takeStep(copying)
    const entry = copyValue(
      (value as Record<string, unknown>)[key],
      below(place, key, value),
      copying,
    )
    if (entry === absent) continue
    spend(copying, key.length + 3)
    setOwn(copy, key, entry)
  }
  return copy
}

/** Ends a copying that would keep the event loop; it is tried again in slices. */
function takeStep(copying: Copying): void {
  copying.steps += 1
  if (copying.steps > maxEntriesOfOneTurn) throw new NotPlainJsonError(tooLongMessage, true)
}

/** Sets a property also when it is called `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') defineOwn(target, key, value)
  else target[key] = value
}

export function below(parent: Place, key: string, container: object): Place {
  return { key, parent, nesting: parent.nesting + 1, container }
}

export function spend(copying: Copying, length: number): void {
  copying.remaining -= length
  if (copying.remaining < 0) throw new NotPlainJsonError(tooLongMessage, true)
}

/** Refuses a value, or gives the text that stands in its place. */
function refuse(
  copying: Copying,
  place: Place,
  [problem, placeholder]: readonly [problem: string, placeholder: string],
): string {
  copying.isChanged = true
  if (copying.isLenient) return `[${placeholder}]`
  throw new NotPlainJsonError(`the value at ${describePlace(place)} ${problem}`)
}

function describePlace(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent)
    keys.push(Array.isArray(at.container) ? `[${at.key}]` : `.${at.key}`)
  const path = `$${keys.toReversed().join('')}`
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

import { describeError } from './describe-error.ts'
import { NotPlainJsonError, type PlainLimits } from './plain-json.ts'

interface Place {
  readonly key: string
  readonly parent: Place | undefined
  readonly nesting: number
  /** The object or list at this place; looked through for cycles. */
  readonly container: object | undefined
}

interface Copying {
  remaining: number
  readonly maxNesting: number
  readonly refuse: (place: Place, problem: string, placeholder: string) => string
}

/** Objects that JSON writes as the primitive value in them. */
const boxedPrimitives: ReadonlySet<string> = new Set([
  '[object Number]',
  '[object String]',
  '[object Boolean]',
])

/** Stands for something that JSON leaves out. */
const absent: unique symbol = Symbol('absent')

/**
 * Copies a value as plain JSON data: getters and `toJSON` are called once, `undefined`, functions and symbols inside it
 * are left out as JSON does (`null` in lists), errors become `{ name, message }`, class instances their own properties.
 *
 * With `lenient`, what cannot be written becomes a text that says what was there.
 *
 * @throws {NotPlainJsonError} when JSON would lose or change something, or a limit is passed.
 */
export function copyAsPlainJson(value: unknown, limits: PlainLimits, lenient = false): unknown {
  const copying: Copying = {
    remaining: limits.maxLength,
    maxNesting: limits.maxNesting,
    refuse: lenient ? replaceWithPlaceholder : refuseStrictly,
  }
  const root: Place = { key: '', parent: undefined, nesting: 0, container: undefined }
  const copy = copyValue(value, root, copying)
  if (copy !== absent) return copy
  return value === undefined ? null : copying.refuse(root, `is a ${typeof value}`, typeof value)
}

function copyValue(value: unknown, place: Place, copying: Copying): unknown {
  switch (typeof value) {
    case 'string':
      spend(copying, value.length + 2)
      return value
    case 'number':
      spend(copying, 1)
      return Number.isFinite(value) ? value : copying.refuse(place, `is ${value}`, String(value))
    case 'boolean':
      spend(copying, 4)
      return value
    case 'bigint':
      return copyBigInt(value, place, copying)
    case 'object':
      return value === null ? null : copyGuarded(value, place, copying)
    default:
      return absent
  }
}

function copyBigInt(value: bigint, place: Place, copying: Copying): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return copyValue(toJSON.call(value, place.key), place, copying)
  return copying.refuse(place, 'is a BigInt; return it as a number or a text', `BigInt ${value}`)
}

/** Foreign code runs while an object is read: getters, `toJSON`, traps of a proxy. */
function copyGuarded(value: object, place: Place, copying: Copying): unknown {
  try {
    return copyObject(value, place, copying)
  } catch (error) {
    if (error instanceof NotPlainJsonError) throw error
    return copying.refuse(
      place,
      `cannot be read: ${describeError(error).message.slice(0, 200)}`,
      'unreadable',
    )
  }
}

function copyObject(value: object, place: Place, copying: Copying): unknown {
  for (let above: Place | undefined = place; above !== undefined; above = above.parent)
    if (above.container === value) return copying.refuse(place, 'contains itself', 'cyclic')
  if (place.nesting >= copying.maxNesting)
    return copying.refuse(place, `nests deeper than ${copying.maxNesting}`, 'nested too deeply')
  const problem = describeOpaque(value)
  if (problem !== undefined) return copying.refuse(place, problem.problem, problem.name)
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') {
    const replaced: unknown = toJSON.call(value, place.key)
    // What toJSON gives is not asked for its own toJSON again, as JSON.stringify does it.
    return typeof replaced === 'object' && replaced !== null
      ? copyEntries(replaced, place, copying)
      : copyValue(replaced, place, copying)
  }
  if (boxedPrimitives.has(Object.prototype.toString.call(value)))
    return copyValue(value.valueOf(), place, copying)
  if (value instanceof Error) return copyError(value, copying)
  return copyEntries(value, place, copying)
}

function copyError(error: Error, copying: Copying): unknown {
  const { name, message } = describeError(error)
  spend(copying, name.length + message.length)
  return { name, message }
}

function copyEntries(value: object, place: Place, copying: Copying): unknown {
  spend(copying, 2)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let index = 0; index < value.length; index += 1) {
      const item = copyValue(value[index], below(place, String(index), value), copying)
      list.push(item === absent ? null : item)
      spend(copying, 1)
    }
    return list
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
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

/** Sets a property also when it is called `__proto__`. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else target[key] = value
}

function below(parent: Place, key: string, container: object): Place {
  return { key, parent, nesting: parent.nesting + 1, container }
}

/** Objects that JSON would write as `{}` or as something else that is not what they hold. */
function describeOpaque(value: object): { name: string; problem: string } | undefined {
  if (value instanceof Map || value instanceof Set)
    return hasToJson(value) ? undefined : opaque(value, 'return it as an object or a list')
  if (value instanceof Promise) return opaque(value, 'await it before returning it')
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof RegExp)
    return opaque(value, 'return its content as a text or an object')
  if (value instanceof ArrayBuffer || (ArrayBuffer.isView(value) && !hasToJson(value)))
    return opaque(value, 'return its bytes as base64 text')
  if (value instanceof Date && Number.isNaN(value.getTime()))
    return { name: 'invalid Date', problem: 'is an invalid Date' }
  return undefined
}

function hasToJson(value: object): boolean {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function'
}

function opaque(value: object, advice: string): { name: string; problem: string } {
  const { name } = value.constructor
  return { name, problem: `is a ${name}, which JSON cannot hold; ${advice}` }
}

function spend(copying: Copying, length: number): void {
  copying.remaining -= length
  if (copying.remaining < 0)
    throw new NotPlainJsonError('is larger than the largest text that is written', true)
}

function refuseStrictly(place: Place, problem: string): never {
  throw new NotPlainJsonError(`the value at ${describePlace(place)} ${problem}`)
}

function replaceWithPlaceholder(_place: Place, _problem: string, placeholder: string): string {
  return `[${placeholder}]`
}

function describePlace(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent)
    keys.push(Array.isArray(at.container) ? `[${at.key}]` : `.${at.key}`)
  const path = `$${keys.toReversed().join('')}`
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

import { ComputeError } from './compute-error.ts'
import { errorOf } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import { escapeText } from './quote-text.ts'

/** An object as JSON knows it, whatever realm it comes from: no class instance, no Date, no Map. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** What a value is, in the words of error messages. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'object':
      return 'object'
    default:
      return typeof value
  }
}

/** The error for a failed read of the caller's objects, whose getters and proxies may throw anything. */
export function hostReadError(
  error: unknown,
  path: string,
  code: 'bad_argument' | 'bad_program',
): ComputeError {
  if (ComputeError.is(error)) return error
  return errorOf(path, {
    code,
    message: 'reading this value threw an error',
    hint: 'Pass plain JSON data: no getters that throw, no revoked proxies.',
  })
}

/** Where a value was found, and as what it is to be reported. */
export interface ValueOrigin {
  readonly path: string
  readonly label: string
  readonly limits: ComputeLimits
}

/** JSON writes whole numbers below 1e21 with all their digits; larger ones get an exponent and are plainly rounded. */
const looksExact = (value: number): boolean => Math.abs(value) < 1e21

function checkNumber(value: number, { path, label }: ValueOrigin): number {
  if (!Number.isFinite(value)) {
    throw errorOf(path, {
      code: 'bad_argument',
      message: `${label} is ${value}, which is not a JSON value`,
      hint: 'Pass a finite number.',
    })
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && looksExact(value)) {
    throw errorOf(path, {
      code: 'precision',
      message: `${label} is ${value}, a whole number that may already have lost digits`,
      hint: 'Whole numbers are exact up to 9007199254740991; pass larger ones as text.',
    })
  }
  return value + 0
}

function checkText(value: string, { path, label, limits }: ValueOrigin): string {
  if (value.length <= limits.maxTextLength) return value
  throw errorOf(path, {
    code: 'limit',
    message: `${label} is a text of ${value.length} characters, ${limits.maxTextLength} are allowed`,
    hint: 'Shorten it, or raise maxTextLength.',
  })
}

/** Checks a value without looking inside it. Negative zero becomes zero. */
export function checkValue(value: unknown, origin: ValueOrigin): unknown {
  if (typeof value === 'number') return checkNumber(value, origin)
  if (typeof value === 'string') return checkText(value, origin)
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'object' && (Array.isArray(value) || isPlainObject(value))) return value
  throw errorOf(origin.path, {
    code: 'bad_argument',
    message: `${origin.label} is not a JSON value (${typeof value === 'object' ? 'an instance of a class' : typeof value})`,
    hint: 'Pass numbers, texts, true, false, null, and plain objects and lists of them.',
  })
}

class ValueCopier {
  readonly #path: string
  readonly #limits: ComputeLimits
  #count = 0

  constructor({ path, limits }: ValueOrigin) {
    this.#path = path
    this.#limits = limits
  }

  copy(given: unknown, label: string, depth: number): unknown {
    const value = checkValue(given, { path: this.#path, label, limits: this.#limits })
    if (typeof value !== 'object' || value === null) return value
    if (depth > this.#limits.maxNesting) {
      this.#refuse(
        `${label} is nested deeper than ${this.#limits.maxNesting} levels or contains itself`,
      )
    }
    return Array.isArray(value)
      ? this.#copyList(value, label, depth)
      : this.#copyObject(value as Record<string, unknown>, label, depth)
  }

  #copyList(list: readonly unknown[], label: string, depth: number): unknown[] {
    const copy: unknown[] = []
    for (let index = 0; index < list.length; index++) {
      this.#countValue(label)
      copy.push(this.copy(list[index], `${label}[${index}]`, depth + 1))
    }
    return copy
  }

  #copyObject(object: Record<string, unknown>, label: string, depth: number): object {
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(object)) {
      this.#countValue(label)
      if (key === '__proto__') {
        throw errorOf(this.#path, {
          code: 'bad_argument',
          message: `${label} has a key "__proto__"`,
          hint: 'Remove that key: merged into another object it would change the prototype.',
        })
      }
      copy[key] = this.copy(object[key], `${label}.${escapeText(key.slice(0, 40))}`, depth + 1)
    }
    return copy
  }

  #countValue(label: string): void {
    if (++this.#count <= this.#limits.maxReturnedValues) return
    this.#refuse(`${label} brings the result to more than ${this.#limits.maxReturnedValues} values`)
  }

  #refuse(message: string): never {
    throw errorOf(this.#path, {
      code: 'limit',
      message,
      hint: 'Return less of it, or raise the limit.',
    })
  }
}

/** A copy of a list or object that shares nothing with the caller's, checked at every level. */
export function copyValue(value: unknown, origin: ValueOrigin): unknown {
  try {
    return new ValueCopier(origin).copy(value, origin.label, 1)
  } catch (error) {
    throw hostReadError(error, origin.path, 'bad_argument')
  }
}

import { ComputeError } from '../language/compute-error.ts'
import { errorOf } from '../language/compute-issue.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'
import { escapeText } from '../text/quote-text.ts'

/** An object as JSON knows it, whatever realm it comes from: no class instance, no Date, no Map. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** What a value is, in the words of error messages. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const ownData = { writable: true, enumerable: true, configurable: true }

type HostCode = 'bad_argument' | 'bad_program'

const hostReadMessage = 'reading this value threw an error'

/** Whether an error is {@link hostReadError}'s, wherever it was placed since. */
export const isHostReadError = (error: unknown): boolean =>
  ComputeError.is(error) && error.issues[0].message === hostReadMessage

/** The error for a failed read of the caller's objects, whose getters and proxies may throw anything. */
export function hostReadError(error: unknown, path: string, code: HostCode): ComputeError {
  if (ComputeError.is(error)) return error
  return errorOf(path, {
    code,
    message: hostReadMessage,
    hint: 'Pass plain JSON data: no getters that throw, no revoked proxies.',
  })
}

/** Where a value was found, and as what it is to be reported. */
export interface ValueOrigin {
  readonly path: string
  readonly label: string
  readonly limits: ComputeLimits
  /** Code for what is no JSON value. @default "bad_argument" */
  readonly code?: HostCode
}

/** JSON writes whole numbers below 1e21 with all their digits; larger ones get an exponent and are plainly rounded. */
const mayHaveLostDigits = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21

function checkNumber(value: number, { path, label, code = 'bad_argument' }: ValueOrigin): number {
  if (!Number.isFinite(value)) {
    throw errorOf(path, {
      code,
      message: `${label} is ${value}, which is not a JSON value`,
      hint: 'Pass a finite number.',
    })
  }
  if (mayHaveLostDigits(value)) {
    throw errorOf(path, {
      code: 'precision',
      message: `${label} is ${value}, a whole number that may already have lost digits`,
      hint: 'Whole numbers are exact up to 9007199254740991; pass larger ones as string.',
    })
  }
  return value + 0
}

function checkText(value: string, { path, label, limits }: ValueOrigin): string {
  if (value.length <= limits.maxTextLength) return value
  throw errorOf(path, {
    code: 'limit',
    message: `${label} is a string of ${value.length} characters, ${limits.maxTextLength} are allowed`,
    hint: 'Shorten it, or raise maxTextLength.',
  })
}

/** Checks a value that comes from outside without looking inside it. Negative zero becomes zero. */
export function checkValue(value: unknown, origin: ValueOrigin): unknown {
  if (typeof value === 'number') return checkNumber(value, origin)
  if (typeof value === 'string') return checkText(value, origin)
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'object' && (Array.isArray(value) || isPlainObject(value))) return value
  throw errorOf(origin.path, {
    code: origin.code ?? 'bad_argument',
    message: `${origin.label} is not a JSON value (${typeof value === 'object' ? 'an instance of a class' : typeof value})`,
    hint: 'Pass numbers, strings, true, false, null, and plain objects and arrays of them.',
  })
}

class ValueCopier {
  readonly #origin: ValueOrigin
  /** Keys on the way to the value at hand; made into words only for an error. */
  readonly #keys: (string | number)[] = []
  #count = 0

  constructor(origin: ValueOrigin) {
    this.#origin = origin
  }

  copy(given: unknown): unknown {
    // Numbers that a program worked out may be as large as they like.
    if (typeof given === 'number' && Number.isFinite(given)) return given + 0
    if (typeof given === 'boolean' || given === null) return given
    const { limits } = this.#origin
    if (typeof given === 'string' && given.length <= limits.maxTextLength) return given
    const isArray = Array.isArray(given)
    // Throws for what is neither array nor plain object.
    if (!isArray && !isPlainObject(given)) {
      return checkValue(given, { ...this.#origin, label: this.#label() })
    }
    if (this.#keys.length >= limits.maxNesting) {
      this.#refuse(`is nested deeper than ${limits.maxNesting} levels or contains itself`)
    }
    return isArray ? this.#copyArray(given) : this.#copyObject(given)
  }

  #copyObject(object: Readonly<Record<string, unknown>>): unknown {
    const { code = 'bad_argument', path } = this.#origin
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(object)) {
      const field = object[key]
      // JSON leaves such a field out, and TypeScript programs set optional fields that way.
      if (field === undefined && code === 'bad_program') continue
      if (key === '__proto__') {
        throw errorOf(path, {
          code,
          message: `${this.#label()} has a key "__proto__"`,
          hint: 'Remove that key: merged into another object it would change the prototype.',
        })
      }
      const value = this.#copyAt(key, field)
      // A setter of Object.prototype would hear of an assignment.
      if (key in copy) Object.defineProperty(copy, key, { ...ownData, value })
      else copy[key] = value
    }
    return copy
  }

  #copyArray(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = []
    for (let index = 0; index < list.length; index++) {
      // A hole is no value, whatever Array.prototype was given.
      copy.push(this.#copyAt(index, Object.hasOwn(list, index) ? list[index] : undefined))
    }
    return copy
  }

  #copyAt(key: string | number, value: unknown): unknown {
    const { maxReturnedValues } = this.#origin.limits
    if (++this.#count > maxReturnedValues) {
      this.#refuse(`has more than ${maxReturnedValues} values`)
    }
    this.#keys.push(key)
    const copy = this.copy(value)
    this.#keys.pop()
    return copy
  }

  #label(): string {
    const label = this.#keys
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${escapeText(key.slice(0, 40))}`))
      .join('')
    return this.#origin.label === '' ? label.slice(1) || 'program' : this.#origin.label + label
  }

  #refuse(message: string): never {
    throw errorOf(this.#origin.path, {
      code: 'limit',
      message: `${this.#label().slice(0, 200)} ${message}`,
      hint: 'Make it smaller, or raise the limit.',
    })
  }
}

/** A copy of a value that shares nothing with the caller's, checked at every level. */
export function copyValue(value: unknown, origin: ValueOrigin): unknown {
  try {
    return new ValueCopier(origin).copy(value)
  } catch (error) {
    throw hostReadError(error, origin.path, origin.code ?? 'bad_argument')
  }
}

import { errorOf } from '../language/compute-issue.ts'
import { type ComputeLimits, defaultLimits } from '../language/compute-limits.ts'
import { copyValue, describeType, isPlainObject } from '../values/json-value.ts'

/** A field of an object's own; the prototypes of a host may have been tampered with. */
export function ownField(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined
}

/** JSON levels that steps, cases and tables need for each level of nesting the limits allow, and some to spare. */
const jsonLevels = ({ maxNesting }: ComputeLimits): number => maxNesting * 4 + 8

/** What the quick copy throws for whatever it does not take; the careful one says why. */
const notPlain = Symbol('not plain')

/** Copies plain data without a word about what is wrong with it. */
class QuickCopier {
  /** At most so many bytes are left for the JSON text of the copy. */
  #bytes: number

  constructor({ maxProgramBytes }: ComputeLimits) {
    this.#bytes = maxProgramBytes
  }

  copy(value: unknown, levels: number): unknown {
    if (typeof value === 'string') {
      // A UTF-16 unit has six bytes at most, as an escape; then quotes and a comma.
      this.#take(value.length * 6 + 3)
      return value
    }
    this.#take(26)
    if (typeof value === 'number' && Number.isFinite(value)) return value + 0
    if (typeof value === 'boolean' || value === null) return value
    if (levels === 0) throw notPlain
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (let index = 0; index < value.length; index++) {
        items.push(this.copy(value[index], levels - 1))
      }
      return items
    }
    if (Object.getPrototypeOf(value) !== Object.prototype && !isPlainObject(value)) throw notPlain
    // This keeps the shape of the object and reads each field once.
    const copy: Record<string, unknown> = { ...value }
    for (const key of Object.keys(copy)) {
      const field = copy[key]
      if (field === undefined || key === '__proto__') throw notPlain
      this.#take(key.length * 6 + 3)
      const inner = this.copy(field, levels - 1)
      if (inner !== field || inner === 0) copy[key] = inner
    }
    return copy
  }

  #take(bytes: number): void {
    this.#bytes -= bytes
    if (this.#bytes < 0) throw notPlain
  }
}

function copyWithCare(given: object, limits: ComputeLimits): unknown {
  const { maxProgramBytes } = limits
  const copy = copyValue(given, {
    path: '',
    label: '',
    code: 'bad_program',
    limits: {
      ...defaultLimits,
      maxNesting: jsonLevels(limits),
      maxTextLength: maxProgramBytes,
      maxReturnedValues: maxProgramBytes,
    },
  })
  if (new TextEncoder().encode(JSON.stringify(copy)).byteLength <= maxProgramBytes) return copy
  throw errorOf('', {
    code: 'limit',
    message: `the program is larger than ${maxProgramBytes} bytes`,
    hint: 'Make the program smaller or split it into several tools.',
  })
}

/**
 * A private copy of a program: once it is there, nothing of the caller's is read.
 *
 * @throws {ComputeError} bad_program for what is no plain JSON object, limit
 */
export function copyProgram(
  given: unknown,
  limits: ComputeLimits,
): Readonly<Record<string, unknown>> {
  if (!isPlainObject(given)) {
    throw errorOf('', {
      code: 'bad_program',
      message: `a program must be an object, got ${describeType(given)}`,
      hint: typeof given === 'string' ? 'Parse the JSON text first.' : 'Give { "steps": [ … ] }.',
    })
  }
  let copy: unknown
  try {
    copy = new QuickCopier(limits).copy(given, jsonLevels(limits))
  } catch {
    copy = copyWithCare(given, limits)
  }
  return copy as Readonly<Record<string, unknown>>
}

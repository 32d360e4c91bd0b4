import { type PlainLimits, maxEntriesOfOneTurn } from './plain-json.ts'

/** Stands for a value that is no plain JSON. */
export const notPlain: unique symbol = Symbol('notPlain')

/**
 * Copies a value that is nothing but JSON data, reading everything in it once: what was copied is what was there, whatever
 * the value's owner, a getter or a proxy shows the next reader. Made to be fast: it gives {@link notPlain} at the first
 * thing that is unusual.
 *
 * Properties that are `undefined` are kept; JSON leaves them out, and a tool finds the same under them either way.
 */
export class PlainCopier {
  /** A key was met under which secrets are usually kept. */
  hasSecretKey = false
  /** The copying ended because the value is larger than was allowed. */
  isTooLong = false
  readonly #isSecretKey: (key: string) => boolean
  readonly #maxNesting: number
  #remaining: number
  #entries = maxEntriesOfOneTurn

  constructor({ maxNesting, maxLength }: PlainLimits, isSecretKey: (key: string) => boolean) {
    this.#isSecretKey = isSecretKey
    this.#maxNesting = maxNesting
    this.#remaining = maxLength
  }

  copy(value: unknown): unknown {
    try {
      return this.#copyValue(value, 0)
    } catch {
      // Getters and proxies may throw while they are looked at.
      return notPlain
    }
  }

  #copyValue(value: unknown, nesting: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.#spend(value.length + 2) ? value : notPlain
      case 'number':
        return Number.isFinite(value) && this.#spend(1) ? value : notPlain
      case 'boolean':
        return this.#spend(4) ? value : notPlain
      case 'object':
        return value === null ? value : this.#copyContainer(value, nesting)
      default:
        return notPlain
    }
  }

  #copyContainer(value: object, nesting: number): unknown {
    if (nesting >= this.#maxNesting) return notPlain
    if ((value as { toJSON?: unknown }).toJSON !== undefined) return notPlain
    const prototype: unknown = Object.getPrototypeOf(value)
    if (Array.isArray(value))
      return prototype === Array.prototype ? this.#copyList(value, nesting + 1) : notPlain
    if (prototype !== Object.prototype && prototype !== null) return notPlain
    return this.#copyRecord(value as Record<string, unknown>, nesting + 1)
  }

  #copyList(list: readonly unknown[], nesting: number): unknown {
    const { length } = list
    this.#entries -= length
    if (!this.#spend(length + 2)) return notPlain
    const copy: unknown[] = []
    for (let index = 0; index < length; index += 1) {
      const item = this.#copyValue(list[index], nesting)
      if (item === notPlain) return notPlain
      copy.push(item)
    }
    return copy
  }

  #copyRecord(record: Record<string, unknown>, nesting: number): unknown {
    const copy: Record<string, unknown> = {}
    let length = 2
    let count = 0
    for (const key in record) {
      if (!this.hasSecretKey && this.#isSecretKey(key)) this.hasSecretKey = true
      const entry = record[key]
      length += key.length + 4
      count += 1
      if (length > this.#remaining || count > this.#entries) return this.#giveUp()
      if (typeof entry === 'string') length += entry.length
      const isLeaf = typeof entry === 'string' || entry === undefined
      const copied = isLeaf ? entry : this.#copyValue(entry, nesting)
      if (copied === notPlain) return notPlain
      if (key === '__proto__') defineOwn(copy, key, copied)
      else copy[key] = copied
    }
    this.#entries -= count
    return this.#spend(length) ? copy : notPlain
  }

  #spend(length: number): boolean {
    this.#remaining -= length
    if (this.#remaining >= 0 && this.#entries >= 0) return true
    this.isTooLong = true
    return false
  }

  #giveUp(): typeof notPlain {
    this.isTooLong = true
    return notPlain
  }
}

/** Sets a property whose name would change the prototype if it were assigned. */
export function defineOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

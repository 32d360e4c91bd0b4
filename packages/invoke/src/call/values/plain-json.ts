/** How far a value may go before it is refused. */
export interface PlainLimits {
  /** Nesting of objects and lists. */
  readonly maxNesting: number
  /** Characters that the JSON text will have at least. */
  readonly maxLength: number
}

/**
 * Values whose JSON text is longer than this, or that have more entries, are looked at in slices, so that whatever else the
 * program does is not kept waiting.
 */
export const maxLengthOfOneTurn = 1_048_576
/** Copying, writing and searching one entry of an object or a list takes about as long as 100 characters of a text. */
export const maxEntriesOfOneTurn = 16_384

/** A walk over a value, and what it found out. */
export class PlainWalk {
  /** A key was met under which secrets are usually kept. */
  hasSecretKey = false
  /** The walk ended because the value is larger than was allowed. */
  isTooLong = false
  readonly #isSecretKey: (key: string) => boolean
  readonly #maxNesting: number
  /** Characters that may still come. */
  #remaining: number
  #entries = maxEntriesOfOneTurn

  constructor({ maxNesting, maxLength }: PlainLimits, isSecretKey: (key: string) => boolean) {
    this.#isSecretKey = isSecretKey
    this.#maxNesting = maxNesting
    this.#remaining = maxLength
  }

  /**
   * Tells whether a value is nothing but JSON data, so that its JSON text says all of it. Made to be fast: it says `false`
   * at the first thing that is unusual, and {@link copyAsPlainJson} then finds out what it is.
   */
  isPlain(value: unknown): boolean {
    try {
      return this.#isPlainValue(value, 0)
    } catch {
      // Getters and proxies may throw while they are looked at.
      return false
    }
  }

  #isPlainValue(value: unknown, nesting: number): boolean {
    switch (typeof value) {
      case 'string':
        return this.#spend(value.length + 2)
      case 'number':
        return Number.isFinite(value) && this.#spend(1)
      case 'boolean':
        return this.#spend(4)
      case 'object':
        return value === null || this.#isPlainContainer(value, nesting)
      default:
        return false
    }
  }

  #isPlainContainer(value: object, nesting: number): boolean {
    if (nesting >= this.#maxNesting) return false
    if ((value as { toJSON?: unknown }).toJSON !== undefined) return false
    const prototype: unknown = Object.getPrototypeOf(value)
    if (Array.isArray(value))
      return prototype === Array.prototype && this.#isPlainList(value, nesting + 1)
    if (prototype !== Object.prototype && prototype !== null) return false
    return this.#isPlainRecord(value as Record<string, unknown>, nesting + 1, undefined)
  }

  #isPlainList(list: readonly unknown[], nesting: number): boolean {
    this.#entries -= list.length
    if (!this.#spend(list.length + 2)) return false
    // The items of a list mostly have the same keys in the same order, which then need to be looked at only once.
    const knownKeys = list.length > 4 ? [] : undefined
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index]
      if (!this.#isPlainItem(item, nesting, knownKeys)) return false
    }
    return true
  }

  #isPlainItem(item: unknown, nesting: number, knownKeys: string[] | undefined): boolean {
    const isRecord =
      typeof item === 'object' &&
      item !== null &&
      Object.getPrototypeOf(item) === Object.prototype &&
      (item as { toJSON?: unknown }).toJSON === undefined &&
      nesting < this.#maxNesting
    return isRecord
      ? this.#isPlainRecord(item as Record<string, unknown>, nesting + 1, knownKeys)
      : this.#isPlainValue(item, nesting)
  }

  #isPlainRecord(
    record: Record<string, unknown>,
    nesting: number,
    knownKeys: string[] | undefined,
  ): boolean {
    let length = 2
    let position = 0
    // Inherited keys can only be met when somebody put them on Object.prototype: the careful copy sorts that out.
    for (const key in record) {
      if (knownKeys?.[position] !== key) {
        if (!this.hasSecretKey && this.#isSecretKey(key)) this.hasSecretKey = true
        if (knownKeys !== undefined) knownKeys[position] = key
      }
      position += 1
      const entry = record[key]
      length += key.length + 4
      if (length > this.#remaining || position > this.#entries) return this.#giveUp()
      if (typeof entry === 'string') length += entry.length
      else if (typeof entry === 'number') {
        if (!Number.isFinite(entry)) return false
      } else if (!this.#isPlainValue(entry, nesting)) return false
    }
    if (position === 0 && isIterable(record)) return false
    this.#entries -= position
    return this.#spend(length)
  }

  #spend(length: number): boolean {
    this.#remaining -= length
    return this.#remaining >= 0 && this.#entries >= 0 ? true : this.#giveUp()
  }

  #giveUp(): false {
    this.isTooLong = true
    return false
  }
}

/** Why a value is refused that passes the limit of its length. */
export const tooLongMessage = 'is larger than the largest text that is written'

/** An object without a single name that gives something all the same. */
function isIterable(value: object): boolean {
  return Symbol.iterator in value || Symbol.asyncIterator in value
}

/** A value cannot be written as JSON without losing or changing something. */
export class NotPlainJsonError extends Error {
  override readonly name: string = 'NotPlainJsonError'
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

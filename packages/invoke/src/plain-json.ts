/** How far a value may go before it is refused. */
export interface PlainLimits {
  /** Nesting of objects and lists. */
  readonly maxNesting: number
  /** Characters that the JSON text will have at least. */
  readonly maxLength: number
}

/** What a walk over a value found out. */
export interface PlainWalk {
  /** Characters that may still come. */
  remaining: number
  /** A key was met under which secrets are usually kept. */
  hasSecretKey: boolean
  readonly maxNesting: number
  readonly isSecretKey: (key: string) => boolean
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

/**
 * Tells whether a value is nothing but JSON data, so that its JSON text says all of it. Made to be fast: it says `false`
 * at the first thing that is unusual, and {@link copyAsPlainJson} then finds out what it is.
 */
export function isPlainJson(value: unknown, walk: PlainWalk, nesting = 0): boolean {
  switch (typeof value) {
    case 'string':
      walk.remaining -= value.length + 2
      return walk.remaining >= 0
    case 'number':
      walk.remaining -= 1
      return Number.isFinite(value)
    case 'boolean':
      walk.remaining -= 4
      return true
    case 'object':
      if (value === null) return true
      return nesting < walk.maxNesting && isPlainContainer(value, walk, nesting + 1)
    default:
      return false
  }
}

function isPlainContainer(value: object, walk: PlainWalk, nesting: number): boolean {
  walk.remaining -= 2
  if (walk.remaining < 0 || (value as { toJSON?: unknown }).toJSON !== undefined) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return false
    for (let index = 0; index < value.length; index += 1)
      if (!isPlainJson(value[index], walk, nesting)) return false
    return true
  }
  if (prototype !== Object.prototype && prototype !== null) return false
  // Inherited keys can only be met when somebody put them on Object.prototype: the careful copy sorts that out.
  for (const key in value) {
    walk.remaining -= key.length
    if (!walk.hasSecretKey && walk.isSecretKey(key)) walk.hasSecretKey = true
    if (!isPlainJson((value as Record<string, unknown>)[key], walk, nesting)) return false
  }
  return true
}

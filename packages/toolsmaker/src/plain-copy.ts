import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { type ToolsmakerErrorCode, toolsmakerError } from './error-catalogue.ts'

/** What a copy is refused with, and how much it may hold. */
export interface PlainCopyOptions {
  /** What the value is, for the message, such as `intent`. */
  readonly what: string
  readonly code: ToolsmakerErrorCode
  /** Objects, lists and plain values. @default 100_000 */
  readonly maxValues?: number
  /** Characters of all texts and keys. @default 2_000_000 */
  readonly maxCharacters?: number
}

const maxDepth = 100

/**
 * Copies a value that somebody else holds into plain JSON, reading each property exactly once: whatever they do to theirs
 * afterwards, getters, proxies and later changes included, has no effect. Members that are `undefined` are left out.
 *
 * @throws {ToolError} with the given code when it is not JSON, too large, too deep, or throws while it is read.
 */
export function copyPlain(value: unknown, options: PlainCopyOptions): JsonValue {
  const { maxCharacters = 2_000_000, maxValues = 100_000 } = options
  const copier = new Copier(options, { values: maxValues, characters: maxCharacters })
  try {
    return copier.copy(value, '', 0)
  } catch (cause) {
    if (cause === copier.refusal) throw cause
    throw toolsmakerError(options.code, `The ${options.what} threw an error while it was read.`)
  }
}

class Copier {
  /** The error that this copier threw itself. */
  refusal: unknown
  readonly #options: PlainCopyOptions
  readonly #left: { values: number; characters: number }

  constructor(options: PlainCopyOptions, left: { values: number; characters: number }) {
    this.#options = options
    this.#left = left
  }

  copy(value: unknown, path: string, depth: number): JsonValue {
    this.#left.values -= 1
    if (this.#left.values < 0) this.#refuse(path, 'it holds too many values')
    if (depth > maxDepth) this.#refuse(path, `it nests deeper than ${maxDepth}, or is cyclic`)
    switch (typeof value) {
      case 'string':
        return this.#text(value, path)
      case 'number':
        return Number.isFinite(value) ? value : this.#refuse(path, `${value} is not a JSON number`)
      case 'boolean':
        return value
      case 'object':
        if (value === null) return null
        return Array.isArray(value)
          ? this.#list(value, path, depth)
          : this.#object(value, path, depth)
      default:
        return this.#refuse(path, `${typeof value} is not JSON`)
    }
  }

  #text(value: string, path: string): string {
    this.#left.characters -= value.length
    if (this.#left.characters < 0) this.#refuse(path, 'it holds too much text')
    if (!value.isWellFormed()) this.#refuse(path, 'its text holds half a character')
    return value
  }

  #list(value: readonly unknown[], path: string, depth: number): readonly JsonValue[] {
    const { length } = value
    if (length > this.#left.values) this.#refuse(path, 'it holds too many values')
    const copy: JsonValue[] = []
    for (let index = 0; index < length; index += 1)
      copy.push(this.copy(value[index], `${path}[${index}]`, depth + 1))
    return copy
  }

  #object(value: object, path: string, depth: number): JsonObject {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      this.#refuse(path, 'it is not a plain object')
    const copy: Record<string, JsonValue> = {}
    for (const key of Object.keys(value)) {
      if (key === '__proto__') this.#refuse(path, 'a field must not be called "__proto__"')
      this.#text(key, path)
      const entry: unknown = (value as Record<string, unknown>)[key]
      if (entry === undefined) continue
      copy[key] = this.copy(entry, path === '' ? key : `${path}.${key}`, depth + 1)
    }
    return copy
  }

  #refuse(path: string, problem: string): never {
    const { code, what } = this.#options
    const place = path === '' ? '' : ` at ${path.slice(0, 200)}`
    this.refusal = toolsmakerError(code, `The ${what} cannot be used${place}: ${problem}.`, {
      data: { field: path.slice(0, 200) },
    })
    throw this.refusal
  }
}

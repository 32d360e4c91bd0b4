import { setOwn } from './plain-json-copy.ts'
import { SlicedText } from './sliced-text.ts'

/** What takes the place of something that must not be seen. */
export const redactedMark = '[redacted]'

/** What is changed while JSON data is written. */
export interface WritingRules {
  readonly redactText?: (text: string) => string
  /** What stands under such a key is hidden. */
  readonly isHidden?: (key: string) => boolean
}

/** JSON data as it was written. */
export interface SlicedJson {
  readonly value: unknown
  readonly text: string
  /** The size of the text in UTF-8. */
  readonly bytes: number
  /** The first 65,536 characters at least, or the whole. */
  readonly beginning: string
}

/** Entries that are written between two pauses. */
const entriesPerPause = 256

/**
 * Writes plain JSON data that nobody changes, as `JSON.stringify` does, and pauses on the way.
 *
 * @param small objects and lists that can be written at once.
 * @yields nothing: it pauses.
 */
export function* writeJsonInSlices(
  value: unknown,
  small: WeakSet<object> = new WeakSet(),
  rules: WritingRules = {},
): Generator<void, SlicedJson> {
  const writer = new SlicedWriter(small, rules)
  const written = yield* writer.write(value)
  return { value: written, ...writer.text.end() }
}

class SlicedWriter {
  readonly text: SlicedText = new SlicedText()
  readonly #small: WeakSet<object>
  readonly #rules: WritingRules
  readonly #isCopying: boolean
  #steps = 0

  constructor(small: WeakSet<object>, rules: WritingRules) {
    this.#small = small
    this.#rules = rules
    this.#isCopying = rules.redactText !== undefined || rules.isHidden !== undefined
  }

  *write(value: unknown): Generator<void, unknown> {
    this.#steps += 1
    if (this.#steps % entriesPerPause === 0) yield
    if (typeof value !== 'object' || value === null) return yield* this.#writeLeaf(value)
    if (this.#writeSmall(value)) return value
    return yield* Array.isArray(value)
      ? this.#writeList(value)
      : this.#writeRecord(value as Record<string, unknown>)
  }

  /** Writes a small object at once, if there is nothing to hide in it. */
  #writeSmall(value: object): boolean {
    const { isHidden, redactText } = this.#rules
    if (isHidden !== undefined || !this.#small.has(value)) return false
    const text = JSON.stringify(value)
    if (redactText !== undefined && redactText(text) !== text) return false
    this.text.add(text)
    return true
  }

  *#writeLeaf(value: unknown): Generator<void, unknown> {
    const leaf = this.#cleanLeaf(value)
    if (typeof leaf === 'string') yield* this.text.addJsonText(leaf)
    else this.text.add(JSON.stringify(leaf))
    return leaf
  }

  *#writeList(list: readonly unknown[]): Generator<void, unknown> {
    const copy: unknown[] = []
    this.text.add('[')
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.text.add(',')
      const item = yield* this.write(list[index])
      if (this.#isCopying) copy.push(item)
    }
    this.text.add(']')
    return this.#isCopying ? copy : list
  }

  *#writeRecord(record: Record<string, unknown>): Generator<void, unknown> {
    const copy: Record<string, unknown> = {}
    let separator = '{'
    for (const name of Object.keys(record)) {
      const key = this.#cleanKey(name, copy)
      this.text.add(separator)
      separator = ','
      yield* this.text.addJsonText(key)
      this.text.add(':')
      const isHidden = this.#rules.isHidden?.(name) === true && holdsSomething(record[name])
      const entry = yield* this.write(isHidden ? redactedMark : record[name])
      if (this.#isCopying) setOwn(copy, key, entry)
    }
    this.text.add(separator === '{' ? '{}' : '}')
    return this.#isCopying ? copy : record
  }

  #cleanLeaf(leaf: unknown): unknown {
    const { redactText } = this.#rules
    if (redactText === undefined) return leaf
    if (typeof leaf === 'string') return redactText(leaf)
    // A number is only ever hidden whole.
    return typeof leaf === 'number' && redactText(String(leaf)) !== String(leaf)
      ? redactedMark
      : leaf
  }

  /** Two keys may become the same when secrets are taken out of them; none may swallow the other's value. */
  #cleanKey(name: string, copy: object): string {
    const { redactText } = this.#rules
    if (redactText === undefined) return name
    const key = redactText(name)
    let free = key
    for (let count = 2; Object.hasOwn(copy, free); count += 1) free = `${key} (${count})`
    return free
  }
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean'
}

/**
 * Tells whether a key of JSON data is one of those that are looked for.
 *
 * @yields nothing: it pauses.
 */
export function* hasKeyInSlices(
  value: unknown,
  isWanted: (key: string) => boolean,
): Generator<void, boolean> {
  if (typeof value !== 'object' || value === null) return false
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const entries = keys === undefined ? (value as readonly unknown[]) : undefined
  const count = (keys ?? entries)?.length ?? 0
  for (let index = 0; index < count; index += 1) {
    if (index % entriesPerPause === 0) yield
    const key = keys?.[index]
    if (key !== undefined && isWanted(key)) return true
    const entry: unknown =
      key === undefined ? entries?.[index] : (value as Record<string, unknown>)[key]
    if (typeof entry === 'object' && entry !== null && (yield* hasKeyInSlices(entry, isWanted)))
      return true
  }
  return false
}

import type { Redactor } from '@toolcrib/redaction'
import { setOwn } from './plain-json-copy.ts'
import { type RecordKeys, keysOf, rememberKeys } from './record-keys.ts'
import { type SecretWatch, redactInPieces } from './redacted-pieces.ts'
import { SlicedText } from './sliced-text.ts'

/** What takes the place of something that must not be seen. */
export const redactedMark = '[redacted]'

/** JSON data that nobody changes. */
export interface JsonData {
  readonly value: unknown
  /** Objects and lists that can be written at once. */
  readonly small: ReadonlySet<object>
  /** The keys of objects that have many. */
  readonly keys: RecordKeys
}

/** What is changed and looked for while JSON data is written. */
export interface WritingRules {
  /** Takes secrets out. */
  readonly redactor?: Redactor
  /** Tells whether the text holds secrets. */
  readonly watch?: SecretWatch
  /** What stands under such a key is hidden. */
  readonly isHidden?: (key: string) => boolean
}

/** JSON data as it was written. */
export interface SlicedJson extends JsonData {
  readonly text: string
  /** The size of the text in UTF-8. */
  readonly bytes: number
  /** The first 65,536 characters at least, or the whole. */
  readonly beginning: string
}

/** Entries that are written between two pauses. */
const entriesPerPause = 256

/**
 * Writes plain JSON data as `JSON.stringify` does, and pauses on the way.
 *
 * @yields nothing: it pauses.
 */
export function* writeJsonInSlices(
  data: JsonData,
  rules: WritingRules = {},
): Generator<void, SlicedJson> {
  const writer = new SlicedWriter(data, rules)
  const value = yield* writer.write(data.value)
  return { ...data, value, ...writer.text.end() }
}

class SlicedWriter {
  readonly text: SlicedText
  readonly #small: ReadonlySet<object>
  readonly #keys: RecordKeys
  readonly #rules: WritingRules
  readonly #isCopying: boolean
  #steps = 0

  constructor({ small, keys }: JsonData, rules: WritingRules) {
    this.text = new SlicedText(rules.watch)
    this.#small = small
    this.#keys = keys
    this.#rules = rules
    this.#isCopying = rules.redactor !== undefined || rules.isHidden !== undefined
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
    const { isHidden, redactor } = this.#rules
    if (isHidden !== undefined || !this.#small.has(value)) return false
    const text = JSON.stringify(value)
    if (redactor !== undefined && redactor.redactText(text) !== text) return false
    this.text.add(text)
    return true
  }

  *#writeLeaf(value: unknown): Generator<void, unknown> {
    const leaf = yield* this.#cleanLeaf(value)
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
    const names = keysOf(record, this.#keys)
    const keys: string[] = []
    let separator = '{'
    for (const name of names) {
      const key = yield* this.#cleanKey(name, copy)
      this.text.add(separator)
      separator = ','
      yield* this.text.addJsonText(key)
      this.text.add(':')
      const isHidden = this.#rules.isHidden?.(name) === true && holdsSomething(record[name])
      const entry = yield* this.write(isHidden ? redactedMark : record[name])
      if (!this.#isCopying) continue
      setOwn(copy, key, entry)
      keys.push(key)
    }
    if (this.#isCopying) rememberKeys(copy, keys, this.#keys)
    this.text.add(separator === '{' ? '{}' : '}')
    return this.#isCopying ? copy : record
  }

  *#cleanLeaf(leaf: unknown): Generator<void, unknown> {
    const { redactor } = this.#rules
    if (redactor === undefined) return leaf
    if (typeof leaf === 'string') return yield* redactInPieces(leaf, redactor)
    // A number is only ever hidden whole.
    return typeof leaf === 'number' && redactor.redactText(String(leaf)) !== String(leaf)
      ? redactedMark
      : leaf
  }

  // Two keys may become the same when secrets are taken out of them; none may swallow the other's value.
  *#cleanKey(name: string, copy: object): Generator<void, string> {
    const { redactor } = this.#rules
    if (redactor === undefined) return name
    const key = yield* redactInPieces(name, redactor)
    let free = key
    for (let count = 2; Object.hasOwn(copy, free); count += 1) free = `${key} (${count})`
    return free
  }
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean'
}

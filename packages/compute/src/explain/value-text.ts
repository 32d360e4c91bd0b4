import { decimalToText } from '../values/decimal-text.ts'
import { Decimal } from '../values/decimal.ts'
import { isPlainObject } from '../values/json-value.ts'
import { showQuoted, showText } from './show-text.ts'

/** Writes a value as JSON until it has written enough. Looks at no more than it writes, so that no value is too large or too deep. */
class ValueWriter {
  text = ''
  readonly #longest: number

  constructor(longest: number) {
    this.#longest = longest
  }

  get isFull(): boolean {
    return this.text.length > this.#longest
  }

  write(value: unknown): void {
    if (value instanceof Decimal) this.text += decimalToText(value)
    else if (typeof value === 'string') {
      // Half a surrogate pair at the cut would read as a character that is not there.
      this.text += showQuoted(value.slice(0, this.#longest + 1).toWellFormed())
    } else if (Array.isArray(value)) this.#writeArray(value)
    else if (isPlainObject(value)) this.#writeObject(value)
    else {
      const isJson = value === null || typeof value === 'boolean' || typeof value === 'number'
      this.text += isJson ? String(value) : `(${typeof value})`
    }
  }

  #writeArray(list: readonly unknown[]): void {
    this.text += '['
    for (let index = 0; index < list.length && !this.isFull; index++) {
      if (index > 0) this.text += ', '
      this.write(list[index])
    }
    this.text += ']'
  }

  #writeObject(object: Readonly<Record<string, unknown>>): void {
    this.text += '{'
    let isFirst = true
    for (const key of Object.keys(object)) {
      if (this.isFull) break
      if (!isFirst) this.text += ', '
      isFirst = false
      this.text += `${showQuoted(key.slice(0, this.#longest + 1).toWellFormed())}: `
      this.write(object[key])
    }
    this.text += '}'
  }
}

/**
 * A value as JSON for a person to read, everything invisible escaped. Longer ones end in `…`.
 *
 * @param longest - characters that are kept
 */
export function valueText(value: unknown, longest: number = Number.POSITIVE_INFINITY): string {
  const writer = new ValueWriter(longest)
  try {
    writer.write(value)
  } catch {
    // A getter or a proxy of the caller threw.
    return '(unreadable)'
  }
  if (!writer.isFull) return writer.text
  return `${showText(writer.text.slice(0, longest).toWellFormed())}…`
}

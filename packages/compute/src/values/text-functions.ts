import { Fault } from './fault.ts'
import { checkWhole } from './whole-number.ts'

const hasSurrogate = /[\ud800-\udfff]/

/** Where the code point after this one starts. */
const nextOffset = (text: string, offset: number): number =>
  offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)

/** The number of code points; half a surrogate pair counts as one. */
export function textSize(text: string): number {
  if (!hasSurrogate.test(text)) return text.length
  let count = 0
  for (let offset = 0; offset < text.length; offset = nextOffset(text, offset)) count++
  return count
}

/** Where a code point starts, in UTF-16 units. */
function offsetOf(text: string, position: number): number {
  if (!hasSurrogate.test(text)) return position
  let offset = 0
  for (let count = 0; count < position; count++) offset = nextOffset(text, offset)
  return offset
}

/**
 * The code points from `start` to before `end`.
 *
 * @throws {Fault} bad_value unless 0 <= start <= end <= size
 */
export function substringOf(text: string, start: number, end?: number): string {
  const size = textSize(text)
  checkWhole(end ?? size, 'end', [0, size])
  checkWhole(start, 'start', [0, end ?? size])
  return text.slice(offsetOf(text, start), end === undefined ? undefined : offsetOf(text, end))
}

/**
 * At which code point a part starts, at or after `from`; -1 if nowhere.
 *
 * @throws {Fault} bad_value unless 0 <= from <= size
 */
export function positionOf(text: string, part: string, from = 0): number {
  checkWhole(from, 'from', [0, textSize(text)])
  const offset = text.indexOf(part, offsetOf(text, from))
  return offset < 0 ? offset : textSize(text.slice(0, offset))
}

/**
 * Refuses a text that would be too long, before it is made.
 *
 * @throws {Fault} limit
 */
export function checkMade(length: number, maxLength: number): void {
  if (length <= maxLength) return
  throw new Fault(
    'limit',
    `the string would have ${length} characters, ${maxLength} are allowed`,
    'Make it shorter, or raise maxTextLength.',
  )
}

/** How a text is made that may be much longer than the texts it is made of. */
export interface GrowthLimit {
  /** The most UTF-16 units; looked at before the text is made. */
  readonly maxLength: number
}

/**
 * Replaces every occurrence; `to` is put in as it is.
 *
 * @throws {Fault} bad_value for an empty `from`, limit
 */
export function replaceText(
  text: string,
  from: string,
  { to, maxLength }: GrowthLimit & { readonly to: string },
): string {
  if (from === '')
    throw new Fault('bad_value', 'nothing to replace', 'Pass a string that is not empty.')
  const parts = text.split(from)
  checkMade(text.length + (parts.length - 1) * (to.length - from.length), maxLength)
  return parts.join(to)
}

/** The parts between separators; the code points if the separator is empty. */
export const splitText = (text: string, separator: string): string[] =>
  separator === '' ? Array.from(text) : text.split(separator)

/**
 * The strings with the separator between them.
 *
 * @throws {Fault} type for an item that is no string, limit
 */
export function joinTexts(
  items: readonly unknown[],
  separator: string,
  { maxLength }: GrowthLimit,
): string {
  let length = separator.length * Math.max(0, items.length - 1)
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (typeof item !== 'string') {
      throw new Fault(
        'type',
        `item ${index} is no string`,
        'Make strings of the items: map(list, x, string(x)).',
      )
    }
    length += item.length
  }
  checkMade(length, maxLength)
  return items.join(separator)
}

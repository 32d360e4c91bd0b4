import { Fault } from './fault.ts'
import { checkWhole } from './whole-number.ts'

const hasSurrogate = /[\ud800-\udfff]/

/** The number of code points; half a surrogate pair counts as one. */
export const textSize = (text: string): number =>
  hasSurrogate.test(text) ? Array.from(text).length : text.length

/** The UTF-16 offset of a code point. */
const offsetOf = (text: string, position: number): number =>
  hasSurrogate.test(text) ? Array.from(text).slice(0, position).join('').length : position

/**
 * The code points from `start` to before `end`.
 *
 * @throws {Fault} bad_value unless 0 <= start <= end <= size
 */
export function substringOf(text: string, start: number, end: number = textSize(text)): string {
  checkWhole(end, 'end', [0, textSize(text)])
  checkWhole(start, 'start', [0, end])
  return text.slice(offsetOf(text, start), offsetOf(text, end))
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
    `a string of ${length} characters, ${maxLength} are allowed`,
    'Shorten it, or raise maxTextLength.',
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
  if (from === '') throw new Fault('bad_value', 'replaces an empty string', 'Pass what to replace.')
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
      throw new Fault('type', `item ${index} is no string`, 'Use map(list, x, string(x)).')
    }
    length += item.length
  }
  checkMade(length, maxLength)
  return items.join(separator)
}

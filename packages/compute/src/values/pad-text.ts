import { Fault } from './fault.ts'
import { checkMade, type GrowthLimit, textSize } from './text-functions.ts'
import { checkWhole } from './whole-number.ts'

/** How {@link padText} fills up. */
export interface Padding extends GrowthLimit {
  /** In code points, whole, not negative. */
  readonly width: number
  /** One code point. */
  readonly fill: string
  /** `start` puts the fill before the text, `end` after it. */
  readonly side: string
}

/**
 * Fills a text up to a width. A text that is as wide already stays as it is.
 *
 * @throws {Fault} bad_value, limit
 */
export function padText(text: string, { width, fill, side, maxLength }: Padding): string {
  checkWhole(width, 'width', [0, maxLength])
  if (textSize(fill) !== 1) {
    throw new Fault('bad_value', 'fill is not one character', 'Pass one, such as "0".')
  }
  if (side !== 'start' && side !== 'end') {
    throw new Fault('bad_value', 'unknown side', 'Pass "start" or "end".')
  }
  const missing = Math.max(0, width - textSize(text))
  checkMade(text.length + missing * fill.length, maxLength)
  const padding = fill.repeat(missing)
  return side === 'start' ? padding + text : text + padding
}

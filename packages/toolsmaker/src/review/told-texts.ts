import type { JsonValue } from '@toolcrib/registry'
import { makeVisible, textsIn } from '../validation/suspicious-text.ts'

/** How sentences say that they leave something out, as `boundSentences` and the words about workflows do. */
const leftOut = /\b\d+ more\b|\(cut: |NOT SHOWN|levels deep\)/
/** A kind tells such words in its own, as it does numbers: `lookup` is "Set … to the entry of …". */
const plainWord = /^[\w$@.:/+-]{0,64}$/

/** As many texts are looked for; a definition with more of them is shown. */
const mostTexts = 500

/**
 * Whether sentences tell all of a definition: nothing was left out, and every text of it stands in them as it was written. Where that
 * is not so, a person has to be shown the definition itself.
 */
export function tellsWhole(steps: readonly string[], definition: JsonValue): boolean {
  if (steps.length === 0 || steps.some((step) => leftOut.test(step))) return false
  const told = plainText(steps.join('\n'))
  const seen = new Set<string>()
  for (const text of textsIn(definition))
    for (const line of text.split('\n')) {
      if (plainWord.test(line) || seen.has(line)) continue
      if (seen.size >= mostTexts || !told.includes(plainText(line))) return false
      seen.add(line)
    }
  return true
}

/** A text as it is compared: hidden characters made visible, blanks of any kind and number as one. */
export function plainText(text: string): string {
  return makeVisible(text).replaceAll(/\s+/g, ' ').trim()
}

/** Control and format characters (bidirectional, zero-width) and the separators of lines: a terminal acts on them or hides them. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text of somebody else, made safe for a terminal: what would act on the screen or hide is shown as an escape. */
export function shownText(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** The same on one line, cut to a length. */
export function shownLine(text: string, length = 100): string {
  const line = shownText(text.replaceAll(/\s+/g, ' ').trim())
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}

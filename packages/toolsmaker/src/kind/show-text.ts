/** Control, format, private and unassigned characters, and every separator that is not the plain space. */
const disguised = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

/**
 * An author's text for a person to read: whatever is invisible, breaks the line or turns the reading direction is
 * written as its code point, so that what a person reads is what is there.
 */
export function showText(text: string): string {
  return text.replace(
    disguised,
    (character) => String.raw`\u{` + (character.codePointAt(0) ?? 0).toString(16) + '}',
  )
}

/** The same in double quotes. */
export function quoteShown(text: string): string {
  return `"${showText(text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`))}"`
}

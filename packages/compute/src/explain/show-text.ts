/** Characters that are invisible, break the line or turn the reading direction; the plain space is none. */
const disguised = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** A program's text for a person to read: what would not show is written as its code point. */
export function showText(text: string): string {
  return text.replace(
    disguised,
    (character) => String.raw`\u{` + (character.codePointAt(0) ?? 0).toString(16) + '}',
  )
}

/** The same in double quotes. */
export function showQuoted(text: string): string {
  return `"${showText(text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`))}"`
}

/** An expression as it is written, between backticks; one inside is written as its code point, so that the outer ones are its ends. */
export function showCode(text: string): string {
  return `\`${showText(text.trim()).replaceAll('`', String.raw`\u{60}`)}\``
}

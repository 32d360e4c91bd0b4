/** Characters that are invisible, break the line or turn the reading direction; the plain space is none. */
const disguised = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** Letters written from right to left, which would change the order of the code around them. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu

const showCodePoint = (character: string): string =>
  String.raw`\u{` + (character.codePointAt(0) ?? 0).toString(16) + '}'

/** A program's text for a person to read: what would not show is written as its code point. */
export function showText(text: string): string {
  return text.replace(disguised, showCodePoint)
}

/** The same in double quotes. */
export function showQuoted(text: string): string {
  return `"${showText(text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`))}"`
}

/** An expression as it is written, between backticks; one inside is written as its code point, so that the outer ones are its ends. */
export function showCode(text: string): string {
  const shown = showText(text.trim()).replace(rightToLeft, showCodePoint)
  return `\`${shown.replaceAll('`', String.raw`\u{60}`)}\``
}

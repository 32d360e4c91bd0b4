/** Everything that is invisible, breaks a line or turns the reading direction, and letters written from right to left; the plain space is none. */
const disguised =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu

const showCodePoint = (character: string): string =>
  String.raw`\u{` + (character.codePointAt(0) ?? 0).toString(16) + '}'

/** A stranger's text in double quotes, for a person to read: what would not show, or would reorder the line, is written as its code point. */
export function showQuoted(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)
  return `"${escaped.replace(disguised, showCodePoint)}"`
}

/** A name or a path as it is when nothing in it could pass for a part of the sentence around it, else in quotes. */
export function showPlain(text: string): string {
  return /^[\w./*:@+~#=-]+$/.test(text) && !text.endsWith('.') ? text : showQuoted(text)
}

/** Whether a text holds characters that a reader would not see. */
export function hasDisguise(text: string): boolean {
  return text.search(disguised) !== -1
}

const firstPrintable = 0x20
const lastPrintable = 0x7e

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '"' || character === '\\') return `\\${character}`
  if (code >= firstPrintable && code <= lastPrintable) return character
  return `\\u{${code.toString(16)}}`
}

const isPlain = (code: number): boolean =>
  code >= firstPrintable && code <= lastPrintable && code !== 0x22 && code !== 0x5c

/** Untrusted text for a message: everything but printable ASCII is escaped, so it cannot disguise itself. */
export function escapeText(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (!isPlain(text.charCodeAt(index))) return Array.from(text, escapeCharacter).join('')
  }
  return text
}

/** The same in double quotes, cut after 40 characters. */
export function quoteText(text: string): string {
  const longest = 40
  return text.length > longest
    ? `"${escapeText(text.slice(0, longest))}…"`
    : `"${escapeText(text)}"`
}

/** One character for a message, with its code point when it is not printable ASCII. */
export function quoteCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= firstPrintable && code <= lastPrintable) return quoteText(character)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

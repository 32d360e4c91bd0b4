const maxShownLength = 200

/** A path as a message may show it: bounded, on one line, with every character that could mislead a reader escaped. */
export function quotePath(path: unknown): string {
  if (typeof path !== 'string') return path === null ? 'null' : `a value of type ${typeof path}`
  const shown = path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path
  return `"${shown.replaceAll(misleading, escape)}"`
}

// Control, format (bidirectional, zero-width), line and paragraph separators, lone surrogates, unassigned; quotes.
const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}"\\]/gu

function escape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

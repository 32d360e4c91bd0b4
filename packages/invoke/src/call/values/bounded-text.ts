const encoder = new TextEncoder()

/** Tells whether a text has more UTF-8 bytes than allowed; counts only when its length leaves that open. */
export function exceedsBytes(text: string, maxBytes: number): boolean {
  // A UTF-16 unit takes one to three bytes in UTF-8.
  if (text.length * 3 <= maxBytes) return false
  if (text.length > maxBytes) return true
  return countBytes(text) > maxBytes
}

/** The size of a text in UTF-8. */
export function countBytes(text: string): number {
  return encoder.encode(text).byteLength
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8; never cuts a character in two. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const start = text.slice(0, maxBytes)
  const { read } = encoder.encodeInto(start, new Uint8Array(maxBytes))
  const last = start.charCodeAt(read - 1)
  // A high surrogate that ends the slice was read as a lone one, although its partner follows in the text.
  const isHalf = read === start.length && read < text.length && last >= 0xd800 && last <= 0xdbff
  return start.slice(0, isHalf ? read - 1 : read)
}

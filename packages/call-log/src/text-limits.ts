/** Texts up to this many UTF-8 bytes are kept in the row itself; of larger ones the row holds the beginning. */
export const inlineBytes = 262_144

/** How much of an input or an output a listing carries, and a row of a text too large for it. */
export const previewCharacters = 16_384

/** The first part of a text, cut between characters. */
export function previewText(text: string, characters: number = previewCharacters): string {
  if (text.length <= characters) return text
  const last = text.charCodeAt(characters - 1)
  const endsInPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, endsInPair ? characters - 1 : characters)
}

/** Tells whether a text has more UTF-8 bytes than that. */
export function isLargerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true
  return text.length * 3 > bytes && countBytes(text) > bytes
}

/** The UTF-8 size of a text; a lone surrogate counts as the three bytes that replace it. */
export function countBytes(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    // A pair is two units and four bytes, so each of its halves adds one; any other unit from 0x800 on adds two.
    if (unit < 0x800 || isPairHalf(text, index)) bytes += 1
    else bytes += 2
  }
  return bytes
}

function isPairHalf(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit > 0xdfff) return false
  const other = unit < 0xdc00 ? text.charCodeAt(index + 1) : text.charCodeAt(index - 1)
  return unit < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff
}

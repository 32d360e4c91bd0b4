/** Longer texts in base64 are often broken into lines, so they are searched for in pieces. */
const maxWholeLength = 60
const pieceLength = 16

/**
 * The ways in which bytes can stand inside a longer text in base64. Where they begin between two characters, or end so, only the
 * characters that depend on nothing else are given.
 */
export function listBase64Forms(bytes: Uint8Array): readonly string[] {
  const forms: string[] = []
  for (let offset = 0; offset < 3; offset += 1) {
    const encoded = encodeBase64(bytes, offset)
    const start = Math.ceil((offset * 8) / 6)
    const end = Math.floor(((offset + bytes.length) * 8) / 6)
    for (const piece of splitLong(encoded.slice(start, end))) forms.push(...writeInAlphabets(piece))
  }
  return forms
}

function encodeBase64(bytes: Uint8Array, offset: number): string {
  let binary = '\0'.repeat(offset)
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

function splitLong(text: string): readonly string[] {
  if (text.length <= maxWholeLength) return [text]
  const pieces: string[] = []
  for (let at = 0; at + pieceLength <= text.length; at += pieceLength)
    pieces.push(text.slice(at, at + pieceLength))
  pieces.push(text.slice(-pieceLength))
  return pieces
}

/** In base64, in base64url, and in base64 that stands in JSON or in a URL. */
function writeInAlphabets(text: string): readonly string[] {
  if (!/[+/]/.test(text)) return [text]
  return [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_'),
    text.replaceAll('/', '\\/'),
    text.replaceAll('+', '%2B').replaceAll('/', '%2F'),
    text.replaceAll('+', '%2b').replaceAll('/', '%2f'),
  ]
}

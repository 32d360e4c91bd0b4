/** What stands before each byte of a dump in hexadecimal. */
const hexMarks: readonly string[] = ['%', '\\x', '\\\\x']
/** What stands between the bytes of a dump in hexadecimal. */
const hexSeparators: readonly string[] = ['', ':', ' ', '-', ',', ', ', ',0x', ', 0x']

/** The ways in which bytes are written as numbers: in hexadecimal, in lower case, and as JSON writes a buffer. */
export function listDumpForms(bytes: Uint8Array): readonly string[] {
  const digits = Array.from(bytes, writeHex)
  return [
    ...hexMarks.map((mark) => mark + digits.join(mark)),
    ...hexSeparators.map((separator) => digits.join(separator)),
    bytes.join(','),
  ]
}

/** Each byte in hexadecimal, with a mark before it. */
export function dumpBytes(bytes: Uint8Array, mark: string): string {
  return Array.from(bytes, (byte) => mark + writeHex(byte)).join('')
}

function writeHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeBytes,
  encodeContent,
  encodingNames,
  readEncodingName,
  startsInsideCharacter,
  unfinishedBytes,
} from './file-encoding.ts'

describe('the name of an encoding', () => {
  test.each([
    [undefined, 'utf-8'],
    ['UTF8', 'utf-8'],
    ['utf_16LE', 'utf-16le'],
    ['ISO-8859-1', 'latin1'],
    ['US-ASCII', 'ascii'],
    ['Base64', 'base64'],
  ])('%s is understood as %s', (given, name) => {
    expect(readEncodingName(given)).toBe(name)
  })

  test.each(['', 'utf-32', 'utf-16be', 'ebcdic', '__proto__', 'buffer'])(
    '%j is refused, with those that work',
    (given) => {
      const refuse = (): unknown => readEncodingName(given)
      expect(refuse).toThrow(encodingNames.join(', '))
      expect(refuse).toThrow(expect.objectContaining({ code: 'ENCODING_UNSUPPORTED' }) as Error)
    },
  )
})

/** Lone surrogates, control characters and all. */
const anyText = fc
  .array(fc.oneof(fc.nat({ max: 0xff }), fc.nat({ max: 0xffff }), fc.constant(0xd83d)))
  .map((units) => String.fromCharCode(...units))

describe('content', () => {
  test('comes back as it was, or is refused, in every encoding', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'latin1' as const, 'ascii' as const),
        (content, encoding) => {
          let bytes: Buffer
          try {
            bytes = encodeContent(content, { encoding, field: 'content' })
          } catch {
            return
          }
          expect(decodeBytes(bytes, encoding)).toBe(content)
        },
      ),
    )
  })

  test('any bytes go there and back in base64, hex and latin1', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.constantFrom('base64' as const, 'hex' as const, 'latin1' as const),
        (bytes, encoding) => {
          const text = decodeBytes(Buffer.from(bytes), encoding)
          const back = encodeContent(text, { encoding, field: 'content' })
          expect(new Uint8Array(back)).toEqual(bytes)
        },
      ),
    )
  })

  test.each([
    ['utf-8', 'a\ud800b'],
    ['utf-16le', '\udc00'],
    ['latin1', 'ł'],
    ['latin1', '😀'],
    ['ascii', 'é'],
    ['base64', 'a'],
    ['base64', 'ab=c'],
    ['base64', 'ab='],
    ['base64', 'abcd='],
    ['base64', '='],
    ['base64', 'ab==='],
    ['base64', 'a*bc'],
    ['hex', 'a'],
    ['hex', '0g'],
    ['hex', '0x00'],
  ] as const)('that %s cannot write is refused: %j', (encoding, content) => {
    expect(() => encodeContent(content, { encoding, field: 'content' })).toThrow(
      expect.objectContaining({ code: 'ENCODING_MISMATCH' }) as Error,
    )
  })

  test.each(['', 'YQ==', 'YQ', 'YWI=\n', '-_-_'])('%j is base64', (content) => {
    expect(encodeContent(content, { encoding: 'base64', field: 'content' })).toEqual(
      Buffer.from(content, 'base64'),
    )
  })

  test('of some megabytes is checked without running out of stack', () => {
    const long = 'ab'.repeat(3_000_000)
    for (const encoding of encodingNames)
      expect(encodeContent(long, { encoding, field: 'content' }).length).toBeGreaterThan(0)
  })
})

describe('bytes', () => {
  test.each([
    ['utf-8', [0xff]],
    ['utf-8', [0xc3]],
    ['utf-8', [0xed, 0xa0, 0x80]],
    ['utf-8', [0xc0, 0xaf]],
    ['utf-16le', [0x41]],
    ['utf-16le', [0x00, 0xd8]],
    ['ascii', [0x80]],
  ] as const)('that are none in %s are refused: %j', (encoding, bytes) => {
    expect(() => decodeBytes(Buffer.from(bytes), encoding)).toThrow('base64')
  })

  test('keep a byte order mark, so that it can be written back', () => {
    expect(decodeBytes(Buffer.from([0xef, 0xbb, 0xbf, 0x41]), 'utf-8')).toBe('\ufeffA')
  })
})

describe('a range', () => {
  test('cut anywhere in a text ends before a character and goes on with it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.constantFrom('utf-8' as const, 'utf-16le' as const),
        fc.nat(),
        (text, encoding, place) => {
          const whole = encodeContent(text, { encoding, field: 'content' })
          const cut = place % (whole.length + 1)
          const kept = cut - unfinishedBytes(whole.subarray(0, cut), encoding)
          expect(startsInsideCharacter(whole.subarray(kept), kept, encoding)).toBe(false)
          const both =
            decodeBytes(whole.subarray(0, kept), encoding) +
            decodeBytes(whole.subarray(kept), encoding)
          expect(both).toBe(text)
        },
      ),
    )
  })

  test('that begins inside a character is seen', () => {
    const utf8 = Buffer.from('a😀')
    expect([1, 2, 3, 4].map((at) => startsInsideCharacter(utf8.subarray(at), at, 'utf-8'))).toEqual(
      [false, true, true, true],
    )
    const utf16 = Buffer.from('a😀', 'utf16le')
    expect(
      [1, 2, 3, 4, 5].map((at) => startsInsideCharacter(utf16.subarray(at), at, 'utf-16le')),
    ).toEqual([true, false, true, true, true])
    expect(startsInsideCharacter(Buffer.from([0x80]), 1, 'base64')).toBe(false)
  })
})

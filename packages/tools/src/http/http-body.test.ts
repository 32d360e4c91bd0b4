import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showBody } from './http-body.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Buffer.from(text, encoding)

describe('text', () => {
  test.each([
    ['text/plain; charset=utf-8', bytes('Grüße'), 'utf-8'],
    ['text/html;charset="ISO-8859-1"', bytes('Grüße', 'latin1'), 'windows-1252'],
    ['text/plain; charset=windows-1251', Uint8Array.of(0xcf, 0xf0, 0xe8), 'windows-1251'],
    ['text/plain; charset=Shift_JIS', Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'shift_jis'],
    ['text/plain; charset=utf-16le', bytes('Grüße', 'utf16le'), 'utf-16le'],
    ['application/octet-text; charset=utf-8', bytes('x'), 'utf-8'],
  ])('of type %s is read in its charset', (type, body, charset) => {
    const shown = showBody(body, type)
    expect(shown).toMatchObject({ bodyEncoding: 'utf8', charset, bodyBytes: body.length })
    expect(shown.body).toBe(new TextDecoder(charset).decode(body))
    expect(shown.bodyIsLossy).toBeUndefined()
  })

  test.each([
    ['utf-8', Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)],
    ['utf-16le', Uint8Array.of(0xff, 0xfe, 0x41, 0)],
    ['utf-16be', Uint8Array.of(0xfe, 0xff, 0, 0x41)],
  ])('believes a byte order mark of %s before the header', (charset, body) => {
    expect(showBody(body, 'text/plain; charset=windows-1252')).toMatchObject({ body: 'A', charset })
  })

  test('in an unknown charset is read as UTF-8, and says so', () => {
    expect(showBody(bytes('Grüße'), 'text/plain; charset=klingon')).toMatchObject({
      body: 'Grüße',
      charset: 'utf-8',
    })
  })

  test('with bytes that are none in its charset is marked', () => {
    expect(showBody(Uint8Array.of(0x41, 0xff, 0x42), 'text/plain')).toMatchObject({
      body: 'A�B',
      bodyIsLossy: true,
    })
  })
})

describe('binary bodies', () => {
  test.each(['image/png', 'audio/mpeg', 'application/octet-stream', 'font/woff2'])(
    'of type %s are base64, also where they could pass for text',
    (type) => {
      expect(showBody(bytes('hello'), type)).toEqual({
        body: 'aGVsbG8=',
        bodyEncoding: 'base64',
        bodyBytes: 5,
      })
    },
  )

  test.each([
    ['application/zip', Uint8Array.of(0x50, 0x4b, 3, 4)],
    [undefined, Uint8Array.of(0xff, 0xfe + 1, 0)],
    ['', Uint8Array.of(0x41, 0)],
    ['nonsense', Uint8Array.of(0x80)],
    ['application/pdf', bytes('%PDF-1.7\n\u0001')],
  ])('of type %s are known by their bytes', (type, body) => {
    const shown = showBody(body, type)
    expect(shown.bodyEncoding).toBe('base64')
    expect(Buffer.from(shown.body, 'base64')).toEqual(Buffer.from(body))
  })

  test.each([undefined, '', 'nonsense', 'application/x-thing', 'multipart/mixed'])(
    'of type %s that hold text are text',
    (type) => {
      expect(showBody(bytes('Grüße\n\u001b[1m'), type).bodyEncoding).toBe('utf8')
    },
  )
})

describe('JSON', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'APPLICATION/JSON',
    'application/problem+json',
    'application/vnd.api+json; version=1',
  ])('of type %s is parsed', (type) => {
    expect(showBody(bytes('{"a":[1]}'), type)).toMatchObject({
      body: '{"a":[1]}',
      parsedBody: { a: [1] },
    })
  })

  test.each(['text/plain', 'application/jsonp', 'application/x-ndjson', undefined])(
    'is not parsed where the type is %s',
    (type) => {
      expect(showBody(bytes('{"a":1}'), type)).not.toHaveProperty('parsedBody')
    },
  )

  test.each(['', '{', '{"a":1}x', "{'a':1}", 'NaN', '[1,]'])(
    'that is broken as %j gives null, and the text',
    (body) => {
      expect(showBody(bytes(body), 'application/json')).toMatchObject({ body, parsedBody: null })
    },
  )

  test('nests 500 deep and no deeper', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(showBody(bytes(nested(500)), 'application/json').parsedBody).not.toBeNull()
    expect(showBody(bytes(nested(501)), 'application/json').parsedBody).toBeNull()
    const wide = `[${nested(499)},${nested(499)}]`
    expect(showBody(bytes(wide), 'application/json').parsedBody).not.toBeNull()
  })

  test('has brackets and quotes in texts that count for nothing', () => {
    const value = { [`"${'['.repeat(600)}`]: `\\"${'{'.repeat(600)}\\`, '\\': ['"', '\\"', ']'] }
    const body = JSON.stringify(value)
    expect(showBody(bytes(body), 'application/json').parsedBody).toEqual(value)
  })

  test('is parsed wherever JSON.parse would, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(showBody(bytes(text), 'application/json').parsedBody).toEqual(JSON.parse(text))
      }),
    )
  })

  test('that nests millions of times deep does not hold the program up', () => {
    // Parsing this takes seconds, looking at it takes none.
    const { parsedBody } = showBody(bytes('['.repeat(10_000_000)), 'application/json')
    expect(parsedBody).toBeNull()
  })

  test('keeps a key named __proto__ as a key', () => {
    const { parsedBody } = showBody(bytes('{"__proto__":{"admin":true}}'), 'application/json')
    expect(Object.keys(parsedBody as object)).toEqual(['__proto__'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

test('whatever a server sends, with whatever type, is shown, and base64 loses nothing', () => {
  const types = fc.oneof(
    fc.string(),
    fc.constantFrom('text/plain', 'application/json', 'image/png'),
    fc.string().map((charset) => `text/html; charset=${charset}`),
  )
  fc.assert(
    fc.property(fc.uint8Array(), fc.option(types, { nil: undefined }), (body, type) => {
      const shown = showBody(body, type)
      expect(shown.bodyBytes).toBe(body.length)
      if (shown.bodyEncoding === 'base64')
        expect(new Uint8Array(Buffer.from(shown.body, 'base64'))).toEqual(body)
    }),
  )
})

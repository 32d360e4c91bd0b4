import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from './redactor.ts'

const secretText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 6, maxLength: 80 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 80 }),
  fc.stringMatching(/^[A-Za-z0-9_+/=-]{6,60}$/),
)
const anyText = fc.string({ unit: 'binary', maxLength: 12 })

function upperEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toLowerCase())
}

function mixEscapes(text: string): string {
  let count = 0
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escape) =>
    (count += 1) % 2 === 0 ? escape.toUpperCase() : escape.toLowerCase(),
  )
}

function encodeAsForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function writeHex(text: string, separator: string): string {
  const bytes = new TextEncoder().encode(text)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator)
}

function encodeBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}

function nestInJson(text: string, layers: number): string {
  let nested = text
  for (let layer = 0; layer < layers; layer += 1) nested = JSON.stringify(nested).slice(1, -1)
  return nested
}

/** Encodings in which every character is written on its own, so that a secret inside a text stays in one piece. */
const encodings: Record<string, (text: string) => string> = {
  raw: (text) => text,
  JSON: (text) => nestInJson(text, 1),
  'JSON in JSON': (text) => nestInJson(text, 2),
  'JSON four times over': (text) => nestInJson(text, 4),
  'JSON with slashes escaped': (text) => nestInJson(text, 1).replaceAll('/', '\\/'),
  'JSON in ASCII': (text) =>
    nestInJson(text, 1).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'JSON in ASCII, upper case': (text) =>
    nestInJson(text, 1).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
    ),
  'JSON that is safe in HTML': (text) =>
    nestInJson(text, 1).replaceAll(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`),
  percent: (text) => encodeURIComponent(text.toWellFormed()),
  'percent, lower case': (text) => lowerEscapes(encodeURIComponent(text.toWellFormed())),
  'percent, mixed case': (text) => mixEscapes(encodeURIComponent(text.toWellFormed())),
  'percent as in RFC 3986': (text) =>
    encodeURIComponent(text.toWellFormed()).replaceAll(
      /[!'()*]/g,
      (unit) => `%${unit.charCodeAt(0).toString(16)}`,
    ),
  'percent twice': (text) => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
  'percent for a whole URL': (text) => encodeURI(text.toWellFormed()),
  'percent for every byte': (text) => upperEscapes(`%${writeHex(text, '%')}`),
  form: encodeAsForm,
  'form, lower case': (text) => lowerEscapes(encodeAsForm(text)),
  hexadecimal: (text) => writeHex(text, ''),
  'hexadecimal, upper case': (text) => writeHex(text, '').toUpperCase(),
  'hexadecimal with colons': (text) => writeHex(text, ':').toUpperCase(),
  'hexadecimal with spaces': (text) => writeHex(text, ' '),
  'hexadecimal with hyphens': (text) => writeHex(text, '-'),
  'hexadecimal as in C': (text) => writeHex(text, ', 0x'),
  'hexadecimal in escapes': (text) => writeHex(text, '').replaceAll(/../g, String.raw`\x$&`),
  'a buffer in JSON': (text) => new TextEncoder().encode(text).join(','),
  'percent three times': (text) =>
    encodeURIComponent(encodeURIComponent(encodeURIComponent(text.toWellFormed()))),
  'form in a form': (text) => encodeAsForm(encodeAsForm(text)),
  'JSON in a form': (text) => encodeAsForm(nestInJson(text, 1)),
  HTML: (text) => escapeForHtml(text, '&#39;'),
  'HTML, quotes in hexadecimal': (text) => escapeForHtml(text, '&#x27;'),
  'HTML in JSON': (text) => nestInJson(escapeForHtml(text, '&#39;'), 1),
  'HTML, only what it needs': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
}

function escapeForHtml(text: string, quote: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", quote)
}

const base64Alphabets: Record<string, (text: string) => string> = {
  base64: (text) => text,
  'base64 without padding': (text) => text.replaceAll('=', ''),
  base64url: (text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  'base64 with slashes escaped': (text) => text.replaceAll('/', '\\/'),
  'base64 in a URL': encodeURIComponent,
}

/** How many characters stand for a number of characters of base64. */
function widthOf(encoded: string, count: number): number {
  const characters = encoded.match(/%[0-9A-F]{2}|\\\/|[^]/g) ?? []
  return characters.slice(0, count).join('').length
}

describe('no secret is left in a text that holds it', () => {
  test.each(Object.keys(encodings))('in the encoding %s', (name) => {
    const encode = encodings[name] as (text: string) => string
    fc.assert(
      fc.property(secretText, anyText, anyText, (secret, prefix, suffix) => {
        const { redactText } = createRedactor({ secrets: [secret] })
        const text = `<${encode(prefix)}${encode(secret)}${encode(suffix)}>`
        const clean = redactText(text)
        expect(clean).toContain('[redacted]')
        // A prefix or a suffix may continue what a secret repeats, so less may be left, never more.
        const left = clean.split('[redacted]').join('').length
        expect(left).toBeLessThanOrEqual(text.length - encode(secret).length)
      }),
      { numRuns: 60 },
    )
  })

  test.each(Object.keys(base64Alphabets))('in %s, wherever it begins', (name) => {
    const write = base64Alphabets[name] as (text: string) => string
    fc.assert(
      fc.property(secretText, anyText, anyText, (secret, prefix, suffix) => {
        const { redactText } = createRedactor({ secrets: [secret] })
        const before = countBytes(prefix) * 8
        const after = before + countBytes(secret) * 8
        const encoded = write(encodeBase64(prefix + secret + suffix))
        const clean = redactText(encoded)
        const [start = '', ...rest] = clean.split('[redacted]')
        const end = rest.at(-1) ?? ''
        expect(rest.length, clean).toBeGreaterThan(0)
        // Not a bit of the secret: what is left ends before its first bit and begins after its last.
        expect(start.length).toBeLessThanOrEqual(widthOf(encoded, Math.floor(before / 6)))
        expect(encoded.length - end.length).toBeGreaterThanOrEqual(
          widthOf(encoded, Math.ceil(after / 6)),
        )
      }),
      { numRuns: 150 },
    )
  })

  test.each(['search', 'hash', 'password', 'pathname'] as const)(
    'in the %s of a URL, as URL writes it',
    (part) => {
      // Browsers and Node leave these out of URLs, and read them as the end of a part.
      const usual = secretText.filter((text) => !/[\t\r\n\\]|^[?#/]|(?:^|\/)\.|^\s|\s$/.test(text))
      fc.assert(
        fc.property(usual, (secret) => {
          const url = new URL('https://example.com/')
          url[part] = secret
          const clean = createRedactor({ secrets: [secret] }).redactText(url.href)
          expect(clean).toMatch(/^https:\/\/(?:example\.com\/[?#]?|:)\[redacted\]/)
        }),
        { numRuns: 60 },
      )
    },
  )

  test('with letters whose lower case has another length, where the form ignores case', () => {
    const { redactText } = createRedactor({ secrets: ['İstanbul<Ÿabc>KK'] })
    expect(redactText(String.raw`"İstanbul\u003CŸabc\u003eKK"`)).toBe('"[redacted]"')
  })

  test('in base64 in base64, but for some bits at its edges', () => {
    const { redactText } = createRedactor({ secrets: ['open sesame, and quickly'] })
    for (const user of ['', 'a', 'ab'])
      for (const name of ['', 'x', 'xy']) {
        const header = encodeBase64(`${user}:open sesame, and quickly`)
        const encoded = encodeBase64(`{"auth${name}":"${header}"}`)
        const [start = '', end = '', ...more] = redactText(encoded).split('[redacted]')
        expect(more).toEqual([])
        // What is left on either side, decoded twice, holds nothing of it.
        const left =
          atob(start.slice(0, start.length - (start.length % 4)))
            .split('"')
            .at(-1) ?? ''
        expect(atob(left.slice(0, left.length - (left.length % 4)))).not.toContain(':o')
        const right = atob(encoded.slice(-(end.length - (end.length % 4)))).split('"')[0] ?? ''
        expect(right.length).toBeLessThanOrEqual(4)
      }
  })

  test('in base64 and in a dump of JSON that had to escape it', () => {
    const secret = 'quote " and\nbreak'
    const { redactText } = createRedactor({ secrets: [secret] })
    for (const name of ['a', 'ab', 'abc']) {
      const json = JSON.stringify({ [name]: secret })
      expect(redactText(encodeBase64(json))).toContain('[redacted]')
      expect(redactText(writeHex(json, ''))).toContain('[redacted]')
    }
  })

  test('in a header of basic authentication', () => {
    const { redactText } = createRedactor({ secrets: ['open sesame'] })
    for (const user of ['', 'a', 'ab', 'abc', 'longer-name']) {
      const clean = redactText(`Basic ${encodeBase64(`${user}:open sesame`)}`)
      expect(clean).toMatch(/^Basic \w*\[redacted\]=*$/)
    }
  })
})

const key = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  'NMoSfm76oqFvAp8Gy0iz5sxj',
  '-----END PRIVATE KEY-----',
  '',
].join('\n')

describe('a secret of several lines', () => {
  const { redactText } = createRedactor({ secrets: [key] })
  const lines = key.split('\n').filter((line) => line !== '' && !line.startsWith('---'))

  test('is taken out as a whole, with other line breaks, indented, joined and in part', () => {
    for (const text of [
      key,
      key.trim(),
      key.replaceAll('\n', '\r\n'),
      key.replaceAll('\n', '\n    '),
      key.replaceAll('\n', ''),
      key.replaceAll('\n', ' '),
      JSON.stringify(key),
      encodeURIComponent(key),
      lines[1] ?? '',
    ])
      for (const line of lines) {
        expect(redactText(text)).not.toContain(line)
        expect(redactText(text)).not.toContain(encodeURIComponent(line))
      }
  })

  test('leaves the lines alone that say only what it is', () => {
    expect(redactText('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----')
  })

  test('is found in base64 that was broken into lines, but for some characters around the breaks', () => {
    for (const width of [64, 76])
      for (const prefix of ['', 'x', 'xy']) {
        const encoded = encodeBase64(prefix + key)
        const broken = encoded.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')
        const clean = redactText(broken)
        for (const rest of clean.split(/\[redacted\]|\n/)) expect(rest.length).toBeLessThan(20)
      }
  })

  test('does not make lines of fewer than sixteen characters secrets', () => {
    const short = createRedactor({ secrets: ['sixteen letters!\nshort one here!'] })
    expect(short.redactText('short one here!')).toBe('short one here!')
    expect(short.redactText('sixteen letters!')).toBe('[redacted]')
  })
})

describe('redactText', () => {
  test('gives back the very same text when it holds no secret', () => {
    fc.assert(
      fc.property(secretText, fc.string({ unit: 'grapheme' }), (secret, text) => {
        fc.pre(!text.toLowerCase().includes(secret.trim().toLowerCase()))
        expect(createRedactor({ secrets: [`§${secret}§`] }).redactText(text)).toBe(text)
      }),
    )
    expect(createRedactor().redactText('swordfish')).toBe('swordfish')
  })

  test('takes out every occurrence of every secret', () => {
    const secrets = Array.from({ length: 200 }, (_, at) => `s${at}-${(at * 7919) % 1000}-secret`)
    const { redactText } = createRedactor({ secrets })
    const text = secrets.map((secret) => `${secret} and ${secret}`).join(', ')
    expect(redactText(text)).toBe(secrets.map(() => '[redacted] and [redacted]').join(', '))
  })

  test('takes a long run of a secret that repeats itself out as one, in one pass', () => {
    const { redactText } = createRedactor({ secrets: ['000000'] })
    expect(redactText(`a${'0'.repeat(1_000_000)}b`)).toBe('a[redacted]b')
  })

  test('tells the cases of letters apart except where they mean the same', () => {
    const { redactText } = createRedactor({ secrets: ['Swordfish'] })
    expect(redactText('swordfish SWORDFISH')).toBe('swordfish SWORDFISH')
  })

  test('ignores values that are too short, without their line break too', () => {
    const { redactText } = createRedactor({ secrets: ['abcde', 'abcd\n', 'hunter2\n'] })
    expect(redactText('abcde abcd')).toBe('abcde abcd')
    expect(redactText('the word is hunter2!')).toBe('the word is [redacted]!')
  })
})

describe('redactJson', () => {
  test('gives nothing back when there is no secret', () => {
    const { redactJson } = createRedactor({ secrets: ['swordfish'] })
    expect(redactJson({ a: 'b' }, '{"a":"b"}')).toBeUndefined()
  })

  test('keeps what is called __proto__ a property of its own', () => {
    const text = '{"__proto__":{"a":"swordfish"}}'
    const { redactJson } = createRedactor({ secrets: ['swordfish'] })
    expect(redactJson(JSON.parse(text), text)?.text).toBe('{"__proto__":{"a":"[redacted]"}}')
  })

  test('finds encoded secrets too', () => {
    const { redactJson } = createRedactor({ secrets: ['open sesame'] })
    const value = { header: `Basic ${btoa('user:open sesame')}`, dump: ['6f70656e20736573616d65'] }
    expect(redactJson(value, JSON.stringify(value))?.value).toEqual({
      header: 'Basic dXNlcj[redacted]==',
      dump: ['[redacted]'],
    })
  })
})

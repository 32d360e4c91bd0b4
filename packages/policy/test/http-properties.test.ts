import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAddressJudge } from '../src/addresses/address-allowance.ts'
import { ToolPolicyViolation } from '../src/index.ts'
import { couldReachPath } from '../src/http/http-path-forms.ts'
import { readRedirectUrl, readRequestUrl } from '../src/http/http-url.ts'

const explain = createAddressJudge([])
const runs = { numRuns: 500 }

test('a private IPv4 address is private in every form of IPv6 that holds it', () => {
  const privateAddress = fc.tuple(
    fc.constantFrom('10.1', '127.0', '169.254', '172.16', '192.168', '100.64', '0.0', '240.0'),
    fc.nat(255),
    fc.nat(255),
  )
  fc.assert(
    fc.property(privateAddress, ([start, third, fourth]) => {
      const address = `${start}.${third}.${fourth}`
      const [a = 0, b = 0] = start.split('.').map(Number)
      const groups = `${(a * 256 + b).toString(16)}:${(third * 256 + fourth).toString(16)}`
      for (const form of ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:', '::ffff:0:0:'])
        expect(explain(form + groups), form + groups).toBeDefined()
      for (const form of [address, `::ffff:${address}`, `2002:${groups}::`, `2001:0:${groups}::`])
        expect(explain(form), form).toBeDefined()
    }),
    runs,
  )
})

test('no IPv6 address outside of 2000::/3 is public, except for public IPv4 inside of it', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      fc.pre(isIP(address) === 6)
      const first = Number.parseInt(address.split(':')[0] || '0', 16)
      fc.pre(first < 0x2000 || first > 0x3fff)
      fc.pre(!/^(?:0*:)*:?(?:0*:)*ffff:/i.test(address) && !/^0*64:/i.test(address))
      expect(explain(address)).toBeDefined()
    }),
    runs,
  )
})

/** Texts that look like URLs of the allowed host, with something odd in them. */
const oddParts = 'https http : / // \\ @ # ? %40 %2e [ ] api.good.test evil.test . .. :443 \u3002'
const oddUrl = fc
  .array(
    fc.oneof(
      fc.constantFrom(...oddParts.split(' '), '\t', '\n', ' ', '\0'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

function read(parse: () => URL): URL | undefined {
  try {
    return parse()
  } catch (error) {
    if (!ToolPolicyViolation.isViolation(error)) throw error
    expect(error.message.length).toBeLessThan(2_000)
    return undefined
  }
}

test('a URL that is read is read by every parser in the same way', () => {
  fc.assert(
    fc.property(oddUrl, fc.boolean(), (text, hasStart) => {
      const given = hasStart ? `https://api.good.test${text}` : text
      const url = read(() => readRequestUrl(given))
      if (url === undefined) return
      // The simplest reading there is: what stands between `//` and the next of `/?#`.
      const plain = /^https?:\/\/([^/?#:]+|\[[^\]]+\])(?::\d+)?(?:[/?#]|$)/i.exec(given)?.[1] ?? ''
      const host = plain.toLowerCase().replace(/\.$/, '')
      expect(new URL(`http://${host}`).hostname.replace(/\.$/, '')).toBe(url.hostname)
      expect(url.username + url.password + url.hash).toBe('')
      expect(URL.parse(url.href)?.href).toBe(url.href)
    }),
    { numRuns: 3_000 },
  )
})

test('a relative Location never leaves its origin', () => {
  const base = new URL('https://api.good.test/a/b')
  const locations = fc.sample(oddUrl, 3_000).filter((text) => !/^(?:\/\/|https?:)/i.test(text))
  const origins = locations.map((text) => read(() => readRedirectUrl(text, base))?.origin)
  expect(new Set(origins)).toEqual(new Set([base.origin, undefined]))
})

test('a denied path is found however it is encoded and decorated', () => {
  const decorate = fc.constantFrom<(path: string) => string>(
    (path) => path.toUpperCase(),
    (path) => path.replaceAll('/', '//'),
    (path) => path.replaceAll('/', '/./'),
    (path) => path.replace('/api', '/x/../api'),
    (path) => path.replace('/api', '/api;v=1'),
    (path) => path.replaceAll('a', '%61'),
    (path) => path.replaceAll('%', '%25'),
    (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  )
  fc.assert(
    fc.property(fc.array(decorate, { maxLength: 4 }), (steps) => {
      const path = steps.reduce((text, step) => step(text), '/api/v1')
      expect(couldReachPath(path, '/api'), path).toBe(true)
    }),
    runs,
  )
})

import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { anyText, isSame } from './both-worlds.ts'
import { GuestRunner } from './guest-runner.ts'

const guest = new GuestRunner()
afterAll(() => guest.close())

const pieces = fc.constantFrom(
  'http:',
  'https:',
  'file:',
  'javascript:',
  'a:',
  '//',
  '/',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '&',
  'a',
  'B',
  'é',
  'ß',
  '\u3002',
  '%20',
  '%',
  '%zz',
  ' ',
  '\t',
  '..',
  '.',
  '=',
  '+',
  '[::1]',
  '0x7f.1',
  '127.1',
  '1e3',
  '999',
  'xn--',
  'xn--zca',
  '\ud800',
  '\u0000',
  '|',
  "'",
  '"',
  '<',
)
const garbled = fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join(''))
const address = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), garbled)
const parts = `["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]`
const show = `const show = (url) => [...${parts}.map((part) => url[part]), [...url.searchParams], url.toJSON(), String(url)]`

test('URL reads addresses as Node does, with a base and without', async () => {
  const inputs = fc.record({ address, base: fc.option(address, { nil: null }) })
  await expect(
    isSame(
      guest,
      inputs,
      `({ address, base }) => { ${show}; return show(base === null ? new URL(address) : new URL(address, base)) }`,
    ),
  ).resolves.toBe(true)
  await expect(
    isSame(
      guest,
      inputs,
      '({ address, base }) => [URL.canParse(address, base ?? undefined), URL.parse(address, base ?? undefined)?.href]',
    ),
  ).resolves.toBe(true)
})

test('each part of a URL is set as Node sets it', async () => {
  const part = fc.constantFrom(
    'href',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
    'origin',
  )
  const inputs = fc.record({
    address: fc.oneof(fc.webUrl(), fc.constantFrom('file:///a/b', 'a:b', 'http://u:p@h:81/?q#f')),
    changes: fc.array(fc.tuple(part, garbled), { maxLength: 4 }),
  })
  await expect(
    isSame(
      guest,
      inputs,
      `({ address, changes }) => {
      ${show}
      const url = new URL(address)
      const params = url.searchParams
      const seen = []
      for (const [part, value] of changes) {
        try { url[part] = value } catch { seen.push("refused") }
        seen.push(show(url), String(params), params === url.searchParams)
      }
      return seen
    }`,
    ),
  ).resolves.toBe(true)
})

const step = fc.record({
  method: fc.constantFrom('append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'toString'),
  name: fc.oneof(fc.constantFrom('a', 'b', '\ud83d\ude00', '\uff5f'), anyText),
  value: fc.option(fc.oneof(fc.constantFrom('1', '2', ' +&='), anyText), { nil: null }),
})

test('URLSearchParams changes as that of Node does, alone and as a part of a URL', async () => {
  const inputs = fc.record({
    query: fc.oneof(garbled, anyText, fc.webQueryParameters()),
    steps: fc.array(step, { maxLength: 8 }),
    isPart: fc.boolean(),
  })
  await expect(
    isSame(
      guest,
      inputs,
      `({ query, steps, isPart }) => {
      const url = new URL("https://a.test/x?" + (isPart ? query : ""))
      const params = isPart ? url.searchParams : new URLSearchParams(query)
      const seen = []
      for (const { method, name, value } of steps) {
        try { seen.push(value === null ? params[method](name) : params[method](name, value)) }
        catch (error) { seen.push(error.name) }
        seen.push(params.size, url.href)
      }
      const each = []
      params.forEach((value, name, self) => each.push(name, value, self === params))
      return [seen, each, [...params], [...params.keys()], [...params.values()], String(params)]
    }`,
    ),
  ).resolves.toBe(true)
})

test('URLSearchParams is made from pairs, records, others of its kind, and what is none of these', async () => {
  const inits = fc.constantFrom(
    '[["a", "b"], ["c", 1]]',
    '{ a: "b", c: 1, [Symbol("s")]: 2 }',
    'new URLSearchParams("a=b&a=c")',
    'new Map([["a", "b"]])',
    '"?a=b&c"',
    '"??a"',
    'undefined',
    '5',
    '[["a"]]',
    '[["a", "b", "c"]]',
    '["ab"]',
    '[1]',
    '(function* () { yield ["a", "b"]; yield new Set(["c", "d"]); })()',
    'Object.create({ a: "b" })',
    'Object.defineProperty({}, "a", { value: "b" })',
    'Symbol("s")',
    '{ a: Symbol("s") }',
    '"a=%F0%9F%98%80&b=%ff&c=%"',
  )
  await expect(
    isSame(guest, inits, '(source) => [...new URLSearchParams((0, eval)("(" + source + ")"))]'),
  ).resolves.toBe(true)
})

test('URLSearchParams reads null as the standard says, which not every Node does', async () => {
  const { value } = await guest.run('return [...new URLSearchParams(null)]')
  expect(value).toEqual([['null', '']])
})

test('an address of 65,536 characters is read, a longer one is refused by size', async () => {
  const { value } = await guest.run(`
    const of = (length) => "https://a.test/".padEnd(length, "x");
    try { new URL(of(65_537)); } catch (error) { return [new URL(of(65_536)).href.length, error.message]; }
  `)
  expect(value).toEqual([65_536, 'An address has at most 65536 characters, not 65537'])
})

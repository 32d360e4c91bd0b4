import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** Longer addresses are refused: reading one is not stopped by a deadline. */
const longestAddress = 65_536

/** Longer texts and more bytes than this are refused; the guest sends them in parts. */
const longestText = 1_048_576

const mostRandomBytes = 65_536
const mostDigestBytes = 16_777_216
const digestAlgorithms = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
])

/** The parts of an address that a guest can read; those that it can write are the ones without `origin`. */
const urlParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

type UrlPart = (typeof urlParts)[number]

/**
 * What the shims of the guest ask of the host while they wait: text in, text out. What is thrown reaches the guest as an
 * error. A guest may send anything, so each bounds and checks what it is given.
 */
export const guestServices: Readonly<Record<string, (text: string) => string>> = Object.freeze({
  'utf8.encode': encodeText,
  'utf8.decode': decodeText,
  'random.bytes': makeRandomBytes,
  'random.uuid': () => randomUUID(),
  digest: makeDigest,
  'url.parse': parseUrl,
  'url.set': setUrlPart,
  'search.parse': parseSearch,
  'search.format': formatSearch,
})

function bound(text: string, limit: number, what: string): string {
  if (text.length <= limit) return text
  throw new RangeError(`${what} has at most ${limit} characters, not ${text.length}`)
}

function encodeText(text: string): string {
  return Buffer.from(bound(text, longestText, 'A text'), 'utf8').toString('base64')
}

/** `f` or `r` before the base64 text: refuse what is not UTF-8, or replace it. `+` before the text when it worked. */
function decodeText(text: string): string {
  bound(text, 2 * longestText, 'A text')
  const decoder = new TextDecoder('utf-8', { fatal: text.startsWith('f'), ignoreBOM: true })
  try {
    return `+${decoder.decode(Buffer.from(text.slice(1), 'base64'))}`
  } catch {
    return '-'
  }
}

function makeRandomBytes(text: string): string {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 0 || count > mostRandomBytes) {
    throw new RangeError(`random bytes come 0 to ${mostRandomBytes} at once`)
  }
  return randomBytes(count).toString('base64')
}

/** The algorithm, a colon, the data in base64. */
function makeDigest(text: string): string {
  const colon = text.indexOf(':')
  const algorithm = digestAlgorithms.get(text.slice(0, colon))
  if (colon < 0 || algorithm === undefined) throw new TypeError('an unknown digest')
  const data = Buffer.from(bound(text, 2 * mostDigestBytes, 'The data').slice(colon + 1), 'base64')
  return createHash(algorithm).update(data).digest('base64')
}

/** The address and, where there is one, its base, as a JSON list. Nothing when it is no address. */
function parseUrl(text: string): string {
  const [address, base] = readTexts(bound(text, 8 * longestAddress, 'An address'))
  if (address === undefined) throw new TypeError('no address was given')
  bound(address, longestAddress, 'An address')
  bound(base ?? '', longestAddress, 'A base')
  return describeUrl(URL.parse(address, base))
}

/** The address, the part and its new value, as a JSON list. */
function setUrlPart(text: string): string {
  const [address = '', part, value = ''] = readTexts(bound(text, 8 * longestAddress, 'An address'))
  const writable = urlParts.find((name) => name === part && name !== 'origin')
  if (writable === undefined || writable === 'origin') throw new TypeError('an unknown part')
  const url = new URL(bound(address, longestAddress, 'An address'))
  url[writable] = bound(value, longestAddress, 'A part of an address')
  return describeUrl(url)
}

function describeUrl(url: URL | null): string {
  if (url === null) return ''
  bound(url.href, longestAddress, 'An address')
  const parts: Partial<Record<UrlPart, string>> = {}
  for (const part of urlParts) parts[part] = url[part]
  return JSON.stringify(parts)
}

/** The names and values of a query without its question mark, as a JSON list of pairs. */
function parseSearch(text: string): string {
  return JSON.stringify([...new URLSearchParams(`?${bound(text, longestText, 'A query')}`)])
}

/** Names and values in turn, as a JSON list. */
function formatSearch(text: string): string {
  const texts = readTexts(bound(text, 2 * longestText, 'A query'))
  const search = new URLSearchParams()
  for (let index = 0; index + 1 < texts.length; index += 2) {
    search.append(texts[index] ?? '', texts[index + 1] ?? '')
  }
  return search.toString()
}

function readTexts(text: string): readonly string[] {
  const list: unknown = JSON.parse(text)
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  throw new TypeError('a list of texts was expected')
}

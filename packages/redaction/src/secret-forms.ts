import { listBase64Forms } from './base64-forms.ts'

/** Shorter values are not searched for: they would be found in ordinary text and tear it apart. */
export const minSecretLength = 6

/** Lines of a secret of several lines are searched for on their own from this many characters on. */
const minLineLength = 16

/** How often a text may have been put into JSON that was put into JSON. */
const maxJsonLayers = 4

/** What may stand between the bytes of a dump. */
const hexSeparators: readonly string[] = ['', ':', ' ', '-']

/** One way in which a secret can stand in a text. */
export interface SecretForm {
  readonly text: string
  /** Escapes and hexadecimal digits mean the same in either case. */
  readonly ignoresCase: boolean
  /** The characters beside it may hold some bits of the secret too. */
  readonly spills: boolean
}

/**
 * The ways in which a secret can stand in a text: as it is; as JSON writes it, up to four times over, also with `/` or
 * everything but ASCII escaped; percent-encoded in URLs and forms; in base64 and base64url, also inside a longer text; in
 * hexadecimal. Of a secret of several lines each long line counts too.
 */
export function listSecretForms(secret: string): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>()
  const add = (text: string, { ignoresCase = false, spills = false } = {}): void => {
    if (text.length < minSecretLength || forms.has(text)) return
    forms.set(text, { text: ignoresCase ? text.toLowerCase() : text, ignoresCase, spills })
  }
  for (const part of listParts(secret)) {
    add(part)
    for (const text of listJsonForms(part)) add(text, { ignoresCase: text.includes('\\u') })
    for (const text of listUrlForms(part)) add(text, { ignoresCase: text.includes('%') })
    const bytes = new TextEncoder().encode(part)
    for (const text of listBase64Forms(bytes)) add(text, { spills: true })
    // A URL in which every byte is escaped is such a dump too.
    add(`%${writeHex(bytes, '%')}`, { ignoresCase: true })
    for (const separator of hexSeparators) add(writeHex(bytes, separator), { ignoresCase: true })
  }
  return [...forms.values()]
}

/** The secret, also without the line break that a file has at its end, and its long lines. */
function listParts(secret: string): ReadonlySet<string> {
  const parts = new Set<string>([secret])
  const trimmed = secret.trim()
  if (trimmed.length >= minSecretLength) parts.add(trimmed)
  const lines = trimmed.split(/[\r\n]+/)
  if (lines.length === 1) return parts
  for (const line of lines.map((text) => text.trim()))
    // The first and last line of a key in PEM say what it is and are the same for all.
    if (line.length >= minLineLength && !line.startsWith('-----')) parts.add(line)
  return parts
}

function listJsonForms(text: string): readonly string[] {
  const forms: string[] = []
  for (const escape of jsonEscapes) {
    let form = escape(text)
    for (let layer = 0; layer < maxJsonLayers; layer += 1) {
      forms.push(form)
      form = escapeAsJson(form)
    }
  }
  return forms
}

/** JSON may be written in several ways; these are the ones that writers of it use. */
const jsonEscapes: readonly ((text: string) => string)[] = [
  escapeAsJson,
  (text) => escapeAsJson(text).replaceAll('/', '\\/'),
  (text) => escapeAsCodes(text, /[^\x20-\x7e]/g),
  (text) => escapeAsCodes(text, /[<>&\u2028\u2029]/g),
  (text) => escapeAsCodes(text, /[^\x20-\x7e]|\\"|['<>&+`]/g),
]

function escapeAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapeAsCodes(text: string, pattern: RegExp): string {
  return escapeAsJson(text).replaceAll(
    pattern,
    (found) =>
      `\\u${found
        .charCodeAt(found.length - 1)
        .toString(16)
        .padStart(4, '0')}`,
  )
}

/** Encoders differ in what they leave as it is; these are the ways that are in use. */
function listUrlForms(text: string): readonly string[] {
  const component = encodeURIComponent(text.toWellFormed())
  const strict = component.replaceAll(/[!'()*]/g, escapeForUrl)
  const complete = component.replaceAll(/[^A-Za-z0-9%]/g, escapeForUrl)
  const form = complete.replaceAll(/%2E|%5F|%2D|%2A/g, decodeURIComponent).replaceAll('%20', '+')
  return [
    component,
    strict,
    complete,
    strict.replaceAll('%20', '+'),
    form,
    encodeURI(text.toWellFormed()),
    encodeURIComponent(component),
    encodeURIComponent(complete),
  ]
}

function escapeForUrl(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function writeHex(bytes: Uint8Array, separator: string): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator)
}

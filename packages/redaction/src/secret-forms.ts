import { listBase64Forms } from './base64-forms.ts'
import { listDumpForms } from './dump-forms.ts'
import { listHtmlForms } from './html-forms.ts'
import { escapeAsJson, listJsonForms } from './json-forms.ts'
import { listUrlForms } from './url-forms.ts'

/** Shorter values are not searched for: they would be found in ordinary text and tear it apart. */
export const minSecretLength = 6

/** Lines of a secret of several lines are searched for on their own from this many characters on. */
const minLineLength = 16

/** Base64 in base64 is looked for up to this length, in characters: it multiplies the forms. */
const maxTwiceEncodedLength = 300

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
 * everything but ASCII escaped; as HTML writes it; percent-encoded in URLs and forms; in base64 and base64url, also inside a
 * longer text and twice over; as a dump of bytes. What JSON or HTML write differently counts in URLs, base64 and dumps too.
 * Of a secret of several lines each long line counts.
 */
export function listSecretForms(secret: string): readonly SecretForm[] {
  const forms = new Map<string, SecretForm>()
  const add = (text: string, { ignoresCase = false, spills = false } = {}): void => {
    if (text.length < minSecretLength || forms.has(text)) return
    forms.set(text, { text: ignoresCase ? lowerAscii(text) : text, ignoresCase, spills })
  }
  for (const part of listParts(secret)) {
    for (const text of listJsonForms(part)) add(text, { ignoresCase: text.includes('\\u') })
    for (const spelling of new Set([part, escapeAsJson(part), ...listHtmlForms(part)])) {
      add(spelling)
      add(escapeAsJson(spelling))
      for (const text of listUrlForms(spelling))
        for (const form of new Set([text, escapeAsJson(text)]))
          add(form, { ignoresCase: form.includes('%') })
      const bytes = new TextEncoder().encode(spelling)
      for (const text of listBase64Forms(bytes)) add(text, { spills: true })
      for (const text of listDumpForms(bytes)) add(text, { ignoresCase: true })
    }
    for (const text of listTwiceEncodedForms(part)) add(text, { spills: true })
  }
  return [...forms.values()]
}

/** Base64 in base64, as of a file that holds a header of basic authentication. */
function listTwiceEncodedForms(text: string): readonly string[] {
  if (text.length > maxTwiceEncodedLength || /[\r\n]/.test(text)) return []
  const encoder = new TextEncoder()
  const forms: string[] = []
  for (const inner of new Set(listBase64Forms(encoder.encode(text))))
    if (inner.length >= minSecretLength) forms.push(...listBase64Forms(encoder.encode(inner)))
  return forms
}

/** Folds ASCII only: other letters may change their length, and escapes and digits have none of them. */
function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
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

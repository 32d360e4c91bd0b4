import { createRedactor } from '@toolcrib/redaction'
import { showQuoted } from '../policies/describe-text.ts'
import { ToolPolicyViolation } from '../policies/policy-violation.ts'
import { type CheckedBinding, type SecretDestination, assertBound } from './secret-binding.ts'
import { hasPlaceholder, splitAtPlaceholders } from './secret-placeholder.ts'

/** A secret that is kept. */
export interface KeptSecret {
  readonly value: string
  readonly binding: CheckedBinding
}

/**
 * Secrets as a guard sees them. Made by the vault for the names that one tool declared. It gives values to whoever names a
 * bound destination, so it belongs to the guard that sends the request, never to a tool.
 */
export interface SecretFiller {
  /** Tells whether a text holds something that looks like a placeholder, real or forged. */
  hasPlaceholder(text: string): boolean
  /**
   * The headers with placeholders filled in, and the names of the secrets that were used. A placeholder may stand anywhere
   * in a value, also inside of `Basic` credentials (`user:placeholder` in base64). Several may stand in one header.
   *
   * @throws {ToolPolicyViolation} secret.unknown, secret.host, secret.method, secret.path or secret.place
   */
  fillHeaders(
    headers: Readonly<Record<string, string>>,
    destination: SecretDestination,
  ): { readonly headers: Readonly<Record<string, string>>; readonly used: readonly string[] }
  /**
   * A text of an answer without values of the declared secrets, in any of their forms; the same text when it holds none.
   * Letters beyond ASCII are found as UTF-8 and as Latin-1 in a text that shows bytes as Latin-1.
   */
  redactText(text: string): string
}

/** Values stay in this closure: nothing on the filler leads to them but filling in. */
export function createSecretFiller(
  kept: ReadonlyMap<string, KeptSecret>,
  declared: ReadonlySet<string>,
): SecretFiller {
  // All names, so that an undeclared `API_KEY` is not taken for a declared `API` with more text behind it.
  const names = [...kept.keys()]

  const fillText = (text: string, use: FillContext): string => {
    let filled = ''
    for (const part of splitAtPlaceholders(text, names)) {
      if ('literal' in part) {
        filled += part.literal
        continue
      }
      const secret =
        part.secret !== undefined && declared.has(part.secret) ? kept.get(part.secret) : undefined
      if (part.secret === undefined || secret === undefined)
        throw unknownSecret(part.shown, use.header)
      assertBound(secret.binding, { ...use, secret: part.secret })
      use.used.add(part.secret)
      filled += secret.value
    }
    return filled
  }

  const fillHeader = (text: string, use: FillContext): string => {
    const [, scheme = '', encoded = ''] = /^(Basic +)([\w+/-]+={0,2})$/i.exec(text.trim()) ?? []
    const credentials = Buffer.from(encoded, 'base64').toString('utf8')
    return hasPlaceholder(credentials)
      ? scheme + Buffer.from(fillText(credentials, use)).toString('base64')
      : fillText(text, use)
  }

  const declaredValues = [...kept].flatMap(([name, { value }]) =>
    declared.has(name) ? [value, Buffer.from(value).toString('latin1')] : [],
  )
  const { redactText } = createRedactor({ secrets: new Set(declaredValues) })

  return Object.freeze({
    hasPlaceholder,
    redactText,
    fillHeaders: (
      headers: Readonly<Record<string, string>>,
      { url, method }: SecretDestination,
    ) => {
      const used = new Set<string>()
      const entries = Object.entries(headers)
      const allHeaders = entries.map(([name]) => name.toLowerCase())
      const filled = entries.map(([name, text]): [string, string] => {
        const header = name.toLowerCase()
        if (hasPlaceholder(name)) throw secretInName(name)
        return [name, fillHeader(text, { url, method, header, allHeaders, used })]
      })
      return { headers: Object.fromEntries(filled), used: [...used] }
    },
  })
}

interface FillContext extends SecretDestination {
  readonly header: string
  readonly allHeaders: readonly string[]
  readonly used: Set<string>
}

function unknownSecret(shown: string, header: string): ToolPolicyViolation {
  return new ToolPolicyViolation({
    rule: 'secret.unknown',
    tried: `use ${showQuoted(shown.slice(0, 80))} as a secret in the header ${showQuoted(header.slice(0, 80))}`,
    howToAsk:
      'Declare the secret by its name in the capability `secrets`, and write the placeholder as it was given in this process.',
  })
}

function secretInName(name: string): ToolPolicyViolation {
  return new ToolPolicyViolation({
    rule: 'secret.place',
    tried: `use a secret in the name of the header ${showQuoted(name.slice(0, 80))}`,
    howToAsk: 'Put the placeholder into the value of a header.',
  })
}

import { assertOptions } from '@toolcrib/registry'
import { createRedactor } from '@toolcrib/redaction'
import { showQuoted } from '../policies/describe-text.ts'
import { policyError } from '../error-catalogue.ts'
import { type SecretBinding, readBinding } from './secret-binding.ts'
import { type KeptSecret, type SecretFiller, createSecretFiller } from './secret-filler.ts'
import { createPlaceholder } from './secret-placeholder.ts'
import { type SecretSource, readSecret } from './secret-source.ts'
import { secretNamePattern } from '../policies/tool-policy.ts'

export type { SecretBinding, SecretDestination } from './secret-binding.ts'
export type { SecretFiller } from './secret-filler.ts'
export type { SecretSource } from './secret-source.ts'

/** A named secret: where its value comes from and where it may be sent. */
export type SecretDefinition = SecretBinding & SecretSource

/** Named secrets. Callers only ever get placeholders; values are filled in at the wire. */
export interface SecretVault {
  readonly names: readonly string[]
  /**
   * What a tool writes where the secret shall stand: `tmsec_<16 hexadecimal digits>_<NAME>_`, new for each process.
   *
   * @throws {ToolError} SECRET_UNAVAILABLE when the vault has no secret of that name.
   */
  placeholder(name: string): string
  /** @param names the secrets that the tool declared; others are unknown to it */
  fillerFor(names: readonly string[]): SecretFiller
  /** For redactors of the host only: `createRedactor({ secrets: () => vault.listValues() })`. Never give it to a tool. */
  listValues(): readonly string[]
  /** A text without values of secrets, in any of their forms. */
  redactText(text: string): string
}

/**
 * Reads named secrets from the environment or files, once: a value that changes later needs a new vault.
 *
 * @throws {ToolError} SECRET_UNAVAILABLE when a variable or file is missing, empty, too short or too long to be kept, or
 * cannot stand in a header; names it, never shows a value. POLICY_INVALID when a name or a binding cannot be used.
 */
export function openSecretVault(
  secrets: Readonly<Record<string, SecretDefinition>>,
  options: { readonly environment?: Readonly<Record<string, string | undefined>> } = {},
): SecretVault {
  assertOptions<typeof options>('openSecretVault', options, { environment: true })
  const { environment = process.env } = options
  const kept = new Map<string, KeptSecret>()
  for (const [name, definition] of Object.entries(secrets)) {
    assertDefinition(name, definition)
    const binding = readBinding(name, definition)
    kept.set(name, { binding, value: readSecret(name, definition, environment) })
  }
  const values = [...kept.values()].map(({ value }) => value)
  const { redactText } = createRedactor({ secrets: values })
  return Object.freeze({
    names: Object.freeze([...kept.keys()]),
    placeholder: (name: string) => {
      if (kept.has(name)) return createPlaceholder(name)
      throw policyError(
        'SECRET_UNAVAILABLE',
        `The vault has no secret ${showQuoted(name.slice(0, 200))}; it has ${[...kept.keys()].join(', ') || 'none'}.`,
        { data: { name: name.slice(0, 200) } },
      )
    },
    fillerFor: (names: readonly string[]) => createSecretFiller(kept, new Set(names)),
    listValues: () => [...values],
    redactText,
  })
}

const bindingFields = ['hosts', 'methods', 'paths', 'headers']
const sourceFields = ['environment', 'file', 'value']

/** A field that is misspelt must not pass for one that was left out: `path` for `paths` would bind to every path. */
function assertDefinition(name: string, definition: SecretDefinition): void {
  if (!secretNamePattern.test(name))
    refuseDefinition(
      'secrets',
      `${showQuoted(name.slice(0, 200))} is no name for a secret: letters, digits and "_.-", a letter or "_" first. Write for example "API_TOKEN".`,
    )
  const field = `secrets.${name}`
  if (typeof definition !== 'object' || definition === null)
    refuseDefinition(field, 'must be an object.')
  const fields = Object.entries(definition)
  const known = new Set([...bindingFields, ...sourceFields, 'readableByOthers'])
  for (const [key] of fields)
    if (!known.has(key))
      refuseDefinition(
        field,
        `does not know ${showQuoted(key.slice(0, 100))}; it knows ${[...known].join(', ')}.`,
      )
  const sources = fields.filter(([key]) => sourceFields.includes(key))
  if (sources.length !== 1 || typeof sources[0]?.[1] !== 'string')
    refuseDefinition(field, `must have one of ${sourceFields.join(', ')}, as text.`)
}

function refuseDefinition(field: string, problem: string): never {
  throw policyError('POLICY_INVALID', `${field}: ${problem}`, { data: { field } })
}

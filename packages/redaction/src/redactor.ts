import { assertOptions } from './assert-options.ts'
import { copyRedacted } from './redacted-copy.ts'
import { SecretFinder, redactedMark } from './secret-finder.ts'
import { createSecretKeyTest } from './secret-keys.ts'

/** A value of JSON data together with its JSON text. */
export interface JsonPair {
  readonly value: unknown
  readonly text: string
}

/** Takes secrets out of everything that leaves a call. Make one with {@link createRedactor}. */
export interface Redactor {
  /** A text without registered secrets; the same text when it holds none. */
  readonly redactText: (text: string) => string
  /** JSON data, given with its text, without registered secrets; `undefined` when it holds none. */
  readonly redactJson: (value: unknown, text: string) => JsonPair | undefined
  /** Tells whether what stands under this key is hidden in logs. */
  readonly isSecretKey: (key: string) => boolean
  /** The JSON text for a log: what stands under secret keys is hidden. */
  readonly maskKeys: (value: unknown) => string
  /**
   * How many characters of a text one secret takes at most, so that a long text can be looked through in pieces that overlap
   * by so many. Where it is missing, every text is looked through at once, however long it is.
   */
  readonly maxSecretLength?: () => number
}

/** What a redactor looks for. */
export interface RedactorOptions {
  /**
   * The values that must never leave, or a function that gives them, asked each time so that secrets may change. Values
   * with fewer than 6 characters are ignored.
   *
   * @default none
   */
  readonly secrets?: Iterable<string> | (() => Iterable<string>)
  /** Further names of keys whose values logs must not show; case and punctuation do not matter. @default none */
  readonly keys?: readonly string[]
}

/**
 * Makes a redactor. Registered secrets are taken out of everything, also where JSON, a URL, base64 or hexadecimal
 * wrote them differently; what stands under keys such as `password` or `X-Api-Key` is hidden in logs only.
 *
 * It is a second net for mistakes, not a wall: a tool that means to give a secret away can always write it differently.
 *
 * @throws {OptionsError} OPTIONS_INVALID when an option is not known.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  assertOptions('createRedactor', options, ['secrets', 'keys'])
  const { secrets = [], keys = [] } = options
  const findSecrets = createFinderSource(secrets)
  const isSecretKey = createSecretKeyTest(keys)
  return {
    isSecretKey,
    redactText: (text) => findSecrets().remove(text),
    redactJson: (value, text) => {
      const finder = findSecrets()
      return finder.isIn(text) ? redactValue(value, finder) : undefined
    },
    maskKeys: (value) =>
      JSON.stringify(copyRedacted(value, { redactText: (text) => text, isSecretKey })),
    maxSecretLength: () => findSecrets().longest,
  }
}

function redactValue(original: unknown, finder: SecretFinder): JsonPair {
  const value = copyRedacted(original, {
    redactText: (text) => finder.remove(text),
    isSecretKey: () => false,
  })
  const text = JSON.stringify(value)
  if (!finder.isIn(text)) return { value, text }
  // A secret that spans several values, such as `","`: the whole is given up rather than let it pass.
  return { value: redactedMark, text: JSON.stringify(redactedMark) }
}

function createFinderSource(
  secrets: Iterable<string> | (() => Iterable<string>),
): () => SecretFinder {
  if (typeof secrets !== 'function') {
    const finder = new SecretFinder(secrets)
    return () => finder
  }
  let known: readonly string[] = []
  let finder = new SecretFinder(known)
  return () => {
    const present = [...secrets()]
    if (present.length !== known.length || present.some((secret, at) => secret !== known[at])) {
      finder = new SecretFinder(present)
      known = present
    }
    return finder
  }
}

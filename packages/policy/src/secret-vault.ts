/** Where a secret may be sent, and nowhere else. */
export interface SecretBinding {
  /** Host names; `*.example.com` for all below. */
  readonly hosts: readonly string[]
  /** @default every method */
  readonly methods?: readonly string[]
  /** Paths, each also standing for everything below it: `/v1` allows `/v1` and `/v1/users`, not `/v10`. @default every path */
  readonly paths?: readonly string[]
  /** Header names in which it may stand. @default every header that a tool may set */
  readonly headers?: readonly string[]
}

/** A named secret: where its value comes from and where it may be sent. */
export type SecretDefinition = SecretBinding &
  (
    | { readonly environment: string }
    | { readonly file: string }
    /** For tests, and for programs that hold their secrets elsewhere. */
    | { readonly value: string }
  )

/** The facts of a request that decide whether a secret may be filled in. */
export interface SecretDestination {
  readonly url: URL
  readonly method: string
}

/** Secrets as a guard sees them. Made by the vault for the names that one tool declared. */
export interface SecretFiller {
  /** Tells whether a text holds something that looks like a placeholder, real or forged. */
  hasPlaceholder(text: string): boolean
  /**
   * The headers with placeholders filled in, and the names of the secrets that were used.
   *
   * @throws {ToolPolicyViolation} secret.unknown, secret.host, secret.method, secret.path or secret.place
   */
  fillHeaders(
    headers: Readonly<Record<string, string>>,
    destination: SecretDestination,
  ): { readonly headers: Readonly<Record<string, string>>; readonly used: readonly string[] }
}

/** Named secrets. Callers only ever get placeholders; values are filled in at the wire. */
export interface SecretVault {
  readonly names: readonly string[]
  /** What a tool writes where the secret shall stand: `tmsec_<16 hexadecimal digits>_<NAME>_`, new for each process. */
  placeholder(name: string): string
  /** @param names the secrets that the tool declared; others are unknown to it */
  fillerFor(names: readonly string[]): SecretFiller
  /** For redactors of the host only: `createRedactor({ secrets: () => vault.listValues() })`. Never give it to a tool. */
  listValues(): readonly string[]
  /** A text without values of secrets, in any of their forms. */
  redactText(text: string): string
}

/**
 * Reads named secrets from the environment or files.
 *
 * @throws {ToolError} SECRET_UNAVAILABLE when a variable or file is missing or empty; names it, never shows a value.
 */
export function openSecretVault(
  _secrets: Readonly<Record<string, SecretDefinition>>,
  _options: { readonly environment?: Readonly<Record<string, string | undefined>> } = {},
): SecretVault {
  throw new Error('being built')
}

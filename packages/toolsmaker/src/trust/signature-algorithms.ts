import { ed25519 } from './ed25519-key.ts'

/** The ways of signing that are understood. A passkey (ES256) or a key service is one more row of the table. */
export const signatureAlgorithmNames = ['ed25519'] as const

/** The name of an algorithm, as keys say it. */
export type SignatureAlgorithmName = (typeof signatureAlgorithmNames)[number]

/** A public key, and the algorithm that it is for. */
export interface TrustedKey {
  /** @default 'ed25519' */
  readonly algorithm?: SignatureAlgorithmName | undefined
  /** As the algorithm writes it; of Ed25519 the raw 32 bytes, base64url. */
  readonly publicKey: string
}

/** What a signature is checked against. */
interface SignatureCheck {
  readonly bytes: Uint8Array
  readonly signature: Uint8Array
  readonly publicKey: string
}

/** One way of signing: how its keys are written, and how signatures are verified. */
export interface SignatureAlgorithm {
  /** Whether a text is a public key, in the one way in which it is written. */
  isPublicKey(text: string): boolean
  /** SHA-256 over a public key in SubjectPublicKeyInfo form, 64 hexadecimal digits; empty for what is no key. */
  keyId(publicKey: string): string
  /** Verifies a signature on the thread pool. Never throws: whatever cannot be checked is not valid. */
  verify(check: SignatureCheck): Promise<boolean>
}

const algorithms: Readonly<Record<SignatureAlgorithmName, SignatureAlgorithm>> = { ed25519 }

/** The algorithm of a key; keys that name none are for Ed25519. */
export function signatureAlgorithm(name: SignatureAlgorithmName = 'ed25519'): SignatureAlgorithm {
  return algorithms[name]
}

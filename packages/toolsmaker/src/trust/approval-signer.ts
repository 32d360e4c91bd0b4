import type { SignatureAlgorithmName } from './signature-algorithms.ts'

/**
 * Signs decisions for one approver. The toolsmaker only ever sees the signature, so the key can live in a file under a
 * passphrase, in a key service or in a passkey.
 */
export interface ApprovalSigner {
  readonly approverId: string
  /** What the key is for. @default 'ed25519' */
  readonly algorithm?: SignatureAlgorithmName
  /** As the algorithm writes it; of Ed25519 the raw 32 bytes, base64url. */
  readonly publicKey: string
  /** Returns the signature over exactly these bytes; of Ed25519 64 bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array> | Uint8Array
}

/**
 * Signs decisions for one approver. The toolsmaker only ever sees the signature, so the key can live in a file under a
 * passphrase, in a key service or in a passkey.
 */
export interface ApprovalSigner {
  readonly approverId: string
  /** Raw Ed25519 public key, 32 bytes, base64url. */
  readonly publicKey: string
  /** Gives the 64 bytes of the Ed25519 signature over exactly these bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array> | Uint8Array
}

import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto'
import type { ApprovalSigner } from './approval-signer.ts'

/** A key pair as text: the raw public key and the private key in PKCS #8, both base64url. */
export interface KeyPairText {
  readonly publicKey: string
  readonly privateKey: string
}

/** Makes a new Ed25519 key pair. */
export function generateKeyPair(): KeyPairText {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: String(publicKey.export({ format: 'jwk' }).x),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}

/** A signer over a key pair that is held in memory. */
export function createSigner(approverId: string, keys: KeyPairText): ApprovalSigner {
  const privateKey = createPrivateKey({
    key: Buffer.from(keys.privateKey, 'base64url'),
    format: 'der',
    type: 'pkcs8',
  })
  return Object.freeze({
    approverId,
    publicKey: keys.publicKey,
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)),
  })
}

/** Tells whether a text is a raw Ed25519 public key, base64url. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text) && importPublicKey(text) !== undefined
}

const importedKeys = new Map<string, KeyObject>()

function importPublicKey(text: string): KeyObject | undefined {
  const known = importedKeys.get(text)
  if (known !== undefined) return known
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
    if (importedKeys.size > 1_000) importedKeys.clear()
    importedKeys.set(text, key)
    return key
  } catch {
    return undefined
  }
}

/** What a signature is checked against. */
export interface SignatureCheck {
  readonly bytes: Uint8Array
  /** base64url. */
  readonly signature: string
  /** Raw, base64url. */
  readonly publicKey: string
}

/** Checks an Ed25519 signature on the thread pool. Never throws: whatever cannot be checked is not valid. */
export function verifySignature({ bytes, signature, publicKey }: SignatureCheck): Promise<boolean> {
  const key = importPublicKey(publicKey)
  if (key === undefined || !/^[A-Za-z0-9_-]{86}$/.test(signature)) return Promise.resolve(false)
  return new Promise((resolve) => {
    verify(null, bytes, key, Buffer.from(signature, 'base64url'), (error, valid) => {
      resolve(error === null && valid)
    })
  })
}

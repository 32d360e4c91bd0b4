import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  sign,
  verify,
} from 'node:crypto'
import type { ApprovalSigner } from './approval-signer.ts'
import type { SignatureAlgorithm } from './signature-algorithms.ts'

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
    algorithm: 'ed25519',
    publicKey: keys.publicKey,
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)),
  })
}

/** Ed25519 (RFC 8032), with keys as raw 32 bytes in base64url. */
export const ed25519: SignatureAlgorithm = {
  isPublicKey: (text) => importPublicKey(text) !== undefined,
  keyId: (publicKey) => importPublicKey(publicKey)?.keyId ?? '',
  verify: ({ bytes, signature, publicKey }) => {
    const imported = importPublicKey(publicKey)
    if (imported === undefined || signature.length !== 64) return Promise.resolve(false)
    return new Promise((resolve) => {
      verify(null, bytes, imported.key, signature, (error, valid) => {
        resolve(error === null && valid)
      })
    })
  },
}

interface ImportedKey {
  readonly key: KeyObject
  readonly keyId: string
}

const importedKeys = new Map<string, ImportedKey>()

function importPublicKey(text: string): ImportedKey | undefined {
  const known = importedKeys.get(text)
  if (known !== undefined) return known
  // One key has one spelling, so that it cannot be two approvers.
  if (Buffer.from(text, 'base64url').toString('base64url') !== text) return undefined
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
    const keyId = hash('sha256', key.export({ format: 'der', type: 'spki' }), 'hex')
    if (importedKeys.size > 1_000) importedKeys.clear()
    importedKeys.set(text, { key, keyId })
    return { key, keyId }
  } catch {
    return undefined
  }
}

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { toolsmakerError } from '../error-catalogue.ts'

/** A private key under a passphrase, as `approver-keys/<id>.json` holds it. Byte values are base64url. */
export interface EncryptedKey {
  readonly id: string
  readonly publicKey: string
  readonly derivation: {
    readonly algorithm: 'scrypt'
    readonly cost: number
    readonly blockSize: number
    readonly parallelization: number
    readonly salt: string
  }
  readonly cipher: {
    readonly algorithm: 'aes-256-gcm'
    readonly nonce: string
    readonly tag: string
    readonly data: string
  }
}

/** The schema of a key file. The cost is bounded, so that a changed file cannot take all memory. */
export const encryptedKeySchema: z.ZodType<EncryptedKey> = z.strictObject({
  id: z.string(),
  publicKey: z.string(),
  derivation: z.strictObject({
    algorithm: z.literal('scrypt'),
    cost: z.union([z.literal(2 ** 15), z.literal(2 ** 16), z.literal(2 ** 17), z.literal(2 ** 18)]),
    blockSize: z.literal(8),
    parallelization: z.literal(1),
    salt: z.string().min(20).max(100),
  }),
  cipher: z.strictObject({
    algorithm: z.literal('aes-256-gcm'),
    nonce: z.string().length(16),
    tag: z.string().length(22),
    data: z.string().max(1_000),
  }),
})

const cost = 2 ** 16

/** Encrypts a private key with scrypt and AES-256-GCM. */
export async function encryptKey(
  keys: { readonly id: string; readonly publicKey: string; readonly privateKey: string },
  passphrase: string,
): Promise<EncryptedKey> {
  const salt = randomBytes(16).toString('base64url')
  const derivation = { algorithm: 'scrypt', cost, blockSize: 8, parallelization: 1, salt } as const
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, derivation), nonce)
  cipher.setAAD(Buffer.from(associatedText(keys.id, keys.publicKey)))
  const data = Buffer.concat([
    cipher.update(Buffer.from(keys.privateKey, 'base64url')),
    cipher.final(),
  ])
  return {
    id: keys.id,
    publicKey: keys.publicKey,
    derivation,
    cipher: {
      algorithm: 'aes-256-gcm',
      nonce: nonce.toString('base64url'),
      tag: cipher.getAuthTag().toString('base64url'),
      data: data.toString('base64url'),
    },
  }
}

/**
 * Opens a private key; gives it in PKCS #8, base64url.
 *
 * @throws {ToolError} PASSPHRASE_WRONG when the passphrase is wrong, or the file was changed.
 */
export async function decryptKey(key: EncryptedKey, passphrase: string): Promise<string> {
  const { cipher, derivation } = key
  const secret = await deriveKey(passphrase, derivation)
  const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(cipher.nonce, 'base64url'))
  decipher.setAAD(Buffer.from(associatedText(key.id, key.publicKey)))
  decipher.setAuthTag(Buffer.from(cipher.tag, 'base64url'))
  try {
    const data = decipher.update(Buffer.from(cipher.data, 'base64url'))
    return Buffer.concat([data, decipher.final()]).toString('base64url')
  } catch (cause) {
    throw toolsmakerError(
      'PASSPHRASE_WRONG',
      `The passphrase does not open the key of approver "${key.id}", or its file was changed. Try again.`,
      { cause },
    )
  }
}

function associatedText(id: string, publicKey: string): string {
  return JSON.stringify(['toolcrib/approver-key/v1', id, publicKey])
}

function deriveKey(
  passphrase: string,
  { cost: N, blockSize: r, parallelization: p, salt }: EncryptedKey['derivation'],
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 512 * N * r }
    scrypt(
      passphrase.normalize('NFKC'),
      Buffer.from(salt, 'base64url'),
      32,
      options,
      (error, key) => {
        if (error === null) resolve(key)
        else reject(error)
      },
    )
  })
}

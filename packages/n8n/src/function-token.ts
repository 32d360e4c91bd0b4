import { SignJWT } from 'jose'

/** How long a token is good, in seconds: it ends up in n8n's execution data, so it must not last. */
const tokenLifetimeSeconds = 60
const secretBytes = 32

/** What n8n's jwtAuth credential takes. n8n 1.x wants the keys of the other kind as well, even if empty. */
export interface JwtCredentialData {
  readonly keyType: 'passphrase'
  readonly secret: string
  readonly algorithm: 'HS256'
  readonly privateKey: ''
  readonly publicKey: ''
  readonly [key: string]: string
}

export function jwtCredentialData(secret: string): JwtCredentialData {
  return { keyType: 'passphrase', secret, algorithm: 'HS256', privateKey: '', publicKey: '' }
}

/** 256 bits, in hexadecimal digits. */
export function createSecret(random: (bytes: number) => Uint8Array): string {
  return toHexadecimal(random(secretBytes))
}

/** Signs what a caller shows, for one call of one workflow. */
export async function signToken(
  secret: string,
  { workflowId, callId }: { readonly workflowId: string; readonly callId: string },
): Promise<string> {
  return await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(workflowId)
    .setJti(callId)
    .setIssuedAt()
    .setExpirationTime(`${tokenLifetimeSeconds}s`)
    .sign(new TextEncoder().encode(secret))
}

/** Random bytes from the runtime. */
export function randomBytes(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes))
}

export function toHexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

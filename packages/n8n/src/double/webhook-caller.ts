import { jwtVerify } from 'jose'
import type { JsonObject } from '@toolcrib/registry'
import { type DoubleAnswer, answerText } from './double-answer.ts'
import type { DoubleCredential, DoubleState } from './double-state.ts'
import type { WebhookNode } from './webhook-nodes.ts'
import { textOf } from './json-text.ts'

const byJoseCode: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'jwt expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'invalid signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'invalid algorithm',
}

/** Who calls, or why nobody is let in. */
export type CallerCheck =
  | { readonly payload?: JsonObject; readonly refused?: undefined }
  | { readonly refused: DoubleAnswer }

/** Checks a caller's credential as the webhook node does. */
export async function checkCaller(
  state: DoubleState,
  webhook: WebhookNode,
  headers: Readonly<Record<string, string>>,
): Promise<CallerCheck> {
  const kind = webhook.parameters['authentication'] ?? 'none'
  if (kind === 'none') return {}
  const type = kind === 'jwtAuth' ? 'jwtAuth' : 'httpHeaderAuth'
  const references = webhook.node['credentials'] as JsonObject | undefined
  const reference = references?.[type] as JsonObject | undefined
  const credential = state.credentials.get(textOf(reference?.['id'] ?? ''))
  if (credential === undefined)
    return { refused: answerText(500, 'No authentication data defined on node!') }
  if (type === 'jwtAuth') return checkToken(credential, headers['authorization'])
  const wanted = textOf(credential.data['name'] ?? '').toLowerCase()
  return headers[wanted] === credential.data['value']
    ? {}
    : { refused: answerText(403, 'Authorization data is wrong!') }
}

async function checkToken(
  credential: DoubleCredential,
  header: string | undefined,
): Promise<CallerCheck> {
  const token = header?.split(' ')[1]
  if (token === undefined || token === '') return { refused: answerText(401, 'No token provided') }
  const secret = new TextEncoder().encode(textOf(credential.data['secret'] ?? ''))
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [textOf(credential.data['algorithm'] ?? 'HS256')],
    })
    return { payload: payload as JsonObject }
  } catch (error) {
    return { refused: answerText(403, reasonOf(error, token)) }
  }
}

function reasonOf(error: unknown, token: string): string {
  const { code, claim } = error as { readonly code?: string; readonly claim?: string }
  if (claim === 'nbf') return 'jwt not active'
  if (/^[^.]+\.[^.]+\.$/u.test(token)) return 'jwt signature is required'
  if (byJoseCode[code ?? ''] !== undefined) return byJoseCode[code ?? ''] ?? ''
  return token.split('.').length === 3 ? 'invalid token' : 'jwt malformed'
}

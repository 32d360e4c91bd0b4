import type { JsonObject } from '@toolcrib/registry'
import type { N8nCredentialReference } from '../n8n-workflow.ts'
import { expression, literal } from './expression.ts'
import type { NodeDraft } from './workflow-builder.ts'

/** A request to a service of the business. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
  /** Code that gives the body. */
  readonly body?: string
  /** Code that tells one item of many from another, for the idempotency key. */
  readonly itemKey?: string
  readonly credential: N8nCredentialReference | undefined
  readonly timeoutSeconds: number
}

/**
 * Sends a request, for each item one. Answers of every status are items with `statusCode` and, where they are JSON, `body`;
 * where there is none, the item has `error`. Redirects are not followed: they would take the credential elsewhere.
 */
export function requestNode(name: string, request: UpstreamRequest): NodeDraft {
  const { method, url, query, body, credential } = request
  const headers = [['Accept', 'application/json']]
  if (method === 'POST') headers.push(['Idempotency-Key', idempotencyKey(name, request.itemKey)])
  return {
    name,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method,
      url,
      ...(credential === undefined
        ? { authentication: 'none' }
        : { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }),
      ...pairs('Query', 'queryParameters', Object.entries(query ?? {})),
      ...pairs('Headers', 'headerParameters', headers),
      ...(body === undefined
        ? {}
        : { sendBody: true, specifyBody: 'json', jsonBody: expression(`JSON.stringify(${body})`) }),
      options: {
        timeout: request.timeoutSeconds * 1000,
        redirect: { redirect: { followRedirects: false } },
        response: { response: { fullResponse: true, neverError: true } },
        ...(request.itemKey === undefined
          ? {}
          : { batching: { batch: { batchSize: 10, batchInterval: 200 } } }),
      },
    },
    ...(credential === undefined
      ? {}
      : { credentials: { httpHeaderAuth: { id: credential.id, name: credential.name } } }),
    onError: 'continueRegularOutput',
  }
}

/** Code for whether the answer in `answer` is one of success, in JSON or empty. */
export function hasWorked(answer: string): string {
  return `${answer}.statusCode >= 200 && ${answer}.statusCode < 300 && !${answer}.data`
}

/**
 * Code of a function that says what was wrong with an answer: `{ code, message, status? }`. It repeats what the service
 * said, bounded, and nothing of the request.
 */
export const failureOf: string = [
  '((answer) => answer.error !== undefined',
  `? (typeof answer.error === "string"`,
  `? { code: "upstream_invalid", message: answer.error.slice(0, 300) }`,
  `: /ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|timeout/i.test(answer.error.code + " " + answer.error.message)`,
  `? { code: "upstream_timeout", message: "There was no answer in time." }`,
  `: { code: "upstream_unreachable", message: "There was no connection.", reason: /^[A-Z_]{1,40}$/.test(answer.error.code ?? "") ? answer.error.code : undefined })`,
  `: answer.statusCode >= 200 && answer.statusCode < 300`,
  `? { code: "upstream_invalid", message: "The answer is not the JSON that was expected.", status: answer.statusCode }`,
  `: { code: "upstream_failed", message: ["HTTP " + answer.statusCode, [answer.body?.error?.message, answer.body?.message, answer.body?.error].find((text) => typeof text === "string" && text !== "")?.slice(0, 300)].filter((text) => text).join(": "), status: answer.statusCode })`,
].join(' ')

/** Code for the id that a service gave to what was created, as text, or undefined. @param body code */
export function createdId(body: string): string {
  return `((id) => id === undefined || id === null ? undefined : String(id))(${body}?.id ?? ${body}?.messages?.[0]?.id)`
}

function pairs(title: string, group: string, entries: readonly (readonly string[])[]): JsonObject {
  if (entries.length === 0) return {}
  const parameters = entries.map(([name = '', value = '']) => ({ name, value }))
  return { [`send${title}`]: true, [group]: { parameters } }
}

/** The caller's key, made different for each step and item, and the same when the caller repeats the call. */
function idempotencyKey(step: string, itemKey: string | undefined): string {
  const parts = [
    '$("Arguments").first().json.key',
    literal(step.toLowerCase().replaceAll(' ', '-')),
  ]
  if (itemKey !== undefined) parts.push(`encodeURIComponent(${itemKey})`)
  return expression(`[${parts.join(', ')}].join(":")`)
}

import { n8nError } from './error-catalogue.ts'
import { parseJson, readAnswer } from './api-error.ts'
import type { ClientSettings } from './client-settings.ts'
import type { N8nWebhooks } from './n8n-client.ts'
import { optionError } from './option-check.ts'
import type { ClientParts } from './workflow-requests.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Those that say where a request ends or goes are not for callers. */
const ownHeaders = [
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'upgrade',
]
const secretHeader = /^(authorization|cookie|proxy-authorization)$|token|secret|key|password/

export function createWebhookRequests(
  { requests }: ClientParts,
  { webhookBase, now }: Pick<ClientSettings, 'webhookBase' | 'now'>,
): N8nWebhooks {
  const address = (path: string): URL => new URL(`${webhookBase}/${encodePath(path)}`)
  return {
    address,
    trigger: async (path, body, options = {}) => {
      const { method = 'POST', headers = {} } = options
      if (!methods.includes(method))
        throw optionError({ field: 'method', rule: `one of ${methods.join(', ')}`, value: method })
      if (method === 'GET' && body !== null)
        throw optionError({
          field: 'body',
          rule: 'null where the method is GET',
          value: body,
          fix: 'Use POST to send something.',
        })
      const url = address(path)
      const deadline = requests.start(options)
      const own = readHeaders(headers)
      const text = method === 'GET' ? undefined : requests.writeBody(body)
      const wire = {
        method,
        url,
        headers: {
          accept: 'application/json',
          ...own,
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        },
        secrets: Object.keys(own).flatMap((name) =>
          secretHeader.test(name) ? secretsIn(own[name] ?? '') : [],
        ),
        ...(text === undefined ? {} : { body: text }),
      }
      const start = now()
      const answer = await requests.sendOnce(wire, deadline)
      const { status, headers: answered, body: answeredBody } = answer
      return {
        status,
        headers: answered,
        body: answeredBody,
        ...parseJson(answer),
        ms: now() - start,
      }
    },
    isRegistered: async (path, options = {}) => {
      const { method = 'POST' } = options
      const url = address(path)
      const deadline = requests.start(options)
      // With Access-Control-Request-Method, n8n would fail inside where nothing is registered.
      const wire = { method: 'OPTIONS', url, headers: { origin: url.origin } } as const
      return await requests.sendUntil(wire, deadline, (answer) => {
        const allowed = answer.headers['access-control-allow-methods']
        if (answer.status === 204 && allowed !== undefined)
          return { value: allowed.split(/\s*,\s*/).includes(method.toUpperCase()) }
        const outcome = readAnswer(wire, answer)
        if ('failure' in outcome) return outcome
        throw n8nError(
          'N8N_RESPONSE_INVALID',
          `OPTIONS ${url.pathname} answered ${answer.status} without the methods. Check webhookBaseUrl: something before n8n may answer for it.`,
          { data: { status: answer.status, method: 'OPTIONS', path: url.pathname } },
        )
      })
    },
  }
}

/** @throws {ToolError} N8N_OPTION_INVALID for what would lead out of the webhooks */
function encodePath(path: unknown): string {
  const segments = typeof path === 'string' ? path.replace(/^\//, '').split('/') : ['']
  const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isPlain || (path as string).length > 500)
    throw optionError({
      field: 'path',
      rule: 'the path of a webhook, such as "orders/new", of 1 to 500 characters',
      value: path,
    })
  return segments.map(encodeURIComponent).join('/')
}

function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (!/^[!#$%&'*+.^`|~\w-]+$/.test(lower) || ownHeaders.includes(lower))
      throw optionError({
        field: 'headers',
        rule: `without names that are set by the client (${ownHeaders.join(', ')}) or no names of headers`,
        value: name,
      })
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw optionError({
        field: `headers.${lower}`,
        rule: 'a text without line breaks, of Latin-1 characters',
        value: typeof value,
      })
    read[lower] = value
  }
  return read
}

/** The value, and what follows a scheme such as `Bearer`. */
function secretsIn(value: string): readonly string[] {
  return [value, ...value.split(/\s+/).slice(1)]
}

import {
  assertDuration,
  assertKnownFields,
  assertWholeNumber,
  optionError,
} from './option-check.ts'
import type { N8nClientOptions } from './n8n-client.ts'
import type { N8nTransport } from './transport.ts'
import { sleep as sleepByTimer } from './deadline.ts'

/** The options of a client with its defaults. */
export interface ClientSettings {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: N8nClientOptions['apiKey']
  /** With the endpoint, without a slash at its end. */
  readonly webhookBase: string
  readonly timeoutMs: number
  readonly retries: number
  readonly pauseMs: number
  readonly maxRequestBytes: number
  readonly maxResponseBytes: number
  readonly transport: N8nTransport
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly now: () => number
}

const fields = [
  'baseUrl',
  'apiKey',
  'webhookBaseUrl',
  'webhookEndpoint',
  'timeoutMs',
  'retry',
  'maxRequestBytes',
  'maxResponseBytes',
  'transport',
  'sleep',
  'now',
] as const

const defaultTimeoutMs = 30_000
const defaultRetries = 2
const defaultPauseMs = 200
/** The longest pause before a request is repeated, in milliseconds. */
export const maxPauseMs = 5_000
const defaultMaxBytes = 16_777_216
const maxBytes = 1_073_741_824

/** What goes into a header; keys shorter than that could not be told from ordinary text when they are to be hidden. */
const keyPattern = /^[\x21-\x7e]{6,4096}$/

/**
 * @throws {ToolError} N8N_OPTION_INVALID naming the field, the rule, the value and what to do
 */
export function readClientSettings(
  options: N8nClientOptions & { readonly transport: N8nTransport },
): ClientSettings {
  assertKnownFields('options', options, fields)
  const { retry = {}, sleep = sleepByTimer, now = () => performance.now() } = options
  assertKnownFields('retry', retry, ['retries', 'pauseMs'])
  const { retries = defaultRetries, pauseMs = defaultPauseMs } = retry
  const { timeoutMs = defaultTimeoutMs, webhookEndpoint = 'webhook' } = options
  const { maxRequestBytes = defaultMaxBytes, maxResponseBytes = defaultMaxBytes } = options
  const baseUrl = readBaseUrl('baseUrl', options.baseUrl)
  const webhookBaseUrl =
    options.webhookBaseUrl === undefined
      ? baseUrl
      : readBaseUrl('webhookBaseUrl', options.webhookBaseUrl)
  if (typeof options.apiKey !== 'function') assertApiKey(options.apiKey)
  assertEndpoint(webhookEndpoint)
  assertDuration('timeoutMs', timeoutMs)
  assertWholeNumber('retry.retries', retries, { from: 0, to: 10 })
  assertWholeNumber('retry.pauseMs', pauseMs, { from: 0, to: maxPauseMs, unit: ' (milliseconds)' })
  assertWholeNumber('maxRequestBytes', maxRequestBytes, { from: 1, to: maxBytes })
  assertWholeNumber('maxResponseBytes', maxResponseBytes, { from: 1, to: maxBytes })
  const { transport } = options
  if (typeof (transport as Partial<N8nTransport> | undefined)?.send !== 'function')
    throw optionError({
      field: 'transport',
      rule: 'an object with a method `send`',
      value: transport,
      fix: 'Leave it out with `@toolcrib/n8n`; `@toolcrib/n8n/core` brings none.',
    })
  for (const [field, value] of Object.entries({ sleep, now }))
    if (typeof value !== 'function') throw optionError({ field, rule: 'a function', value })
  return {
    baseUrl,
    apiKey: options.apiKey,
    webhookBase: `${webhookBaseUrl}/${webhookEndpoint}`,
    timeoutMs,
    retries,
    pauseMs,
    maxRequestBytes,
    maxResponseBytes,
    transport,
    sleep,
    now,
  }
}

/** @throws {ToolError} N8N_OPTION_INVALID, without the key */
export function assertApiKey(key: unknown): asserts key is string {
  if (typeof key === 'string' && keyPattern.test(key)) return
  throw optionError({
    field: 'apiKey',
    rule: 'a key of 6 to 4096 visible ASCII characters',
    value: typeof key === 'string' ? `a text of ${key.length} characters` : key,
    fix: 'Make one in n8n under Settings, n8n API; white space around it has to go.',
  })
}

function assertEndpoint(endpoint: unknown): void {
  if (typeof endpoint !== 'string' || !/^[\w-]+(\/[\w-]+)*$/.test(endpoint))
    throw optionError({
      field: 'webhookEndpoint',
      rule: 'a path such as "webhook", without slashes around it',
      value: endpoint,
      fix: 'It is what the server has in N8N_ENDPOINT_WEBHOOK.',
    })
}

function readBaseUrl(field: string, value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw optionError({
      field,
      rule: 'an http or https URL',
      // An address that cannot be read may hold a password where nobody looks for one.
      value: typeof value === 'string' && !value.includes('@') ? value : typeof value,
      fix: 'Write it as http://127.0.0.1:5678.',
    })
  const shown = url.origin + url.pathname
  if (url.username !== '' || url.password !== '')
    throw optionError({
      field,
      rule: 'a URL without user name and password',
      value: shown,
      fix: 'The key belongs into the option apiKey.',
    })
  if (url.search !== '' || url.hash !== '')
    throw optionError({
      field,
      rule: 'a URL without query and fragment',
      value: shown,
      fix: `Use ${shown}.`,
    })
  const base = shown.replace(/\/+$/, '')
  const own = /\/(api\/v\d+|webhook|webhook-test)$/.exec(base)
  if (own !== null)
    throw optionError({
      field,
      rule: `the address of n8n itself, without ${own[0]}`,
      value: base,
      fix: `Use ${base.slice(0, own.index)}; the client adds the rest.`,
    })
  return base
}

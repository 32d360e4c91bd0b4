import { Buffer } from 'node:buffer'
import type { CookieStore, GuardedRequest, GuardedResponse, HttpGuard } from '@toolcrib/policy/http'
import {
  type ToolContext,
  type ToolDefinition,
  ToolError,
  defineTool,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import { ToolPolicyViolation } from '@toolcrib/policy'
import type { CallerGuards } from '../caller-guards.ts'
import { explainForCallers, readCallerPolicy } from '../caller-policy.ts'
import { createSessionCookieJars, cookieSession } from './cookie-sessions.ts'
import { encodeContent } from '../file/file-encoding.ts'
import { type HttpInput, createHttpInputSchema } from './http-input.ts'
import { httpOutputSchema, showResponse } from './http-output.ts'

/** How the http tool works. */
export interface HttpToolOptions {
  readonly guard: HttpGuard
  /** The guards for calls that came through made tools. @default none: such calls are refused */
  readonly callerGuards?: CallerGuards<HttpGuard>
  /**
   * Where cookies are kept, by session: a `CookieJar` of tough-cookie, or what `createCookieJar` and `openCookieJarFile`
   * give. A session belongs to one principal. `false` keeps none. @default a jar for each session, in memory
   */
  readonly cookieJar?: false | ((session: string) => CookieStore | Promise<CookieStore>)
  /**
   * What stands for each secret that the guard fills in, by its name, as the vault's `placeholder` gives it. The description
   * names them, so that a model can write them into headers. @default none
   */
  readonly placeholders?: Readonly<Record<string, string>>
  /** For a request with its redirects and retries; a call may ask for less. @default 30_000 */
  readonly timeoutMs?: number
  /** @default 2 */
  readonly retries?: number
  /** Larger outputs reach the caller only as a preview, in bytes of JSON. @default 16_777_216 */
  readonly maxOutputBytes?: number
}

const httpToolOptionNames: KnownOptions<HttpToolOptions> = {
  guard: true,
  callerGuards: true,
  cookieJar: true,
  placeholders: true,
  timeoutMs: true,
  retries: true,
  maxOutputBytes: true,
}

/** A tool that sends HTTP requests, within what its guard allows. Any status is a result. */
export function createHttpTool(options: HttpToolOptions): ToolDefinition {
  assertOptions<HttpToolOptions>('createHttpTool', options, httpToolOptionNames)
  const { guard, timeoutMs = 30_000, retries = 2, maxOutputBytes = 16_777_216 } = options
  const { cookieJar = createSessionCookieJars(), placeholders = {} } = options
  assertTimeout(timeoutMs)
  return defineTool({
    name: 'http',
    description:
      'Sends an HTTP request. Any status is a result, 4xx and 5xx too. Text comes as body, other types as base64, JSON ' +
      'also as parsedBody. Cookies are kept between calls; their values are not shown.' +
      describePlaceholders(placeholders),
    inputSchema: createHttpInputSchema(timeoutMs),
    outputSchema: httpOutputSchema,
    timeoutMs,
    maxOutputBytes,
    risk: 'medium',
    annotations: {
      title: 'HTTP request',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    describeCall: describeHttpCall,
    // Somebody may call it without an invoker, and so without a context.
    execute: async (input, signal, context?: ToolContext) => {
      signal.throwIfAborted()
      const request = readRequest(input)
      const jar = cookieJar === false ? undefined : await cookieJar(cookieSession(context))
      const asked: GuardedRequest = {
        ...request,
        timeoutMs: input.timeoutMs ?? timeoutMs,
        retries,
        signal,
        ...(jar === undefined ? {} : { cookies: tolerant(jar, context) }),
      }
      const response =
        context?.callerPolicy === undefined
          ? await guard.request(asked)
          : await requestFor(context, asked, options)
      return showResponse(response, input.method)
    },
  })
}

/** A request of a call that came through made tools, within what they may touch. */
async function requestFor(
  context: ToolContext,
  request: GuardedRequest,
  { callerGuards }: HttpToolOptions,
): Promise<GuardedResponse> {
  const policy = readCallerPolicy(context)
  try {
    if (policy?.http === undefined || callerGuards === undefined)
      throw new ToolPolicyViolation({
        rule: 'http.domain',
        tried: `${request.method ?? 'GET'} ${showUrl(request.url)}`,
        howToAsk: 'Ask an operator.',
      })
    return await callerGuards.use(policy, (guard) => guard.request(request))
  } catch (error) {
    throw explainForCallers(error, context)
  }
}

/** How many secrets a description names. */
const maxSecretsNamed = 20

function describePlaceholders(placeholders: Readonly<Record<string, string>>): string {
  const list = Object.entries(placeholders).map(([name, text]) => `${name}: ${text}`)
  if (list.length === 0) return ''
  const more = list.length > maxSecretsNamed ? ` and ${list.length - maxSecretsNamed} more` : ''
  return ` Secrets never have to be known: in a header write the placeholder, and its value is filled in where it may be sent. ${list.slice(0, maxSecretsNamed).join(', ')}${more}`
}

function readRequest(input: HttpInput): GuardedRequest {
  const { method, url, followRedirects, maxRedirects } = input
  const body = readBody(input)
  const headers = { ...input.headers }
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (input.json !== undefined && !hasType) headers['content-type'] = 'application/json'
  return {
    method,
    url,
    headers,
    followRedirects,
    ...(body === undefined ? {} : { body }),
    ...(maxRedirects === undefined ? {} : { maxRedirects }),
  }
}

function readBody({ body, bodyEncoding, json }: HttpInput): string | Uint8Array | undefined {
  if (json !== undefined) return JSON.stringify(json)
  if (body === undefined) return undefined
  return encodeContent(body, {
    encoding: bodyEncoding === 'base64' ? 'base64' : 'utf-8',
    field: 'body',
  })
}

// A server's bad cookie, or a jar that cannot be saved, must not make a request look as if it had failed.
function tolerant(jar: CookieStore, context: ToolContext | undefined): CookieStore {
  return {
    getCookieString: async (url) => jar.getCookieString(url),
    setCookie: async (cookie, url) => {
      try {
        await jar.setCookie(cookie, url)
      } catch (error) {
        // The message of a jar may quote the cookie.
        const code = ToolError.is(error) ? error.code : 'COOKIE_REFUSED'
        context?.logger.warn({ code, host: new URL(url).host }, 'A cookie was not kept')
      }
    },
  }
}

function describeHttpCall({ method, url, body, json }: HttpInput): string {
  const sent = json === undefined ? body : JSON.stringify(json)
  const size = sent === undefined ? '' : ` with ${Buffer.byteLength(sent)} bytes`
  return `${method} ${showUrl(url)}${size}`
}

// As the guard will read it: names in their ASCII form, without a user name or password.
function showUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return JSON.stringify(text.slice(0, 200))
  url.username = ''
  url.password = ''
  return url.href.length > 300 ? `${url.href.slice(0, 300)}…` : url.href
}

function assertTimeout(timeoutMs: number): void {
  if (Number.isSafeInteger(timeoutMs) && timeoutMs > 0) return
  throw new ToolError(
    'TOOL_DEFINITION_INVALID',
    `createHttpTool: timeoutMs must be a whole number above 0, got ${timeoutMs}.`,
    { data: { field: 'timeoutMs' } },
  )
}

import { z } from 'zod'
import type { GuardedResponse } from '@toolcrib/policy/http'
import { type ShownBody, showBody } from './http-body.ts'

/** What the http tool gives. */
export interface HttpOutput extends Omit<ShownBody, 'parsedBody' | 'charset' | 'bodyIsLossy'> {
  readonly status: number
  readonly statusText: string
  readonly headers: Readonly<Record<string, string>>
  /** The names of the cookies that were set; their values are credentials and stay in the jar. */
  readonly setCookies?: readonly string[] | undefined
  readonly charset?: string | undefined
  readonly bodyIsLossy?: true | undefined
  readonly parsedBody?: unknown
  readonly url: string
  readonly redirects: readonly string[]
  readonly timings: GuardedResponse['timings']
}

const milliseconds = z.number().nullable()

/** Describes an {@link HttpOutput}. */
export const httpOutputSchema: z.ZodType<HttpOutput> = z.object({
  status: z.int(),
  statusText: z.string(),
  headers: z.record(z.string(), z.string()),
  setCookies: z
    .array(z.string())
    .optional()
    .describe('Names of cookies that were kept; values are not shown'),
  body: z.string(),
  bodyEncoding: z.enum(['utf8', 'base64']).describe('base64 for what is no text'),
  bodyBytes: z.int(),
  charset: z.string().optional(),
  bodyIsLossy: z.literal(true).optional().describe('Some bytes were no text in that charset'),
  parsedBody: z
    .unknown()
    .optional()
    .describe('The body of a JSON type as a value; null where the JSON is broken'),
  url: z.string().describe('Where the answer came from, after redirects'),
  redirects: z.array(z.string()),
  timings: z.object({
    dns: milliseconds,
    connect: milliseconds,
    tls: milliseconds,
    firstByte: milliseconds,
    total: milliseconds,
  }),
})

/** An answer, for a model. */
export function showResponse(response: GuardedResponse, method: string): HttpOutput {
  const { status, statusText, headers, setCookies, body, url, redirects, timings } = response
  const { parsedBody, ...shown } = showBody(body, headers['content-type'])
  // There the header speaks of a body that is not sent.
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304
  return {
    status,
    statusText,
    headers,
    ...(setCookies.length === 0 ? {} : { setCookies: setCookies.map(cookieName) }),
    ...shown,
    ...(parsedBody === undefined || hasNoBody ? {} : { parsedBody }),
    url,
    redirects,
    timings,
  }
}

// What has no name is all value.
function cookieName(setCookie: string): string {
  const end = setCookie.search(/[=;]/)
  return setCookie[end] === '=' ? setCookie.slice(0, end).trim() : ''
}

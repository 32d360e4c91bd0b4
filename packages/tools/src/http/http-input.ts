import { type HttpMethod, httpMethods } from '@toolcrib/policy'
import { z } from 'zod'

/** An input of the http tool. */
export interface HttpInput {
  readonly method: HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly bodyEncoding?: 'utf8' | 'base64' | undefined
  /** Any JSON value, `null` included. */
  readonly json?: unknown
  readonly followRedirects: boolean
  readonly maxRedirects?: number | undefined
  readonly timeoutMs?: number | undefined
}

const bodiless: ReadonlySet<HttpMethod> = new Set(['GET', 'HEAD'])

/** Describes the inputs of a tool whose requests may take that long, in milliseconds. */
export function createHttpInputSchema(maxTimeoutMs: number): z.ZodType<HttpInput> {
  return z
    .strictObject({
      method: z.enum(httpMethods).default('GET'),
      url: z.string().min(1).max(16_384).describe('Absolute, http or https'),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.string().optional().describe('Text, or base64 with bodyEncoding'),
      bodyEncoding: z.enum(['utf8', 'base64']).optional().describe('Of body. Default utf8'),
      json: z
        .unknown()
        .optional()
        .describe('Sent as JSON, with that content type unless headers name one'),
      followRedirects: z.boolean().default(true),
      maxRedirects: z.int().min(0).max(50).optional().describe('Default 10'),
      timeoutMs: z
        .int()
        .min(1)
        .max(maxTimeoutMs)
        .optional()
        .describe(`For redirects and retries together. Default ${maxTimeoutMs}`),
    })
    .superRefine((input, context) => {
      for (const { field, message } of bodyProblems(input))
        context.addIssue({ code: 'custom', path: [field], message })
    })
}

function* bodyProblems({
  method,
  body,
  bodyEncoding,
  json,
}: Pick<HttpInput, 'method' | 'body' | 'bodyEncoding' | 'json'>): Generator<{
  readonly field: string
  readonly message: string
}> {
  const field = body === undefined ? 'json' : 'body'
  const isGiven = body !== undefined || json !== undefined
  if (body !== undefined && json !== undefined)
    yield { field: 'json', message: 'cannot stand beside body. Leave one of them out' }
  if (isGiven && bodiless.has(method))
    yield {
      field,
      message: `${method} takes no body. Use POST, PUT, PATCH or DELETE, or leave it out`,
    }
  if (body === undefined && bodyEncoding !== undefined)
    yield { field: 'bodyEncoding', message: 'says how body is written, and there is none' }
}

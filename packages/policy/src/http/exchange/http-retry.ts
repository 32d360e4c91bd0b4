const retriedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
const retriedStatuses: ReadonlySet<number> = new Set([408, 413, 429, 500, 502, 503, 504])
const firstDelayMs = 250

/** What decides whether and when a request is sent again. */
export interface RetrySituation {
  readonly method: string
  /** How often it was sent again already. */
  readonly retried: number
  /** `undefined` when there was no answer. */
  readonly status: number | undefined
  /** The value of the header. */
  readonly retryAfter: string | undefined
  /** Milliseconds until the request has to be done. */
  readonly remainingMs: number
  /** The time, in milliseconds since 1970. */
  readonly now: number
}

/** How long to wait before sending a request again, in milliseconds; `undefined` where it is not sent again. */
export function retryDelay(situation: RetrySituation): number | undefined {
  const { method, retried, status, remainingMs } = situation
  if (!retriedMethods.has(method)) return undefined
  if (status !== undefined && !retriedStatuses.has(status)) return undefined
  const asked = readRetryAfter(situation)
  // "Too large" stays too large, unless the server says when it will not be.
  if (status === 413 && asked === undefined) return undefined
  const delay = Math.max(asked ?? 0, firstDelayMs * 2 ** retried)
  return delay < remainingMs ? delay : undefined
}

function readRetryAfter({ retryAfter, now }: RetrySituation): number | undefined {
  const text = retryAfter?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

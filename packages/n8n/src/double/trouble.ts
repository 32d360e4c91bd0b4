import type { JsonValue } from '@toolcrib/registry'
import { type DoubleAnswer, answerJson, answerPage } from './double-answer.ts'

/** Which requests a planned failure is for. */
export interface RequestMatch {
  /** @default every method */
  readonly method?: string
  /** A part of the path with its query, or a pattern for it. @default every path */
  readonly path?: string | RegExp
  /** How many requests it is for. @default 1 */
  readonly times?: number
}

/** An answer in place of the real one; nothing is done. */
export interface PlannedFailure extends RequestMatch {
  readonly status: number
  /** Text as it is, everything else as JSON. */
  readonly body?: JsonValue
  /** @default 'application/json; charset=utf-8', or HTML for a text */
  readonly contentType?: string
}

/** A connection that breaks. */
export interface PlannedCut extends RequestMatch {
  /** Whether the request is done before the connection breaks. @default 'before' */
  readonly when?: 'before' | 'after'
}

/**
 * Where a server is in its start: `page` answers everything with status 200 and a page, `routes` knows no address yet,
 * `webhooks` has its API and no webhook, `database` has lost its database.
 */
export type StartingStage = 'page' | 'routes' | 'webhooks' | 'database'

/** What goes wrong next. */
export interface Trouble {
  slowMs: number
  stage: StartingStage | undefined
  readonly failures: { readonly plan: PlannedFailure; left: number }[]
  readonly cuts: { readonly plan: PlannedCut; left: number }[]
}

/** Nothing goes wrong. */
export function noTrouble(): Trouble {
  return { slowMs: 0, stage: undefined, failures: [], cuts: [] }
}

interface Asked {
  readonly method: string
  /** With its query. */
  readonly path: string
}

/** The plan for a request, which is used up by it. */
export function takePlan<Plan extends RequestMatch>(
  plans: { readonly plan: Plan; left: number }[],
  { method, path }: Asked,
): Plan | undefined {
  const index = plans.findIndex(
    ({ plan }) =>
      (plan.method === undefined || plan.method === method) &&
      (plan.path === undefined ||
        (typeof plan.path === 'string' ? path.includes(plan.path) : plan.path.test(path))),
  )
  const found = plans[index]
  if (found === undefined) return undefined
  found.left -= 1
  if (found.left <= 0) plans.splice(index, 1)
  return found.plan
}

/** The answer of a planned failure. */
export function failureAnswer({ status, body = '', contentType }: PlannedFailure): DoubleAnswer {
  if (typeof body !== 'string') return answerJson(status, body)
  return { status, headers: { 'content-type': contentType ?? 'text/html; charset=utf-8' }, body }
}

/** What a server answers while it starts, or undefined where it answers as ever. */
export function startingAnswer(
  stage: StartingStage,
  { method, path }: Asked,
): DoubleAnswer | undefined {
  if (path.startsWith('/healthz/readiness')) return answerJson(503, { status: 'error' })
  if (path.startsWith('/healthz')) return answerJson(200, { status: 'ok' })
  if (stage === 'page')
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: 'n8n is starting up. Please wait',
    }
  if (stage === 'routes') return answerPage(404, `Cannot ${method} ${path.split('?')[0] ?? ''}`)
  if (stage === 'database') return answerJson(503, { code: 503, message: 'Database is not ready!' })
  return undefined
}

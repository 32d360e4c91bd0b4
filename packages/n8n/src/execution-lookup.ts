import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { sleep } from './deadline.ts'
import { isObject } from './is-object.ts'
import type { N8nClient, N8nExecution } from './n8n-client.ts'
import { withTimeLimit } from './time-limit.ts'

/** The header that a call can be found again by. */
export const callIdHeader = 'x-toolcrib-call-id'
/** How many of the newest executions are looked through; more of them at once are rare. */
const maxExecutions = 60
const pageSize = 20
const maxLooks = 3
const firstPauseMs = 50
const maxPauseMs = 500

/** What is known of a call whose answer says too little. */
export type CallTrace =
  | { readonly state: 'ended' | 'waiting'; readonly execution: N8nExecution }
  /** Not found, and the workflow has a run under way; those do not tell who called them. */
  | { readonly state: 'running' }
  | { readonly state: 'unknown'; readonly reason: string }

interface SoughtCall {
  readonly workflowId: string
  readonly callId: string
  readonly withinMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Looks for the execution of a call, by the header that the webhook node noted. Executions are written a moment after the
 * answer, so it looks again until the time is up.
 *
 * @throws the reason of the signal when that aborts; everything else is a state
 */
export async function traceCall(
  client: N8nClient,
  { workflowId, callId, withinMs, signal }: SoughtCall,
): Promise<CallTrace> {
  let last: CallTrace = { state: 'unknown', reason: 'n8n has no record of the call.' }
  if (withinMs === 0) return { state: 'unknown', reason: 'it was not looked up.' }
  const late = new Error('The time for looking it up is over.')
  const looks = new Map<string, number>()
  try {
    return await withTimeLimit(
      async (options) => {
        for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
          const found = await findExecution(client, { workflowId, callId, looks }, options)
          if (found !== undefined)
            return { state: found.status === 'waiting' ? 'waiting' : 'ended', execution: found }
          last = (await hasRunning(client, workflowId, options))
            ? { state: 'running' }
            : { state: 'unknown', reason: 'n8n has no record of the call.' }
          await sleep(pauseMs, options.signal)
        }
      },
      { timeoutMs: withinMs, signal, late: () => late },
    )
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw error
    if (error === late) return last
    const reason = error instanceof Error ? error.message : String(error)
    return { state: 'unknown', reason: `n8n could not be asked: ${client.redact(reason)}` }
  }
}

async function findExecution(
  client: N8nClient,
  sought: {
    readonly workflowId: string
    readonly callId: string
    /** How often each was looked at, by id: those of other calls need not be read again. */
    readonly looks: Map<string, number>
  },
  options: { readonly signal: AbortSignal },
): Promise<N8nExecution | undefined> {
  const { workflowId, callId, looks } = sought
  let seen = 0
  for await (const { id, status, mode } of client.executions.list(
    { workflowId, pageSize },
    options,
  )) {
    seen += 1
    const count = looks.get(id) ?? 0
    const mayBeIt = mode === 'webhook' && status !== 'running' && status !== 'new'
    if (mayBeIt && count < maxLooks) {
      const execution = await readExecution(client, id, options)
      const found = execution === undefined ? undefined : findCallId(execution)
      if (found === callId) return execution
      // One without data yet may get it.
      looks.set(id, found === undefined ? count + 1 : maxLooks)
    }
    if (seen >= maxExecutions) break
  }
  return undefined
}

/** One that cannot be read (too large, or pruned just now) is none that can be judged. */
async function readExecution(
  client: N8nClient,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<N8nExecution | undefined> {
  try {
    return await client.executions.get(id, { ...options, includeData: true })
  } catch (error) {
    options.signal.throwIfAborted()
    const { code } = error as { readonly code?: unknown }
    if (code === 'N8N_NOT_FOUND' || code === 'N8N_RESPONSE_TOO_LARGE') return undefined
    throw error
  }
}

async function hasRunning(
  client: N8nClient,
  workflowId: string,
  options: { readonly signal: AbortSignal },
): Promise<boolean> {
  const filter = { workflowId, status: 'running', pageSize: 1 } as const
  const running = client.executions.list(filter, options)[Symbol.asyncIterator]()
  return (await running.next()).done !== true
}

/** Of one node, what its last run gave on each output. */
export function lastOutputs(
  execution: N8nExecution,
  node: string,
): readonly (readonly JsonValue[])[] {
  const runs = runData(execution)[node]
  const run: JsonValue | undefined = Array.isArray(runs)
    ? (runs as readonly JsonValue[]).at(-1)
    : undefined
  const main = isObject(run) && isObject(run['data']) ? run['data']['main'] : undefined
  if (!Array.isArray(main)) return []
  return (main as readonly JsonValue[]).map((items) =>
    Array.isArray(items) ? (items as readonly JsonValue[]) : [],
  )
}

export function resultData(execution: N8nExecution): JsonObject {
  const found = execution.data?.['resultData']
  return isObject(found) ? found : {}
}

function runData(execution: N8nExecution): JsonObject {
  const found = resultData(execution)['runData']
  return isObject(found) ? found : {}
}

function findCallId(execution: N8nExecution): JsonValue | undefined {
  for (const node of Object.keys(runData(execution)).filter((name) => isStart(execution, name))) {
    const item = lastOutputs(execution, node)[0]?.[0]
    const output = isObject(item) ? item['json'] : undefined
    const callId = readWebhookOutput(output)?.[callIdHeader]
    if (callId !== undefined) return callId
  }
  return undefined
}

/** A node that got nothing from another one; what the others give may be anything, such as a request of earlier. */
function isStart(execution: N8nExecution, node: string): boolean {
  const runs = runData(execution)[node]
  const first = Array.isArray(runs) ? (runs as readonly JsonValue[])[0] : undefined
  const source = isObject(first) ? first['source'] : undefined
  return !Array.isArray(source) || !(source as readonly JsonValue[]).some((each) => each !== null)
}

/** The headers of the call, if a value is what a webhook node gives on. */
export function readWebhookOutput(value: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const { headers, webhookUrl, executionMode } = value
  return isObject(headers) && typeof webhookUrl === 'string' && typeof executionMode === 'string'
    ? headers
    : undefined
}

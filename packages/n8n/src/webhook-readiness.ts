import { type JsonValue, ToolError } from '@toolcrib/registry'
import { sleep } from './deadline.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'
import type { WorkflowBinding } from './n8n-function.ts'

const firstPauseMs = 20
const maxPauseMs = 250
const maxSaidLength = 200

interface Readiness {
  readonly binding: Pick<WorkflowBinding, 'path' | 'credential'>
  readonly withinMs: number
  readonly call: N8nCallOptions
}

/**
 * Waits until a webhook answers, which n8n 2 brings about in the background after it said "published": it takes the old
 * webhooks down, switches to the new version, then registers the new ones. So a path that nothing had before answers only
 * for the new version. A call without a token then has to be refused, which runs nothing.
 *
 * @throws {ToolError} N8N_TIMEOUT when it does not answer in time; N8N_CALL_REFUSED when it does not ask for the token
 */
export async function waitUntilCallable(
  client: N8nClient,
  { binding, withinMs, call }: Readiness,
): Promise<void> {
  const end = performance.now() + withinMs
  await poll({ end, call, what: 'The webhook does not answer' }, async () => {
    if (!(await client.webhooks.isRegistered(binding.path, call))) return false
    return binding.credential === undefined || (await refusesStrangers(client, binding.path, call))
  })
}

/**
 * Waits until nothing is registered at a path.
 *
 * @throws {ToolError} N8N_TIMEOUT
 */
export async function waitUntilSilent(
  client: N8nClient,
  { binding, withinMs, call }: Readiness,
): Promise<void> {
  const end = performance.now() + withinMs
  await poll(
    { end, call, what: 'The webhook still answers' },
    async () => !(await client.webhooks.isRegistered(binding.path, call)),
  )
}

async function refusesStrangers(
  client: N8nClient,
  path: string,
  call: N8nCallOptions,
): Promise<boolean> {
  const { status, json, body } = await client.webhooks.trigger(path, {}, call)
  if (status === 401 || status === 403) return true
  // Registered, and the rest of the server not that far yet.
  if (status === 404 || status === 502 || status === 503) return false
  throw n8nError(
    'N8N_CALL_REFUSED',
    `A call without a token was answered with status ${status} instead of 401 or 403. ${explain(status, readMessage(json) ?? body)}`,
    { data: { status } },
  )
}

function explain(status: number, said: string): string {
  if (status < 300) return 'The webhook is open to everybody.'
  return said === '' ? 'n8n does not say why.' : `n8n says: ${said.slice(0, maxSaidLength)}`
}

function readMessage(json: JsonValue | undefined): string | undefined {
  const message = isObject(json) ? json['message'] : undefined
  return typeof message === 'string' ? message : undefined
}

async function poll(
  {
    end,
    call,
    what,
  }: { readonly end: number; readonly call: N8nCallOptions; readonly what: string },
  isDone: () => Promise<boolean>,
): Promise<void> {
  const started = performance.now()
  let reason = ''
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    try {
      if (await isDone()) return
      reason = ''
    } catch (error) {
      if (!ToolError.is(error) || !isPassing(error.code)) throw error
      reason = ` The last try: ${error.message}`
    }
    const left = end - performance.now()
    if (left <= 0)
      throw n8nError(
        'N8N_TIMEOUT',
        `${what} after ${Math.round(performance.now() - started)} ms.${reason}`,
      )
    await sleep(Math.min(pauseMs, left), call.signal)
  }
}

function isPassing(code: string): boolean {
  return code === 'N8N_UNREACHABLE' || code === 'N8N_STARTING' || code === 'N8N_TIMEOUT'
}

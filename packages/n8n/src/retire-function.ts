import { ToolError } from '@toolcrib/registry'
import { webhookType } from './bind-workflow.ts'
import { n8nError } from './error-catalogue.ts'
import { liveWorkflow } from './live-workflow.ts'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'
import type { N8nFunction, RemovalOutcome, RetireFunctionOptions } from './n8n-function.ts'
import { assertDuration, optionError } from './option-check.ts'
import { waitUntilSilent } from './webhook-readiness.ts'

const defaultGoneTimeoutMs = 20_000
/** How often it is taken down that somebody else publishes meanwhile. */
const maxMore = 3

/**
 * Takes a function down: unpublishes it, waits until its webhook does not answer any more, then deletes workflow and
 * credential. Can be repeated; what is gone already counts as removed.
 *
 * Never throws for what the server does: `left` says what is still there. A call that is under way runs to its end.
 *
 * @throws {ToolError} N8N_OPTION_INVALID; the reason of the signal when that aborts
 */
export async function retireFunction(
  client: N8nClient,
  fn: N8nFunction,
  options: RetireFunctionOptions = {},
): Promise<RemovalOutcome> {
  const { mode = 'delete', goneTimeoutMs = defaultGoneTimeoutMs, ...call } = options
  assertDuration('goneTimeoutMs', goneTimeoutMs)
  if (mode !== 'delete' && mode !== 'unpublish')
    throw optionError({ field: 'mode', rule: '"delete" or "unpublish"', value: mode })
  const { workflowId, binding } = fn
  const left: string[] = []
  const secretPaths = new Set([binding.path])
  const reasons: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (call.signal?.aborted === true && error === call.signal.reason) throw error
      left.push(what)
      reasons.push(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  const isDown = await attempt(`workflow ${workflowId} (may still be live)`, async () => {
    const wait = { withinMs: goneTimeoutMs, call }
    let paths = await unpublish(client, workflowId, call)
    for (const path of paths) secretPaths.add(path)
    await waitUntilSilent(client, { binding, ...wait })
    // An update that was on its way publishes it once more, at another path.
    for (let more = 0; paths.length > 0 && more < maxMore; more += 1) {
      for (const path of paths)
        // oxlint-disable-next-line no-await-in-loop -- there is one as a rule
        if (path !== binding.path) await waitUntilSilent(client, { binding: { path }, ...wait })
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      paths = await unpublish(client, workflowId, call)
      for (const path of paths) secretPaths.add(path)
    }
    if (paths.length > 0)
      throw n8nError('N8N_CHANGED', 'Somebody else publishes it again and again.')
  })
  if (mode === 'delete' && isDown)
    await attempt(`workflow ${workflowId} (not live)`, () =>
      client.workflows.remove(workflowId, call),
    )
  const { credential } = binding
  if (mode === 'delete' && credential !== undefined) {
    // A webhook that lost its credential answers with errors, so it stays for one that may be live.
    if (isDown)
      await attempt(`credential ${credential.id}`, () =>
        client.credentials.remove(credential.id, call),
      )
    else left.push(`credential ${credential.id}`)
  }
  const [reason] = reasons
  return {
    removed: left.length === 0,
    left,
    ...(reason === undefined
      ? {}
      : {
          reason: [...secretPaths].reduce(
            (text, path) => text.replaceAll(path, '[path]'),
            client.redact(reason),
          ),
        }),
  }
}

/** Gives the paths at which it was live. */
async function unpublish(
  client: N8nClient,
  id: string,
  call: N8nCallOptions,
): Promise<readonly string[]> {
  try {
    const stored = await client.workflows.get(id, call)
    if (!stored.active) return []
    await client.workflows.unpublish(id, call)
    return liveWorkflow(stored).nodes.flatMap(({ parameters, type }) => {
      const { path } = parameters
      return type === webhookType && typeof path === 'string' ? [path] : []
    })
  } catch (error) {
    if (ToolError.is(error, 'N8N_NOT_FOUND')) return []
    throw error
  }
}

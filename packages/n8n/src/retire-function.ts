import { ToolError } from '@toolcrib/registry'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'
import type { N8nFunction, RemovalOutcome, RetireFunctionOptions } from './n8n-function.ts'
import { assertDuration, optionError } from './option-check.ts'
import { waitUntilSilent } from './webhook-readiness.ts'

const defaultGoneTimeoutMs = 20_000

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
    await unpublish(client, workflowId, call)
    await waitUntilSilent(client, { binding, withinMs: goneTimeoutMs, call })
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
      : { reason: client.redact(reason).replaceAll(binding.path, '[path]') }),
  }
}

async function unpublish(client: N8nClient, id: string, call: N8nCallOptions): Promise<void> {
  try {
    const { active } = await client.workflows.get(id, call)
    if (active) await client.workflows.unpublish(id, call)
  } catch (error) {
    if (!ToolError.is(error, 'N8N_NOT_FOUND')) throw error
  }
}

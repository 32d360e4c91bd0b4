import { ToolError } from '@toolcrib/registry'
import { sleep } from './deadline.ts'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'

const pausesMs = [200, 400, 800] as const

/**
 * Deletes a workflow. n8n 2 takes webhooks down in the background, and a deletion that meets it in that can fail inside
 * (status 500) and work a moment later.
 */
export async function removePatiently(
  client: N8nClient,
  id: string,
  call: N8nCallOptions,
): Promise<void> {
  for (const pauseMs of pausesMs)
    try {
      await client.workflows.remove(id, call)
      return
    } catch (error) {
      const status = ToolError.is(error) ? error.data['status'] : undefined
      if (status !== 500) throw error
      await sleep(pauseMs, call.signal)
    }
  await client.workflows.remove(id, call)
}

import { ToolError } from '@toolcrib/registry'
import { readAnswer } from './api-error.ts'
import type { ClientSettings } from './client-settings.ts'
import type { N8nClient } from './n8n-client.ts'
import type { ClientParts } from './workflow-requests.ts'

/**
 * n8n 1.x says that it is ready before its API is in place, so that is looked at as well: without a key, which it asks for
 * as soon as it is there.
 */
export function createPing(
  { requests }: ClientParts,
  { baseUrl, now }: Pick<ClientSettings, 'baseUrl' | 'now'>,
): N8nClient['ping'] {
  return async (options = {}) => {
    const deadline = requests.start(options)
    const start = now()
    const ask = async (path: string, good: readonly number[]): Promise<string | undefined> => {
      const wire = { method: 'GET', url: new URL(`${baseUrl}${path}`), headers: {} } as const
      try {
        const answer = await requests.sendOnce(wire, deadline)
        const outcome = readAnswer(wire, answer)
        if ('failure' in outcome && good.includes(answer.status)) {
          const isJson = /json/i.test(answer.headers['content-type'] ?? '')
          return isJson ? undefined : outcome.failure.error.message
        }
        return 'failure' in outcome ? outcome.failure.error.message : undefined
      } catch (error) {
        if (!ToolError.is(error)) throw error
        return error.message
      }
    }
    const reason =
      (await ask('/healthz/readiness', [])) ?? (await ask('/api/v1/workflows?limit=1', [401, 403]))
    const ms = now() - start
    return reason === undefined
      ? { ready: true, ms }
      : { ready: false, ms, reason: requests.redaction.redactText(reason) }
  }
}

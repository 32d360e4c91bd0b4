import { ToolError } from '@toolcrib/registry'
import type { ApiRequests } from './api-requests.ts'
import type { Deadline } from './deadline.ts'

const firstPauseMs = 50
const maxPauseMs = 500

/**
 * Deletes, since n8n 1.x takes that of a live workflow as well. n8n 2 says that it is published, or still being taken down,
 * which it does in the background.
 */
export async function removeWorkflow(
  requests: ApiRequests,
  id: string,
  deadline: Deadline,
): Promise<boolean> {
  const path = `/workflows/${id}`
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs))
    try {
      return await removeOnce(requests, path, deadline)
    } catch (error) {
      if (!ToolError.is(error, 'N8N_CONFLICT') || deadline.remaining() <= pauseMs) throw error
      if (/\bUnpublish it\b/i.test(error.message)) {
        if (!(await unpublish(requests, path, deadline))) return false
      } else await requests.pause(pauseMs, deadline)
    }
}

/** @returns whether it was there; also where an answer was lost, and the next one says that it is gone */
export async function removeOnce(
  requests: ApiRequests,
  path: string,
  deadline: Deadline,
): Promise<boolean> {
  try {
    await requests.call({ method: 'DELETE', path }, deadline)
    return true
  } catch (error) {
    if (ToolError.is(error, 'N8N_NOT_FOUND')) return error.data['sent'] === true
    throw error
  }
}

async function unpublish(
  requests: ApiRequests,
  path: string,
  deadline: Deadline,
): Promise<boolean> {
  try {
    await requests.call({ method: 'POST', path: `${path}/unpublish` }, deadline)
    return true
  } catch (error) {
    if (ToolError.is(error, 'N8N_NOT_FOUND')) return false
    throw error
  }
}

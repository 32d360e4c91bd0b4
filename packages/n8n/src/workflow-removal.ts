import { ToolError } from '@toolcrib/registry'
import type { ApiRequests } from './api-requests.ts'
import type { Deadline } from './deadline.ts'

const firstPauseMs = 50
const maxPauseMs = 500
/** A server that fails for another reason is not asked until the deadline. */
const failurePausesMs = [200, 400, 800, 1_600] as const

/**
 * Deletes, since n8n 1.x takes that of a live workflow as well. n8n 2 says that it is published, or still being taken down,
 * which it does in the background; a deletion that meets it in that can also fail inside (status 500), and work a moment later.
 *
 * @returns whether it was there
 */
export async function removeWorkflow(
  requests: ApiRequests,
  id: string,
  deadline: Deadline,
): Promise<boolean> {
  const path = `/workflows/${id}`
  let pauseMs = firstPauseMs
  // Of one that is not there n8n says so, so that what fails inside was found.
  for (let failures = 0, isPublished = false; ;) {
    let waitMs: number | undefined
    try {
      if (isPublished && !(await unpublish(requests, path, deadline))) return failures > 0
      return (await removeOnce(requests, path, deadline)) || failures > 0
    } catch (error) {
      if (ToolError.is(error, 'N8N_CONFLICT')) {
        isPublished = /\bUnpublish it\b/i.test(error.message)
        waitMs = isPublished ? 0 : pauseMs
        pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      } else {
        isPublished = false
        waitMs = failsInside(error) ? failurePausesMs[failures] : undefined
        failures += 1
      }
      if (waitMs === undefined || deadline.remaining() <= waitMs) throw error
    }
    if (waitMs > 0) await requests.pause(waitMs, deadline)
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

/** One that fails inside may have been done; the deletion after it says so, or asks for it again. */
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

function failsInside(error: unknown): boolean {
  return ToolError.is(error) && error.data['status'] === 500
}

import { ToolError } from '@toolcrib/registry'
import type { ApiRequests } from './api-requests.ts'
import type { Deadline } from './deadline.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCapabilities } from './n8n-client.ts'

/** Asks a server what it can, the first time it is needed; a failure is not remembered. */
export function createCapabilityCheck(
  requests: ApiRequests,
): (deadline: Deadline) => Promise<N8nCapabilities> {
  let known: N8nCapabilities | undefined
  return async (deadline) => {
    known ??= await ask(requests, deadline)
    return known
  }
}

async function ask(requests: ApiRequests, deadline: Deadline): Promise<N8nCapabilities> {
  let answer
  try {
    answer = await requests.call({ method: 'GET', path: '/discover' }, deadline)
  } catch (error) {
    if (!ToolError.is(error, 'N8N_UNSUPPORTED')) throw error
    return await probe(requests, deadline)
  }
  const { scopes } = isObject(answer) && isObject(answer['data']) ? answer['data'] : {}
  return {
    major: 2,
    publish: true,
    history: true,
    listCredentials: true,
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
  }
}

/**
 * n8n 1.x answers 404 or 405 to what it does not have before it looks at the key, so the key is tried where it has to be
 * right.
 */
async function probe(requests: ApiRequests, deadline: Deadline): Promise<N8nCapabilities> {
  const isRefused = async (method: 'GET' | 'POST', path: string): Promise<boolean> => {
    try {
      await requests.call({ method, path, query: method === 'GET' ? { limit: 1 } : {} }, deadline)
      return false
    } catch (error) {
      if (ToolError.is(error, 'N8N_UNSUPPORTED')) return true
      // There is such a route, and it says no to this request for another reason.
      if (ToolError.is(error, 'N8N_NOT_FOUND') || ToolError.is(error, 'N8N_FORBIDDEN')) return false
      throw error
    }
  }
  if (await isRefused('GET', '/workflows'))
    throw n8nError(
      'N8N_RESPONSE_INVALID',
      'The public API has no workflows there. Check baseUrl, and that n8n is 1.0 or newer.',
    )
  // No workflow has that id, so that nothing happens where the route is there.
  const hasPublish = !(await isRefused('POST', '/workflows/-/publish'))
  const hasCredentials = !(await isRefused('GET', '/credentials'))
  return {
    major: hasPublish ? 2 : 1,
    publish: hasPublish,
    history: hasPublish,
    listCredentials: hasCredentials,
  }
}

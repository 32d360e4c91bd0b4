import type { JsonValue } from '@toolcrib/registry'
import { credentialRoutes } from './credential-routes.ts'
import {
  type DoubleAnswer,
  DoubleRefusal,
  answerJson,
  answerMessage,
  answerPage,
} from './double-answer.ts'
import { type DoubleRoute, matchPath } from './double-route.ts'
import type { DoubleState } from './double-state.ts'
import { executionRoutes } from './execution-routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { maxBodyBytes } from './webhook-calls.ts'
import { workflowRoutes } from './workflow-routes.ts'

/** What the double's API keys may do unless told otherwise. */
export const allScopes: readonly string[] = [
  ...['create', 'read', 'update', 'delete', 'list', 'activate', 'deactivate'].map(
    (action) => `workflow:${action}`,
  ),
  ...['create', 'read', 'update', 'delete', 'list', 'move'].map((action) => `credential:${action}`),
  ...['read', 'list', 'delete', 'stop', 'retry'].map((action) => `execution:${action}`),
  ...['create', 'read', 'update', 'delete', 'list'].map((action) => `tag:${action}`),
  'workflowTags:list',
  'workflowTags:update',
]

const discover: DoubleRoute = {
  method: 'GET',
  path: '/discover',
  scope: '',
  only: 2,
  answer: ({ scopes }) =>
    answerJson(200, {
      data: {
        scopes: scopes.toSorted(),
        resources: {},
        filters: {},
        specUrl: '/api/v1/openapi.yml',
      },
    }),
}

const routes = [discover, ...workflowRoutes, ...credentialRoutes, ...executionRoutes, ...tagRoutes]

/** A request of the public API, as it came. */
export interface ApiRequest {
  readonly method: string
  /** Below `/api/v1`, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers a request of the public API, as the release does. */
export async function answerApi(state: DoubleState, request: ApiRequest): Promise<DoubleAnswer> {
  const known = routes.filter(
    (route) => (route.only ?? state.major) === state.major && matchPath(route.path, request.path),
  )
  const body = readBody(request)
  if ('status' in body) return body
  if (known.length === 0)
    return isKnownElsewhere(state, request.path)
      ? answerMessage(405, `${request.method} method not allowed`)
      : answerMessage(404, 'not found')
  const route = known.find((each) => each.method === request.method)
  if (route === undefined) return answerMessage(405, `${request.method} method not allowed`)
  const scopes = scopesOf(state, request)
  if ('status' in scopes) return scopes
  if (route.scope !== '' && !scopes.includes(route.scope)) return answerMessage(403, 'Forbidden')
  const refused = refuseQuery(state, route, request)
  if (refused !== undefined) return refused
  if (route.needsBody === true && request.body === '') return unsupported(request)
  try {
    return await route.answer({
      state,
      scopes,
      query: request.query,
      parameters: matchPath(route.path, request.path) ?? {},
      body: body.value,
    })
  } catch (error) {
    if (error instanceof DoubleRefusal) return error.answer
    throw error
  }
}

/** Below a workflow every unknown operation is a wrong verb: `/workflows/{id}/{versionId}` matches its address. */
const isKnownElsewhere = (state: DoubleState, path: string): boolean =>
  state.major === 1 && path === '/credentials'

function readBody(request: ApiRequest): { readonly value: JsonValue } | DoubleAnswer {
  if (request.body === '') return { value: null }
  if (Buffer.byteLength(request.body) > maxBodyBytes) return answerPage(413, 'Payload Too Large')
  if (request.headers['content-type']?.includes('json') !== true) return unsupported(request)
  try {
    return { value: JSON.parse(request.body) as JsonValue }
  } catch {
    return answerPage(500, 'Internal Server Error')
  }
}

const unsupported = ({ headers }: ApiRequest): DoubleAnswer =>
  answerMessage(415, `unsupported media type ${headers['content-type'] ?? 'undefined'}`)

function scopesOf(state: DoubleState, { headers }: ApiRequest): readonly string[] | DoubleAnswer {
  const key = headers['x-n8n-api-key']
  if (state.major === 1 && (key === undefined || key === ''))
    return answerMessage(401, "'X-N8N-API-KEY' header required")
  const scopes = state.keys.get(key ?? '')
  if (scopes === undefined)
    return answerMessage(401, state.major === 1 ? 'unauthorized' : 'Unauthorized')
  // Scopes of keys are licensed on 1.x, and without a licence every key may do everything.
  return state.major === 1 ? allScopes : scopes
}

function refuseQuery(
  state: DoubleState,
  { query: allowed }: DoubleRoute,
  { query }: ApiRequest,
): DoubleAnswer | undefined {
  if (state.major === 2 || allowed === undefined) return undefined
  const unknown = [...query.keys()].find((key) => !allowed.includes(key))
  return unknown === undefined
    ? undefined
    : answerMessage(400, `Unknown query parameter '${unknown}'`)
}

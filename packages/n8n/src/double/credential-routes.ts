import type { JsonObject } from '@toolcrib/registry'
import { answerJson, answerMessage, refuse } from './double-answer.ts'
import type { DoubleRequest, DoubleRoute } from './double-route.ts'
import { type DoubleCredential, type DoubleState, newId } from './double-state.ts'
import { pageByOffset } from './paging.ts'
import { textOf } from './json-text.ts'

const algorithms = [
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'none',
]

/** Schemas of the credential types that tools of this library use. */
const types: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  jwtAuth: {
    keyType: { type: 'string', enum: ['passphrase', 'pemKey'] },
    secret: { type: 'string' },
    privateKey: { type: 'string' },
    publicKey: { type: 'string' },
    algorithm: { type: 'string', enum: algorithms },
  },
  httpHeaderAuth: {
    name: { type: 'string' },
    value: { type: 'string' },
    useCustomAuth: { type: 'notice' },
  },
  httpBasicAuth: { user: { type: 'string' }, password: { type: 'string' } },
  httpBearerAuth: { token: { type: 'string' } },
}

/** For whom a credential may be used, which 2.x asks of those for HTTP. */
const domains = {
  allowedHttpRequestDomains: { type: 'string', enum: ['all', 'domains', 'none'] },
  allowedDomains: { type: 'string' },
}

/** 1.x takes a credential with a passphrase only with both keys beside it, empty ones included. */
const passphraseNeedsKeys = {
  if: { properties: { keyType: { enum: ['passphrase'] } } },
  then: {
    allOf: [{ required: ['secret'] }, { required: ['privateKey'] }, { required: ['publicKey'] }],
  },
  else: {
    allOf: [
      { not: { required: ['secret'] } },
      { not: { required: ['privateKey'] } },
      { not: { required: ['publicKey'] } },
    ],
  },
}

function checkData(state: DoubleState, type: string, data: JsonObject): void {
  const properties = types[type]
  if (properties === undefined) return refuse(400, 'req.body.type is not a known type')
  const problems = Object.keys(data)
    .filter((key) => properties[key] === undefined)
    .map((key) => `request.body.data is not allowed to have the additional property "${key}"`)
  for (const [key, value] of Object.entries(data))
    if (properties[key] !== undefined && typeof value !== 'string')
      problems.push('request.body.data is not of a type(s) string')
  if (state.major === 1 && type === 'jwtAuth' && data['keyType'] === 'passphrase') {
    const missing = ['secret', 'privateKey', 'publicKey'].filter((key) => !(key in data))
    if (missing.length > 0) {
      problems.push(
        `request.body.data does not match allOf schema [subschema 0] with ${String(missing.length * 2)} error[s]:`,
      )
      for (const [index, key] of missing.entries())
        problems.push(
          `request.body.data does not match allOf schema [subschema ${String(index + 1)}] with 1 error[s]:`,
          `request.body.data requires property "${key}"`,
        )
    }
  }
  if (problems.length > 0) refuse(400, problems.join(','))
}

const entity = (state: DoubleState, credential: DoubleCredential): JsonObject => ({
  id: credential.id,
  name: credential.name,
  type: credential.type,
  isManaged: false,
  isGlobal: false,
  ...(state.major === 2
    ? { isResolvable: false, resolvableAllowFallback: false, resolverId: null }
    : {}),
  createdAt: credential.createdAt,
  updatedAt: credential.updatedAt,
})

function find(
  { state, parameters }: DoubleRequest,
  missing: string = 'Not Found',
): DoubleCredential {
  return state.credentials.get(parameters['id'] ?? '') ?? refuse(404, missing)
}

/** Credentials of the public API. */
export const credentialRoutes: readonly DoubleRoute[] = [
  {
    method: 'POST',
    path: '/credentials',
    scope: 'credential:create',
    answer: ({ state, body }) => {
      const { name, type, data } = (body ?? {}) as JsonObject
      for (const [key, value] of Object.entries({ name, type, data }))
        if (value === undefined) refuse(400, `request/body must have required property '${key}'`)
      checkData(state, textOf(type), data as JsonObject)
      const at = state.timestamp()
      const credential: DoubleCredential = {
        id: newId(),
        name: textOf(name),
        type: textOf(type),
        data: data as JsonObject,
        createdAt: at,
        updatedAt: at,
      }
      state.credentials.set(credential.id, credential)
      return answerJson(200, entity(state, credential))
    },
  },
  {
    method: 'GET',
    path: '/credentials',
    scope: 'credential:list',
    only: 2,
    answer: ({ state, query }) =>
      pageByOffset(
        state,
        query,
        [...state.credentials.values()]
          .toReversed()
          .map(({ id, name, type, createdAt, updatedAt }) => ({
            id,
            name,
            type,
            createdAt,
            updatedAt,
            shared: [
              {
                id: state.projectId,
                name: 'Test Owner <owner@example.test>',
                role: 'credential:owner',
                createdAt,
                updatedAt,
              },
            ],
          })),
      ),
  },
  {
    method: 'GET',
    path: '/credentials/schema/:type',
    scope: 'credential:read',
    answer: ({ state, parameters }) => {
      const type = parameters['type'] ?? ''
      const properties = types[type]
      if (properties === undefined) return answerMessage(404, 'Not Found')
      return answerJson(200, {
        additionalProperties: false,
        type: 'object',
        properties: {
          ...properties,
          ...(state.major === 2 && type.startsWith('http') ? domains : {}),
        },
        ...(state.major === 1 && type === 'jwtAuth' ? { allOf: [passphraseNeedsKeys] } : {}),
        required: [],
      })
    },
  },
  {
    method: 'GET',
    path: '/credentials/:id',
    scope: 'credential:read',
    only: 2,
    answer: (request) =>
      answerJson(200, entity(request.state, find(request, 'Credential not found'))),
  },
  {
    method: 'DELETE',
    path: '/credentials/:id',
    scope: 'credential:delete',
    answer: (request) => {
      const credential = find(request)
      // One in use may be deleted, too: its webhooks answer 500 from then on.
      request.state.credentials.delete(credential.id)
      if (request.state.major === 1) {
        const { id: _id, ...rest } = entity(request.state, credential)
        return answerJson(200, rest)
      }
      return answerJson(200, { ...entity(request.state, credential), usageScope: 'project' })
    },
  },
]

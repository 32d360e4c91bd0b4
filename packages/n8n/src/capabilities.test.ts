import { expect, test } from 'vitest'
import { clientOf, failureOf, onRelease } from '../test/client-fixtures.ts'
import type { Script } from '../test/scripted-server.ts'

test('of n8n 2 come with the scopes of the key, and are asked for once', async () => {
  await using part = await clientOf(onRelease(2, () => ({})))
  expect(await part.client.capabilities()).toEqual({
    major: 2,
    publish: true,
    history: true,
    listCredentials: true,
    scopes: ['workflow:read'],
  })
  await part.client.capabilities()
  expect(part.server.requests).toHaveLength(1)
})

test('of n8n 1 are found by asking for what it lacks', async () => {
  await using part = await clientOf(onRelease(1, () => ({})))
  expect(await part.client.capabilities()).toEqual({
    major: 1,
    publish: false,
    history: false,
    listCredentials: false,
  })
  expect(part.server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/discover',
    'GET /api/v1/workflows?limit=1',
    'POST /api/v1/workflows/-/publish',
    'GET /api/v1/credentials?limit=1',
  ])
})

test('of an n8n 2 that cannot be discovered yet are found by asking as well', async () => {
  const script: Script = ({ method, path }) => {
    if (path === '/api/v1/discover') return { status: 404, json: { message: 'not found' } }
    if (method === 'POST')
      return {
        status: 404,
        json: { message: 'You do not have permission to activate this workflow.' },
      }
    return { json: { data: [], nextCursor: null } }
  }
  await using part = await clientOf(script)
  expect(await part.client.capabilities()).toMatchObject({
    major: 2,
    publish: true,
    listCredentials: true,
  })
})

test('of a key with few scopes are found nevertheless', async () => {
  const script: Script = ({ path }) =>
    path === '/api/v1/discover'
      ? { status: 404, json: { message: 'not found' } }
      : { status: 403, json: { message: 'Forbidden' } }
  await using part = await clientOf(script)
  expect(await part.client.capabilities()).toMatchObject({ major: 2 })
})

test.each([1, 2] as const)('show a wrong key on n8n %i', async (major) => {
  const right = onRelease(major, () => ({}))
  await using part = await clientOf((request, index) => {
    const answer = right(request, index)
    return (answer.status ?? 200) < 300
      ? { status: 401, json: { message: 'unauthorized' } }
      : answer
  })
  expect((await failureOf(part.client.capabilities())).code).toBe('N8N_UNAUTHORIZED')
})

test('are not remembered when they could not be found', async () => {
  let isUp = false
  const right = onRelease(2, () => ({}))
  await using part = await clientOf((request, index) =>
    isUp ? right(request, index) : { status: 401, json: { message: 'unauthorized' } },
  )
  await failureOf(part.client.capabilities())
  isUp = true
  expect((await part.client.capabilities()).major).toBe(2)
})

test('of something that is no n8n are an error', async () => {
  await using part = await clientOf(() => ({ status: 404, json: { message: 'not found' } }))
  const error = await failureOf(part.client.capabilities())
  expect(error).toMatchObject({
    code: 'N8N_RESPONSE_INVALID',
    message: expect.stringContaining('Check baseUrl'),
  })
})

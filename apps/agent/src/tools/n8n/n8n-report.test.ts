import { createN8nClient } from '@toolcrib/n8n'
import { type N8nDouble, createN8nDouble } from '@toolcrib/n8n/testing'
import { afterEach, expect, test } from 'vitest'
import { type N8nServerReport, neededScopes, reportN8n } from './n8n-report.ts'

let double: N8nDouble | undefined
afterEach(() => double?.close())

async function ask(apiKey = double?.apiKey ?? ''): Promise<N8nServerReport> {
  const kind = {
    health: async (toolName: string) => ({
      toolName,
      baseUrl: '',
      isReachable: true,
      state: 'absent' as const,
    }),
    listLeftBehind: async () => [],
  }
  const retry = { retries: 0 }
  const { server } = await reportN8n(kind, {
    client: createN8nClient({ baseUrl: double?.baseUrl ?? '', apiKey, retry }),
    toolNames: [],
    signal: new AbortController().signal,
  })
  return server
}

test('a server with a key that may do what is needed', async () => {
  double = await createN8nDouble({ scopes: neededScopes })
  expect(await ask()).toMatchObject({
    isReady: true,
    isKeyAccepted: true,
    major: 2,
    missingScopes: [],
  })
})

test('a key that lacks scopes, or is wrong', async () => {
  double = await createN8nDouble({
    scopes: neededScopes.filter((each) => !each.endsWith('delete')),
  })
  expect(await ask()).toMatchObject({ missingScopes: ['credential:delete', 'workflow:delete'] })
  expect(await ask('another-key')).toMatchObject({ isReady: true, isKeyAccepted: false })
})

test('an old server says nothing of scopes', async () => {
  double = await createN8nDouble({ version: '1.123.81' })
  const server = await ask()
  expect(server).toMatchObject({ isReady: true, isKeyAccepted: true, major: 1 })
  expect(server.missingScopes).toBeUndefined()
})

test('a server that is down or starting is not ready', async () => {
  double = await createN8nDouble()
  double.starting()
  expect(await ask()).toMatchObject({ isReady: false })
  await double.down()
  const server = await ask()
  expect(server).toMatchObject({ isReady: false })
  expect(server.problem).toBeTruthy()
  expect(server.isKeyAccepted).toBeUndefined()
})

test('what is kept of one tool may be damaged, and the others are told', async () => {
  double = await createN8nDouble()
  const { tools } = await reportN8n(
    {
      health: async (toolName) => {
        if (toolName === 'a') throw new Error('it is not JSON')
        return { toolName, baseUrl: '', isReachable: true, state: 'intact' }
      },
      listLeftBehind: async () => [],
    },
    {
      client: createN8nClient({ baseUrl: double.baseUrl, apiKey: double.apiKey }),
      toolNames: ['a', 'b'],
      signal: new AbortController().signal,
    },
  )
  expect(tools).toMatchObject([
    { toolName: 'a', state: 'unknown', reason: 'it is not JSON' },
    { toolName: 'b', state: 'intact' },
  ])
})

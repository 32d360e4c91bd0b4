import { createN8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble } from '@toolcrib/n8n/testing'
import { createServerCatalogue, nodeCatalogue } from '@toolcrib/n8n/workflow'
import { afterEach, expect, test } from 'vitest'
import { n8nSpec } from '../test/n8n-spec.ts'
import { adderWorkflow, requestNode } from '../test/n8n-workflows.ts'
import {
  createMemoryN8nDeployments,
  createN8nKind,
  type N8nKind,
  type N8nKindOptions,
} from './index.ts'

let double: N8nDouble | undefined

afterEach(async () => {
  await double?.up()
  await double?.close()
  double = undefined
})

async function open(
  version: '1.123.81' | '2.41.1',
  follow?: 'follow' | N8nKindOptions['catalogue'],
): Promise<{ readonly kind: N8nKind; readonly double: N8nDouble }> {
  double = await createN8nDouble({ version })
  const client = createN8nClient({
    baseUrl: double.baseUrl,
    apiKey: double.apiKey,
    retry: { retries: 0 },
  })
  const catalogue = follow === 'follow' ? createServerCatalogue(client, { retryMs: 0 }) : follow
  const kind = createN8nKind({
    client,
    deployments: createMemoryN8nDeployments(),
    ...(catalogue === undefined ? {} : { catalogue }),
  })
  return { kind, double }
}

/** The checks that a workflow with this HTTP Request fails. */
async function failed(
  kind: N8nKind,
  node: { readonly typeVersion: number; readonly parameters?: object },
): Promise<string> {
  const request = requestNode('https://api.example.com/', { typeVersion: node.typeVersion })
  const parameters = { ...request.parameters, ...node.parameters }
  const workflow = adderWorkflow({ between: [{ ...request, parameters }] })
  const spec = { ...n8nSpec(workflow), allowedDomains: ['api.example.com'], capabilities: ['http'] }
  const checks = await kind.check({ spec } as never, { signal: new AbortController().signal })
  return checks
    .filter(({ pass }) => !pass)
    .map(({ message }) => message)
    .join('\n')
}

test('a version that the server lacks is refused before anybody signs', async () => {
  const { kind } = await open('1.123.81', 'follow')
  expect(await failed(kind, { typeVersion: 4.5 })).toContain('has no version 4.5 in n8n 1.123.81')
  expect(await failed(kind, { typeVersion: 4.3 })).toBe('')
})

test('a version that the server has passes', async () => {
  const { kind } = await open('2.41.1', 'follow')
  expect(await failed(kind, { typeVersion: 4.5 })).toBe('')
})

test('while the server is down only what every release has passes, and once it is up what it has', async () => {
  const { kind, double: server } = await open('2.41.1', 'follow')
  await server.down()
  expect(await failed(kind, { typeVersion: 4.5 })).toContain('1.123.81 and 2.41.1')
  expect(await failed(kind, { typeVersion: 4.3 })).toBe('')
  await server.up()
  expect(await failed(kind, { typeVersion: 4.5 })).toBe('')
})

test('a kind that follows no server asks nothing, and takes what every release has', async () => {
  const { kind, double: server } = await open('2.41.1')
  expect(await failed(kind, { typeVersion: 4.5 })).toContain('has no version 4.5')
  expect(await failed(kind, { typeVersion: 4.3 })).toBe('')
  expect(server.requests).toEqual([])
})

test('a catalogue that is given is the one that counts', async () => {
  const { kind } = await open('1.123.81', nodeCatalogue('2.41.1'))
  expect(await failed(kind, { typeVersion: 4.5 })).toBe('')
  expect((await kind.nodeCatalogue()).n8nVersion).toBe('2.41.1')
})

test('what n8n would not read is refused, and what could be repaired has to be proposed so', async () => {
  const { kind } = await open('2.41.1', 'follow')
  const body = { parameters: [{ name: 'a', value: '1' }] }
  const off = { sendBody: false, bodyParameters: body }
  expect(await failed(kind, { typeVersion: 4.2, parameters: off })).toContain(
    'does not read bodyParameters',
  )
  const unset = { method: 'POST', bodyParameters: body }
  expect(await failed(kind, { typeVersion: 4.2, parameters: unset })).toContain('sendBody')
})

import { ToolError } from '@toolcrib/registry'
import { afterEach, expect, test } from 'vitest'
import {
  type N8nClient,
  type N8nWorkflow,
  createGotTransport,
  createN8nClient,
  listWorkflows,
} from '../src/index.ts'
import { readRealServer } from './real-server.ts'

const server = readRealServer()
export const { baseUrl, apiKey, major }: ReturnType<typeof readRealServer> = server
/** n8n 2 publishes in the background, and looks for what it missed every 15 s only. */
const publicationMs = 50_000
export const client: N8nClient = createN8nClient({ baseUrl, apiKey, timeoutMs: publicationMs })
/** Nobody else's workflows and tags start so. */
export const mark: string = `client-test-${crypto.randomUUID().slice(0, 8)}`
const made = new Set<string>()

/** A webhook that answers the sum of `a` and `b`, after as long as the code takes. */
export function sumWorkflow(
  name: string,
  settings: N8nWorkflow['settings'] = {},
): N8nWorkflow & { path: string } {
  const path = `${mark}-${crypto.randomUUID()}`
  const webhook = {
    id: crypto.randomUUID(),
    name: 'Call',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    position: [0, 0],
    webhookId: crypto.randomUUID(),
    parameters: { httpMethod: 'POST', path, responseMode: 'lastNode' },
  } as const
  const sum = {
    id: crypto.randomUUID(),
    name: 'Sum',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [200, 0],
    parameters: { mode: 'raw', jsonOutput: '={{ { sum: $json.body.a + $json.body.b } }}' },
  } as const
  return {
    path,
    name: `${mark} ${name}`,
    nodes: [webhook, sum],
    connections: { Call: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1', ...settings },
  }
}

export async function make(workflow: N8nWorkflow): Promise<string> {
  const { id } = await client.workflows.create(workflow)
  made.add(id)
  return id
}

export async function untilRegistered(path: string, expected: boolean): Promise<void> {
  await expect
    .poll(() => client.webhooks.isRegistered(path), { timeout: publicationMs, interval: 50 })
    .toBe(expected)
}

export async function failureOf(promise: Promise<unknown>): Promise<ToolError<string>> {
  const error = await promise.then(
    () => expect.unreachable('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!ToolError.is(error)) throw error
  return error
}

/** Takes away what a test made; the last test of a file sees that nothing is left. */
export function leaveNothing(): void {
  afterEach(async () => {
    for (const id of made) await client.workflows.remove(id)
    made.clear()
    for await (const { id, name } of client.tags.list())
      if (name.startsWith(mark)) await client.tags.remove(id)
  })
  test('nothing was on the server before', async () => {
    expect(await listWorkflows(client, { name: mark })).toEqual([])
  })
}

/** Two nodes in place of those of a workflow. */
export function withSecondNode(workflow: N8nWorkflow, change: object): N8nWorkflow {
  const [first, second] = workflow.nodes
  return { ...workflow, nodes: [first, { ...second, ...change }] as N8nWorkflow['nodes'] }
}

/** A key that may list workflows and nothing else. */
export function limitedKey(): string {
  const { limitedApiKey } = server
  if (limitedApiKey === undefined)
    throw new Error(
      'N8N_LIMITED_API_KEY has to be a key with the scope workflow:list. `pnpm test:n8n` sets it.',
    )
  return limitedApiKey
}

export async function raw(
  method: 'POST',
  path: string,
  body: string,
): Promise<{ status: number; body: string }> {
  const transport = createGotTransport()
  const headers = { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' }
  const url = new URL(path, baseUrl)
  const answer = await transport.send({
    method,
    url,
    headers,
    body,
    timeoutMs: 20_000,
    maxResponseBytes: 1_000_000,
  })
  transport.close()
  return answer
}

import { ToolError } from '@toolcrib/registry'
import { expect } from 'vitest'
import { createN8nClient } from '../src/got-client.ts'
import type { N8nClient, N8nClientOptions } from '../src/n8n-client.ts'
import type { N8nWorkflow } from '../src/n8n-workflow.ts'
import { type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

/** With the letters that URLs, base64 and JSON write differently. */
export const secretKey = 'eyJhbGciOi/JIUzI1+NiJ9.secret"key'

/** A client of a scripted server that waits no real time between its tries. */
export interface ClientOfScript extends AsyncDisposable {
  readonly client: N8nClient
  readonly server: ScriptedServer
  /** The pauses it made, in milliseconds. */
  readonly pauses: readonly number[]
}

export async function clientOf(
  script: Script,
  options: Partial<N8nClientOptions> = {},
): Promise<ClientOfScript> {
  const server = await startScriptedServer(script)
  const pauses: number[] = []
  const client = createN8nClient({
    baseUrl: server.url,
    apiKey: secretKey,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      await Promise.resolve()
    },
    ...options,
  })
  return { client, server, pauses, [Symbol.asyncDispose]: () => server.close() }
}

/** What n8n 2 answers to `GET /discover`. */
const discovery = { data: { scopes: ['workflow:read'], resources: {} } }

/** Adds what tells the release to a script; `rest` sees the other requests only. */
export function onRelease(major: 1 | 2, rest: Script): Script {
  let index = 0
  return (request) => {
    const { method, path } = request
    if (path === '/api/v1/discover')
      return major === 2 ? { json: discovery } : { status: 404, json: { message: 'not found' } }
    if (major === 1 && method === 'GET' && path === '/api/v1/workflows?limit=1')
      return { json: { data: [], nextCursor: null } }
    if (major === 1 && path === '/api/v1/workflows/-/publish')
      return { status: 405, json: { message: 'POST method not allowed' } }
    if (major === 1 && path === '/api/v1/credentials?limit=1')
      return { status: 405, json: { message: 'GET method not allowed' } }
    return rest(request, index++)
  }
}

export async function failureOf(promise: Promise<unknown>): Promise<ToolError<string>> {
  const error = await promise.then(
    () => expect.unreachable('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!ToolError.is(error)) throw error
  return error
}

export const sampleWorkflow: N8nWorkflow = {
  name: 'sum',
  nodes: [
    {
      id: 'a1',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: '7f1d8a3e-1c7d-4d0e-9d5e-3a1f5b6c7d8e',
      parameters: { httpMethod: 'POST', path: 'sum', responseMode: 'lastNode' },
    },
  ],
  connections: {},
  settings: { executionOrder: 'v1' },
}

/** The sample as a server would give it. */
export function storedSample(more: object = {}): object {
  return {
    id: 'w1',
    ...sampleWorkflow,
    description: null,
    active: false,
    isArchived: false,
    versionId: 'v1',
    activeVersionId: null,
    versionCounter: 1,
    triggerCount: 0,
    staticData: null,
    pinData: null,
    meta: null,
    tags: [],
    shared: [{ role: 'workflow:owner', project: { name: 'Ann <ann@example.com>' } }],
    activeVersion: null,
    createdAt: '2026-11-22T11:00:00.000Z',
    updatedAt: '2026-11-22T11:00:00.000Z',
    ...more,
  }
}

export async function collect<Entry>(entries: AsyncIterable<Entry>): Promise<readonly Entry[]> {
  const collected: Entry[] = []
  for await (const entry of entries) collected.push(entry)
  return collected
}

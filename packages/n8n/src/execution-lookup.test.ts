import type { JsonObject } from '@toolcrib/registry'
import { expect, it } from 'vitest'
import { traceCall } from './execution-lookup.ts'
import type { N8nClient } from './n8n-client.ts'

const echo = (callId: string): JsonObject => ({
  headers: { 'x-toolcrib-call-id': callId },
  webhookUrl: 'http://n8n.example/webhook/x',
  executionMode: 'production',
})
const run = (json: JsonObject, source: readonly unknown[]): readonly unknown[] => [
  { source, data: { main: [[{ json }]] } },
]

/** Of the executions that there are, by what their nodes gave. */
function clientWith(runData: Readonly<Record<string, unknown>>): N8nClient {
  const execution = { id: '7', status: 'error', mode: 'webhook', data: { resultData: { runData } } }
  return {
    executions: {
      async *list({ status }: { readonly status?: string }) {
        if (status === undefined) yield execution
      },
      get: async () => execution,
    },
    redact: (text: string) => text,
  } as unknown as N8nClient
}

const trace = (client: N8nClient, callId: string): Promise<{ readonly state: string }> =>
  traceCall(client, { workflowId: 'w', callId, withinMs: 200 })

it('reads whose call it was from the webhook, not from a node that gives an earlier request', async () => {
  const client = clientWith({
    1: run(echo('earlier'), [{ previousNode: 'Webhook' }]),
    Webhook: run(echo('this'), []),
  })
  expect(await trace(client, 'this')).toMatchObject({ state: 'ended' })
  expect(await trace(client, 'earlier')).toMatchObject({ state: 'unknown' })
})

it.each([[[null]], [undefined]])('takes a run with source %j for the first', async (source) => {
  const client = clientWith({ Webhook: run(echo('this'), source as never) })
  expect(await trace(client, 'this')).toMatchObject({ state: 'ended' })
})

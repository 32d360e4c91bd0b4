import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type N8nClient, type N8nFunction, createN8nClient, executeWorkflow } from '../src/index.ts'

/** One way to call a webhook beside a bare fetch, in milliseconds; medians over the rounds. */
export interface WebhookOverhead {
  readonly what: string
  readonly fetchMs: number
  readonly ownMs: number
  /** Median of what each round took more. */
  readonly differenceMs: number
  readonly ratio: number
}

const rounds = 40
const callsPerRound = 25
const input = { a: 1, b: 2, text: 'x'.repeat(1_000) }

/** Both call the same HTTP server of this process, in turns. */
export async function measureWebhookOverhead(): Promise<readonly WebhookOverhead[]> {
  const answer = JSON.stringify({ ok: true, result: { sum: 3 }, executionId: '7' })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createN8nClient({ baseUrl, apiKey: 'bench-secret-key' })
  const url = client.webhooks.address('sum')
  const body = JSON.stringify(input)
  const bare = async (): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return await (await fetch(url, { method: 'POST', headers, body })).json()
  }
  try {
    return [
      await compare('webhooks.trigger', bare, () => client.webhooks.trigger('sum', input)),
      await compare('executeWorkflow', bare, () => execute(client)),
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const deployed: N8nFunction = {
  workflowId: 'w1',
  binding: {
    name: 'sum',
    path: 'sum',
    webhookId: '7f1d8a3e-1c7d-4d0e-9d5e-3a1f5b6c7d8e',
    credential: { id: 'c1', name: 'sum', type: 'jwtAuth' },
  },
  secret: 'a-secret-of-the-benchmark-with-length',
  hash: '0'.repeat(64),
}

async function execute(client: N8nClient): Promise<void> {
  const outcome = await executeWorkflow(client, deployed, input)
  if (!outcome.ok) throw new Error(outcome.error.message)
}

type Call = () => Promise<unknown>

async function compare(what: string, bare: Call, own: Call): Promise<WebhookOverhead> {
  for (let warmUp = 0; warmUp < 6; warmUp += 1) {
    await time(bare)
    await time(own)
  }
  const pairs: { readonly fetchMs: number; readonly ownMs: number }[] = []
  // In turn, so that whatever slows the machine down slows both.
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ fetchMs: await time(bare), ownMs: await time(own) })
  return {
    what,
    fetchMs: median(pairs.map(({ fetchMs }) => fetchMs)),
    ownMs: median(pairs.map(({ ownMs }) => ownMs)),
    differenceMs: median(pairs.map(({ fetchMs, ownMs }) => ownMs - fetchMs)),
    ratio: median(pairs.map(({ fetchMs, ownMs }) => ownMs / fetchMs)),
  }
}

/** Milliseconds of one call. */
async function time(call: Call): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < callsPerRound; index += 1) await call()
  return (performance.now() - start) / callsPerRound
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

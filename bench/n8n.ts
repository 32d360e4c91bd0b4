/**
 * What the n8n client adds to a call of a webhook, beside a bare fetch of the same loopback server in the same run:
 * `pnpm bench n8n`. No n8n is needed.
 */
import { measureWebhookOverhead } from '../packages/n8n/bench/webhook-overhead.ts'
import type { BenchmarkRow } from './benchmark-row.ts'

const part = 'n8n'
const goalMs = 5

export async function run(): Promise<BenchmarkRow[]> {
  const figures = await measureWebhookOverhead()
  return figures.flatMap(({ what, fetchMs, ownMs, differenceMs, ratio }) => [
    {
      part,
      what: `${what}, 1 KB of JSON`,
      value: ownMs,
      unit: 'ms',
      baseline: { name: 'bare fetch', value: fetchMs },
      ratio,
    },
    {
      part,
      what: `${what} less the fetch`,
      value: differenceMs,
      unit: 'ms',
      goal: { text: `≤ ${goalMs} ms`, isMet: differenceMs <= goalMs },
    },
  ])
}

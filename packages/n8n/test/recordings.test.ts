import { describe, expect, test } from 'vitest'
import { createN8nDouble } from '../src/testing.ts'
import type { Exchange } from '../contract/exchanges/exchange-recorder.ts'
import { type ScriptPart, runScript, scriptParts } from '../contract/exchanges/exchange-script.ts'
import { behaviours } from '../contract/exchanges/recorded-behaviours.ts'
import { readRecording } from '../contract/exchanges/recording.ts'

async function replay(
  version: '2.41.1' | '1.123.81',
  parts?: readonly ScriptPart[],
): Promise<readonly Exchange[]> {
  // The second key is one of fewer scopes to the same server.
  await using double = await createN8nDouble({
    version,
    keys: [{ apiKey: 'limited', scopes: ['workflow:list'] }],
  })
  for (const [name, behaviour] of Object.entries(behaviours)) double.onWebhook(name, behaviour)
  return await runScript(
    {
      baseUrl: double.baseUrl,
      apiKey: double.apiKey,
      limitedApiKey: 'limited',
      major: version.startsWith('1.') ? 1 : 2,
      pauseMs: 30,
    },
    parts,
  )
}

describe.each(['2.41.1', '1.123.81'] as const)('the double of %s', (version) => {
  test.each(scriptParts)('answers as the recorded server does: %s', async (part) => {
    const { exchanges } = await readRecording(version)
    const recorded = exchanges.filter((exchange) => exchange.part === part)
    expect(recorded.length).toBeGreaterThan(0)
    const replayed = await replay(version, [part])
    expect(replayed.map(({ title }) => title)).toEqual(recorded.map(({ title }) => title))
    // One by one, so that a difference names its exchange.
    for (const [index, exchange] of recorded.entries())
      expect(replayed[index], `${version}: ${exchange.title}`).toEqual(exchange)
  })
})

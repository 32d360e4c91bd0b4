import { expect, test } from 'vitest'
import { createN8nClient } from './index.ts'
import { createN8nDouble } from './testing.ts'
import { createServerCatalogue } from './workflow.ts'

test.each(['1.123.81', '2.41.1'] as const)(
  'the catalogue of n8n %s is that of its line',
  async (version) => {
    const double = await createN8nDouble({ version })
    try {
      const client = createN8nClient({ baseUrl: double.baseUrl, apiKey: double.apiKey })
      const { n8nVersion } = await createServerCatalogue(client).read()
      expect(n8nVersion).toBe(version)
    } finally {
      await double.close()
    }
  },
)

test('a server that does not answer gets what all releases have, and is asked again after a while', async () => {
  let time = 0
  let asked = 0
  let answers: 'nothing' | 1 | 2 = 'nothing'
  const catalogue = createServerCatalogue(
    {
      async capabilities() {
        asked += 1
        if (answers === 'nothing') throw new Error('It is down.')
        return { major: answers }
      },
    },
    { now: () => time, retryMs: 100, keepMs: 1_000 },
  )
  const read = async (): Promise<string> => (await catalogue.read()).n8nVersion
  expect([await read(), await read(), asked]).toEqual([
    '1.123.81 and 2.41.1',
    '1.123.81 and 2.41.1',
    1,
  ])
  answers = 1
  time = 100
  expect([await read(), asked]).toEqual(['1.123.81', 2])
  answers = 2
  time = 1_099
  expect([await read(), asked]).toEqual(['1.123.81', 2])
  time = 1_100
  expect([await read(), asked]).toEqual(['2.41.1', 3])
  // What it said last holds while it is down.
  answers = 'nothing'
  time = 2_100
  expect([await read(), asked]).toEqual(['2.41.1', 4])
})

test('a server that hangs is not waited for longer than the limit, and an abort ends the wait', async () => {
  const hanging = {
    capabilities: async ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  }
  const { n8nVersion } = await createServerCatalogue(hanging, { timeoutMs: 1 }).read()
  expect(n8nVersion).toBe('1.123.81 and 2.41.1')
  const controller = new AbortController()
  const reading = createServerCatalogue(hanging).read({ signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})

test.each([
  { timeoutMs: 0 },
  { timeoutMs: 60_001 },
  { keepMs: -1 },
  { keepMs: 86_400_001 },
  { retryMs: 600_001 },
  { retryMs: 0.5 },
])('%j is out of range', (options) => {
  const source = { capabilities: async () => ({ major: 2 }) }
  expect(() => createServerCatalogue(source, options)).toThrow(RangeError)
})

import { expect, test } from 'vitest'
import { runScript } from './exchanges/exchange-script.ts'
import { readRecording } from './exchanges/recording.ts'
import { readRealServer } from './real-server.ts'
import { startServer } from './start-server.ts'

const { version, major } = readRealServer()

test('the server still answers as it was recorded', async () => {
  // Of its own, so that lists hold nothing but what the script makes.
  const server = await startServer({ version })
  try {
    const { exchanges } = await readRecording(version)
    const fresh = await runScript({ ...server, major })
    expect(fresh.map(({ title }) => title)).toEqual(exchanges.map(({ title }) => title))
    for (const [index, exchange] of exchanges.entries())
      expect.soft(fresh[index], exchange.title).toEqual(exchange)
  } finally {
    await server.stop()
  }
}, 420_000)

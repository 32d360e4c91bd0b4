/** Guarded HTTP against plain got on loopback: `node --conditions=@toolcrib/source bench/http.ts`. */
import { type IncomingMessage, type ServerResponse, Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import got from 'got'
import { createHttpGuard } from '../src/http.ts'
import { openSecretVault } from '../src/secrets.ts'

const rounds = 80
const callsPerRound = 40

const answer = JSON.stringify({ items: Array.from({ length: 50 }, (_, id) => ({ id, name: 'x' })) })
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(answer)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/items?page=1`

const agent = { http: new Agent({ keepAlive: true }) }
const vault = openSecretVault({
  KEY: { value: 'bench-secret-value', hosts: ['http://127.0.0.1:*'] },
})
const guard = createHttpGuard({
  policy: { origins: [`http://127.0.0.1:${port}`], privateAddresses: ['127.0.0.1'] },
  denied: [{ host: 'localhost', port: 1 }],
})
const guardWithSecret = createHttpGuard({
  policy: { origins: [`http://127.0.0.1:${port}`], privateAddresses: ['127.0.0.1'] },
  secrets: vault.fillerFor(['KEY']),
})
const body = JSON.stringify({ text: 'x'.repeat(1_000) })
const type = { 'content-type': 'application/json' }

type Call = () => Promise<unknown>
const contestants: Readonly<Record<string, readonly [plain: Call, guarded: Call]>> = {
  'GET, connection kept': [() => got(url, { agent }), () => guard.request({ url })],
  'POST 1 KB, connection kept': [
    () => got.post(url, { agent, body, headers: type }),
    () => guard.request({ url, method: 'POST', body, headers: type }),
  ],
  'GET with a secret in a header': [
    () => got(url, { agent, headers: { authorization: 'Bearer bench-secret-value' } }),
    () =>
      guardWithSecret.request({
        url,
        headers: { authorization: `Bearer ${vault.placeholder('KEY')}` },
      }),
  ],
}

/** Microseconds of one call. */
async function time(call: Call): Promise<number> {
  const start = performance.now()
  for (let index = 0; index < callsPerRound; index += 1) await call()
  return ((performance.now() - start) * 1e3) / callsPerRound
}

/** A busy machine only ever makes a batch slower. */
const fastest = (values: readonly number[]): number => Math.min(...values)

for (const [name, [plain, guarded]] of Object.entries(contestants)) {
  for (let warmUp = 0; warmUp < 8; warmUp += 1) {
    await time(plain)
    await time(guarded)
  }
  const figures: { plain: number[]; guarded: number[] } = { plain: [], guarded: [] }
  // In turn, so that whatever slows the machine down slows both.
  for (let round = 0; round < rounds; round += 1) {
    figures.plain.push(await time(plain))
    figures.guarded.push(await time(guarded))
  }
  const [base, cost] = [fastest(figures.plain), fastest(figures.guarded)]
  process.stdout.write(
    `${name}: plain got ${base.toFixed(0)} µs, guarded ${cost.toFixed(0)} µs, ratio ${(cost / base).toFixed(2)}\n`,
  )
}
guard.close()
guardWithSecret.close()
agent.http.destroy()
server.close()

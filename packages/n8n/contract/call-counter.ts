import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What workflows call, so that it is seen how often they ran. */
export interface CallCounter extends AsyncDisposable {
  readonly baseUrl: string
  /** By call id, how often it came. */
  readonly counts: ReadonlyMap<string, number>
  /** By call id, the idempotency keys that it came with. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>
  /** Calls that are being held. */
  held(): number
  /** How long each call takes from now on, in milliseconds. */
  take(ms: number): void
}

/** Counts the calls of `/call/<id>`, and answers each with its id. */
export async function startCallCounter(): Promise<CallCounter> {
  const counts = new Map<string, number>()
  const keys = new Map<string, Set<string>>()
  let delayMs = 0
  let held = 0
  const server = createServer((incoming, outgoing) => {
    const id = decodeURIComponent(incoming.url?.split('/')[2] ?? '')
    counts.set(id, (counts.get(id) ?? 0) + 1)
    const key = String(incoming.headers['idempotency-key'])
    keys.set(id, (keys.get(id) ?? new Set()).add(key))
    held += 1
    setTimeout(() => {
      held -= 1
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ id }))
    }, delayMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    counts,
    keys,
    held: () => held,
    take: (ms) => {
      delayMs = ms
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { callIdHeader } from '../src/execution-lookup.ts'

/** What stands between a client and a server, and reads along. */
export interface WireCounter extends AsyncDisposable {
  readonly baseUrl: string
  /** By call id, when each request with it was written, in milliseconds since the epoch. */
  readonly sends: ReadonlyMap<string, readonly number[]>
}

const header = new RegExp(`^${callIdHeader}:\\s*(\\S+)\\s*$`, 'i')

/**
 * Passes each connection on as it is, and counts the call ids that the client writes: whatever sends a call, and for whatever
 * reason, is seen here. Where the server takes no connection, that of the client is reset.
 */
export async function startWireCounter(target: string): Promise<WireCounter> {
  const { hostname, port } = new URL(target)
  const sends = new Map<string, number[]>()
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let line = ''
    client.on('data', (bytes) => {
      // A line may come in parts.
      const lines = (line + bytes.toString('latin1')).split('\n')
      line = lines.pop() ?? ''
      for (const each of lines) {
        const id = header.exec(each)?.[1]
        if (id !== undefined) sends.set(id, [...(sends.get(id) ?? []), Date.now()])
      }
    })
    client.pipe(upstream)
    upstream.pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    sends,
    [Symbol.asyncDispose]: async () => {
      for (const each of open) each.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

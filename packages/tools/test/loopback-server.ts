import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the server got it. */
interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Answers a request, for one path. */
export type Route = (response: ServerResponse, request: ReceivedRequest) => void

/** A real server on loopback. */
export interface LoopbackServer {
  readonly url: string
  readonly port: number
  /** Every request that arrived, in order. */
  readonly received: ReceivedRequest[]
  close(): Promise<void>
}

/** Starts a server; a path without a route gets a 404. */
export async function startLoopbackServer(
  routes: Readonly<Record<string, Route>>,
): Promise<LoopbackServer> {
  const received: ReceivedRequest[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const { method = '', url: path = '', headers } = message
      const request = { method, path, headers, body: Buffer.concat(chunks) }
      received.push(request)
      const route = routes[new URL(path, 'http://x').pathname]
      if (route === undefined) response.writeHead(404).end('no route')
      else route(response, request)
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** A port of this machine at which nothing listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** One request as it arrived. */
export interface ArrivedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a script answers: JSON where it is no text; `undefined` leaves it to `raw`. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Takes over the response, such as to break it off. */
  readonly raw?: (response: ServerResponse, request: IncomingMessage) => void
}

export type Script = (request: ArrivedRequest, index: number) => ScriptedAnswer

/** A server on loopback that says what a test wants. */
export interface ScriptedServer {
  readonly url: string
  readonly port: number
  readonly requests: readonly ArrivedRequest[]
  /** How many connections were made. */
  readonly connections: () => number
  script: Script
  close(): Promise<void>
}

export const htmlPage = { 'content-type': 'text/html; charset=utf-8' }

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ArrivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const arrived = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      requests.push(arrived)
      const {
        status = 200,
        json,
        text,
        headers,
        raw,
      } = scripted.script(arrived, requests.length - 1)
      if (raw !== undefined) return raw(response, request)
      const type =
        text === undefined && status !== 204
          ? { 'content-type': 'application/json; charset=utf-8' }
          : {}
      response.writeHead(status, { ...type, ...headers })
      response.end(status === 204 ? undefined : (text ?? JSON.stringify(json ?? {})))
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    script,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return scripted
}

import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, type Socket, connect, isIP } from 'node:net'
import { callbackify } from 'node:util'
import { type SecureContext, createSecureContext } from 'node:tls'
import type { SocketTarget } from '../src/http/exchange/http-connection.ts'
import { type HttpGuardParts, machineParts } from '../src/http/http-guard-parts.ts'
import type { HttpGuard, HttpGuardOptions } from '../src/http/http-guard.ts'
import { openGuardedRequests } from '../src/http/guarded-requests.ts'
import { createAuthority, createCertificate } from './http-certificates.ts'

/** What a server got. */
interface SeenRequest {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answerer = (request: SeenRequest, response: ServerResponse) => void

/** The address that stands for the public internet; the tests lead it to loopback. */
export const publicAddress = '93.184.215.14'

/** Servers on loopback that pass for public ones, with an authority of their own. */
export interface HttpWorld {
  readonly seen: SeenRequest[]
  /** Connections that any server accepted. */
  readonly connections: () => number
  /** Sockets that are open now. */
  readonly openSockets: () => number
  readonly authority: string
  readonly port: number
  /** Where `https:` really listens. */
  readonly securePort: number
  readonly lookups: string[]
  answer: Answerer
  /** Addresses by name; others resolve to {@link publicAddress}. */
  dns: Record<string, readonly string[] | (() => readonly string[])>
  /** A guard whose public addresses lead to the servers. */
  guard(options: HttpGuardOptions, parts?: Partial<HttpGuardParts>): HttpGuard
  /** The parts that such a guard is made of. */
  readonly parts: HttpGuardParts
  reset(): void
  close(): Promise<void>
}

const names = ['*.good.test', '*.wild.test', 'good.test', 'evil.test', '*.evil.test', publicAddress]

export async function openHttpWorld(): Promise<HttpWorld> {
  const authority = await createAuthority()
  const certificate = await createCertificate(names, { authority })
  const sockets = new Set<Socket>()
  let accepted = 0
  const answerOk: Answerer = (_request, response) => void response.end('ok')

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const seen: SeenRequest = {
        method: request.method ?? '',
        host: request.headers.host ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      world.seen.push(seen)
      world.answer(seen, response)
    })
  }
  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => {
      accepted += 1
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const options = { keepAliveTimeout: 10_000 }
  const plain = createServer(options, handle)
  const contexts = new Map<string, SecureContext>()
  const openContext = async (name: string): Promise<SecureContext> => {
    const context =
      contexts.get(name) ?? createSecureContext(await createCertificate([name], { authority }))
    contexts.set(name, context)
    return context
  }
  const secure = createSecureServer(
    {
      ...certificate,
      ...options,
      // Every name has a certificate, as deep as it may be.
      SNICallback: callbackify(openContext),
    },
    handle,
  )
  const port = await listen(plain)
  const securePort = await listen(secure)
  const guards: HttpGuard[] = []

  /** Leads public addresses to loopback and lets the socket tell the address that was asked for. */
  const openSocket = ({ addresses, port: asked }: SocketTarget): Socket => {
    const address = addresses[0]?.address ?? ''
    const real =
      asked === 443 || asked === 8443 ? securePort : asked === 80 || asked === 8080 ? port : asked
    const socket = connect({ host: '127.0.0.1', port: real })
    Object.defineProperty(socket, 'remoteAddress', { value: address, configurable: true })
    return socket
  }
  const lookup = async (hostname: string): Promise<readonly LookupAddress[]> => {
    world.lookups.push(hostname)
    const entry = world.dns[hostname]
    const answers = typeof entry === 'function' ? entry() : (entry ?? [publicAddress])
    return answers.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
  }

  const world: HttpWorld = {
    seen: [],
    lookups: [],
    connections: () => accepted,
    openSockets: () => sockets.size,
    authority: authority.cert,
    port,
    securePort,
    answer: answerOk,
    dns: {},
    parts: { ...machineParts, openSocket, lookup },
    guard(guardOptions, parts = {}) {
      const guard = openGuardedRequests(
        { certificateAuthorities: [authority.cert], ...guardOptions },
        { ...world.parts, ...parts },
      )
      guards.push(guard)
      return guard
    },
    reset() {
      world.seen.length = 0
      world.lookups.length = 0
      world.answer = answerOk
      world.dns = {}
      accepted = 0
      for (const guard of guards.splice(0)) guard.close()
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      world.reset()
      await Promise.all(
        [plain, secure].map((server) => new Promise((resolve) => server.close(resolve))),
      )
    },
  }
  return world
}

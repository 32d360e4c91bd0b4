import type { LookupAddress } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { type Socket, connect as connectSocket, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import { callbackify } from 'node:util'
import { assertAuthorities, trustedContext } from '../http-authorities.ts'
import type { Hop } from './http-hop.ts'

/** Where a socket shall lead; the addresses are checked. */
export interface SocketTarget {
  readonly hostname: string
  readonly addresses: readonly LookupAddress[]
  readonly port: number
}

/** Begins a connection. */
export type SocketOpener = (target: SocketTarget) => Socket

/** The connections of one guard: its own pools, so nobody else's socket, proxy or lookup is ever used. */
export interface HttpConnections {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** The address that a socket of these pools was found to lead to. */
  addressOf(socket: Duplex): string | undefined
  close(): void
}

const poolOptions = {
  keepAlive: true,
  // Idle connections end after this long, in milliseconds.
  timeout: 15_000,
  maxSockets: 32,
  maxFreeSockets: 8,
  maxTotalSockets: 128,
} as const

/** Opens a socket to the first of the addresses that answers; nothing is looked up again. */
export function openCheckedSocket({ hostname, addresses, port }: SocketTarget): Socket {
  return connectSocket({
    host: hostname,
    port,
    noDelay: true,
    autoSelectFamily: addresses.length > 1,
    lookup: (_hostname, options, callback) => {
      if (options.all === true) callback(null, [...addresses])
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    },
  })
}

/**
 * @param certificateAuthorities further authorities, in PEM
 * @throws {ToolError} POLICY_INVALID when an authority cannot be read
 */
export function createHttpConnections(
  openSocket: SocketOpener,
  certificateAuthorities: readonly string[],
): HttpConnections {
  const addresses = new WeakMap<Duplex, string>()
  assertAuthorities(certificateAuthorities)

  const openPlain = async (hop: Hop): Promise<Socket> => {
    const answers = await hop.resolve()
    hop.times.dns = performance.now()
    hop.signal.throwIfAborted()
    const socket = openSocket({ hostname: hop.hostname, addresses: answers, port: hop.port })
    try {
      await connected(socket, hop.signal)
      hop.verifyAddress(socket.remoteAddress)
    } catch (error) {
      socket.destroy()
      throw error
    }
    hop.times.connect = performance.now()
    addresses.set(socket, socket.remoteAddress ?? '')
    return socket
  }

  const openSecure = async (hop: Hop): Promise<Duplex> => {
    const socket = await openPlain(hop)
    const secure = connectSecurely({
      socket,
      secureContext: trustedContext(certificateAuthorities),
      host: hop.hostname,
      // An address is no server name; the certificate is then compared with `host`.
      ...(isIP(hop.hostname) === 0 ? { servername: hop.hostname } : {}),
      // Said although usual, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    })
    secure.once('secureConnect', () => (hop.times.tls = performance.now()))
    addresses.set(secure, addresses.get(socket) ?? '')
    return secure
  }

  const http = Object.assign(new HttpAgent(poolOptions), {
    createConnection: poolOpener(openPlain),
  })
  const https = Object.assign(new HttpsAgent(poolOptions), {
    createConnection: poolOpener(openSecure),
  })
  return {
    http,
    https,
    addressOf: (socket) => addresses.get(socket),
    close(): void {
      http.destroy()
      https.destroy()
    },
  }
}

/** What a pool calls for a new connection: it hands on the options of the request, in which the hop stands. */
function poolOpener(
  open: (hop: Hop) => Promise<Duplex>,
): (options: object, callback?: PoolCallback) => undefined {
  const openWithCallback = callbackify((options: object) => open((options as { hop: Hop }).hop))
  return (options, callback = () => {}) => {
    openWithCallback(options, callback)
  }
}

type PoolCallback = (error: NodeJS.ErrnoException | null, socket: Duplex) => void

async function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      socket.destroy()
      reject(signal.reason as Error)
    }
    const settle = (error?: Error): void => {
      signal.removeEventListener('abort', stop)
      if (error === undefined) resolve()
      else reject(error)
    }
    signal.addEventListener('abort', stop, { once: true })
    // Stays on, so that no error ever finds the socket without a listener.
    socket.on('error', settle)
    socket.once('connect', () => settle())
  })
}

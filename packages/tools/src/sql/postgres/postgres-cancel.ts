import type { Client } from 'pg'
import { loadPg, openClient } from './postgres-client.ts'

/** What pg's connection can do that its types do not say. */
interface BareConnection {
  readonly stream: { destroy(): void }
  connect(port: number | string, host?: string): void
  cancel(processId: number, secretKey: number): void
  requestSsl(): void
  once(event: 'connect' | 'sslconnect' | 'end' | 'error', listener: () => void): void
  on(event: 'error', listener: () => void): void
}

interface ClientKeys {
  readonly processID: number
  readonly secretKey: number
  readonly ssl: unknown
}

/** The process of the server that serves a connection. */
export function backendPid(client: Client): number {
  return (client as unknown as ClientKeys).processID
}

const requestTimeoutMs = 2000

/** Asks the server to cancel what the connection is doing. That it did is seen on the connection itself. */
export async function requestCancel(client: Client): Promise<void> {
  const { Connection } = await loadPg()
  const { processID, secretKey, ssl } = client as unknown as ClientKeys
  const connection = new (Connection as unknown as new (config: object) => BareConnection)({ ssl })
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => connection.stream.destroy(), requestTimeoutMs)
    const finish = (): void => {
      clearTimeout(timer)
      resolve()
    }
    connection.on('error', finish)
    // The server closes the connection when it has passed the request on.
    connection.once('end', finish)
    const send = (): void => connection.cancel(processID, secretKey)
    connection.once('connect', () => (ssl ? connection.requestSsl() : send()))
    connection.once('sslconnect', send)
    if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`)
    else connection.connect(client.port, client.host)
  })
}

/** Who ends a process of the server. */
export interface Terminator {
  /** The connection string of an administrator. */
  readonly connectionString: string
  readonly connectTimeoutMs: number
}

/** Ends the process of the server that serves `client`; its number cannot be another's while the connection is open. */
export async function terminateBackend(client: Client, terminator: Terminator): Promise<void> {
  const administrator = await openClient({ ...terminator, catalogOnly: true })
  try {
    await administrator.query('SELECT pg_catalog.pg_terminate_backend($1)', [backendPid(client)])
  } finally {
    await administrator.end()
  }
}

const checkTimeoutMs = 3000
const checkPauseMs = 100

/** Tells whether a process of the server ends soon, as its own role sees it; false also when that cannot be seen. */
export async function endsSoon(pid: number, viewer: Terminator): Promise<boolean> {
  const giveUpAt = performance.now() + checkTimeoutMs
  try {
    const client = await openClient({ ...viewer, catalogOnly: true })
    try {
      while (performance.now() < giveUpAt) {
        const { rows } = await client.query(
          'SELECT 1 FROM pg_catalog.pg_stat_activity WHERE pid OPERATOR(pg_catalog.=) $1',
          [pid],
        )
        if (rows.length === 0) return true
        await new Promise((resolve) => {
          setTimeout(resolve, checkPauseMs)
        })
      }
      return false
    } finally {
      await client.end()
    }
  } catch {
    return false
  }
}

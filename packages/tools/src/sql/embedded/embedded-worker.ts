import { parentPort, workerData } from 'node:worker_threads'
import type { EmbeddedReply, EmbeddedRequest, EmbeddedStart } from './embedded-message.ts'
import { guardFiles, refuseCommand, watchMachine } from './embedded-machine.ts'
import { sealWebAssembly } from './embedded-seal.ts'
import { SqlExchange } from '../sql-exchange.ts'
import { encodeCopyFail, encodeOwnStatement, encodeSync } from '../sql-wire.ts'

/**
 * The thread of an embedded database. It knows nothing of the host: it gets bytes of the Postgres protocol and gives rows
 * that are within their limits.
 */

/** Kept small: the server serves one session. Files are not compressed in segments bigger than needed. */
const configuration = [
  'shared_buffers=8MB',
  'wal_buffers=256kB',
  'work_mem=4MB',
  'maintenance_work_mem=16MB',
  'jit=off',
  'min_wal_size=2MB',
  'max_wal_size=32MB',
  'wal_recycle=off',
  'wal_init_zero=off',
  'datestyle=ISO',
  'timezone=UTC',
]

const sliceBytes = 65_536

/** A server of one session does not know whom to go back to; its first role is the superuser that it starts with. */
const authorizeSession = `SELECT pg_catalog.set_config('session_authorization', pg_catalog.pg_get_userbyid(10), false)`

if (parentPort === null) throw new Error('This file is the entry of a worker thread.')
const port = parentPort
const reply = (message: EmbeddedReply): void => port.postMessage(message)

// The server's log is the agent's to fill, so it goes nowhere; what fails comes as an answer.
process.stdout.write = () => true
process.stderr.write = () => true

const { dataFolder, maxMemoryBytes } = workerData as EmbeddedStart
sealWebAssembly(maxMemoryBytes)
const { PGlite } = await import('@electric-sql/pglite')

/** Runs no command of COPY … PROGRAM; PGlite would throw, and pass over what it threw. */
class Server extends PGlite {
  override handleExternalCmd(): number {
    return refuseCommand(this.Module)
  }
}
const database = new Server(dataFolder ?? 'memory://', {
  initDbStartParams: ['--wal-segsize=1', '--encoding=UTF8', '--locale=C'],
  postgresqlconf: configuration,
})
await database.waitReady
watchMachine(database.Module, fail)
guardFiles(database.Module)
await reset('I')
reply({ type: 'idle' })

let queue: Promise<void> = Promise.resolve()
port.on('message', (request: EmbeddedRequest) => {
  queue = queue.then(() => run(request)).catch(fail)
})

async function run({ bytes, ownStatements, limits }: EmbeddedRequest): Promise<void> {
  const answer = await exchange(bytes, { ownStatements, limits })
  reply({ type: 'answer', answer })
  await reset(answer.status)
  await runOwn(authorizeSession)
  reply({ type: 'idle' })
}

async function exchange(
  bytes: Uint8Array,
  options: Pick<EmbeddedRequest, 'ownStatements' | 'limits'>,
): Promise<NonNullable<SqlExchange['answer']>> {
  const peer = { cancel: () => undefined }
  const reading = new SqlExchange({ ...options, peer })
  // Nobody can send while a statement runs, so the refusal of a COPY lies ready; without one it is passed over.
  const message = Buffer.concat([
    bytes,
    encodeCopyFail('A call sends no data for COPY.'),
    encodeSync(),
  ])
  await database.execProtocolRawStream(message, {
    onRawData: (data) => {
      // The bytes lie in the machine's memory, which changes; what is kept must be a copy.
      for (let start = 0; start < data.length && reading.answer === undefined; start += sliceBytes)
        reading.feed(Buffer.from(data.subarray(start, start + sliceBytes)))
    },
  })
  if (reading.answer === undefined) throw new Error('The embedded database gave no answer.')
  return reading.answer
}

/** Nothing of a call is left to the next. */
async function reset(status: string): Promise<void> {
  if (status !== 'I') await runOwn('ROLLBACK')
  await runOwn('DISCARD ALL')
}

async function runOwn(statement: string): Promise<void> {
  const limits = { maxRows: 0, maxBytes: 0 }
  const bytes = Buffer.concat([encodeOwnStatement(statement), encodeSync()])
  const { error } = await exchange(bytes, { ownStatements: 1, limits })
  if (error !== undefined) throw new Error(error['M'] ?? 'The session could not be reset.')
}

function fail(error: unknown): void {
  reply({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  // The machine may be in any state; the next statement gets a new one.
  process.exit(1)
}

import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { EmbeddedReply, EmbeddedRequest, EmbeddedThread } from './pglite-message.ts'
import { loadTemplate, templateSchema } from './pglite-template.ts'

/**
 * The thread of an embedded database, so that nothing that the database does holds up the host. It gets bytes of the
 * Postgres protocol and answers with bytes.
 */

if (parentPort === null) throw new Error('This file is the entry of a worker thread.')
const port = parentPort

// The server's messages go nowhere; what fails comes as an answer.
process.stdout.write = () => true
process.stderr.write = () => true

function reply(message: EmbeddedReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

function fail(error: unknown): void {
  reply({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  // The machine may be in any state; whoever asks next gets a new one.
  process.exit(1)
}

async function open({ dataFolder, hasTables, isNew, server }: EmbeddedThread): Promise<PGlite> {
  const options = {
    ...(isNew ? { loadDataDir: await loadTemplate() } : {}),
    ...(server === undefined ? {} : { pgliteWasmModule: server }),
  }
  // Without a folder the options stand in its place.
  const database = dataFolder === undefined ? new PGlite(options) : new PGlite(dataFolder, options)
  await database.waitReady
  if (isNew)
    await database.exec(
      hasTables
        ? `update ${templateSchema}.call_log_migrations set applied_at = clock_timestamp()`
        : `drop schema ${templateSchema} cascade`,
    )
  return database
}

function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const message = Buffer.alloc(5 + text.length)
  message.write('Q')
  message.writeInt32BE(4 + text.length, 1)
  text.copy(message, 5)
  return message
}

async function carryOut(database: PGlite, request: EmbeddedRequest): Promise<void> {
  switch (request.type) {
    case 'open':
      for (const statement of ['rollback', 'discard all'])
        // oxlint-disable-next-line no-await-in-loop -- one session
        await database.execProtocolRawStream(simpleQuery(statement), { onRawData: () => undefined })
      return
    case 'send': {
      const { connection } = request
      await database.execProtocolRawStream(request.bytes, {
        onRawData: (data) => {
          // The bytes lie in the machine's memory, which changes; what is sent must be a copy.
          const bytes = new Uint8Array(data)
          reply({ type: 'data', connection, bytes }, [bytes.buffer])
        },
      })
      return
    }
    case 'close':
      await database.close()
  }
}

try {
  const database = await open(workerData as EmbeddedThread)
  let queue: Promise<void> = Promise.resolve()
  port.on('message', (request: EmbeddedRequest) => {
    queue = queue
      .then(() => carryOut(database, request))
      .then(() => reply({ type: 'done' }))
      .catch(fail)
  })
  reply({ type: 'ready' })
} catch (error) {
  fail(error)
}

/**
 * Calls are logged to a Postgres of your own: `DATABASE_URL=postgres://… pnpm start`. Without it, a server from npm is started
 * for the length of this program.
 */
import assert from 'node:assert/strict'
import { startPostgres } from '@toolcrib-test/databases'
import { createPostgresCallLog, toolCalls } from '@toolcrib/call-log'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry, defineTool } from '@toolcrib/registry'
import { count } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { z } from 'zod'

const temporary = process.env['DATABASE_URL'] === undefined ? await startPostgres() : undefined
const connectionString = process.env['DATABASE_URL'] ?? temporary?.addressOf() ?? ''
const pool = new Pool({ connectionString })
// A pool that nobody listens to ends the program when the server goes away.
pool.on('error', (error) => console.error(error.message))
const log = await createPostgresCallLog({ pool })

try {
  const registry = new ToolRegistry()
  registry.register(
    defineTool({
      name: 'reverse',
      description: 'Turns the order of words around',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => text.split(' ').toReversed().join(' '),
    }),
  )
  const invoker = createInvoker({ registry, log })
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) => invoker.invoke('reverse', { text: `call ${index}` })),
  )
  assert(results.every(({ success }) => success))

  // Each call has a row from before it ran and one from after; they are yours to query.
  const [rows] = await drizzle(pool).select({ rows: count() }).from(toolCalls)
  assert((rows?.rows ?? 0) >= 200)
  const [statistics] = await log.statistics({ toolName: 'reverse' })
  assert((statistics?.completed ?? 0) >= 100)
  console.log(
    `100 calls, ${rows?.rows} rows in Postgres, median ${statistics?.p50Ms?.toFixed(2)} ms`,
  )
} finally {
  await log.close()
  await pool.end()
  await temporary?.stop()
}

import { Client } from 'pg'
import { createPostgresCallLog, migrate } from '../src/index.ts'
import { fillCallLog } from '../test/call-data.ts'
import { startPostgres } from '@toolcrib-test/databases'
import { readsMigration } from '../src/migrations/0002-reads.ts'

// Usage: read-bench.ts [calls]; fills a Postgres with that many calls of 30 days and reads it as `toolcrib log` does.
const calls = Number(process.argv[2] ?? 10_000_000)
const days = 30
const rounds = 5
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const server = await startPostgres(
  'fsync=off synchronous_commit=off full_page_writes=off max_wal_size=8GB shared_buffers=512MB maintenance_work_mem=256MB'
    .split(' ')
    .flatMap((setting) => ['-c', setting]),
)
const connectionString = await server.createDatabase()
const end = Date.now()
try {
  await load()
  await measure()
} finally {
  await server.stop()
}

async function load(): Promise<void> {
  await migrate({ connectionString })
  const partitions = { now: () => end - days * 86_400_000, daysAhead: days + 1 }
  await (await createPostgresCallLog({ connectionString, ...partitions })).close()
  const client = new Client({ connectionString })
  await client.connect()
  // Indexes are made when all rows are there, which takes a third of the time.
  const indexes = [...readsMigration.matchAll(/^create index (\w+)[^;]*;/gm)]
  for (const [, name] of indexes) await client.query(`drop index toolcrib.${name}`)
  await fillCallLog(client, {
    calls,
    days,
    end,
    onDay: (day) => say(`day ${day + 1} of ${days} at ${new Date().toISOString()}`),
  })
  for (const [statement, name] of indexes) {
    await client.query(statement.replaceAll('{schema}', 'toolcrib'))
    say(`index ${name} at ${new Date().toISOString()}`)
  }
  await client.query('vacuum analyze toolcrib.tool_calls')
  const { rows } = await client.query(
    `select pg_size_pretty(pg_database_size(current_database())) as size`,
  )
  say(`${calls} calls, ${JSON.stringify(rows[0])}`)
  await client.end()
}

async function time(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await read()
    times.push(performance.now() - startedAt)
  }
  const sorted = times.toSorted((left, right) => left - right)
  say(
    `${name.padEnd(60)} median ${sorted[rounds >> 1]?.toFixed(1)} ms, best ${sorted[0]?.toFixed(1)} ms, first ${times[0]?.toFixed(1)} ms`,
  )
}

async function measure(): Promise<void> {
  const log = await createPostgresCallLog({ connectionString, namespace: 'default' })
  const dayMs = 86_400_000
  const middle = end - 15 * dayMs
  const sample = (await log.query({ until: middle, limit: 30 })).calls.find(
    (call) => call.parentCallId,
  )
  const pages = {
    newest: {},
    'oldest first': { order: 'oldest-first' },
    'before the middle': { until: middle },
    'tool, frequent': { toolName: 'tool_001' },
    'tool, rare': { toolName: 'tool_300' },
    ...Object.fromEntries(
      ['started', 'completed', 'failed', 'timed_out', 'cancelled', 'interrupted'].map((status) => [
        `status ${status}`,
        { status },
      ]),
    ),
    'failed, rare tool': { status: 'failed', toolName: 'tool_300' },
    'failed since a day in the middle': { status: 'failed', since: middle - dayMs, until: middle },
    trace: { traceId: sample?.traceId },
    parent: { parentCallId: sample?.parentCallId },
    session: { sessionId: sample?.sessionId },
    'session of a twentieth of all': { sessionId: 'session-everybody' },
    'that session, rare tool': { sessionId: 'session-everybody', toolName: 'tool_300' },
    'that session, timed out': { sessionId: 'session-everybody', status: 'timed_out' },
  } as Record<string, object>
  for (const [name, query] of Object.entries(pages)) await time(name, () => log.query(query))
  let cursor: string | undefined
  for (let page = 0; page < 10; page += 1)
    cursor = (await log.query(cursor === undefined ? {} : { cursor })).nextCursor
  await time('the eleventh page', () => log.query(cursor === undefined ? {} : { cursor }))
  await time('statistics of a day (the first time it is counted)', () =>
    log.statistics({ since: end - dayMs }),
  )
  await time('statistics of a day of one tool', () =>
    log.statistics({ since: end - dayMs, toolName: 'tool_001' }),
  )
  await time('statistics of a day in the middle, whole hours', () =>
    log.statistics({
      since: Math.floor(middle / dayMs) * dayMs,
      until: Math.floor(middle / dayMs) * dayMs + dayMs,
    }),
  )
  await time('statistics of everything', () => log.statistics())
  await log.close()
}

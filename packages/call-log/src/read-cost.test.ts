import type { ToolCallQuery } from '@toolcrib/registry'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillCallLog } from '../test/call-data.ts'
import { readingOf, RecordingClient } from '../test/read-cost.ts'
import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { createPostgresCallLog, type DurableCallLog } from './index.ts'

/** As many as it takes for a plan that reads too much to be seen; `pnpm test:long` looks at more. */
const calls = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 60_000 : 200_000
const days = 30
const dayMs = 86_400_000
// Whole days, because a day with a page of calls is read as a whole.
const end = Math.floor(Date.now() / dayMs) * dayMs
const longestCallMs = 600_000

let server: RealPostgres
let connectionString: string
let log: DurableCallLog
let explainer: Client
const pools: Pool[] = []

beforeAll(async () => {
  server = await startPostgres(['-c', 'max_wal_size=2GB'])
  connectionString = await server.createDatabase()
  const past = { now: () => end - days * dayMs, daysAhead: days + 1 }
  await (await createPostgresCallLog({ connectionString, ...past })).close()
  explainer = new Client({ connectionString })
  await explainer.connect()
  await fillCallLog(explainer, { calls, days, end })
  await explainer.query('vacuum analyze toolcrib.tool_calls')
  const pool = new Pool({ connectionString, Client: RecordingClient })
  pools.push(pool)
  // The server stops before the last connection has said goodbye.
  pool.on('error', () => undefined)
  log = await createPostgresCallLog({ pool, now: () => end, namespace: 'default', longestCallMs })
}, 600_000)
afterAll(async () => {
  await log.close()
  await explainer.end()
  await Promise.all(pools.map((pool) => pool.end()))
  await server.stop()
})

/** The most that may be read for each call that is shown. */
const perCall = 50
/** A page of a log of many days looks once into each day's index, whatever it shows. */
const pagesPerDay = 8

const statuses = [
  'started',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
] as const
const middle = end - 15 * dayMs

/** What the command line can filter by; a value each that is frequent and one that is rare, where that differs. */
async function makeFilters(): Promise<Record<string, ToolCallQuery>> {
  const sample = (await log.query({ until: middle, limit: 50 })).calls.find(
    ({ parentCallId, sessionId }) =>
      parentCallId !== undefined && sessionId !== 'session-everybody',
  )
  const { traceId = '', parentCallId = '', sessionId = '' } = sample ?? {}
  return {
    'a frequent tool': { toolName: 'tool_001' },
    'a rare tool': { toolName: 'tool_299' },
    ...Object.fromEntries(statuses.map((status) => [`status ${status}`, { status }])),
    since: { since: middle },
    until: { until: middle },
    trace: { traceId },
    parent: { parentCallId },
    'a session of a day': { sessionId },
    'a session of a twentieth of all': { sessionId: 'session-everybody' },
  }
}

async function expectCheap(name: string, query: ToolCallQuery): Promise<string | undefined> {
  RecordingClient.statements.length = 0
  const shown = (await log.query(query)).calls.length
  const { rows, pages } = await readingOf(explainer, RecordingClient.statements)
  // Which calls are open is seen only from those that may be: start and end of each that began of late.
  const mayBeOpen = query.status === 'started' ? calls * (longestCallMs / (days * dayMs)) : 0
  const allowedRows = perCall * Math.max(1, shown) + 3 * mayBeOpen
  const allowedPages = perCall * Math.max(1, shown) + pagesPerDay * days
  return rows > allowedRows || pages > allowedPages
    ? `${name}: ${shown} shown, ${rows} rows and ${pages} pages read`
    : undefined
}

it(`reads at most ${perCall} rows for each call shown, for each filter and each pair of them, of ${calls} calls`, async () => {
  const filters = Object.entries(await makeFilters())
  const dear: (string | undefined)[] = [await expectCheap('all', {})]
  for (const [place, [name, filter]] of filters.entries()) {
    dear.push(await expectCheap(name, filter))
    dear.push(await expectCheap(`${name}, oldest first`, { ...filter, order: 'oldest-first' }))
    for (const [other, second] of filters.slice(place + 1))
      if (Object.keys(second)[0] !== Object.keys(filter)[0])
        dear.push(await expectCheap(`${name} and ${other}`, { ...filter, ...second }))
  }
  expect(dear.filter((one) => one !== undefined)).toEqual([])
}, 600_000)

it('reads a page far back as cheaply as the first, by time and by cursor', async () => {
  const dear: (string | undefined)[] = []
  for (const back of [1, 10, 29])
    dear.push(await expectCheap(`${back} days back`, { until: end - back * dayMs }))
  let cursor = (await log.query({ limit: 1000 })).nextCursor ?? ''
  for (let page = 2; page < 5; page += 1) {
    dear.push(await expectCheap(`page ${page}`, { limit: 1000, cursor }))
    cursor = (await log.query({ limit: 1000, cursor })).nextCursor ?? ''
  }
  expect(dear.filter((one) => one !== undefined)).toEqual([])
}, 600_000)

it('reads no call of hours that were counted', async () => {
  const since = Math.floor(end / dayMs) * dayMs - 5 * dayMs
  const query = { since, until: since + dayMs }
  const counted = await log.statistics(query)
  expect(counted.reduce((sum, { calls: of }) => sum + of, 0)).toBeGreaterThan(calls / days / 2)
  const readRollUps = async (): Promise<unknown> =>
    (await explainer.query('select hour, rolled_at::text from toolcrib.call_hours order by 1')).rows
  const rollUps = await readRollUps()
  RecordingClient.statements.length = 0
  expect(await log.statistics(query)).toEqual(counted)
  expect(await readRollUps()).toEqual(rollUps)
  const { rows } = await readingOf(explainer, RecordingClient.statements)
  const { rows: sizes } = await explainer.query<{ size: number }>(
    `select count(*)::int as size from toolcrib.call_hour_statistics where hour >= to_timestamp($1) and hour < to_timestamp($1) + interval '1 day'`,
    [since / 1000],
  )
  // The roll-up twice, for counts and for durations, and for each hour a look into each day's index.
  expect(rows).toBeLessThanOrEqual(2 * (sizes[0]?.size ?? 0) + 24 * days * 5)
}, 600_000)

it('reads the ends of one tool, not of all, where statistics are of one tool', async () => {
  const since = Math.floor(end / dayMs) * dayMs - 5 * dayMs + 600_000
  const query = { since, until: since + 2_400_000 }
  RecordingClient.statements.length = 0
  await log.statistics({ ...query, toolName: 'tool_001' })
  // Namespaces are found by a look into each day's index.
  const { rows } = await readingOf(explainer, RecordingClient.statements)
  expect(rows).toBeLessThanOrEqual(days + 30)
  RecordingClient.statements.length = 0
  await log.statistics(query)
  // As many starts, and as many ends.
  expect((await readingOf(explainer, RecordingClient.statements)).rows).toBeGreaterThan(days + 60)
}, 600_000)

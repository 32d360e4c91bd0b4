import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresCallLog } from './index.ts'
import { SqlValues } from './sql-values.ts'
import { countedCalls } from './statistics-hours.ts'

const begin = Date.parse('2026-03-30T00:00:00Z')
const hour = 3_600_000
const calls = 3_000
let server: RealPostgres
let client: Client

beforeAll(async () => {
  server = await startPostgres()
  const connectionString = await server.createDatabase()
  await (await createPostgresCallLog({ connectionString, now: () => begin })).close()
  client = new Client({ connectionString })
  await client.connect()
  await client.query('select setseed(0.25)')
  // Ids of another hour, of no hour and of the end of time; calls that run, that were refused, and that ended late.
  await client.query(
    `create temporary table made as select
       case when i % 7 = 0 then gen_random_uuid()
            when i % 11 = 0 then ('ffffffff-ffff-ffff-ffff-' || lpad(to_hex(i), 12, '0'))::uuid
            else (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid end as call_id,
       to_timestamp(at / 1000) as at, 'tool_' || i % 5 as tool, 'space_' || i % 3 as namespace, i
     from (select i, at, lpad(to_hex((at + case when i % 5 = 0 then (random() - 0.5) * 1e7 else 0 end)::bigint), 12, '0') as h
             from (select i, ${begin}::float8 + random() * ${4 * hour} as at from generate_series(1, ${calls}) i) a) b`,
  )
  await client.query(
    `insert into toolcrib.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at)
     select call_id, 's', namespace, tool, 'started', gen_random_uuid(), at from made`,
  )
  await client.query(
    `insert into toolcrib.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at, duration_ms, refused)
     select call_id, 'e', namespace, tool, case when i % 13 = 0 then 'failed' else 'completed' end, gen_random_uuid(),
            at + interval '1 hour' * random(), random() * 1000, case when i % 26 = 0 then true end from made where i % 17 <> 0`,
  )
}, 600_000)
afterAll(async () => {
  await client.end()
  await server.stop()
})

interface Counted {
  readonly calls: string
}

it('counts the same, whether ends are read together or looked up one by one', async () => {
  const spans = [
    { from: 0, to: Infinity },
    { from: begin, to: begin + hour },
    ...Array.from({ length: 40 }, (_, index) => ({
      from: begin + index * 347_000.5,
      to: begin + index * 347_000.5 + index * 60_000,
    })),
  ]
  for (const span of spans)
    for (const namespaces of [['space_0', 'space_1', 'space_2'], ['space_1']]) {
      const count = async (isWhole: boolean): Promise<readonly Counted[]> => {
        const values = new SqlValues()
        const statement = countedCalls({ schema: 'toolcrib', namespaces, isWhole, ...span }, values)
        const { rows } = await client.query<Counted>(
          `${statement} order by 1, 2, 3, 4`,
          values.list,
        )
        return rows
      }
      // oxlint-disable-next-line no-await-in-loop -- one connection
      expect(await count(true)).toEqual(await count(false))
    }
  const values = new SqlValues()
  const namespaces = ['space_0', 'space_1', 'space_2']
  const all = { schema: 'toolcrib', namespaces, isWhole: true, from: 0, to: Infinity }
  const { rows } = await client.query<Counted>(countedCalls(all, values), values.list)
  expect(rows.reduce((sum, row) => sum + Number(row.calls), 0)).toBe(calls)
}, 600_000)

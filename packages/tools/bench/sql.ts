/* oxlint-disable no-console -- a benchmark prints its numbers */
import { startPostgres } from '@toolcrib-test/databases'
import { Client } from 'pg'
import { noContext } from '../test/no-context.ts'
import { createAgentDatabase } from '../src/sql/agent-database.ts'
import { createPostgresDatabase } from '../src/sql/postgres/postgres-database.ts'
import { createSqlTool } from '../src/sql/sql-tool.ts'

/**
 * The sql tool against bare pg (one connection, extended protocol, nothing reset), one call at a time, both in turn in the
 * same run. Prints the medians of all rounds. `node --conditions=@toolcrib/source bench/sql.ts`
 */
const cases: readonly {
  readonly name: string
  readonly query: string
  readonly params: unknown[]
}[] = [
  { name: 'select 1', query: 'select 1 as a', params: [] },
  { name: 'by primary key', query: 'select * from items where id = $1', params: [500] },
  { name: '100 rows', query: 'select * from items where id <= 100', params: [] },
  { name: '1,000 rows', query: 'select * from items', params: [] },
  { name: 'insert', query: 'insert into written values ($1, $2)', params: [1, 'text'] },
]

const rounds = Number(process.env['ROUNDS'] ?? 9)
const calls = Number(process.env['CALLS'] ?? 60)

const server = await startPostgres()
try {
  const { connectionString } = await createAgentDatabase({ administrator: server.addressOf() })
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(
    `create table items as select n as id, 'item ' || n as name, n * 1.5 as price, now() as made from generate_series(1, 1000) n`,
  )
  await client.query('alter table items add primary key (id)')
  await client.query('create table written (a int, b text)')
  const database = createPostgresDatabase({ connectionString })
  const { signal } = new AbortController()
  for (const readOnly of [false, true]) {
    const tool = createSqlTool(database, { readOnly })
    for (const { name, query, params } of cases.filter(
      (one) => !readOnly || one.name !== 'insert',
    )) {
      const bare = async (): Promise<unknown> =>
        client.query({ text: query, values: params, queryMode: 'extended' } as never)
      const ours = async (): Promise<unknown> => tool.execute({ query, params }, signal, noContext)
      const ratios: number[] = []
      const times: number[][] = [[], []]
      for (let round = -2; round < rounds; round += 1) {
        const [a, b] = [await time(bare), await time(ours)]
        if (round < 0) continue
        ratios.push(b / a)
        times[0]?.push(a)
        times[1]?.push(b)
      }
      const [bareMs, oursMs] = times.map((list) => (median(list) / calls).toFixed(3))
      console.log(
        `${readOnly ? 'read-only ' : ''}${name}: pg ${bareMs} ms, tool ${oursMs} ms, ${median(ratios).toFixed(2)} x`,
      )
    }
  }
  await database.close()
  await client.end()
} finally {
  await server.stop()
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < calls; count += 1) await call()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

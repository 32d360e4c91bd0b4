import { startPostgres } from '@toolcrib-test/databases'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { toEndRow, toStartRow } from '../src/call-row.ts'
import { createPostgresCallLog } from '../src/index.ts'
import { createRowStatements } from '../src/row-statements.ts'
import { makeBenchCall } from './bench-call.ts'
import { type BenchRow, median, runConcurrently } from './bench-row.ts'
import { logNaively } from './naive-log.ts'
import { readServerCpu } from './server-cpu.ts'

const repetitions = 5
const calls = { 1: 1000, 16: 6000, 128: 20_000 } as const
const naiveShare = 0.25

interface Round {
  readonly ours: number
  readonly naive: number
  readonly copy: number
  readonly microseconds: number
}

/** Our log, two drizzle inserts a call, and bulk COPY, in turn on one server, both rows durable. */
export async function benchPostgres(): Promise<BenchRow[]> {
  const server = await startPostgres(['-c', 'fsync=on'])
  const connectionString = await server.createDatabase()
  const pool = new Pool({ connectionString, max: 16 })
  // The server may cut a connection that is saying goodbye.
  pool.on('error', () => undefined)
  const naive = drizzle(pool)
  const log = await createPostgresCallLog({ connectionString })
  const logCall = async (): Promise<void> => {
    const { start, end } = makeBenchCall()
    await log.logToolStart(start)
    await log.logToolComplete(end)
  }
  const serverId = await server.readPid()
  const cpu = async (): Promise<number> => {
    const { user, system } = process.cpuUsage()
    return user + system + (await readServerCpu(serverId))
  }
  const measure = async (concurrency: 1 | 16 | 128): Promise<Round> => {
    const times = calls[concurrency]
    const slow = await runConcurrently({ times: times * naiveShare, concurrency }, () =>
      logNaively(naive),
    )
    const before = await cpu()
    const ours = await runConcurrently({ times, concurrency }, logCall)
    const microseconds = ((await cpu()) - before) / times
    return { ours, naive: slow, copy: await copyInBulk(pool), microseconds }
  }
  const rows: BenchRow[] = []
  try {
    await measure(16)
    for (const concurrency of [1, 16, 128] as const) {
      const rounds: Round[] = []
      for (let round = 0; round < repetitions; round += 1)
        // oxlint-disable-next-line no-await-in-loop -- measurements must not run at once
        rounds.push(await measure(concurrency))
      rows.push(...summarise(concurrency, rounds))
    }
  } finally {
    await log.close()
    await pool.end()
    await server.stop()
  }
  return rows
}

function summarise(concurrency: number, rounds: readonly Round[]): BenchRow[] {
  const name = `Postgres, ${concurrency} at once`
  const timesNaive = median(rounds.map(({ ours, naive }) => ours / naive))
  const copyTimes = median(rounds.map(({ ours, copy }) => copy / ours))
  const microseconds = median(rounds.map((round) => round.microseconds))
  const busy = concurrency === 128
  const goal = concurrency === 1 ? 1 : 10
  return [
    { name: `${name}: calls`, value: median(rounds.map(({ ours }) => ours)), unit: '/s' },
    {
      name: `${name}: against two drizzle inserts`,
      value: timesNaive,
      unit: '×',
      ...(concurrency === 16 ? {} : { goal: `≥ ${goal}`, met: timesNaive >= goal }),
    },
    {
      name: `${name}: bulk COPY against it`,
      value: copyTimes,
      unit: '×',
      ...(busy ? { goal: '≤ 2', met: copyTimes <= 2 } : {}),
    },
    {
      name: `${name}: processor time a call, client and server`,
      value: microseconds,
      unit: 'µs',
      ...(busy ? { goal: '≤ 40', met: microseconds <= 40 } : {}),
    },
  ]
}

/** The fastest way in: the same rows, known beforehand, 5,000 to a COPY. Gives calls a second. */
async function copyInBulk(pool: Pool): Promise<number> {
  const statements = createRowStatements('toolcrib')
  const source = { hostId: '00000000-0000-7000-8000-000000000000', maxTextBytes: 1_000_000 }
  const made = Array.from({ length: 10_000 }, makeBenchCall)
  const client = await pool.connect()
  const startedAt = performance.now()
  for (let index = 0; index < made.length; index += 2500) {
    const batch = made
      .slice(index, index + 2500)
      .flatMap(({ start, end }) => [toStartRow(start, source), toEndRow(end, 'e', source)])
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await statements.copy(client, batch)
  }
  const perSecond = (made.length / (performance.now() - startedAt)) * 1000
  client.release()
  return perSecond
}

/**
 * Kills hosts at random moments while many clients use them, and checks after each restart that nothing they were told is lost:
 *
 *   pnpm test:crash 200                                   on the embedded database and on a Postgres, side by side
 *   pnpm test:crash 200 --database postgres --cut         also cuts every connection to the Postgres, again and again
 *   pnpm test:crash 200 --database pglite --seed 4711     draws the same moments once more
 */
import { parseArgs } from 'node:util'
import { type Cuts, cutConnections } from './cut-connections.ts'
import { type KillReport, describeReport, isConvincing } from './kill-report.ts'
import { killHosts } from './kill-series.ts'
import { findWrongAtTheEnd } from './look-at-the-end.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    cut: { type: 'boolean', default: false },
  },
})
const kills = Number(positionals[0] ?? 20)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const databases = values.database === 'both' ? ['pglite', 'postgres'] : [values.database]

console.log(`${kills} kills on ${databases.join(' and on ')}, seed ${seed}`)
const reports = await Promise.all(
  databases.map((database) => (database === 'postgres' ? killOnPostgres() : killOnPglite())),
)
process.exitCode = reports.every((report) => isConvincing(report)) ? 0 : 1

async function killOnPglite(): Promise<KillReport> {
  return killHosts({ kills, seed, onProgress: (report) => tell('pglite', report) })
}

async function killOnPostgres(): Promise<KillReport> {
  const { startPostgres } = await import('@toolcrib-test/databases')
  const server = await startPostgres()
  try {
    const databaseUrl = server.addressOf()
    const cuts: Cuts = { count: 0 }
    const report = await killHosts({
      kills,
      seed,
      databaseUrl,
      onProgress: (soFar) => tell('postgres', soFar),
      ...(values.cut && { meanwhile: (signal) => cutConnections(databaseUrl, { cuts, signal }) }),
    })
    await findWrongAtTheEnd(databaseUrl, report)
    tell('postgres, when all hosts were dead and swept', report)
    if (values.cut) console.log(`  ${cuts.count} connections cut`)
    return report
  } finally {
    await server.stop()
  }
}

function tell(database: string, report: KillReport): void {
  console.log(`${Math.round(process.uptime())} s, ${database}: ${describeReport(report)}`)
}

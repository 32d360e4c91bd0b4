import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { ClientBase } from 'pg'
import { createLedger, migrations, runMigrations } from './migration.ts'
import { configuration, templateSchema } from './pglite-template.ts'

/** Makes the template that `loadTemplate` gives. */
export async function buildTemplate(): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-template-'))
  try {
    const database = new PGlite(join(folder, 'data'), {
      // Small segments keep a new folder small; the C locale sorts the same on every machine.
      initDbStartParams: ['--wal-segsize=1', '--encoding=UTF8', '--locale=C'],
      postgresqlconf: configuration,
    })
    await database.waitReady
    // Nobody creates databases in the embedded server, so two of its three copies of the catalogue can go.
    await database.exec(`update pg_database set datistemplate = false where datname <> 'postgres'`)
    await database.exec('drop database template0')
    await database.exec('drop database template1')
    await createLedger(asClient(database), templateSchema)
    await runMigrations(asClient(database), templateSchema, migrations)
    await database.exec('vacuum full')
    await database.exec('checkpoint')
    await database.exec('checkpoint')
    const archive = await database.dumpDataDir('gzip')
    await database.close()
    return new Uint8Array(await archive.arrayBuffer())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As `pg` does it: several statements at once where there are no values. */
function asClient(database: PGlite): ClientBase {
  const query = async (sql: string, values?: unknown[]): Promise<unknown> =>
    values === undefined ? (await database.exec(sql)).at(-1) : database.query(sql, values)
  return { query } as unknown as ClientBase
}

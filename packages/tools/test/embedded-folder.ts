import { readFileSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { copyFolderMadeOnce } from '@toolcrib-test/databases'
import { createEmbeddedDatabase } from '../src/sql.ts'
import { createRunner } from './sql-database-contract.ts'

const sources = join(import.meta.dirname, '../src/sql/embedded')

/** Puts the folder of an embedded database into `target`, as its first start leaves it, without the time which that takes. */
export async function copyEmbeddedFolder(target: string): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const manifest = await readFile(join(dirname(dirname(entry)), 'package.json'), 'utf8')
  const texts = readdirSync(sources)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
  const make = async (directory: string): Promise<void> => {
    const database = createEmbeddedDatabase({ directory })
    await createRunner(() => database).run('select 1', [], { timeoutMs: 240_000 })
    await database.close()
  }
  await copyFolderMadeOnce({ name: 'embedded', madeFrom: [manifest, ...texts], make }, target)
}

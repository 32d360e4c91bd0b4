import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyEmbeddedFolder } from '../../../test/embedded-folder.ts'
import { buildEvilLibrary } from '../../../test/evil-library.ts'
import { createRunner, describeSqlDatabase } from '../../../test/sql-database-contract.ts'
import { createEmbeddedDatabase } from './embedded-database.ts'
import type { SqlDatabase } from '../sql-tool.ts'

const root = mkdtempSync(join(tmpdir(), 'toolcrib-embedded-'))
const directory = join(root, 'database')
// Starts much sooner than a new folder.
const copy = join(mkdtempSync(join(tmpdir(), 'toolcrib-embedded-')), 'database')
const secret = join(root, 'secret.txt')
writeFileSync(secret, 'canary')

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  rmSync(dirname(copy), { recursive: true, force: true })
})

describeSqlDatabase({
  name: 'an embedded database',
  open: async () => {
    await copyEmbeddedFolder(directory)
    return createEmbeddedDatabase({ directory })
  },
  fenced: true,
})

describe('an embedded database', () => {
  let database: SqlDatabase
  const { run, codeOf } = createRunner(() => database)

  beforeAll(() => {
    cpSync(directory, copy, { recursive: true })
    database = createEmbeddedDatabase({ directory })
  })
  afterAll(() => database.close())

  test('keeps its data over a close, and over a statement that had to be ended', async () => {
    expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
    await run(`insert into contract values (21, 'kept')`)
    expect(await codeOf('select pg_sleep(60)', [], { timeoutMs: 100 })).toBe('SQL_TIMEOUT')
    expect((await run('select name from contract where id = 21')).rows).toEqual([{ name: 'kept' }])
  })

  test('close ends a start that is under way, and the next owner finds the folder in order', async () => {
    const fresh = join(dirname(copy), 'fresh')
    for (const folder of [fresh, copy]) {
      const starting = createEmbeddedDatabase({ directory: folder })
      const running = createRunner(() => starting).codeOf('select 1')
      while (!existsSync(join(folder, 'postgres'))) await new Promise(setImmediate)
      await starting.close()
      expect(await running).toBe('SQL_UNAVAILABLE')
    }
    // A first start that was cut off has kept nothing that says it came to its end.
    expect(existsSync(join(fresh, 'postgresql.conf'))).toBe(false)
    const next = createEmbeddedDatabase({ directory: copy })
    const { rows } = await createRunner(() => next).run('select count(*)::int as n from contract')
    expect(rows).toEqual([{ n: 20 }])
    await next.close()
  })

  test('a statement gets as much memory as the machine has, and the next one runs', async () => {
    // The lowest that is taken; how much of it is left for a statement is PGlite's business.
    const small = createEmbeddedDatabase({ directory: copy, maxMemoryBytes: 268_435_456 })
    const runner = createRunner(() => small)
    const lengthOf = (megabytes: number): string =>
      `select length(string_agg(repeat('x', 1000000), ''))::int as n from generate_series(1, ${megabytes})`
    expect((await runner.run(lengthOf(10))).rows).toEqual([{ n: 10_000_000 }])
    expect(await runner.codeOf(lengthOf(250))).toBe('SQL_FAILED')
    expect((await runner.run('select 1 as a')).rows).toEqual([{ a: 1 }])
    await small.close()
    expect((await run(lengthOf(250))).rows).toEqual([{ n: 250_000_000 }])
  })

  test.for([0, 1.5, 268_435_455, 2_147_483_648])(
    'a memory of %d is refused at once',
    (maxMemoryBytes) => {
      expect(() => createEmbeddedDatabase({ maxMemoryBytes })).toThrow(
        expect.objectContaining({ code: 'SQL_OPTION_INVALID' }) as Error,
      )
    },
  )

  test('a second owner of the folder is refused, and this one goes on', async () => {
    await run('select 1')
    const second = createEmbeddedDatabase({ directory })
    expect(await createRunner(() => second).codeOf('select 1')).toBe('FOLDER_LOCKED')
    await second.close()
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
  })

  test('another process is refused, too', async () => {
    await run('select 1')
    const script = `
      const { createEmbeddedDatabase } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-database.ts'))})
      const limits = { timeoutMs: 5000, maxRows: 1, maxBytes: 1000, readOnly: false }
      await createEmbeddedDatabase({ directory: ${JSON.stringify(directory)} })
        .run({ query: 'select 1', params: [] }, limits, new AbortController().signal)
        .then(() => console.log('ran'), (error) => console.log(error.code))
      process.exit()`
    const child = spawnSync(
      process.execPath,
      ['--conditions=@toolcrib/source', '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    )
    expect(child.stdout.trim()).toBe('FOLDER_LOCKED')
  })

  test('an idle database does not keep its process alive', () => {
    const script = `
      const { createEmbeddedDatabase } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-database.ts'))})
      const limits = { timeoutMs: 5000, maxRows: 1, maxBytes: 1000, readOnly: false }
      const call = { query: 'select 1 as a', params: [] }
      console.log(JSON.stringify(await createEmbeddedDatabase({ directory: ${JSON.stringify(copy)} }).run(call, limits, new AbortController().signal)))`
    const child = spawnSync(
      process.execPath,
      ['--conditions=@toolcrib/source', '--input-type=module', '-e', script],
      { encoding: 'utf8', timeout: 60_000 },
    )
    expect(child).toMatchObject({ status: 0, stdout: expect.stringContaining('"a":1') as string })
  })

  test.for([
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_file('/proc/self/environ')`,
    `select pg_read_file('${secret}')`,
    `select pg_read_file('../../../../../..${secret}')`,
    `select pg_read_file('/pglite/data/../../../../../..${secret}')`,
    `select pg_read_binary_file('${secret}')`,
    `select pg_ls_dir('${root}')`,
    `select lo_import('${secret}')`,
    `create table lines (line text)`,
    `copy lines from '${secret}'`,
    `copy lines from program 'cat ${secret}'`,
    `select pg_read_file('/dev/stdin')`,
  ])('no file of the host is read by %s', async (query) => {
    const outcome = await run(query, [], { timeoutMs: 2000 }).catch((error: unknown) => error)
    expect(JSON.stringify(outcome)).not.toContain('canary')
    const { rows } = await run(`select count(*)::int as n from pg_class where relname = 'lines'`)
    if (rows[0]?.['n'] === 1) expect((await run('select * from lines')).rows).toEqual([])
  })

  test.for([
    (path: string) => `copy (select 1) to '${path}'`,
    (path: string) => `copy (select 1) to '/pglite/data/../../../../../..${path}'`,
    (path: string) => `select lo_export(lo_from_bytea(0, 'x'), '${path}')`,
    (path: string) => `copy (select 1) to program 'touch ${path}'`,
    (path: string) =>
      `do $$ begin execute 'create tablespace t location ''/tmp'''; copy (select 1) to '${path}'; end $$`,
  ])('no file of the host is written: form %#', async (form) => {
    const path = join(root, 'written')
    await run(form(path), [], { timeoutMs: 2000 }).catch(() => undefined)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(root).toSorted()).toEqual(['database', 'secret.txt'])
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
  })

  test('a link that a tablespace leaves in the folder leads to nothing of the host', async () => {
    await run(`create tablespace through location '/tmp'`).catch(() => undefined)
    const inside = `select pg_read_file('pg_tblspc/' || oid || '${secret.replace(tmpdir(), '')}') as text from pg_tablespace where spcname = 'through'`
    const outcome = await run(inside).catch((error: unknown) => error)
    expect(JSON.stringify(outcome)).not.toContain('canary')
    await run('drop tablespace if exists through')
  })

  test('the thread sees nothing of the environment', async () => {
    process.env['TOOLCRIB_CANARY'] = 'canary'
    try {
      const { rows } = await run(`select string_agg(setting, ' ') as all from pg_settings`)
      expect(JSON.stringify(rows)).not.toContain('canary')
    } finally {
      delete process.env['TOOLCRIB_CANARY']
    }
  })

  test('a library that the agent wrote itself, with JavaScript in it, is not loaded', async () => {
    const library = buildEvilLibrary(
      `process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(join(root, 'written'))}, 'x')`,
    )
    await run(`select lo_from_bytea(70000, $1)`, [`\\x${library.toString('hex')}`])
    await run(`select lo_export(70000, '/tmp/evil.so')`)
    const create = `create function evil() returns int language c as '/tmp/evil.so', 'evil'`
    expect(await codeOf(create)).toBe('SQL_FAILED')
    // Nor when the server starts again.
    await run(`alter system set session_preload_libraries = '/tmp/evil.so'`)
    expect(await codeOf('select pg_sleep(60)', [], { timeoutMs: 100 })).toBe('SQL_TIMEOUT')
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
    const configure = `copy (select 'session_preload_libraries = ''/tmp/evil.so''') to '/pglite/data/postgresql.conf'`
    expect(await codeOf(configure)).toBe('SQL_FAILED')
    appendFileSync(
      join(directory, 'postgres', 'postgresql.conf'),
      `session_preload_libraries = '/tmp/evil.so'\n`,
    )
    expect(await codeOf('select pg_sleep(60)', [], { timeoutMs: 100 })).toBe('SQL_TIMEOUT')
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
    expect(existsSync(join(root, 'written'))).toBe(false)
  })

  test('functions of the libraries that ship with it work', async () => {
    await run(
      `create function plus(a int) returns int language plpgsql as $$ begin return a + 1; end $$`,
    )
    expect((await run('select plus(1) as a')).rows).toEqual([{ a: 2 }])
  })

  test('a call waits for the one before it, and can give up while it waits', async () => {
    const controller = new AbortController()
    const first = run('select pg_sleep(0.5)')
    const limits = { timeoutMs: 5000, maxRows: 1, maxBytes: 1000, readOnly: false }
    const second = database.run({ query: 'select 2', params: [] }, limits, controller.signal)
    controller.abort(new Error('given up'))
    await expect(second).rejects.toThrow('given up')
    await first
    expect((await run('select 3 as a')).rows).toEqual([{ a: 3 }])
  })
})

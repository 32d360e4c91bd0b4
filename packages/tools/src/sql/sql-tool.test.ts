import { PGlite } from '@electric-sql/pglite'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry } from '@toolcrib/registry'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeSqlDatabase } from '../../test/sql-database-contract.ts'
import { createDrizzleDatabase } from './sql-drizzle.ts'
import { createSqlTool, type SqlDatabase, type SqlLimits, type SqlStatement } from './sql-tool.ts'

/** A database that answers with one row and remembers what it was asked. */
function createRecorder(): SqlDatabase & { readonly asked: [SqlStatement, SqlLimits][] } {
  const asked: [SqlStatement, SqlLimits][] = []
  return {
    asked,
    run: async (statement, limits) => {
      asked.push([statement, limits])
      return { rowCount: 1, rows: [{ a: 1 }], truncated: statement.query.includes('much') }
    },
    close: () => Promise.resolve(),
  }
}

describe('the sql tool', () => {
  test('takes a query and params, and gives query, number and rows', async () => {
    const database = createRecorder()
    const registry = new ToolRegistry()
    registry.register(createSqlTool(database))
    const invoker = createInvoker({ registry, log: createMemoryCallLog() })
    const result = await invoker.invoke('sql', {
      query: 'select $1',
      params: [1, null, 'a', { b: [2] }],
    })
    expect(result).toMatchObject({
      success: true,
      output: { query: 'select $1', rowCount: 1, rows: [{ a: 1 }] },
    })
    expect(database.asked).toEqual([
      [
        { query: 'select $1', params: [1, null, 'a', { b: [2] }] },
        { timeoutMs: 30_000, maxRows: 1000, maxBytes: 1_048_576, readOnly: false },
      ],
    ])
    await invoker.close()
  })

  test('a key named __proto__ is a key like others, in params and in rows', async () => {
    const database = createRecorder()
    const row = JSON.parse('{"__proto__":1,"a":2}') as Record<string, unknown>
    const registry = new ToolRegistry()
    registry.register(
      createSqlTool({
        ...database,
        run: async (...call) => ({ ...(await database.run(...call)), rows: [row] }),
      }),
    )
    const invoker = createInvoker({ registry, log: createMemoryCallLog() })
    const result = await invoker.invoke('sql', { query: 'select $1', params: [row] })
    expect(JSON.stringify(database.asked[0]?.[0].params)).toBe('[{"__proto__":1,"a":2}]')
    expect(JSON.stringify(result)).toContain('"rows":[{"__proto__":1,"a":2}]')
    await invoker.close()
  })

  test('says truncated only where it is', async () => {
    const tool = createSqlTool(createRecorder())
    const call = (query: string): unknown =>
      tool.execute({ query }, new AbortController().signal, {} as never)
    expect(await call('select')).not.toHaveProperty('truncated')
    expect(await call('much')).toHaveProperty('truncated', true)
  })

  test.for([
    {},
    { query: '' },
    { query: 'a\0b' },
    { query: 'x'.repeat(262_145) },
    { query: 'select 1', params: {} },
    { query: 'select 1', params: Array.from({ length: 1001 }, () => 1) },
    { query: 'select 1', more: true },
  ])('refuses bad input before the database sees it: %#', async (input) => {
    const database = createRecorder()
    const registry = new ToolRegistry()
    registry.register(createSqlTool(database))
    const invoker = createInvoker({ registry, log: createMemoryCallLog() })
    expect(await invoker.invoke('sql', input)).toMatchObject({
      success: false,
      errorCode: 'INPUT_INVALID',
    })
    expect(database.asked).toEqual([])
    await invoker.close()
  })

  test('as much input as it may take is taken', async () => {
    const database = createRecorder()
    const registry = new ToolRegistry()
    registry.register(createSqlTool(database))
    const invoker = createInvoker({ registry, log: createMemoryCallLog() })
    const params = Array.from({ length: 1000 }, () => 1)
    const result = await invoker.invoke('sql', { query: 'x'.repeat(262_144), params })
    expect(result).toMatchObject({ success: true })
    await invoker.close()
  })

  test('tells clients and people what a call does', () => {
    const tool = createSqlTool(createRecorder())
    expect(tool).toMatchObject({
      name: 'sql',
      risk: 'medium',
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    })
    expect(tool.describeCall?.({ query: '\n  select 1\n  from t' })).toBe('Run SQL: select 1 …')
    expect(tool.describeCall?.({ query: 'x'.repeat(1000) }).length).toBeLessThan(200)
    const reader = createSqlTool(createRecorder(), { readOnly: true, name: 'query' })
    expect(reader).toMatchObject({
      name: 'query',
      risk: 'low',
      annotations: { readOnlyHint: true, destructiveHint: false },
    })
    expect(reader.describeCall?.({ query: 'select 1' })).toBe('Query: select 1')
  })

  test('outlives its own limit, so that the error says what became of the statement', () => {
    expect(createSqlTool(createRecorder(), { timeoutMs: 1000 }).timeoutMs).toBeGreaterThan(1000)
  })

  test.for([{ timeoutMs: 0 }, { maxRows: 1.5 }, { maxBytes: Number.NaN }, { maxRows: 2 ** 31 }])(
    'an option that cannot be is refused at once: %j',
    (options) => {
      expect(() => createSqlTool(createRecorder(), options)).toThrow(
        expect.objectContaining({ code: 'SQL_OPTION_INVALID' }) as Error,
      )
    },
  )

  test('something that is no database is refused at once', () => {
    expect(() => createSqlTool({} as never)).toThrow(
      expect.objectContaining({ code: 'SQL_OPTION_INVALID' }) as Error,
    )
  })
})

let pglite: PGlite
beforeAll(async () => {
  pglite = await PGlite.create()
})
afterAll(() => pglite.close())

describeSqlDatabase({
  name: "a drizzle instance of the host's own",
  open: async () => createDrizzleDatabase(drizzlePglite(pglite)),
  fenced: false,
})

describe('a drizzle instance', () => {
  test('is wrapped by the tool, whose description says what it does not fence', async () => {
    const tool = createSqlTool(drizzlePglite(pglite))
    expect(tool.description).toContain('application’s own')
    const output = await tool.execute(
      { query: 'select $1::int + 1 as a', params: [1] },
      new AbortController().signal,
      {} as never,
    )
    expect(output).toMatchObject({ rows: [{ a: 2 }] })
  })

  test('values of its driver become JSON', async () => {
    const tool = createSqlTool(drizzlePglite(pglite))
    const output = await tool.execute(
      {
        query: `select 9007199254740993::int8 as a, '\\x00ff'::bytea as b, 'NaN'::float8 as c, null as d, array[1,2] as e`,
      },
      new AbortController().signal,
      {} as never,
    )
    expect(output).toMatchObject({
      rows: [{ a: '9007199254740993', b: '\\x00ff', c: 'NaN', d: null, e: [1, 2] }],
    })
  })

  test('the call stops waiting at its limit and says that the statement may still run', async () => {
    const never = {
      execute: () => new Promise(() => undefined),
      transaction: () => Promise.resolve(),
    }
    const tool = createSqlTool(never, { timeoutMs: 50 })
    const running = tool.execute({ query: 'select 1' }, new AbortController().signal, {} as never)
    await expect(running).rejects.toMatchObject({
      code: 'SQL_TIMEOUT',
      data: { mayStillRun: true },
    })
  })

  test('several results of one call are reported, though they ran', async () => {
    const results = [
      { rows: [], command: 'DROP' },
      { rows: [], command: 'DROP' },
    ]
    const several = {
      execute: () => Promise.resolve(results),
      transaction: () => Promise.resolve(),
    }
    const running = createSqlTool(several).execute(
      { query: 'drop table a; drop table b' },
      new AbortController().signal,
      {} as never,
    )
    await expect(running).rejects.toMatchObject({ code: 'SQL_SEVERAL_STATEMENTS' })
  })
})

import { ToolError } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlDatabase, SqlLimits, SqlOutcome } from '../src/sql/sql-tool.ts'

export const defaultLimits: SqlLimits = {
  // What ends a statement that hangs: the machine may have much else to do.
  timeoutMs: 90_000,
  maxRows: 100,
  maxBytes: 100_000,
  readOnly: false,
}

/** What a test runs statements with. */
export interface SqlRunner {
  readonly run: (
    query: string,
    params?: readonly unknown[],
    limits?: Partial<SqlLimits>,
  ) => Promise<SqlOutcome>
  /** The code with which a statement fails. */
  readonly codeOf: (
    query: string,
    params?: readonly unknown[],
    limits?: Partial<SqlLimits>,
  ) => Promise<string>
}

export function createRunner(database: () => SqlDatabase): SqlRunner {
  const run: SqlRunner['run'] = (query, params = [], limits = {}) =>
    database().run({ query, params }, { ...defaultLimits, ...limits }, new AbortController().signal)
  return {
    run,
    codeOf: async (...call) => {
      try {
        return `no error, but ${JSON.stringify(await run(...call))}`
      } catch (error) {
        return ToolError.is(error) ? error.code : `an unknown error: ${String(error)}`
      }
    },
  }
}

/** What a test knows about the database that it opens. */
export interface ContractSubject {
  readonly name: string
  readonly open: () => Promise<SqlDatabase>
  /** False for a database of the host's own, which is hardly fenced. */
  readonly fenced: boolean
}

/** What every database for the sql tool does; run on each. */
export function describeSqlDatabase({ name, open, fenced }: ContractSubject): void {
  describe(`the contract of a sql database, on ${name}`, () => {
    let database: SqlDatabase
    const { run, codeOf } = createRunner(() => database)

    beforeAll(async () => {
      database = await open()
      await run('create table contract (id int primary key, name text)')
      await run(`insert into contract select n, 'row ' || n from generate_series(1, 20) n`)
    })

    afterAll(() => database.close())

    test('gives rows and their number', async () => {
      expect(await run('select id, name from contract where id < 3 order by id')).toEqual({
        rowCount: 2,
        rows: [
          { id: 1, name: 'row 1' },
          { id: 2, name: 'row 2' },
        ],
        truncated: false,
      })
    })

    test('counts what a statement changed', async () => {
      await run('create table counted (a int)')
      expect((await run('insert into counted values (1), (2), (3)')).rowCount).toBe(3)
      expect((await run('update counted set a = 5 where a < 3')).rowCount).toBe(2)
      expect((await run('delete from counted returning a')).rows).toHaveLength(3)
    })

    test('makes and drops tables', async () => {
      await run('create table short_lived (a int)')
      await run('drop table short_lived')
      expect(await codeOf('select * from short_lived')).toBe('SQL_FAILED')
    })

    test('passes params: null, boolean, number, text, object', async () => {
      const { rows } = await run(
        'select $1::text as a, $2::boolean as b, $3::float8 as c, $4::text as d, $5::jsonb as e',
        [null, true, 1.5, 'é\'"\\ 😀', { deep: [1, 'two'] }],
      )
      expect(rows).toEqual([{ a: null, b: true, c: 1.5, d: 'é\'"\\ 😀', e: { deep: [1, 'two'] } }])
    })

    test('a param is a value and never SQL', async () => {
      const attack = `x'); drop table contract; --`
      expect((await run('select $1::text as a', [attack])).rows).toEqual([{ a: attack }])
      expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
    })

    test('dates, times and numerics are text, as precise as they were', async () => {
      const { rows } = await run(
        `select date '2026-03-29' as day, timestamp '2026-03-29 02:30:00.123456' as local, 12345678901234567890.123456789::numeric as n`,
      )
      expect(rows[0]?.['day']).toBe('2026-03-29')
      expect(rows[0]?.['n']).toBe('12345678901234567890.123456789')
      if (fenced) expect(rows[0]?.['local']).toBe('2026-03-29T02:30:00.123456')
    })

    test.for([[[]], [[1, 2, 3]]])(
      'a wrong number of params is the fault of the statement: %j',
      async ([params]) => {
        expect(await codeOf('select $1::int, $2::int', params)).toBe('SQL_FAILED')
      },
    )

    test('a failed statement says what the server said', async () => {
      const failure = await run('select missing from contract').catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'SQL_FAILED',
        message: expect.stringContaining('missing') as string,
        data: { sqlState: '42703', position: 8 },
      })
    })

    test('gives as many rows as it may, and says that there are more', async () => {
      const all = await run('select id from contract', [], { maxRows: 20 })
      expect(all).toMatchObject({ truncated: false, rows: { length: 20 } })
      const some = await run('select id from contract', [], { maxRows: 19 })
      expect(some).toMatchObject({ truncated: true, rows: { length: 19 } })
    })

    test('gives as many bytes as it may', async () => {
      const row = JSON.stringify([{ a: 'x'.repeat(1000) }])
      const query = `select repeat('x', 1000) as a`
      const exact = await run(query, [], { maxBytes: row.length + 1 })
      expect(exact).toMatchObject({ truncated: false, rows: { length: 1 } })
      const less = await run(query, [], { maxBytes: row.length })
      expect(less).toMatchObject({ truncated: true, rows: { length: 0 } })
    })

    test('changes nothing when it only reads', async () => {
      expect(await codeOf('delete from contract', [], { readOnly: true })).toBe('SQL_READ_ONLY')
      expect(await codeOf('create table x (a int)', [], { readOnly: true })).toBe('SQL_READ_ONLY')
      expect((await run('select 1 as a', [], { readOnly: true })).rows).toEqual([{ a: 1 }])
      expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
    })

    test('does not begin when the caller gave up already', async () => {
      const signal = AbortSignal.abort(new Error('given up'))
      const running = database.run(
        { query: 'create table begun (a int)', params: [] },
        defaultLimits,
        signal,
      )
      await expect(running).rejects.toThrow('given up')
      expect(await codeOf('select * from begun')).toBe('SQL_FAILED')
    })

    if (fenced) describeFenced(() => database)
  })
}

/** What only a database of the agent's own can promise. */
function describeFenced(database: () => SqlDatabase): void {
  const { run, codeOf } = createRunner(database)

  test('refuses several statements, and runs none of them', async () => {
    const query = 'select 1; drop table contract'
    expect(await codeOf(query)).toBe('SQL_SEVERAL_STATEMENTS')
    expect(await codeOf('select 1; commit; drop table contract')).toBe('SQL_SEVERAL_STATEMENTS')
    expect(await codeOf('commit; drop table contract', [], { readOnly: true })).toBe(
      'SQL_SEVERAL_STATEMENTS',
    )
    expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
  })

  test('every value is JSON and loses nothing', async () => {
    const { rows } = await run(`select 1::int2 as a, 9007199254740991::int8 as b,
      9007199254740992::int8 as c, 1.50::numeric as d, 'NaN'::float8 as e, '-Infinity'::float4 as f,
      'infinity'::date as g, timestamptz '2026-03-29 02:30:00.5+05:30' as h, time '10:00' as i,
      interval '1 day 2 hours' as j, int4range(1, 5) as k, '\\x00ff'::bytea as l, true as m, null as n,
      '{"big": 12345678901234567890, "huge": 1e400, "fine": [0.1, 1]}'::jsonb as o,
      array[[1, null], [3, 4]] as p, array['a"b', 'c,d', 'NULL', ''] as q, '{}'::int[] as r,
      '550e8400-e29b-41d4-a716-446655440000'::uuid as s, '[0:1]={1,2}'::int[] as t,
      date '0044-03-15 BC' as u, 'text with \\ and "quotes"' as v`)
    expect(JSON.parse(JSON.stringify(rows))).toEqual([
      {
        a: 1,
        b: 9007199254740991,
        c: '9007199254740992',
        d: '1.50',
        e: 'NaN',
        f: '-Infinity',
        g: 'infinity',
        h: '2026-03-28T21:00:00.5Z',
        i: '10:00:00',
        j: '1 day 02:00:00',
        k: '[1,5)',
        l: '\\x00ff',
        m: true,
        n: null,
        o: {
          big: '12345678901234567890',
          huge: expect.stringMatching(/^10{400}$/),
          fine: [0.1, 1],
        },
        p: [
          [1, null],
          [3, 4],
        ],
        q: ['a"b', 'c,d', 'NULL', ''],
        r: [],
        s: '550e8400-e29b-41d4-a716-446655440000',
        t: [1, 2],
        u: '0044-03-15 BC',
        v: 'text with \\ and "quotes"',
      },
    ])
  })

  test('columns of one name do not swallow each other', async () => {
    const { rows } = await run('select 1 as a, 2 as a, 3 as a_2, 4 as "__proto__"')
    expect(JSON.stringify(rows)).toBe('[{"a":1,"a_2":2,"a_2_2":3,"__proto__":4}]')
  })

  test('an array is an array or JSON, as its param asks', async () => {
    await run('create table lists (tags text[], doc jsonb)')
    await run('insert into lists values ($1, $2)', [
      ['a', 'b"c', null],
      [1, { two: 2 }],
    ])
    expect((await run('select * from lists where $1 = any(tags)', ['a'])).rows).toEqual([
      { tags: ['a', 'b"c', null], doc: [1, { two: 2 }] },
    ])
    expect((await run('select 1 as a where 2 = any($1::int[])', [[1, 2]])).rowCount).toBe(1)
  })

  test('a NUL character in a param is refused with its place', async () => {
    expect(await codeOf('select $1', ['a\0b'])).toBe('SQL_PARAMETER_INVALID')
  })

  test('nothing but comments is an error, not a success', async () => {
    expect(await codeOf('-- nothing')).toBe('SQL_FAILED')
  })

  test('COPY from and to the client fails at once, and the session goes on', async () => {
    expect(await codeOf('copy contract from stdin')).toBe('SQL_FAILED')
    expect(await codeOf('copy contract to stdout')).toBe('SQL_FAILED')
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
  })

  test('a transaction cannot be held over several calls', async () => {
    for (const command of ['begin', 'commit', 'rollback', 'start transaction'])
      expect(await codeOf(command)).toBe('SQL_TRANSACTION_COMMAND')
    expect(await codeOf('commit', [], { readOnly: true })).toBe('SQL_TRANSACTION_COMMAND')
  })

  test.for([
    `prepare transaction 'held'`,
    `;; PREPARE\tTransaction 'held'`,
    `/* a /* nested */ comment */ -- and another\n prepare/**/transaction $$held$$`,
  ])('a transaction that only reads cannot be left behind on the server: %s', async (query) => {
    expect(await codeOf(query, [], { readOnly: true })).toBe('SQL_TRANSACTION_COMMAND')
    expect((await run('select gid from pg_prepared_xacts')).rows).toEqual([])
    expect(await codeOf('prepare transactions as select 1', [], { readOnly: true })).toContain(
      'no error',
    )
  })

  test.for([
    `set transaction read write`,
    `do $$ begin perform set_config('transaction_read_only', 'off', false); insert into contract values (99, 'x'); end $$`,
    `do $$ begin set transaction read write; insert into contract values (99, 'x'); end $$`,
    `with gone as (delete from contract returning 1) select * from gone`,
    `select setval('hidden', 5)`,
  ])('read-only cannot be undone from inside: %s', async (query) => {
    await run('create sequence if not exists hidden')
    expect(await codeOf(query, [], { readOnly: true })).toBe('SQL_READ_ONLY')
    expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
  })

  test('committing inside a block does not end read-only', async () => {
    const query = `do $$ begin commit; insert into contract values (99, 'x'); end $$`
    expect(await codeOf(query, [], { readOnly: true })).toBe('SQL_FAILED')
    expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
  })

  test('a call leaves nothing to the next', async () => {
    await run('create temp table leftover (a int)')
    expect(await codeOf('select * from leftover')).toBe('SQL_FAILED')
    await run('prepare leftover as select 1')
    expect(await codeOf('execute leftover')).toBe('SQL_FAILED')
    await run(
      `select set_config('search_path', 'nowhere', false), set_config('datestyle', 'German', false)`,
    )
    await run('select pg_advisory_lock(42)')
    for (let call = 0; call < 6; call += 1) {
      const { rows } = await run(
        `select current_setting('search_path') = 'nowhere' as lost, date '2026-01-02' as day`,
      )
      expect(rows).toEqual([{ lost: false, day: '2026-01-02' }])
    }
    // An answer does not wait until its session is reset; another session may see the lock for a moment.
    const locks = async (): Promise<unknown> =>
      (await run(`select count(*)::int as n from pg_locks where locktype = 'advisory'`)).rows
    await expect.poll(locks, { timeout: 5_000 }).toEqual([{ n: 0 }])
  })

  test('a statement that is out of time ends, even one that ignores being cancelled', async () => {
    const stubborn = `do $$ begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end $$`
    expect(await codeOf('select pg_sleep(60)', [], { timeoutMs: 300 })).toBe('SQL_TIMEOUT')
    expect(await codeOf(stubborn, [], { timeoutMs: 300 })).toBe('SQL_TIMEOUT')
    expect((await run('select count(*)::int as n from contract')).rows).toEqual([{ n: 20 }])
  })

  test('a statement cannot lift its own limit', async () => {
    const query = `do $$ begin perform set_config('statement_timeout', '0', false); perform pg_sleep(60); end $$`
    expect(await codeOf(query, [], { timeoutMs: 300 })).toBe('SQL_TIMEOUT')
  })

  test('a statement ends when the caller gives up', async () => {
    const controller = new AbortController()
    const running = database().run(
      { query: 'select pg_sleep(60)', params: [] },
      defaultLimits,
      controller.signal,
    )
    setTimeout(() => controller.abort(new Error('given up')), 100)
    await expect(running).rejects.toThrow('given up')
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
  })

  test('one huge value is left out, and the session goes on', async () => {
    const query = `select repeat('x', 20000000) as a`
    expect(await run(query, [], { timeoutMs: 30_000 })).toMatchObject({ truncated: true, rows: [] })
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
  })

  test('a flood of notices and an error of any length do no harm', async () => {
    await run(
      `do $$ begin for i in 1..5000 loop raise notice '%', repeat('x', 100); end loop; end $$`,
    )
    const failure = await run(
      `do $$ begin raise exception '%', repeat('x', 3000000); end $$`,
    ).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'SQL_FAILED' })
    expect((failure as Error).message.length).toBeLessThan(5000)
  })

  test('calls at the same time each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, index) => (await run('select $1::int as a', [index])).rows,
      ),
    )
    expect(answers).toEqual(Array.from({ length: 12 }, (_, index) => [{ a: index }]))
  })
}

import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hostileTexts, rewrittenTexts } from '../test/hostile-texts.ts'
import { makeCompletion, makeFailure, makeStart } from '../test/sample-calls.ts'
import { createPostgresCallLog, type DurableCallLog, type PostgresCallLogOptions } from './index.ts'

let server: RealPostgres
let connectionString: string
const logs: DurableCallLog[] = []

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  connectionString = await server.createDatabase()
})
afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()))
})

const open = async (options: PostgresCallLogOptions = {}): Promise<DurableCallLog> => {
  const log = await createPostgresCallLog({ connectionString, closeTimeoutMs: 500, ...options })
  logs.push(log)
  return log
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const outcome = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'written',
    (error: unknown) => (error as { code: string }).code,
  )

/** A client of a server that lacks a setting. */
class PoorClient extends Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- it has as many forms as the method that it stands for
  override query(...args: any[]): any {
    const [text, ...rest] = args as [unknown, ...unknown[]]
    const sent = typeof text === 'string' ? text.replace('local jit', 'local no_such_jit') : text
    // oxlint-disable-next-line typescript/no-unsafe-return -- see above
    return (super.query as (...all: unknown[]) => unknown).apply(this, [sent, ...rest])
  }
}

it('leaves no transaction open on a connection of the pool when the server refuses a sum', async () => {
  const pool = new Pool({ connectionString, Client: PoorClient })
  const log = await createPostgresCallLog({ pool })
  await log.logToolStart(makeStart())
  await expect(log.statistics()).rejects.toMatchObject({ code: 'LOG_READ_FAILED' })
  const states = await query(
    `select state from pg_stat_activity where datname = current_database() and state like '%transaction%'`,
  )
  expect(states).toEqual([])
  await log.close()
  await pool.end()
})

describe('a database that goes away', () => {
  it('fails starts at once, and keeps ends until it is back, each written once', async () => {
    const log = await open({ writeTimeoutMs: 2000 })
    const starts = Array.from({ length: 40 }, () => makeStart())
    await Promise.all(starts.map((start) => log.logToolStart(start)))
    await server.pause()
    const ends = starts.map((start) => outcome(log.logToolComplete(makeCompletion(start))))
    const startedAt = performance.now()
    const refused = makeStart()
    await expect(log.logToolStart(refused)).rejects.toMatchObject({
      code: 'LOG_WRITE_FAILED',
      data: { callId: refused.callId, row: 'start' },
    })
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    expect(await Promise.race([ends[0], wait(300, 'pending')])).toBe('pending')
    await expect(log.query()).rejects.toMatchObject({ code: 'LOG_READ_FAILED' })
    await server.resume()
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['written']))
    expect(await query(`select from toolcrib.tool_calls where kind = 'e'`)).toHaveLength(40)
    expect(await log.get(refused.callId)).toBeUndefined()
    const after = makeStart()
    await log.logToolStart(after)
    expect((await log.get(after.callId))?.status).toBe('started')
  })

  it('has both rows of a call that was refused for want of its start row, or neither', async () => {
    const log = await open({ writeTimeoutMs: 2000 })
    const kept = makeStart()
    await log.logToolStart(kept)
    const refusal = { code: 'LOG_UNAVAILABLE', message: 'No.', data: { toolRan: false } }
    const starts = Array.from({ length: 30 }, () => makeStart({ sessionId: 'refused' }))
    await server.pause()
    for (const start of starts)
      await expect(log.logToolStart(start)).rejects.toMatchObject({
        code: 'LOG_WRITE_FAILED',
        data: { stored: 'no' },
      })
    const ends = starts
      .slice(1)
      .map((start) => log.logToolFailure(makeFailure(start, { error: refusal })))
    await server.resume()
    await Promise.all(ends)
    const { calls } = await log.query({ sessionId: 'refused' })
    expect(calls.map(({ callId }) => callId)).toEqual(
      starts
        .slice(1)
        .map(({ callId }) => callId)
        .toReversed(),
    )
    expect(new Set(calls.map(({ status, error }) => `${status} ${error?.code}`))).toEqual(
      new Set(['failed LOG_UNAVAILABLE']),
    )
    const lonely = `select from toolcrib.tool_calls e where e.kind = 'e' and not exists
      (select from toolcrib.tool_calls s where s.call_id = e.call_id and s.kind = 's')`
    expect(await query(lonely)).toEqual([])
    const poison = makeStart({ toolName: 'poison' })
    await query(
      `alter table toolcrib.tool_calls add constraint poison check (tool_name <> 'poison' or kind <> 's')`,
    )
    await expect(log.logToolStart(poison)).rejects.toMatchObject({ code: 'LOG_WRITE_FAILED' })
    await expect(log.logToolFailure(makeFailure(poison, { error: refusal }))).rejects.toMatchObject(
      { code: 'LOG_WRITE_FAILED' },
    )
    const invalid = makeStart({ toolVersion: 1.5 })
    await expect(log.logToolStart(invalid)).rejects.toMatchObject({ code: 'LOG_ROW_INVALID' })
    await expect(log.logToolFailure(makeFailure(invalid))).rejects.toMatchObject({
      code: 'LOG_ROW_INVALID',
    })
    await log.logToolFailure(makeFailure(makeStart()))
    expect(await query(lonely)).toEqual([])
  })

  it('rejects what is still pending when the log is closed, in bounded time', async () => {
    const log = await open({ closeTimeoutMs: 200 })
    const start = makeStart()
    await log.logToolStart(start)
    await server.pause()
    try {
      const end = outcome(log.logToolComplete(makeCompletion(start)))
      await wait(50)
      const startedAt = performance.now()
      await log.close()
      expect(await end).toBe('LOG_CLOSED')
      expect(performance.now() - startedAt).toBeLessThan(30_000)
    } finally {
      await server.resume()
    }
  })

  it('takes no more rows than it may hold', async () => {
    const log = await open({ maxPendingRows: 10 })
    const starts = Array.from({ length: 12 }, () => makeStart())
    for (const start of starts) await log.logToolStart(start)
    await server.pause()
    try {
      const ends = starts.map((start) => outcome(log.logToolComplete(makeCompletion(start))))
      expect(await ends[10]).toBe('LOG_QUEUE_FULL')
      expect(await ends[11]).toBe('LOG_QUEUE_FULL')
      await server.resume()
      expect(await Promise.all(ends.slice(0, 10))).toEqual(
        Array.from({ length: 10 }, () => 'written'),
      )
    } finally {
      await server.resume()
    }
  })

  it('takes no more bytes than it may hold', async () => {
    const log = await open({ maxPendingBytes: 2000 })
    expect(await outcome(log.logToolStart(makeStart({ inputText: 'x'.repeat(1500) })))).toBe(
      'written',
    )
    expect(await outcome(log.logToolStart(makeStart({ inputText: 'x'.repeat(1501) })))).toBe(
      'LOG_QUEUE_FULL',
    )
  })
})

describe('a database that stops answering', () => {
  it('fails starts within twice the time limit', async () => {
    const target = new URL(connectionString)
    const serverPort = Number(target.port)
    const sockets = new Set<Socket>()
    let silent = false
    const proxy = createServer((incoming) => {
      const outgoing = connect(serverPort, target.hostname)
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket)
        socket.on('error', () => undefined)
      }
      incoming.on('data', (chunk) => void (silent || outgoing.write(chunk)))
      outgoing.on('data', (chunk) => void (silent || incoming.write(chunk)))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    target.port = String((proxy.address() as { port: number }).port)
    const log = await open({ connectionString: target.href, writeTimeoutMs: 300 })
    await log.logToolStart(makeStart())
    silent = true
    const startedAt = performance.now()
    expect(await outcome(log.logToolStart(makeStart()))).toBe('LOG_WRITE_FAILED')
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    await log.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
})

describe('rows that the server refuses', () => {
  it('fail alone, among many written at once', async () => {
    const log = await open()
    await query(
      `alter table toolcrib.tool_calls add constraint poison check (tool_name <> 'poison')`,
    )
    const starts = Array.from({ length: 128 }, (_, index) =>
      makeStart(index === 77 || index === 3 ? { toolName: 'poison' } : {}),
    )
    const outcomes = await Promise.all(starts.map((start) => outcome(log.logToolStart(start))))
    expect(
      outcomes.map((result, index) => [index, result]).filter(([, result]) => result !== 'written'),
    ).toEqual([
      [3, 'LOG_WRITE_FAILED'],
      [77, 'LOG_WRITE_FAILED'],
    ])
    expect(await query('select from toolcrib.tool_calls')).toHaveLength(126)
  })

  it('are told apart from second terminal rows, which are ignored and said', async () => {
    const warnings: object[] = []
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (data: object) => void warnings.push(data),
      error: () => undefined,
    }
    const log = await open({ logger })
    const starts = Array.from({ length: 50 }, () => makeStart())
    await Promise.all(starts.map((start) => log.logToolStart(start)))
    const [first] = starts as [(typeof starts)[0]]
    await log.logToolComplete(makeCompletion(first))
    const ends = starts.map((start) => log.logToolFailure(makeFailure(start)))
    await Promise.all(ends)
    expect(warnings).toEqual([{ callId: first.callId, row: 'e' }])
    expect((await log.statistics())[0]).toMatchObject({ completed: 1, failed: 49 })
  })
})

describe('texts', () => {
  it(`are kept by COPY and by INSERT alike: ${hostileTexts.length} at once and one by one`, async () => {
    const log = await open()
    for (const [label, text] of hostileTexts) {
      const start = makeStart({ inputText: text })
      await log.logToolStart(start)
      expect((await log.get(start.callId))?.inputText === text, label).toBe(true)
    }
    const small = hostileTexts.filter(([, text]) => text.length < 200_000)
    const starts = small.map(([, text]) => makeStart({ inputText: text }))
    await Promise.all(starts.map((start) => log.logToolStart(start)))
    for (const [index, start] of starts.entries())
      expect((await log.get(start.callId))?.inputText === start.inputText, small[index]?.[0]).toBe(
        true,
      )
  })

  it.each(rewrittenTexts)(
    'with %s become JSON that means the same',
    async (_label, text, stored) => {
      const log = await open()
      const start = makeStart({ inputText: text, sessionId: text })
      await log.logToolStart(start)
      expect((await log.get(start.callId))?.inputText).toBe(stored)
      expect((await log.query({ sessionId: text })).calls).toHaveLength(1)
    },
  )

  it('larger than the log keeps are cut, and never passed off as whole', async () => {
    const log = await open({ maxTextBytes: 300_000 })
    for (const [length, whole] of [
      [300_000, true],
      [300_001, false],
    ] as const) {
      const start = makeStart()
      await log.logToolStart(start)
      await log.logToolComplete({
        ...makeCompletion(start),
        outputText: 'x'.repeat(length),
        outputBytes: length,
      })
      const call = await log.get(start.callId)
      expect(call).toMatchObject({ status: 'completed', outputBytes: length })
      expect(call?.outputText).toHaveLength(16_384)
      expect((await log.readOutput(start.callId))?.length).toBe(whole ? length : undefined)
    }
  })
})

it('writes through a pool of the caller, and leaves it open', async () => {
  const pool = new Pool({ connectionString, max: 3 })
  // The server may stop before the last connection has said goodbye.
  pool.on('error', () => undefined)
  const log = await createPostgresCallLog({ pool })
  const start = makeStart()
  await log.logToolStart(start)
  await log.close()
  expect((await pool.query('select from toolcrib.tool_calls')).rowCount).toBe(1)
  expect(
    (await pool.query('select stopped_at is not null as stopped from toolcrib.hosts')).rows,
  ).toEqual([{ stopped: true }])
  await pool.end()
})

import {
  type CallLog,
  type ToolCallPage,
  type ToolCallQuery,
  ToolError,
  type ToolStatistics,
} from '@toolcrib/registry'
import { describe, expect, it } from 'vitest'
import { hostileTexts } from './hostile-texts.ts'
import { makeCallId, makeCompletion, makeFailure, makeStart } from './sample-calls.ts'

/** What every call log must do, whatever it is kept in. */
export interface ContractSubject {
  /** The kind of log, for the names of tests. */
  readonly name: string
  /** Opens an empty log. */
  readonly open: (options?: { namespace?: string }) => Promise<CallLog>
}

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(ToolError.is(error)).toBe(true)
  return (error as ToolError).code
}

const none = {
  completed: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  interrupted: 0,
  running: 0,
}

/** Compares percentiles with what they should be, to ten percent. */
function expectPercentiles(
  statistics: ToolStatistics | undefined,
  expected: readonly number[],
): void {
  const { p50Ms, p95Ms, p99Ms } = statistics ?? {}
  for (const [place, value] of expected.entries())
    expect(Math.abs(([p50Ms, p95Ms, p99Ms][place] ?? 0) / value - 1)).toBeLessThanOrEqual(0.1)
}

/** Runs the contract on one kind of log. */
export function describeCallLog({ name, open }: ContractSubject): void {
  describe(`${name}: rows`, () => {
    it('keeps everything that a start row says', async () => {
      const log = await open()
      const start = makeStart({
        toolVersion: 3,
        toolHash: 'a'.repeat(64),
        approvalId: 'approval-1',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        parentCallId: makeCallId(1),
        sessionId: 'session-1',
        toolCallId: 'toolu_1',
      })
      await log.logToolStart(start)
      expect(await log.get(start.callId)).toMatchObject({ ...start, status: 'started' })
      expect((await log.query()).calls).toMatchObject([{ ...start, status: 'started' }])
      await log.close()
    })

    it('tells the size of an output that nobody counted', async () => {
      const log = await open()
      const texts = ['"€ and é"', `"${'€'.repeat(200_000)}"`]
      for (const outputText of texts) {
        const start = makeStart()
        await log.logToolStart(start)
        const { outputBytes: _uncounted, ...end } = makeCompletion(start, { outputText })
        await log.logToolComplete(end)
        const outputBytes = Buffer.byteLength(outputText)
        expect(await log.get(start.callId)).toMatchObject({ outputBytes })
        expect((await log.query({ limit: 1 })).calls).toMatchObject([{ outputBytes }])
      }
      await log.close()
    })

    it('keeps completion, failure, time-out and cancellation', async () => {
      const log = await open()
      const starts = [1, 2, 3, 4].map((second) => makeStart({ startedAt: second * 1000 }))
      await Promise.all(starts.map((start) => log.logToolStart(start)))
      const [first, second, third, fourth] = starts as [
        (typeof starts)[0],
        (typeof starts)[0],
        (typeof starts)[0],
        (typeof starts)[0],
      ]
      await log.logToolComplete(makeCompletion(first, { truncated: true, outputBytes: 99 }))
      await log.logToolFailure(makeFailure(second))
      await log.logToolFailure(makeFailure(third, { status: 'timed_out', mayStillBeRunning: true }))
      await log.logToolFailure(makeFailure(fourth, { status: 'cancelled', durationMs: 0.25 }))
      expect((await log.query({ order: 'oldest-first' })).calls).toMatchObject([
        {
          status: 'completed',
          endedAt: 1005,
          durationMs: 5,
          outputText: '31.5',
          outputBytes: 99,
          truncated: true,
        },
        {
          status: 'failed',
          error: { code: 'TOOL_FAILED', message: 'It broke.', data: { reason: 'glass' } },
        },
        { status: 'timed_out', mayStillBeRunning: true },
        { status: 'cancelled', durationMs: 0.25 },
      ])
      await log.close()
    })

    it('says nothing of what was not said', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      const { hostId: _hostId, ...call } = (await log.get(start.callId)) ?? {}
      expect(call).toEqual({ ...start, status: 'started' })
      await log.close()
    })

    it('ignores a second terminal row', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      await log.logToolComplete(makeCompletion(start))
      await log.logToolFailure(makeFailure(start))
      await log.logToolComplete(makeCompletion(start, { outputText: '"other"' }))
      expect(await log.get(start.callId)).toMatchObject({ status: 'completed', outputText: '31.5' })
      await log.close()
    })

    it('gives one terminal row when many are written at once', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          log.logToolComplete(makeCompletion(start, { outputText: String(index) })),
        ),
      )
      expect((await log.statistics())[0]).toMatchObject({ calls: 1, completed: 1 })
      await log.close()
    })

    it('refuses a call id that was used before', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      expect(await codeOf(log.logToolStart({ ...start, toolName: 'other' }))).toBe(
        'LOG_CALL_EXISTS',
      )
      expect(await log.get(start.callId)).toMatchObject({ toolName: 'shipping_cost' })
      await log.close()
    })

    it('keeps a late result beside the terminal row, once', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      await log.logToolFailure(makeFailure(start, { status: 'timed_out', mayStillBeRunning: true }))
      const late = { ...makeCompletion(start), endedAt: start.startedAt + 900, durationMs: 900 }
      await log.logToolLate(late)
      await log.logToolLate({ ...late, outputText: '"second"' })
      expect(await log.get(start.callId)).toMatchObject({
        status: 'timed_out',
        durationMs: 7,
        late: {
          status: 'completed',
          endedAt: start.startedAt + 900,
          durationMs: 900,
          outputText: '31.5',
        },
      })
      expect(await log.readOutput(start.callId)).toBe('31.5')
      await log.close()
    })

    it('keeps the error of a late failure', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      await log.logToolLate({ ...makeFailure(start), status: 'failed' })
      expect((await log.get(start.callId))?.late?.error).toEqual({
        code: 'TOOL_FAILED',
        message: 'It broke.',
        data: { reason: 'glass' },
      })
      await log.close()
    })

    it('names the field of a start row that cannot be written', async () => {
      const log = await open()
      for (const [field, changes] of [
        ['callId', { callId: 'call-1' }],
        ['callId', { callId: makeCallId(1).toUpperCase().replace('7', 'A') }],
        ['startedAt', { startedAt: Number.NaN }],
        ['startedAt', { startedAt: -1 }],
        ['startedAt', { startedAt: 253_402_300_800_000 }],
        ['toolVersion', { toolVersion: 1.5 }],
        ['inputText', { inputText: undefined as never }],
      ] as const) {
        const start = { ...makeStart(), ...changes }
        await expect(log.logToolStart(start)).rejects.toMatchObject({
          code: 'LOG_ROW_INVALID',
          data: { field },
        })
      }
      expect((await log.query()).calls).toEqual([])
      await log.close()
    })

    it('takes the earliest and the latest time', async () => {
      const log = await open()
      const first = makeStart({ startedAt: 0 })
      const last = makeStart({ startedAt: 253_402_300_799_999, callId: makeCallId(2) })
      await log.logToolStart(first)
      await log.logToolStart(last)
      expect((await log.query()).calls.map((call) => call.startedAt)).toEqual([
        253_402_300_799_999, 0,
      ])
      await log.close()
    })

    it('never loses an end for numbers that make no sense', async () => {
      const log = await open()
      for (const wrong of [Number.NaN, Infinity, -5]) {
        const start = makeStart()
        await log.logToolStart(start)
        await log.logToolComplete(makeCompletion(start, { endedAt: wrong, durationMs: wrong }))
        const call = await log.get(start.callId)
        expect(call).toMatchObject({ status: 'completed', durationMs: 0 })
        expect(call?.endedAt).toBeGreaterThan(1_700_000_000_000)
      }
      await log.close()
    })

    it('takes no rows once it is closed, and closes twice', async () => {
      const log = await open()
      await log.close()
      await log.close()
      const start = makeStart()
      expect(await codeOf(log.logToolStart(start))).toBe('LOG_CLOSED')
      expect(await codeOf(log.logToolComplete(makeCompletion(start)))).toBe('LOG_CLOSED')
      expect(await codeOf(log.logToolFailure(makeFailure(start)))).toBe('LOG_CLOSED')
      expect(await codeOf(log.logToolLate(makeCompletion(start)))).toBe('LOG_CLOSED')
    })
  })

  describe(`${name}: texts`, () => {
    it(`keeps ${hostileTexts.length} hostile texts, as input and as output, all written at once`, async () => {
      const log = await open()
      const calls = hostileTexts.map(([, text]) => ({
        text,
        start: makeStart({ inputText: text }),
      }))
      await Promise.all(calls.map(({ start }) => log.logToolStart(start)))
      await Promise.all(
        calls.map(({ start, text }) =>
          log.logToolComplete(makeCompletion(start, { outputText: text })),
        ),
      )
      for (const [index, { start, text }] of calls.entries()) {
        const label = hostileTexts[index]?.[0]
        expect((await log.readOutput(start.callId)) === text, `output: ${label}`).toBe(true)
        expect((await log.get(start.callId))?.inputText === text, `input: ${label}`).toBe(true)
      }
      await log.close()
    })

    it('keeps hostile names, ids and errors', async () => {
      const log = await open()
      const nasty = 'a\'"\\\n\u0001\u0002{},NULL$1😀'
      const start = makeStart({
        toolName: nasty,
        principal: { kind: 'person', id: nasty },
        sessionId: nasty,
        traceId: nasty,
        toolCallId: nasty,
        namespace: nasty,
      })
      await log.logToolStart(start)
      await log.logToolFailure(
        makeFailure(start, { error: { code: nasty, message: nasty, data: { nasty } } }),
      )
      expect(await log.get(start.callId)).toMatchObject({
        ...start,
        error: { code: nasty, message: nasty, data: { nasty } },
      })
      expect(
        (await log.query({ namespace: nasty, sessionId: nasty, toolName: nasty })).calls,
      ).toHaveLength(1)
      await log.close()
    })

    it('lists the beginning of a long text and reads the whole', async () => {
      const log = await open()
      const text = `"${'long '.repeat(100_000)}"`
      const start = makeStart({ inputText: text })
      await log.logToolStart(start)
      await log.logToolComplete(
        makeCompletion(start, { outputText: text, outputBytes: text.length }),
      )
      const [listed] = (await log.query()).calls
      expect(listed?.inputText).toBe(text.slice(0, 16_384))
      expect(listed?.outputText).toBe(text.slice(0, 16_384))
      expect(listed?.outputBytes).toBe(text.length)
      const whole = await log.get(start.callId)
      expect(whole?.inputText).toBe(text)
      expect(whole?.outputText).toBe(text.slice(0, 16_384))
      expect(await log.readOutput(start.callId)).toBe(text)
      await log.close()
    })

    it('keeps a long late output', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      const text = 'y'.repeat(300_000)
      await log.logToolLate({ ...makeCompletion(start, { outputText: text }), status: 'completed' })
      expect(await log.readOutput(start.callId)).toBe(text)
      await log.close()
    })
  })

  describe(`${name}: reading`, () => {
    it('combines filters', async () => {
      const log = await open()
      const parentCallId = makeCallId(1)
      const starts = [
        makeStart({ startedAt: 1000, namespace: 'a', toolName: 'x', traceId: 't1' }),
        makeStart({ startedAt: 2000, namespace: 'a', toolName: 'y', sessionId: 's1' }),
        makeStart({ startedAt: 3000, namespace: 'b', toolName: 'x', parentCallId }),
        makeStart({
          startedAt: 4000,
          namespace: 'a',
          toolName: 'x',
          traceId: 't1',
          sessionId: 's1',
        }),
      ]
      for (const start of starts) await log.logToolStart(start)
      await log.logToolComplete(makeCompletion(starts[0] as (typeof starts)[0]))
      await log.logToolFailure(makeFailure(starts[1] as (typeof starts)[0]))
      const found = async (query: Parameters<CallLog['query']>[0]): Promise<number[]> =>
        (await log.query({ order: 'oldest-first', ...query })).calls.map((call) => call.startedAt)
      expect(await found({})).toEqual([1000, 2000, 3000, 4000])
      expect(await found({ namespace: 'a' })).toEqual([1000, 2000, 4000])
      expect(await found({ namespace: 'a', toolName: 'x' })).toEqual([1000, 4000])
      expect(await found({ status: 'started' })).toEqual([3000, 4000])
      expect(await found({ status: ['completed', 'failed'] })).toEqual([1000, 2000])
      expect(await found({ status: ['started', 'failed'] })).toEqual([2000, 3000, 4000])
      expect(await found({ status: [] })).toEqual([])
      expect(await found({ since: 2000, until: 4000 })).toEqual([2000, 3000])
      expect(await found({ since: -Infinity, until: Infinity })).toHaveLength(4)
      expect(await found({ traceId: 't1', sessionId: 's1' })).toEqual([4000])
      expect(await found({ parentCallId })).toEqual([3000])
      expect(await found({ order: 'newest-first', limit: 2 })).toEqual([4000, 3000])
      expect(await found({ toolName: 'none' })).toEqual([])
      await log.close()
    })

    it('pages through calls of the same millisecond while others are added', async () => {
      const log = await open()
      const starts = Array.from({ length: 25 }, (_, index) =>
        makeStart({ startedAt: 5000 + (index % 2) }),
      )
      await Promise.all(starts.map((start) => log.logToolStart(start)))
      for (const order of ['newest-first', 'oldest-first'] as const) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await log.query({
            order,
            limit: 7,
            until: 6000,
            ...(cursor === undefined ? {} : { cursor }),
          })
          seen.push(...page.calls.map((call) => call.callId))
          cursor = page.nextCursor
          await log.logToolStart(makeStart({ startedAt: order === 'newest-first' ? 5500 : 10 }))
        } while (cursor !== undefined)
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter((id) => starts.some((start) => start.callId === id))).toHaveLength(25)
      }
      await log.close()
    })

    it('gives no cursor on the last page, also when it is full', async () => {
      const log = await open()
      for (const startedAt of [1, 2]) await log.logToolStart(makeStart({ startedAt }))
      expect((await log.query({ limit: 2 })).nextCursor).toBeUndefined()
      expect((await log.query({ limit: 1 })).nextCursor).toBeTypeOf('string')
      await log.close()
    })

    it('refuses queries out of range and names the field', async () => {
      const log = await open()
      for (const [field, query] of [
        ['limit', { limit: 0 }],
        ['limit', { limit: 1001 }],
        ['limit', { limit: 1.5 }],
        ['cursor', { cursor: 'x' }],
        ['cursor', { cursor: "1'_--" }],
        ['status', { status: 'broken' as never }],
        ['order', { order: 'random' as never }],
        ['since', { since: Number.NaN }],
      ] as const)
        await expect(log.query(query)).rejects.toMatchObject({
          code: 'LOG_QUERY_INVALID',
          data: { field },
        })
      expect((await log.query({ limit: 1000 })).calls).toEqual([])
      await log.close()
    })

    it('stops when its signal is aborted', async () => {
      const log = await open()
      await expect(log.query({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
        'enough',
      )
      await log.close()
    })

    it('knows nothing of calls that are not there', async () => {
      const log = await open()
      for (const callId of [makeCallId(9), 'nonsense', "' or 1=1"]) {
        expect(await log.get(callId)).toBeUndefined()
        expect(await log.readOutput(callId)).toBeUndefined()
      }
      await log.close()
    })

    it('counts calls by tool, and reads percentiles within ten percent', async () => {
      const log = await open()
      for (const durationMs of [10, 20, 30, 40]) {
        const start = makeStart({ toolName: 'b', startedAt: 1000 })
        await log.logToolStart(start)
        await log.logToolComplete(makeCompletion(start, { durationMs }))
      }
      const failed = makeStart({ toolName: 'a', startedAt: 2000 })
      await log.logToolStart(failed)
      await log.logToolFailure(makeFailure(failed, { status: 'timed_out' }))
      await log.logToolStart(makeStart({ toolName: 'a', startedAt: 3000 }))
      const statistics = await log.statistics()
      expect(statistics).toMatchObject([
        { ...none, toolName: 'a', calls: 2, timedOut: 1, running: 1, percentilesWithin: 0.1 },
        { ...none, toolName: 'b', calls: 4, completed: 4, percentilesWithin: 0.1 },
      ])
      expectPercentiles(statistics[0], [7, 7, 7])
      expectPercentiles(statistics[1], [25, 38.5, 39.7])
      expect(await log.statistics({ toolName: 'a', since: 3000 })).toEqual([
        { ...none, toolName: 'a', calls: 1, running: 1 },
      ])
      expect(await log.statistics({ namespace: 'none' })).toEqual([])
      await log.close()
    })

    it('reads percentiles of many durations, from nothing to days, within ten percent', async () => {
      const log = await open()
      const durations = Array.from({ length: 101 }, (_, place) => 0.002 * 1.2 ** place)
      await Promise.all(
        [...durations, 0].map(async (durationMs, place) => {
          const toolName = place === 101 ? 'at once' : 'many'
          const start = makeStart({ toolName, startedAt: 5_000_000 + place * 60_000 })
          await log.logToolStart(start)
          await log.logToolComplete(makeCompletion(start, { durationMs }))
        }),
      )
      const [atOnce, many] = await log.statistics()
      expect(atOnce).toMatchObject({ p50Ms: 0, p99Ms: 0 })
      expectPercentiles(many, [durations[50] ?? 0, durations[95] ?? 0, durations[99] ?? 0])
      const [firstHours] = await log.statistics({
        since: 5_000_000,
        until: 5_000_000 + 51 * 60_000,
      })
      expect(firstHours).toMatchObject({ toolName: 'many', calls: 51 })
      expectPercentiles(firstHours, [durations[25] ?? 0])
      await log.close()
    })

    it('keeps calls that were refused out of the percentiles', async () => {
      const log = await open()
      for (const toolRan of [true, false, false, false]) {
        const start = makeStart({ startedAt: 1000 })
        await log.logToolStart(start)
        const error = { code: 'CIRCUIT_OPEN', message: 'No.', data: { toolRan } }
        await log.logToolFailure(makeFailure(start, { error, durationMs: toolRan ? 500 : 0.01 }))
      }
      const [statistics] = await log.statistics()
      expect(statistics).toMatchObject({ calls: 4, failed: 4 })
      expectPercentiles(statistics, [500, 500, 500])
      await log.close()
    })

    it('counts what comes after an hour was counted', async () => {
      const log = await open()
      const startedAt = Date.now() - 5 * 3_600_000
      const [first, second] = [makeStart({ startedAt }), makeStart({ startedAt: startedAt + 1 })]
      await log.logToolStart(first)
      await log.logToolStart(second)
      await log.logToolComplete(makeCompletion(first))
      expect(await log.statistics()).toMatchObject([{ calls: 2, completed: 1, running: 1 }])
      await log.logToolFailure(makeFailure(second))
      await log.logToolStart(makeStart({ startedAt: startedAt + 2 }))
      await log.logToolStart(makeStart({ startedAt: startedAt - 3_600_000 }))
      const counts = { calls: 4, completed: 1, failed: 1, running: 2 }
      expect(await log.statistics()).toMatchObject([counts])
      expect(await log.statistics({ since: startedAt - 7_200_000 })).toMatchObject([counts])
      expect(await log.statistics({ since: startedAt + 1 })).toMatchObject([{ calls: 2 }])
      expect(await log.statistics({ until: startedAt + 1 })).toMatchObject([{ calls: 2 }])
      await log.close()
    })

    it('answers every pair of filters as it answers each, in both orders and page by page', async () => {
      const log = await open()
      const statuses = ['started', 'completed', 'failed', 'timed_out', 'cancelled'] as const
      const calls = Array.from({ length: 120 }, (_, place) => ({
        status: statuses[(place * 7) % 5] ?? 'started',
        start: makeStart({
          startedAt: 10_000 + Math.floor(place / 3),
          namespace: place % 4 === 0 ? 'a' : 'b',
          toolName: `tool_${place % 3}`,
          ...(place % 2 === 0 ? { traceId: `trace_${place % 8}` } : {}),
          ...(place % 5 === 0 ? {} : { sessionId: `session_${place % 6}` }),
          ...(place % 3 === 0 ? { parentCallId: makeCallId(place % 4) } : {}),
        }),
      }))
      await Promise.all(calls.map(({ start }) => log.logToolStart(start)))
      for (const { status, start } of calls)
        if (status === 'completed') await log.logToolComplete(makeCompletion(start))
        else if (status !== 'started') await log.logToolFailure(makeFailure(start, { status }))
      const parentCallId = calls.find(({ start }) => start.parentCallId)?.start.parentCallId ?? ''
      const filters: readonly ToolCallQuery[] = [
        { namespace: 'b' },
        { toolName: 'tool_1' },
        ...statuses.map((status) => ({ status })),
        { status: ['started', 'cancelled', 'completed'] },
        { since: 10_011 },
        { until: 10_031 },
        { traceId: 'trace_2' },
        { sessionId: 'session_2' },
        { parentCallId },
      ]
      const isWanted = (query: ToolCallQuery, { status, start }: (typeof calls)[0]): boolean =>
        (query.namespace ?? start.namespace) === start.namespace &&
        (query.toolName ?? start.toolName) === start.toolName &&
        (query.status === undefined || [query.status].flat().includes(status)) &&
        start.startedAt >= (query.since ?? 0) &&
        start.startedAt < (query.until ?? Infinity) &&
        (query.traceId === undefined || query.traceId === start.traceId) &&
        (query.sessionId === undefined || query.sessionId === start.sessionId) &&
        (query.parentCallId === undefined || query.parentCallId === start.parentCallId)
      const ordered = calls.toSorted(
        ({ start: left }, { start: right }) =>
          left.startedAt - right.startedAt || (left.callId < right.callId ? -1 : 1),
      )
      for (const [place, first] of filters.entries())
        for (const second of filters.slice(place)) {
          const query = { ...first, ...second }
          const expected = ordered
            .filter((call) => isWanted(query, call))
            .map(({ start }) => start.callId)
          const order = place % 2 === 0 ? ('newest-first' as const) : ('oldest-first' as const)
          const found: string[] = []
          let cursor: string | undefined
          do {
            const page: ToolCallPage = await log.query({
              ...query,
              order,
              limit: 23,
              ...(cursor === undefined ? {} : { cursor }),
            })
            found.push(...page.calls.map((call) => call.callId))
            cursor = page.nextCursor
          } while (cursor !== undefined)
          const inOrder = order === 'newest-first' ? expected.toReversed() : expected
          expect(found, JSON.stringify(query)).toEqual(inOrder)
        }
      await log.close()
    })

    it('stops waiting for any read when its signal is aborted', async () => {
      const log = await open()
      const start = makeStart()
      await log.logToolStart(start)
      const signal = AbortSignal.abort(new Error('enough'))
      await expect(log.get(start.callId, { signal })).rejects.toThrow('enough')
      await expect(log.readOutput(start.callId, { signal })).rejects.toThrow('enough')
      await expect(log.statistics({ signal })).rejects.toThrow('enough')
      expect((await log.get(start.callId))?.status).toBe('started')
      await log.close()
    })

    it('confined to a namespace, neither writes nor reads another', async () => {
      const log = await open({ namespace: 'mine' })
      const start = makeStart({ namespace: 'mine' })
      await log.logToolStart(start)
      const foreign = makeStart({ namespace: 'other' })
      expect(await codeOf(log.logToolStart(foreign))).toBe('LOG_ROW_INVALID')
      expect(await codeOf(log.logToolComplete(makeCompletion(foreign)))).toBe('LOG_ROW_INVALID')
      expect(await codeOf(log.query({ namespace: 'other' }))).toBe('LOG_QUERY_INVALID')
      expect((await log.query()).calls.map((call) => call.callId)).toEqual([start.callId])
      expect(await log.statistics()).toHaveLength(1)
      await log.close()
    })
  })
}

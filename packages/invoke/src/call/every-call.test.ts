import type { ToolResult } from '@toolcrib/registry'
import { createRedactor } from '@toolcrib/invoke'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type FakeSpan,
  type Scenario,
  type Trace,
  breakLog,
  checkOf,
  createFakeTracer,
  executeOf,
  inputSchemaOf,
  mixedScenarios,
  outputSchemaOf,
  secret,
  wait,
} from '../../test/call-scenario.ts'
import { type Harness, createHarness } from '../../test/harness.ts'
import { howOften } from '../../test/how-often.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A scenario that was played to its end. */
interface Played {
  readonly scenario: Scenario
  readonly harness: Harness
  readonly trace: Trace
  readonly spans: readonly FakeSpan[]
  readonly outer: ToolResult
  /** What the tool in question gave, which another tool may have called. */
  readonly result: ToolResult | undefined
  readonly results: readonly ToolResult[]
  readonly tookMs: number
  /** The calls that had a terminal row when the outer result was handed out. */
  readonly endedAtResult: readonly string[]
}

function createSubject(scenario: Scenario, spans: FakeSpan[]): Harness {
  const checkCallable = checkOf(scenario)
  return createHarness({
    terminalRow: scenario.terminalRow,
    whenLogFails: scenario.whenLogFails,
    stopGraceMs: scenario.stopGraceMs,
    logTimeoutMs: 500,
    maxOutputBytes: 500,
    circuitBreaker: false,
    redactor: createRedactor({ secrets: [secret] }),
    concurrency: { maxRunning: 1 },
    telemetry: scenario.isTraced ? createFakeTracer(spans) : false,
    ...(checkCallable !== undefined && { checkCallable }),
    ...(scenario.hasSeam && {
      execute: async ({ tool, input, signal, context }) => tool.execute(input, signal, context),
    }),
  })
}

async function play(scenario: Scenario): Promise<Played> {
  const spans: FakeSpan[] = []
  const trace: Trace = { entered: 0, startRowsWhenEntered: 0, isDone: false }
  const harness = createSubject(scenario, spans)
  const { invoker, log, add } = harness
  const outputSchema = outputSchemaOf(scenario)
  const results: ToolResult[] = []
  add(
    'tool',
    executeOf(scenario, trace, () => log.starts),
    {
      timeoutMs: 100,
      inputSchema: inputSchemaOf(scenario),
      ...(outputSchema !== undefined && { outputSchema }),
    },
  )
  add('parent', async (_input, _signal, { invoke }) => void results.push(await invoke('tool', {})))
  add('blocker', () => wait(30))
  add('probe', () => 'probed')
  if (scenario.place === 'queue') void invoker.invoke('blocker', {})
  breakLog(scenario, harness)
  const began = performance.now()
  let tookMs = Infinity
  let endedAtResult: string[] = []
  const name = scenario.isNested ? 'parent' : 'tool'
  const timeoutMs = scenario.isNested ? 200 : 100
  const pending = invoker
    .invoke(name, {}, { signal: signalOf(scenario), timeoutMs })
    .then((result) => {
      tookMs = performance.now() - began
      endedAtResult = log.ends.map(({ callId }) => callId)
      return result
    })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tookMs, 'there is an answer').toBeLessThan(Infinity)
  const outer = await pending
  const result = scenario.isNested ? results[0] : outer
  const all = scenario.isNested ? [outer, ...results] : [outer]
  return { scenario, harness, trace, spans, outer, result, results: all, tookMs, endedAtResult }
}

function signalOf({ abortAt }: Scenario): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('Enough.'))
  if (abortAt === -1) abort()
  else if (abortAt === 0) queueMicrotask(abort)
  else if (abortAt !== undefined) setTimeout(abort, abortAt)
  return controller.signal
}

const isWell = (how: string): boolean => how === 'at once' || how === 'slow'

function checkRows(played: Played, { callId, ...result }: ToolResult): void {
  const { scenario, harness, trace, outer, endedAtResult } = played
  const { log, lines } = harness
  const lates = log.lates.filter((row) => row.callId === callId)
  expect(lates.length, 'one late row at most').toBeLessThanOrEqual(1)
  const status = statusOf(result)
  if (lates.length > 0) expect(['timed_out', 'cancelled']).toContain(status)
  if (!isWell(scenario.start)) return
  expect(log.starts.filter((row) => row.callId === callId)).toHaveLength(1)
  if (!isWell(scenario.end)) return
  const ends = log.ends.filter((row) => row.callId === callId)
  expect(ends.map((end) => end.status)).toEqual([status])
  expect(lines, 'nothing to complain about').toEqual([])
  // Whoever cancels before the tool runs is not kept waiting for a row.
  const isHurried = status === 'cancelled' && trace.entered === 0
  if (scenario.terminalRow === 'await' && !isHurried && callId === outer.callId)
    expect(endedAtResult, 'durable before the result').toContain(callId)
}

function statusOf(result: Pick<ToolResult, 'success'> & { errorCode?: string }): string {
  if (result.success) return 'completed'
  if (result.errorCode === 'TIMEOUT') return 'timed_out'
  return result.errorCode === 'CANCELLED' ? 'cancelled' : 'failed'
}

function checkResult({ scenario, harness, trace, result }: Played): void {
  expect(trace.entered, 'runs once at most').toBeLessThanOrEqual(1)
  if (trace.entered === 1 && scenario.whenLogFails === 'refuse')
    expect(trace.startRowsWhenEntered, 'its start row is there before it runs').toBe(1)
  if (result === undefined) return
  const end = harness.log.ends.find((row) => row.callId === result.callId)
  if (end !== undefined && 'error' in end)
    expect(end.error.data?.['toolRan'] === false, 'says when it did not run').toBe(
      trace.entered === 0,
    )
  if (result.success) {
    expect(trace.isDone).toBe(true)
    expect(result.truncated).toBe(scenario.output === 'large')
    expect(JSON.stringify(result)).not.toContain(secret)
    return
  }
  if (result.mayStillBeRunning === true) expect(trace.entered).toBe(1)
  const hasGiven = scenario.toolEnds === 'returns' && trace.isDone && statusOf(result) !== 'failed'
  const late = harness.log.lates.find((row) => row.callId === result.callId)
  if (hasGiven && end !== undefined)
    expect(late?.outputText ?? end.outputText, 'what it gave is on record').toBeDefined()
}

async function checkRest(played: Played): Promise<void> {
  const { scenario, harness, trace, spans, tookMs } = played
  const { invoker, log } = harness
  expect(log.text).not.toContain(secret)
  expect(tookMs).toBeLessThanOrEqual(200 + 2 * scenario.stopGraceMs + 2 * 500)
  for (const span of spans) expect(span.ends, `${span.name} ends once`).toBe(1)
  const isStuck = trace.entered === 1 && !trace.isDone
  const running = invoker.running()
  if (isStuck) expect(running.filter(({ state }) => state === 'running')).toEqual([])
  else if (scenario.start !== 'hangs') expect(running).toEqual([])
  expect(vi.getTimerCount(), 'no timer is left').toBe(0)
  log.before = () => undefined
  // A tool that does not stop keeps its place.
  if (isStuck && !scenario.isNested) return
  const probe = invoker.invoke('probe', {})
  await vi.advanceTimersByTimeAsync(0)
  expect(invoker.running().some(({ toolName }) => toolName === 'probe')).toBe(false)
  expect(await probe).toMatchObject({ success: true })
}

test('every call has its rows, its status and its place back, whatever comes together', async () => {
  let count = 0
  const numRuns = howOften(2_000)
  const property = fc.asyncProperty(mixedScenarios, async (scenario) => {
    const played = await play(scenario)
    for (const result of played.results) checkRows(played, result)
    checkResult(played)
    await checkRest(played)
    count += 1
  })
  await fc.assert(property, { numRuns })
  expect(count).toBe(numRuns)
})

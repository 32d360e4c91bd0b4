import { type ToolDefinition, contentOutput } from '@toolcrib/registry'
import type { InvokerOptions } from '@toolcrib/invoke'
import fc from 'fast-check'
import { z } from 'zod'
import { type Harness, never } from './harness.ts'

/** What no row and no result may hold. */
export const secret = 'sk-live-4711-4711'
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** One combination of tool, options, log and caller. */
export interface Scenario {
  readonly toolEnds: 'returns' | 'throws' | 'never' | 'heeds' | 'heedsLate' | 'late' | 'lateThrow'
  readonly toolTakes: 'no turn' | 'a turn' | 'a while'
  readonly outputSchema: 'none' | 'zod' | 'json' | 'async' | 'failing' | 'throwing' | 'never'
  readonly inputSchema: 'json' | 'async' | 'failing' | 'never'
  readonly output: 'plain' | 'content' | 'large' | 'secret' | 'unserialisable'
  readonly place: 'free' | 'queue'
  readonly check:
    | 'none'
    | 'sync'
    | 'async'
    | 'refuses'
    | 'refuses second'
    | 'refuses late'
    | 'throws'
    | 'never'
  readonly start: 'at once' | 'slow' | 'fails' | 'fails late' | 'hangs'
  readonly end: 'at once' | 'slow' | 'fails' | 'hangs'
  readonly isNested: boolean
  /** Milliseconds; -1 is before the call. */
  readonly abortAt: number | undefined
  readonly terminalRow: 'await' | 'background'
  readonly whenLogFails: 'refuse' | 'run'
  readonly stopGraceMs: number
  readonly isTraced: boolean
  readonly hasSeam: boolean
}

const scenarios: fc.Arbitrary<Scenario> = fc.record<Scenario>({
  toolEnds: fc.constantFrom(
    'returns',
    'throws',
    'never',
    'heeds',
    'heedsLate',
    'late',
    'lateThrow',
  ),
  toolTakes: fc.constantFrom('no turn', 'a turn', 'a while'),
  outputSchema: fc.constantFrom('none', 'zod', 'json', 'async', 'failing', 'throwing', 'never'),
  inputSchema: fc.constantFrom('json', 'async', 'failing', 'never'),
  output: fc.constantFrom('plain', 'content', 'large', 'secret', 'unserialisable'),
  place: fc.constantFrom('free', 'queue'),
  check: fc.constantFrom(
    'none',
    'sync',
    'async',
    'refuses',
    'refuses second',
    'refuses late',
    'throws',
    'never',
  ),
  start: fc.constantFrom('at once', 'slow', 'fails', 'fails late', 'hangs'),
  end: fc.constantFrom('at once', 'slow', 'fails', 'hangs'),
  isNested: fc.boolean(),
  abortAt: fc.constantFrom(undefined, -1, 0, 5, 25, 45, 65),
  terminalRow: fc.constantFrom('await', 'background'),
  whenLogFails: fc.constantFrom('refuse', 'run'),
  stopGraceMs: fc.constantFrom(0, 30),
  isTraced: fc.boolean(),
  hasSeam: fc.boolean(),
})

/** Most scenarios should get as far as the tool, so each option is ordinary half of the time. */
const ordinary: Partial<Scenario> = {
  inputSchema: 'json',
  place: 'free',
  check: 'none',
  start: 'at once',
  end: 'at once',
  abortAt: undefined,
}
export const mixedScenarios: fc.Arbitrary<Scenario> = fc
  .tuple(scenarios, fc.subarray(Object.keys(ordinary) as (keyof Scenario)[]))
  .map(([scenario, kept]) => ({
    ...scenario,
    ...Object.fromEntries(kept.map((key) => [key, ordinary[key]])),
  }))

/** What the tool saw. */
export interface Trace {
  entered: number
  startRowsWhenEntered: number
  /** The tool has ended by itself. */
  isDone: boolean
}

export function executeOf(
  scenario: Scenario,
  trace: Trace,
  starts: () => readonly { readonly toolName: string }[],
): ToolDefinition['execute'] {
  const output = {
    plain: { answer: 1 },
    content: contentOutput([{ type: 'text', text: 'one' }], { answer: 1 }),
    large: { answer: 1, more: 'x'.repeat(1_000) },
    secret: { answer: 1, key: secret },
    unserialisable: { answer: 1, size: 1n },
  }[scenario.output]
  const end = (fails: boolean): unknown => {
    trace.isDone = true
    if (fails) throw new Error('The tool broke.')
    return output
  }
  const { toolEnds, toolTakes } = scenario
  return (_input, signal) => {
    trace.entered += 1
    trace.startRowsWhenEntered = starts().filter(({ toolName }) => toolName === 'tool').length
    const run = async (): Promise<unknown> => {
      if (toolTakes === 'a while') await wait(20)
      else await Promise.resolve()
      if (toolEnds === 'never') return never()
      if (toolEnds === 'late' || toolEnds === 'lateThrow') await wait(300)
      if (toolEnds.startsWith('heeds')) {
        await new Promise((resolve) => {
          if (signal.aborted) resolve(undefined)
          else signal.addEventListener('abort', resolve)
        })
        if (toolEnds === 'heedsLate') await wait(10)
      }
      return end(toolEnds === 'throws' || toolEnds === 'lateThrow' || toolEnds === 'heeds')
    }
    if (toolTakes === 'no turn' && (toolEnds === 'returns' || toolEnds === 'throws'))
      return end(toolEnds === 'throws')
    return run()
  }
}

export function outputSchemaOf({ outputSchema }: Scenario): ToolDefinition['outputSchema'] {
  const schema = z.looseObject({ answer: z.number() })
  if (outputSchema === 'zod') return schema
  if (outputSchema === 'json') return { type: 'object', required: ['answer'] }
  if (outputSchema === 'async') return schema.refine(async () => wait(10).then(() => true))
  if (outputSchema === 'never') return schema.refine(async () => never<boolean>())
  if (outputSchema === 'failing') return { type: 'object', required: ['missing'] }
  if (outputSchema === 'throwing')
    return schema.refine(() => {
      throw new Error('The schema broke.')
    })
  return undefined
}

export function inputSchemaOf({ inputSchema }: Scenario): ToolDefinition['inputSchema'] {
  if (inputSchema === 'async')
    return z.looseObject({}).refine(async () => wait(10).then(() => true))
  if (inputSchema === 'never') return z.looseObject({}).refine(async () => never<boolean>())
  if (inputSchema === 'failing') return { type: 'object', required: ['missing'] }
  return { type: 'object' }
}

export function checkOf({ check }: Scenario): InvokerOptions['checkCallable'] {
  const refusal = { code: 'TOOL_REVOKED', message: 'It was revoked.' } as const
  let asked = 0
  if (check === 'none') return undefined
  return ({ name }) => {
    if (name !== 'tool') return undefined
    asked += 1
    if (check === 'async') return wait(3).then(() => undefined)
    if (check === 'refuses') return refusal
    if (check === 'refuses second') return asked > 1 ? refusal : undefined
    if (check === 'refuses late') return asked > 1 ? wait(3).then(() => refusal) : undefined
    if (check === 'throws') throw new Error('The check broke.')
    if (check === 'never') return asked > 1 ? never() : undefined
    return undefined
  }
}

export function breakLog({ start, end }: Scenario, { log }: Harness): void {
  log.before = (row) => {
    const how = row === 'start' ? start : end
    if (row === 'late' || how === 'at once') return undefined
    if (how === 'hangs') return never()
    if (how === 'slow') return wait(15)
    if (how === 'fails late')
      return wait(15).then(() => Promise.reject(new Error('The log broke.')))
    throw new Error('The log broke.')
  }
}

/** A span that counts how often it was ended. */
export interface FakeSpan {
  readonly name: string
  ends: number
  readonly attributes: Map<string, unknown>
}

export function createFakeTracer(spans: FakeSpan[]): NonNullable<InvokerOptions['telemetry']> {
  return {
    tracer: {
      startSpan: (name: string) => {
        const span: FakeSpan = { name, ends: 0, attributes: new Map() }
        spans.push(span)
        return {
          spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
          setAttribute: (key: string, value: unknown) => span.attributes.set(key, value),
          setStatus: () => undefined,
          end: () => {
            span.ends += 1
          },
        }
      },
    },
  }
}

import { compileCompute, type ComputeLimits } from '@toolcrib/compute'
import type { JsonValue, ToolContext } from '@toolcrib/registry'
import { describe, expect, test } from 'vitest'
import { proposalOf, shippingSpec } from '../../test/compute-proposal.ts'
import { createComputeKind } from '../index.ts'

const { signal: never } = new AbortController()
const context = {} as ToolContext

type Run = (input: object, signal?: AbortSignal) => unknown

const kind = createComputeKind({ now: () => 0 })

/** A tool that gives an expression over the names `l` and `s`. */
function toolOf(value: string, limits?: Partial<ComputeLimits>): Run {
  const definition: JsonValue = { steps: [{ op: 'return', value }] }
  const inputSchema = { type: 'object', properties: { l: {}, s: {} } } as const
  const { execute } = (limits === undefined ? kind : createComputeKind({ limits })).compile(
    shippingSpec({ definition, inputSchema }),
  )
  return (input, signal = never) => execute(input, signal, context)
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const text = (length: number): string => 'x'.repeat(length)

/** Counts the turns of the event loop until a promise settles. */
async function countTurns(work: unknown): Promise<number> {
  let turns = 0
  let beat: NodeJS.Immediate
  const count = (): void => {
    turns += 1
    beat = setImmediate(count)
  }
  beat = setImmediate(count)
  await Promise.resolve(work).catch(() => undefined)
  clearImmediate(beat)
  return turns
}

describe('a run keeps the event loop no longer than 50,000 units take', () => {
  test.for<[string, string, object]>([
    ['texts of many numbers', 'count(l.map(x, fixed(x / 7, 3)))', { l: numbers(15_000) }],
    ['a sort', 'count(sort(l))', { l: numbers(15_000) }],
    ['values told apart', 'count(distinct(l))', { l: numbers(300).map((id) => [id]) }],
    ['a map in a map', 'count(l.map(a, count(l.map(b, "x"))))', { l: numbers(300) }],
    ['a long part in a long text', 'contains(s, s + "y")', { s: text(40_000) }],
    ['a total of many rows', 'sum(l.map(r, r.q))', { l: numbers(30_000).map((q) => ({ q })) }],
    ['a wrong row after many', 'sum(l)', { l: [...numbers(30_000), 'x'] }],
  ])('%s: everything else has its turn', async ([, value, input]) => {
    // Without a turn in between it would be 0.
    expect(await countTurns(toolOf(value)(input))).toBeGreaterThan(1)
  })

  test.for<[string, string, object, object]>([
    ['50,000 units', 's < s', { s: text(25_000) }, { s: text(25_001) }],
    // The list is one of them.
    ['20,000 values in its arguments', 'count(l)', { l: numbers(19_999) }, { l: numbers(20_000) }],
    [
      '20,000 values at all levels',
      'count(l)',
      { l: [{ a: numbers(19_997) }] },
      { l: [{ a: numbers(19_998) }] },
    ],
  ])('%s are the most that is worked through at once', async ([, value, few, many]) => {
    const run = toolOf(value)
    expect(run(few)).not.toBeInstanceOf(Promise)
    const later = run(many)
    expect(later).toBeInstanceOf(Promise)
    await later
  })

  test('with a limit below that nothing goes elsewhere', () => {
    const run = toolOf('sum(l)', { maxRunUnits: 50_000 - 1 })
    expect(() => run({ l: numbers(10), s: text(100_001) })).not.toThrow()
    expect(() => toolOf('s < s', { maxRunUnits: 49_999 })({ s: text(25_000) })).toThrow(
      'the run takes more than 49999 units',
    )
  })
})

describe('a run in the thread', () => {
  test.for<[string, object]>([
    ['l.map(x, x / 8)', { l: numbers(30_000) }],
    ['s + s', { s: text(40_000) }],
    ['[s < s, count(l)]', { s: text(40_000), l: [null, { __proto__: null, a: [1] }] }],
    ['sum(l)', { l: [...numbers(30_000), 'x'] }],
    ['sum(l) / 0', { l: numbers(30_000) }],
    ['s < s || l[5] > 2', { s: text(40_000), l: [1] }],
    ['l.map(a, l.map(b, 1))', { l: numbers(1_000) }],
    ['s', { s: text(100_001) }],
  ])('%s gives what it gives anywhere', async ([value, input]) => {
    const program = compileCompute({ steps: [{ op: 'return', value }] } as never)
    const outcome = async (work: () => unknown): Promise<unknown> => {
      try {
        return await work()
      } catch (error) {
        const { code, issues, cause } = error as { code: string; issues?: unknown; cause?: unknown }
        return issues === undefined ? { ...(cause as object), code: undefined } : { code, issues }
      }
    }
    const here = (await outcome(() => program.run(input as never))) as { issues?: unknown }
    const there = (await outcome(() => toolOf(value)(input))) as { issues?: unknown }
    if (here.issues === undefined) expect(there).toEqual(here)
    else expect(there.issues).toEqual(here.issues)
  })

  test('ends when the call is stopped, at once, and those after it go on', async () => {
    const run = toolOf('count(l.filter(a, l.exists(b, l.exists(c, l.exists(d, d < 0)))))', {
      maxRunUnits: Number.MAX_SAFE_INTEGER,
    })
    const controller = new AbortController()
    const waiting = new AbortController()
    const first = run({ l: numbers(2_000) }, controller.signal)
    const second = run({ l: numbers(2_000) }, waiting.signal)
    const third = run({ l: numbers(12) })
    waiting.abort(new Error('no longer wanted'))
    await expect(second).rejects.toThrow('no longer wanted')
    setTimeout(() => controller.abort(new Error('too late')), 50)
    await expect(first).rejects.toThrow('too late')
    expect(await third).toBe(0)
  })

  test('that is given a list in parts finds it whole', async () => {
    expect(await toolOf('[count(l), l[0], l[29999], sum(l)]')({ l: numbers(30_000) })).toEqual([
      30_000,
      0,
      29_999,
      (30_000 * 29_999) / 2,
    ])
  })

  test('gives evidence as any other', async () => {
    const proposal = proposalOf(
      [{ op: 'return', value: 'count(n.map(x, fixed(x, 2)))' }],
      { n: { type: 'array', items: { type: 'number' } } },
      { examples: [{ input: { n: numbers(15_000) }, expected: 15_000 }] },
    )
    const { signal } = new AbortController()
    expect(await kind.gatherEvidence(proposal, { signal })).toMatchObject([{ pass: true }])
  })
})

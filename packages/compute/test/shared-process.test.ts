import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { workloads } from '../bench/workloads.ts'
import { unexpected } from '../src/engine/give-up.ts'
import {
  type CompiledCompute,
  compileCompute,
  ComputeError,
  type ComputeLogic,
} from '../src/index.ts'
import { generateCase } from './generate-program.ts'
import { howOften } from './how-often.ts'

const valueOf = (value: string, more: Omit<ComputeLogic, 'steps'> = {}): CompiledCompute =>
  compileCompute({ ...more, steps: [{ op: 'return', value }] })

/** Programs of every way the engine has, with what they give. */
const references = [
  ...workloads.map(({ program, byHand, records }) => {
    const args = JSON.parse(records[0]!) as never
    return { program: compileCompute<ComputeLogic>(program(0)), args, wanted: byHand(args) }
  }),
  { program: valueOf('sum(map(l, i, i.a * i.b))'), args: { l: [{ a: 2, b: 3 }] }, wanted: 6 },
  { program: valueOf('size(filter(l, i, i > 1))'), args: { l: [1, 2, 3] }, wanted: 2 },
  { program: valueOf('map(l, i, i * 2)'), args: { l: [1, 2] }, wanted: [2, 4] },
  {
    program: valueOf('sum(map(l, i, round(i.a * i.b, 2)))', { numbers: 'decimal' }),
    args: { l: [{ a: 1.005, b: 1 }] },
    wanted: 1.01,
  },
]

function expectAllFast(): void {
  for (const { program, args, wanted } of references) {
    const got = program.run(args)
    expect(program.giveUps).toEqual({})
    if (typeof wanted === 'number') expect(got).toBeCloseTo(wanted, 6)
    else expect(got).toEqual(wanted)
  }
}

/** Bodies of macros of which some part gives no column. */
const bodies = [
  'i.a > 1 ? t[i.k] : t[i.k]',
  'i.a > 1 ? t[i.k] : t[i.m]',
  'i.a * (i.b > 2 ? t[i.k] : t["x"])',
  'i.a > 1 ? t.x : t.y',
  'i.a > t[i.k] ? i.a : i.b',
  'i.a + (i.b > 1 ? size(i.k) : size(i.m))',
  'i.a + t[i.k] * (i.b - t[i.m] * (i.c + t[i.k]))',
  '-(i.a > 1 ? t[i.k] : t[i.k])',
  '(i.a > 1 && t[i.k] > 1) || !(t[i.m] > 1) ? i.a : i.b',
  'abs(t[i.k]) + round(t[i.m], 2)',
]

/** What an agent's proposal may bring: it is compiled, and tried on some examples. */
const tables = { t: { x: 1, y: 2 } }

describe('a program that is only compiled', () => {
  it.each(bodies)('leaves every other program to the engine: %s', (body) => {
    for (const value of [`l.map(i, ${body}).sum()`, `size(l.filter(i, (${body}) > 1))`]) {
      for (const numbers of ['float', 'decimal'] as const) {
        expect(valueOf(value, { tables, numbers }).giveUps).toEqual({})
        expectAllFast()
      }
    }
  })

  it('leaves every other program to the engine, whatever it is', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { logic, limits, makeArguments } = generateCase(seed)
        try {
          const program = compileCompute(logic, { limits })
          taken++
          expectAllFast()
          program.run(makeArguments() as never)
        } catch (error) {
          // Many are refused, and many end so.
          if (!ComputeError.is(error)) throw error
        }
        expectAllFast()
      }),
      { numRuns: howOften(1_000) },
    )
    expect(taken).toBeGreaterThan(60)
  })

  it('takes no loader of list items from those that run often, nor when it is tried', async () => {
    vi.resetModules()
    const fresh = await import('../src/index.ts')
    const { loaderFor, sharedLoader } = await import('../src/engine/row-loaders.ts')
    for (let index = 0; index < 40; index++) {
      const program = fresh.compileCompute({
        steps: [{ op: 'return', value: `sum(map(l, i, i.a${index} * i.b${index}))` }],
      })
      const l = [{ [`a${index}`]: 2, [`b${index}`]: 3 }]
      for (let pass = 0; pass < 50; pass++) program.run({ l })
    }
    expect(loaderFor(['a', 'b', 'c'])).toBe(0)
    const often = fresh.compileCompute({
      steps: [{ op: 'return', value: 'sum(map(l, i, i.x * i.y))' }],
    })
    for (let pass = 0; pass < 70; pass++) expect(often.run({ l: [{ x: 2, y: 3 }] })).toBe(6)
    expect(loaderFor(['d', 'e', 'f'])).toBe(2)
    for (let index = 0; index < 40; index++) loaderFor([`g${index}`])
    expect(loaderFor(['h'])).toBe(sharedLoader)
  })
})

describe('a run that the stack is too short for', () => {
  // As deep as it goes, and a run at every depth on the way back.
  function dive(work: () => void): void {
    try {
      dive(work)
    } catch {
      // Above, the stack was too short for this call, or for the work.
    }
    work()
  }

  it('leaves nothing behind, whatever it was about to do', () => {
    const list = valueOf('sum(map(filter(l, i, i.a > 1), i, i.a * i.b)) + size(s)')
    const text = valueOf('s + "x"')
    const args = { l: [{ a: 2, b: 3 }], s: 'four' }
    const outcomes = new Set<unknown>()
    let depth = 0
    try {
      dive(() => {
        if (depth++ > 400) return
        outcomes.add(list.run(args))
        outcomes.add(text.run(args))
      })
    } catch {
      // The deepest ones.
    }
    expect(outcomes).toEqual(new Set([10, 'fourx']))
    expectAllFast()
    const before = { ...list.giveUps }
    expect(list.run(args)).toBe(10)
    expect(list.giveUps).toEqual(before)
    expect(Object.keys(before).every((reason) => reason === 'stack')).toBe(true)
  })
})

describe('runs that the engine leaves to the walker', () => {
  const { handle } = unexpected
  afterEach(() => {
    unexpected.handle = handle
  })

  const failing = {
    get x(): number {
      throw new Error('no')
    },
  }

  it('are counted by reason', () => {
    const divide = valueOf('10 / x')
    expect(divide.giveUps).toEqual({})
    for (const args of [{ x: 0 }, { x: 0 }, { x: 'a' }, {}, failing]) {
      expect(() => divide.run(args)).toThrow(ComputeError)
    }
    expect(() => divide.run(null as never)).toThrow(ComputeError)
    expect(divide.run({ x: 5 })).toBe(2)
    expect(divide.giveUps).toEqual({
      no_number: 4,
      caller: 1,
      bad_argument: 1,
    })
  })

  it('are counted where a getter runs a program, and where a program is too large', () => {
    const double = valueOf('x * 2')
    const args = {
      get x() {
        return double.run({ x: 1 })
      },
    }
    expect(double.run(args)).toBe(4)
    expect(double.giveUps).toEqual({ nested: 1 })
    const expression = Array.from({ length: 900 }, () => 'a*b').join('-')
    const step = { op: 'math' as const, expression, output: 'x' }
    const steps = [...Array.from({ length: 40 }, () => step), { op: 'return' as const, value: 'x' }]
    const large = compileCompute({ steps })
    expect(large.run({ a: 0, b: 1 })).toBe(0)
    expect(large.giveUps).toEqual({ too_large: 1 })
  })

  it('give the right result and show a defect, where the exception is none of the known ones', () => {
    const seen: unknown[] = []
    unexpected.handle = (error) => seen.push(error)
    const double = valueOf('x * 2')
    const defect = new TypeError('cannot read properties of undefined')
    // In the place of a defect: an exception that the walker does not meet.
    let reads = 0
    const args = {
      get x() {
        if (reads++ === 0) throw defect
        return 4
      },
    }
    expect(double.run(args)).toBe(8)
    expect(double.giveUps).toEqual({ unexpected: 1 })
    expect(seen).toEqual([defect])
    expect(double.run({ x: 2 })).toBe(4)
  })

  it('fail the tests of this package where the exception is none of the known ones', () => {
    let reads = 0
    const args = {
      get x() {
        if (reads++ === 0) throw new TypeError('odd')
        return 4
      },
    }
    expect(() => valueOf('x * 2').run(args)).toThrow('no way to give up')
  })
})

import { describe, expect, it } from 'vitest'
import { ComputeError } from '../language/compute-error.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import { traceCompute } from './index.ts'

const shipping: ComputeLogic = {
  tables: { rates: { AT: 2.5 } },
  numbers: 'decimal',
  steps: [
    { op: 'lookup', table: 'rates', keyFrom: 'country', output: 'rate' },
    { op: 'math', expression: 'kg * rate', output: 'kg' },
    { op: 'condition', if: 'kg > 10', then: [{ op: 'set', value: 'kg - 1', output: 'kg' }] },
    { op: 'check', that: 'kg > 0', message: 'kg is {{kg}}' },
    { op: 'set', value: '[kg].map(x, x + 0.1)', output: 'list' },
    { op: 'return', fields: { cost: 'list[0]' } },
  ],
}

describe('a trace', () => {
  it('tells every step that ran: what it read before it ran, and what came of it', () => {
    expect(traceCompute(shipping, { kg: 2, country: 'AT' })).toEqual({
      result: { cost: 5.1 },
      truncated: false,
      steps: [
        {
          path: 'steps[0]',
          op: 'lookup',
          sentence: 'Set rate to the entry of rates whose key is country.',
          inputs: { rates: '{"AT": 2.5}', country: '"AT"' },
          value: '2.5',
          units: 0,
        },
        {
          path: 'steps[1]',
          op: 'math',
          sentence: 'Set kg to `kg * rate`.',
          inputs: { kg: '2', rate: '2.5' },
          value: '5',
          units: 0,
        },
        {
          path: 'steps[2]',
          op: 'condition',
          sentence: 'If kg is greater than 10, then:',
          inputs: { kg: '5' },
          branch: null,
          units: 0,
        },
        {
          path: 'steps[3]',
          op: 'check',
          sentence: 'Stop with the error "kg is {{kg}}" unless kg is greater than 0.',
          inputs: { kg: '5' },
          units: 0,
        },
        {
          path: 'steps[4]',
          op: 'set',
          sentence: 'Set list to `[kg].map(x, x + 0.1)`.',
          inputs: { kg: '5' },
          value: '[5.1]',
          units: 4,
        },
        {
          path: 'steps[5]',
          op: 'return',
          sentence: 'Give back an object and end:',
          inputs: { list: '[5.1]' },
          value: '{"cost": 5.1}',
          units: 0,
        },
      ],
    })
  })

  it('names the branch that was taken', () => {
    const { steps } = traceCompute(shipping, { kg: 9, country: 'AT' })
    expect(steps.slice(2, 4).map(({ path, branch }) => [path, branch])).toEqual([
      ['steps[2]', 'steps[2].then'],
      ['steps[2].then[0]', undefined],
    ])
  })

  it('ends with the step that failed, and gives the error instead of throwing it', () => {
    const trace = traceCompute(shipping, { kg: -1, country: 'AT' })
    expect(trace.error).toMatchObject({ code: 'check_failed', message: 'kg is -2.5' })
    expect(trace).not.toHaveProperty('result')
    expect(trace.steps.at(-1)).toMatchObject({ path: 'steps[3]', units: 10 })
    expect(trace.steps.at(-1)).not.toHaveProperty('value')
  })

  it('gives errors of the arguments, too', () => {
    const inputs = { kg: { type: 'number' } } as const
    const logic: ComputeLogic = { inputs, steps: [{ op: 'return', value: 'kg' }] }
    expect(traceCompute(logic, { kg: '1' })).toMatchObject({
      steps: [],
      error: { code: 'bad_argument', path: 'args.kg' },
      truncated: false,
    })
  })

  it('throws for a program with problems and for options that are none', () => {
    expect(() => traceCompute({ steps: [] }, {})).toThrow(ComputeError)
    expect(() => traceCompute(shipping, {}, { maxSteps: -1 })).toThrow('whole number')
    expect(() => traceCompute(shipping, {}, { maxValueLength: 0.5 })).toThrow('whole number')
  })

  it('keeps the first steps only, and says so', () => {
    const trace = traceCompute(shipping, { kg: 2, country: 'AT' }, { maxSteps: 2 })
    expect(trace.steps.map(({ path }) => path)).toEqual(['steps[0]', 'steps[1]'])
    expect(trace.steps[1]?.value).toBe('5')
    expect(trace).toMatchObject({ truncated: true, result: { cost: 5.1 } })
    const all = traceCompute(shipping, { kg: 2, country: 'AT' }, { maxSteps: 6 })
    expect(all.truncated).toBe(false)
  })

  it('shortens long values, and writes out what is invisible', () => {
    const logic: ComputeLogic = { steps: [{ op: 'return', value: 'x' }] }
    const textOf = (x: unknown): string | undefined =>
      traceCompute(logic, { x }, { maxValueLength: 20 }).steps[0]?.inputs['x']
    expect(textOf('\u202eab')).toBe(String.raw`"\u{202e}ab"`)
    expect(textOf('a'.repeat(18))).toBe(`"${'a'.repeat(18)}"`)
    expect(textOf('a'.repeat(19))).toBe(`"${'a'.repeat(19)}…`)
    expect(textOf(Array.from({ length: 50_000 }, () => 1))).toBe('[1, 1, 1, 1, 1, 1, 1…')
    expect(textOf({ '"': [] })).toBe(String.raw`{"\"": []}`)
    expect(textOf('\u{1f600}'.repeat(10))).toHaveLength(21)
  })

  it('survives values that contain themselves, throw, or are no JSON', () => {
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    const x = {
      get y(): never {
        throw new Error('no')
      },
    }
    const logic: ComputeLogic = { steps: [{ op: 'return', value: 'x' }] }
    const traces = [cyclic, x, { f: () => 1 }].map((given) => traceCompute(logic, { x: given }))
    expect(traces.map(({ error }) => error?.code)).toEqual([
      'limit',
      'bad_argument',
      'bad_argument',
    ])
    expect(traces.map(({ steps }) => steps[0]?.inputs['x'])).toEqual([
      `${'['.repeat(200)}…`,
      '(unreadable)',
      '{"f": (function)}',
    ])
  })
})

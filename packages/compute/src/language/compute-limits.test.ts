import { describe, expect, it } from 'vitest'
import {
  checkCompute,
  ComputeError,
  type ComputeLimits,
  type ComputeLogic,
  evaluateComputeDSL,
  evaluateMathExpression,
} from '../index.ts'

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'ok'
  } catch (error) {
    if (ComputeError.is(error)) return error.code
    throw error
  }
}

const run = (
  logic: ComputeLogic,
  args: Record<string, unknown> = {},
  limits: Partial<ComputeLimits> = {},
): string => codeOf(() => evaluateComputeDSL(logic, args, { limits }))

const end = { op: 'return', value: 'a' } as const
const returning = { steps: [end] }

function nested(depth: number): ComputeLogic {
  let logic: ComputeLogic = returning
  for (let level = 0; level < depth; level++) {
    logic = { steps: [{ op: 'condition', if: 'a', then: logic.steps }, end] }
  }
  return logic
}

function list(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

const repeated = (count: number): ComputeLogic => ({
  steps: [
    ...Array.from(
      { length: count - 1 },
      () => ({ op: 'math', expression: '1', output: 'a' }) as const,
    ),
    end,
  ],
})

const parentheses = (depth: number): string => '('.repeat(depth) + '1' + ')'.repeat(depth)
const sum = (length: number): string => `1${'+1'.repeat((length - 1) / 2)}`
const names = (count: number): ComputeLogic => ({
  steps: [
    {
      op: 'format',
      template: Array.from({ length: count - 2 }, (_, index) => `{{v${index}}}`).join(''),
      output: 'x',
    },
    end,
  ],
})

/** A program of exactly so many bytes of JSON. */
function programOf(bytes: number): ComputeLogic {
  const make = (template: string): ComputeLogic => ({
    steps: [{ op: 'format', template, output: 'b' }, end],
  })
  return make('x'.repeat(bytes - JSON.stringify(make('')).length))
}

describe('each limit holds at its edge, by default and as an option', () => {
  it('maxProgramBytes', () => {
    const limits = { maxTextLength: 1_000_000 }
    expect(run(programOf(262_144), { a: 1 }, limits)).toBe('ok')
    expect(run(programOf(262_145), { a: 1 }, limits)).toBe('limit')
    expect(run(programOf(200), { a: 1 }, { maxProgramBytes: 200 })).toBe('ok')
    expect(run(programOf(201), { a: 1 }, { maxProgramBytes: 200 })).toBe('limit')
  })

  it('maxProgramBytes counts bytes, not characters', () => {
    const logic: ComputeLogic = {
      steps: [{ op: 'format', template: '\u20ac'.repeat(100_000), output: 'b' }, end],
    }
    expect(run(logic, { a: 1 })).toBe('limit')
  })

  it('maxSteps', () => {
    expect(run(repeated(1_000))).toBe('ok')
    expect(run(repeated(1_001))).toBe('limit')
    expect(run(repeated(3), {}, { maxSteps: 3 })).toBe('ok')
    expect(run(repeated(4), {}, { maxSteps: 3 })).toBe('limit')
  })

  it('maxNesting of conditions', () => {
    expect(run(nested(100), { a: 1 })).toBe('ok')
    expect(run(nested(101), { a: 1 })).toBe('limit')
    expect(run(nested(2), { a: 1 }, { maxNesting: 2 })).toBe('ok')
    expect(run(nested(3), { a: 1 }, { maxNesting: 2 })).toBe('limit')
  })

  it('maxNesting of parentheses and signs', () => {
    const math = (text: string, limits: Partial<ComputeLimits> = {}): string =>
      codeOf(() => evaluateMathExpression(text, {}, { limits }))
    expect([math(parentheses(100)), math(parentheses(101))]).toEqual(['ok', 'limit'])
    expect([math(`${'-'.repeat(100)}1`), math(`${'-'.repeat(101)}1`)]).toEqual(['ok', 'limit'])
    expect(math(parentheses(3), { maxNesting: 2 })).toBe('limit')
    expect(math(Array.from({ length: 300 }, () => '(1)').join('+'))).toBe('ok')
  })

  it('maxNesting of a returned value', () => {
    expect([run(returning, { a: list(100) }), run(returning, { a: list(101) })]).toEqual([
      'ok',
      'limit',
    ])
  })

  it('maxNesting at the highest it can be set to needs no deep stack', () => {
    const limits = { maxNesting: 250, maxExpressionLength: 100_000 }
    const deep = '(1||1-(1*'.replace('1||', '').repeat(125)
    const math = `${deep}1${'))'.repeat(125)}`
    expect(codeOf(() => evaluateMathExpression(math, {}, { limits }))).toBe('ok')
    expect(run(nested(250), { a: 1 }, limits)).toBe('ok')
    expect(run(returning, { a: list(250) }, limits)).toBe('ok')
    expect(run(nested(250), { a: 1 }, { maxNesting: 251 })).toBe('bad_argument')
  })

  it('maxExpressionLength, up to where the longest sum still needs no deep stack', () => {
    const math = (length: number, limits: Partial<ComputeLimits> = {}): string =>
      codeOf(() => evaluateMathExpression(sum(length), {}, { limits }))
    expect([math(3_999), math(4_001)]).toEqual(['ok', 'limit'])
    expect([math(5, { maxExpressionLength: 5 }), math(7, { maxExpressionLength: 5 })]).toEqual([
      'ok',
      'limit',
    ])
    expect(math(1_000_001, { maxExpressionLength: 2_000_000 })).toBe('ok')
  })

  it('maxVariables', () => {
    const found = (count: number, limits: Partial<ComputeLimits> = {}): string =>
      checkCompute(names(count), { limits }).find(({ severity }) => severity === 'error')?.code ??
      'ok'
    expect([found(2_000), found(2_001)]).toEqual(['ok', 'limit'])
    expect([found(5, { maxVariables: 5 }), found(6, { maxVariables: 5 })]).toEqual(['ok', 'limit'])
  })

  it('maxTextLength of an argument, of a made text and inside a returned value', () => {
    const text = 'x'.repeat(100_000)
    const joined: ComputeLogic = {
      steps: [{ op: 'format', template: '{{a}}{{b}}', output: 'a' }, end],
    }
    expect([run(returning, { a: text }), run(returning, { a: `${text}x` })]).toEqual([
      'ok',
      'limit',
    ])
    expect([run(joined, { a: text, b: '' }), run(joined, { a: text, b: 'x' })]).toEqual([
      'ok',
      'limit',
    ])
    expect([run(returning, { a: [text] }), run(returning, { a: [`${text}x`] })]).toEqual([
      'ok',
      'limit',
    ])
    expect(run(returning, { a: 'abc' }, { maxTextLength: 2 })).toBe('limit')
  })

  it('maxReturnedValues', () => {
    const values = (count: number): number[] => Array.from({ length: count }, () => 1)
    expect([
      run(returning, { a: values(100_000) }),
      run(returning, { a: values(100_001) }),
    ]).toEqual(['ok', 'limit'])
    const limits = { maxReturnedValues: 3 }
    expect([
      run(returning, { a: { b: [1, 2] } }, limits),
      run(returning, { a: { b: [1, 2, 3] } }, limits),
    ]).toEqual(['ok', 'limit'])
  })
})

describe('a limit', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('cannot be set to %d', (value) => {
    expect(run(returning, { a: 1 }, { maxSteps: value })).toBe('bad_argument')
  })

  it('must be one there is', () => {
    const limits = { maxStep: 5 } as Partial<ComputeLimits>
    expect(() => evaluateComputeDSL(returning, { a: 1 }, { limits })).toThrow(
      'options.limits.maxStep',
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileCompute, ComputeError, type ComputeLogic } from '../index.ts'
import { howOften } from '../../test/how-often.ts'

const inputs = {
  s: { type: 'string', maxLength: 10 },
  t: { type: 'string', maxLength: 4 },
  day: { type: 'string', format: 'date' },
  tier: { type: 'string', enum: ['gold', 'platinum'] },
  n: { type: 'number' },
  list: { type: 'array', maxItems: 8, items: { type: 'number' } },
  words: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 6 } },
  lines: {
    type: 'array',
    maxItems: 6,
    items: { type: 'object', fields: { a: { type: 'number' }, b: { type: 'number' } } },
  },
  open: { type: 'array' },
} as const
const tables = { rates: { a: 1, b: 2 }, steps: [1, 2, 3] } as const

const unitsOf = (value: string): number | undefined =>
  compileCompute({ inputs, tables, steps: [{ op: 'return', value }] }).cost.units

describe('the worst case', () => {
  it.each([
    ['n * 2 + n', 0],
    ['rates.a + steps[1]', 0],
    ['n == 1', 0],
    ['list.map(x, x * 2)', 8 * 4],
    ['list.map(x, x > 1, x * 2)', 8 * 7],
    ['list.map(x, words.map(y, x))', 8 * (1 + 3 + 5 * 2)],
    ['sum(list)', 8],
    ['sum([1, 2, 3])', 3],
    ['sort(list)', 8 + 8 * 4],
    ['1 in list', 8],
    ['"a" in words', 5 * 2],
    ['"a" in rates', 0],
    ['list + steps', 11],
    ['s + t', 28],
    ['s < t', 14],
    ['s == t', 4],
    ['list == steps', 1 + 3],
    ['size(s)', 10],
    ['upper(t)', 4 + 12],
    ['s.contains(t)', 14],
    ['join(words, ", ")', 5 + 2 + 5 * 8],
    ['split(s, t)', 14],
    ['replace(s, t, "abc")', 10 + 4 + 3 + 30],
    ['weekday(day)', 10],
    ['addDays(day, 1)', 20],
    ['size(tier)', 8],
    ['pad(s, 12)', 10 + 10 + 24],
    ['n > 1 ? sum(list) : sum(steps)', 8 + 3],
    ['lines == lines', undefined],
    ['distinct(lines)', undefined],
    ['rates == rates', 1 + 2 + 2 + 2],
    ['[[rates]] == [[rates], [rates]]', 1 + 1 + 7],
    ['words == words', 1 + 5 * (1 + 6)],
    ['distinct([rates, rates])', 2 + 4 * 7],
    ['sum(open)', undefined],
    ['open.map(x, 1)', undefined],
    ['[].map(x, sum(open))', 0],
    ['open == list', 1 + 8],
    ['open == open', undefined],
    ['open == rates', 1],
    ['rates in [list, words]', 2 * 2],
    ['lines[0] == rates', undefined],
    ['size(rates)', 2],
    ['size(lines[0])', undefined],
    ['sort(words)', 5 + 3 * (5 + 1)],
    ['distinct(["", "fifteen letters"])', 2 + 2],
    ['contains("twenty characters...", "thirty characters, more or less")', 20 + 31 + 1],
  ])('of %s is %s', (value, units) => {
    expect(unitsOf(value)).toBe(units)
  })

  it.each([
    ['n + n', 1_156],
    ['n - 1 * n', 1_156 + 442],
    ['-n', 1_156],
    ['n / 2', 452],
    ['n < 2', 1_157],
    ['n in list', 9 * 1_157],
    ['s == t', 4],
    ['sum(list)', 8 + 8 * 1_156],
    ['max(n, 2)', 2 * 1_156],
    ['avg(list)', 8 + 8 * 1_156 + 452],
    ['round(n)', 534],
    ['sqrt(n)', 36_696],
    ['sort(list)', 8 + 4 * (8 + 8 * 524)],
    ['distinct(list)', 8 + 8 * 64],
  ])('of %s with decimals is %s', (value, units) => {
    const logic: ComputeLogic = { inputs, numbers: 'decimal', steps: [{ op: 'return', value }] }
    expect(compileCompute(logic).cost.units).toBe(units)
  })

  it('adds up steps and takes the dearest branch', () => {
    const steps: ComputeLogic['steps'] = [
      { op: 'format', template: '{{s}}: {{n}}!', output: 'text' },
      {
        op: 'switch',
        cases: [
          { when: 'n > 1', then: [{ op: 'set', value: 'sum(list)', output: 'x' }] },
          { when: 's == t', then: [{ op: 'set', value: 'sum(steps)', output: 'x' }] },
        ],
        else: [{ op: 'set', value: '0', output: 'x' }],
      },
      { op: 'fold', list: 'list', as: 'i', acc: 'c', init: '0', value: 'c + i * x', output: 'y' },
      { op: 'sort', list: 'lines', as: 'l', by: 'l.a', output: 'z' },
      { op: 'sort', list: 'list', output: 'u' },
      { op: 'return', value: '[text, y, z, u]' },
    ]
    const { cost } = compileCompute({ inputs, tables, steps })
    expect(cost.units).toBe(38 + 4 + 8 + 8 * 6 + (6 * 3 + 6 * 3) + (8 + 8 * 4))
  })

  it('is unknown for a text that grows with each round, and for the inputs of a program that declares none', () => {
    const grow: ComputeLogic = {
      inputs,
      tables,
      steps: [
        { op: 'fold', list: 'words', as: 'i', acc: 'c', init: '""', value: 'c + i', output: 'x' },
        { op: 'return', value: 'x' },
      ],
    }
    expect(compileCompute(grow).cost.units).toBe(undefined)
    expect(compileCompute({ steps: [{ op: 'return', value: 'sum(a)' }] }).cost.units).toBe(
      undefined,
    )
  })
})

const numbers = fc.letrec<Record<'number' | 'text' | 'list' | 'words' | 'test', string>>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', 'n', 'x0', 'size(s)', 'weekday(day)'),
    fc.tuple(tie('number'), tie('number')).map(([a, b]) => `(${a} + ${b})`),
    tie('list').map((list) => `sum(${list})`),
    tie('words').map((list) => `size(${list})`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `indexOf(${a}, ${b})`),
    fc.tuple(tie('test'), tie('number'), tie('number')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('s', 't', 'tier', '"abc"', 'fixed(n)', 'money(n, t)', 'thousands(n)', 'day'),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
    tie('text').map((text) => `upper(${text})`),
    tie('words').map((list) => `join(${list}, t)`),
    tie('number').map((number) => `string(${number})`),
    tie('text').map((text) => `pad(${text}, 9)`),
    tie('text').map((text) => `replace(${text}, "a", "bcd")`),
  ),
  list: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('list', 'steps', '[1, n]', 'lines.map(l, l.a * l.b)', 'sort(list, "desc")'),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie('list'), tie('number')).map(([a, b]) => `${a}.map(x0, ${b})`),
    fc.tuple(tie('list'), tie('test')).map(([a, b]) => `${a}.filter(x0, ${b})`),
    tie('list').map((list) => `distinct(${list})`),
  ),
  words: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('words', 'split(s, "a")', 'words.map(w, w + t)', 'sort(words)', '["a", t]'),
    fc.tuple(tie('list'), tie('text')).map(([a, b]) => `${a}.map(x0, ${b})`),
    tie('words').map((list) => `reverse(${list})`),
  ),
  test: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('n > 1', 'list == steps', 'lines == lines', '"a" in words', 'n in list'),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a} == ${b}`),
    fc.tuple(tie('list'), tie('test')).map(([a, b]) => `${a}.exists(x0, ${b})`),
  ),
}))

const argumentsArbitrary = fc.record({
  s: fc.string({ maxLength: 10, unit: fc.constantFrom('a', 'b', '\u0390') }),
  t: fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'c') }),
  day: fc.constant('2026-02-28'),
  tier: fc.constantFrom('gold', 'platinum'),
  n: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-1.7e308, 5e-324, 1 / 3)),
  list: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 8 }),
  words: fc.array(fc.string({ maxLength: 6 }), { maxLength: 5 }),
  lines: fc.array(fc.record({ a: fc.nat(9), b: fc.nat(9) }), { maxLength: 6 }),
  open: fc.constant([]),
  x0: fc.constant(1),
})

describe('a run', () => {
  it('never takes more units than the worst case that was worked out', () => {
    let compared = 0
    const { number, text, list, words, test } = numbers
    fc.assert(
      fc.property(
        fc.oneof(number, text, list, words, test),
        fc.boolean(),
        argumentsArbitrary,
        (value, decimal, args) => {
          const logic = {
            inputs: { ...inputs, x0: { type: 'number' } },
            tables,
            ...(decimal ? { numbers: 'decimal' } : {}),
            steps: [{ op: 'return', value }],
          } as ComputeLogic
          const { units } = compileCompute(logic).cost
          fc.pre(units !== undefined)
          const limits = { maxRunUnits: Math.max(1, units) }
          try {
            compileCompute(logic, { limits }).run(args)
          } catch (error) {
            if (!ComputeError.is(error)) throw error
            expect(error.message).not.toContain('units of work')
          }
          compared++
        },
      ),
      { numRuns: howOften(1_500) },
    )
    expect(compared).toBeGreaterThan(20)
  })
})

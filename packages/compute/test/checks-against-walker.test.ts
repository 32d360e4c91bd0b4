/**
 * Random programs over declared arguments with more fields than are declared: what the walker runs to its end, whatever
 * the arguments, the checks must not refuse, and no run may cost more than the worst case that was worked out.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inspectProgram, resolveOptions } from '../src/check/inspect-program.ts'
import { ComputeError, type ComputeLogic } from '../src/index.ts'
import { loadArguments } from '../src/walk/load-arguments.ts'
import type { Program } from '../src/language/program.ts'
import type { Run } from '../src/walk/run.ts'
import { walkProgram } from '../src/walk/walk-program.ts'
import { programOf } from './walk-logic.ts'
import { howOften } from './how-often.ts'

const number = { type: 'number' } as const
const row = { type: 'object', fields: { a: number, b: { type: 'string', maxLength: 3 } } } as const
const inputs = {
  n: number,
  k: { type: 'string', maxLength: 5 },
  z: { type: 'number', default: null },
  o: row,
  p: row,
  list: { type: 'array', maxItems: 4, items: number },
  words: { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 4 } },
  rows: { type: 'array', maxItems: 3, items: row },
  nested: { type: 'array', maxItems: 2, items: { type: 'array', maxItems: 3, items: number } },
  any: { type: 'any' },
} as const
const tables = { t: { a: 1, b: 'x', extra: [2] }, u: [{ a: 1 }, { a: 2, b: 'y' }], v: [[1], []] }

const key = fc.constantFrom('a', 'b', 'extra', 'other')
const rowValue = fc
  .record({ a: fc.integer(), b: fc.constantFrom('', 'x', 'yz'), extra: fc.boolean(), other: key })
  .chain((all) => fc.subarray(['extra', 'other'] as const).map((left) => without(all, left)))
const without = (all: object, left: readonly string[]): object =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !left.includes(name)))
const numbers = (most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 1, maxLength: most })
const args = fc.record({
  n: fc.integer({ min: -2, max: 3 }),
  k: key,
  z: fc.constantFrom(null, 1),
  o: rowValue,
  p: rowValue,
  list: numbers(4),
  words: fc.array(
    key.map((word) => word.slice(0, 4)),
    { minLength: 1, maxLength: 4 },
  ),
  rows: fc.array(rowValue, { minLength: 1, maxLength: 3 }),
  nested: fc.array(numbers(3), { minLength: 1, maxLength: 2 }),
  any: fc.jsonValue({ maxDepth: 2 }),
})

// Every condition goes both ways, and every object has each of its fields somewhere.
const samplesOf = fc.noShrink(fc.array(args, { minLength: 12, maxLength: 12 })).map((samples) =>
  samples.map((sample, index) => ({
    ...sample,
    n: (index % 4) - 1,
    k: ['a', 'b', 'extra', 'other'][index % 4],
    z: index % 3 > 0 ? 1 : null,
    o: index < 6 ? { a: 1, b: 'x', extra: 2, other: 'z', tag: [7] } : { a: 2, b: '', tag: [] },
    p:
      index % 8 > 3
        ? { a: 1, b: 'x', extra: true, other: null }
        : index > 3
          ? sample.p
          : without(sample.p, ['extra', 'other']),
  })),
)

// No declaration has the tag, but every o.
const names = [
  'o["ta" + "g"]',
  'o["ta" + "g"]',
  ...Object.keys(inputs),
  't',
  'u',
  'v',
  'x',
  'x',
  'x',
  'y',
  'y',
  '(1)',
  '"a"',
  '[]',
  '[[0]]',
]
/** A choice without others inside, so that none of its sides is left out for good. */
const choose = (test: string, one: string, other: string): string =>
  `(${test} ? ${one.includes('?') ? 'n' : one} : ${other.includes('?') ? 'n' : other})`

const expression = (more: readonly string[] = []): fc.Arbitrary<string> => {
  const atom = fc.constantFrom(...names, ...more, ...more)
  const { value } = fc.letrec<{ value: string }>((tie) => {
    const inner = tie('value')
    return {
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        { weight: 4, arbitrary: atom },
        fc.tuple(inner, fc.constantFrom('a', 'b')).map(([from, name]) => `${from}.${name}`),
        fc
          .tuple(inner, fc.constantFrom('0', 'k', 'n', '"a"'))
          .map(([from, at]) => `${from}[${at}]`),
        fc
          .tuple(inner, fc.constantFrom('+', '+', '-', '==', '<', 'in'), inner)
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(inner, inner).map(([left, right]) => `[${left}, ${right}]`),
        inner.map((item) => `[${item}]`),
        fc
          .tuple(fc.constantFrom('o', 'p', 't'), inner, inner)
          .map(
            ([from, given, other]) =>
              `${choose(`k in ${from}`, `[${from}[k], ${given}]`, `[${other}]`)}[0]`,
          ),
        fc.tuple(inner, inner).map(([one, other]) => choose('n > 0', one, other)),
        fc
          .tuple(fc.constantFrom('size', 'sum', 'sort', 'reverse', 'distinct', 'string'), inner)
          .map(([name, given]) => `${name}(${given})`),
      ),
    }
  })
  return value
}

const value = expression()
const output = fc.constantFrom('x', 'y')
const lookup = fc.record({
  op: fc.constant('lookup'),
  table: fc.constantFrom('o', 'p', 't', 'u', 'list', 'x', 'any'),
  key: fc.constantFrom('a', 'b', 'extra', 'other', 'tag', 'tag', '0', '7'),
  default: fc.constantFrom(null, 0, 'none', [1]),
  output,
})
const keyed = fc
  .tuple(lookup, fc.constantFrom('k', 'n', '"a"', 'k + ""'), fc.boolean())
  .map(([{ op, table, output: name, default: other }, keyFrom, hasDefault]) => ({
    op,
    table,
    keyFrom,
    output: name,
    ...(hasDefault ? { default: other } : {}),
  }))
const set = fc.record({ op: fc.constant('set'), value, output })
const fold = fc.record({
  op: fc.constant('fold'),
  list: fc.constantFrom('list', 'words', 'rows', 'nested', 'v'),
  as: fc.constant('i'),
  acc: fc.constant('c'),
  init: value,
  value: fc.oneof(
    expression(['i', 'c', 'c']),
    fc.constantFrom('[c[0] + [i]]', 'c + i', 'c + [i]', '[c]', 'c + c', '[[c[0][0]], i]', 'i'),
  ),
  output,
})
const sort = fc.record({ op: fc.constant('sort'), list: value, output })
const plain = fc.oneof(set, lookup, keyed, fold, sort)
const branch = fc
  .tuple(fc.constantFrom('z == null', 'z != null'), fc.array(plain, { maxLength: 2 }), plain)
  // oxlint-disable-next-line unicorn/no-thenable -- the name that the language has for it
  .map(([test, then, other]) => ({ op: 'condition', if: test, then, else: [other] }))
const last = fc.oneof(
  value.map((text) => ({ op: 'return', value: text })),
  fc.tuple(value, value).map(([a, b]) => ({ op: 'return', fields: { a, b } })),
)
const wanted = fc.constantFrom(
  undefined,
  { type: 'object', fields: { a: number, tag: { type: 'array' } } },
  { type: 'number' },
  { type: 'array', items: number },
)
const logics = fc
  .tuple(fc.array(fc.oneof(plain, plain, branch), { maxLength: 4 }), last, wanted, fc.boolean())
  .map(([steps, end, result, decimal]) => {
    const first = ['x', 'y'].map((name) => ({ op: 'set', value: 'any', output: name }))
    return {
      inputs,
      tables,
      ...(result === undefined ? {} : { output: result }),
      ...(decimal ? { numbers: 'decimal' } : {}),
      steps: [...first, ...steps, end],
    } as unknown as ComputeLogic
  })

/** What a run costs, and whether it came to its end. */
function runOf(
  program: Program,
  given: unknown,
): { readonly units: number; readonly ends: boolean } {
  let run: Run | undefined
  const observer = { enter: (_: unknown, begun: Run): void => void (run = begun), leave: () => {} }
  let ends = true
  try {
    walkProgram(program, loadArguments(program, [], given), observer)
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    ends = false
  }
  return { units: run?.budget.units ?? 0, ends }
}

const settings = resolveOptions({})

it('refuses no program that runs to its end, and works out no less than it costs', () => {
  const counts = { refused: 0, priced: 0 }
  fc.assert(
    fc.property(logics, samplesOf, (logic, samples) => {
      const { errors, units } = inspectProgram(logic, settings)
      const codes = errors.map(({ code, path, offset }) => `${code} ${path} ${offset}`)
      const program = programOf(logic)
      const runs = samples.map((given) => runOf(program, given))
      if (codes.length > 0) counts.refused++
      else if (units !== undefined) counts.priced++
      const steps = JSON.stringify(logic.steps)
      expect([steps, codes, runs.every(({ ends }) => ends) && codes.length > 0]).toEqual([
        steps,
        codes,
        false,
      ])
      if (units === undefined || codes.length > 0) return
      const most = Math.max(...runs.map((run) => run.units))
      expect([steps, units, most, most <= units]).toEqual([steps, units, most, true])
    }),
    { numRuns: Number(process.env['RUNS'] ?? howOften(1_000)) },
  )
  expect(counts.refused).toBeGreaterThan(20)
  expect(counts.priced).toBeGreaterThan(8)
})

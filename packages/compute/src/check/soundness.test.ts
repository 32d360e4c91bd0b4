import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkCompute, ComputeError } from '../index.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import { functionForms } from '../language/functions.ts'
import { readProgram } from '../read/read-program.ts'
import { loadArguments } from '../walk/load-arguments.ts'
import { walkProgram } from '../walk/walk-program.ts'
import { howOften } from '../../test/how-often.ts'

const inputs = {
  n: { type: 'number' },
  s: { type: 'string', enum: ['gold', 'a'] },
  b: { type: 'boolean' },
  z: { type: 'number', default: null },
  list: { type: 'array', items: { type: 'number' } },
  words: { type: 'array', maxItems: 2, items: { type: 'string' } },
  o: { type: 'object', fields: { p: { type: 'number' }, q: { type: 'array' } } },
  any: { type: 'any' },
}
const tables = { t: { p: 1, q: 'x' }, u: [1, 'a', [2]], v: [{ p: 1 }, { p: 2, q: null }] }

const callOf = (name: string, count: number, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(value, { minLength: count, maxLength: count })
    .map((given) => `${name}(${given.join(', ')})`)

// Neither branches nor && and ||, which may leave a part out that could never run.
const { value: anyValue } = fc.letrec<{ value: string }>((tie) => {
  const inner = tie('value')
  const calls = [...functionForms].map(([name, [form]]) => callOf(name, form?.fewest ?? 1, inner))
  return {
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', '"a"', 'true', 'null', '[]', '[n]', '[1, "a"]', '"gold"', '2'),
      fc.constantFrom('n', 's', 'b', 'z', 'list', 'words', 'o', 'any', 't', 'u', 'v', 'x'),
      fc.tuple(inner, fc.constantFrom('p', 'q', 'r')).map(([from, key]) => `(${from}).${key}`),
      fc.tuple(inner, inner).map(([from, key]) => `(${from})[${key}]`),
      fc
        .tuple(inner, fc.constantFrom(...'+ - * / < >= == != in'.split(' ')), inner)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      inner.map((operand) => `(-${operand})`),
      inner.map((operand) => `(!${operand})`),
      fc.tuple(inner, inner).map(([list, body]) => `map(${list}, x, ${body})`),
      fc.tuple(inner, inner).map(([list, body]) => `filter(${list}, x, ${body})`),
      fc.tuple(inner, inner).map(([list, body]) => `all(${list}, x, ${body})`),
      fc.oneof(...calls),
    ),
  }
})

const anything = fc.jsonValue({ maxDepth: 2 })
const args = fc.record({
  n: fc.integer({ min: -2, max: 3 }),
  s: fc.constantFrom('gold', 'a'),
  b: fc.boolean(),
  z: fc.constantFrom(null, 1),
  list: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 }),
  words: fc.array(fc.constantFrom('a', 'gold', ''), { minLength: 1, maxLength: 2 }),
  o: fc.record({ p: fc.integer(), q: fc.array(anything) }),
  any: anything,
  x: anything,
})

/** The errors of a program that is well written. */
function errorsOf(logic: object): readonly string[] {
  const errors = checkCompute(logic).filter(({ severity }) => severity === 'error')
  const codes = errors.map(({ code }) => code)
  return codes.every((code) => code === 'type' || code === 'unknown_key') ? codes : []
}

/** Whether the program runs to its end although the checks may have refused it. */
function runs(logic: object, given: unknown): boolean {
  try {
    const { program } = readProgram(logic, defaultLimits)
    walkProgram(program, loadArguments(program, [], given))
    return true
  } catch (error) {
    if (ComputeError.is(error)) return false
    throw error
  }
}

const declared = { inputs: { ...inputs, x: { type: 'any' } }, tables }

it('refuses no expression that can give a value', () => {
  let refused = 0
  fc.assert(
    fc.property(anyValue, fc.array(args, { minLength: 3, maxLength: 3 }), (text, samples) => {
      const logic = { ...declared, steps: [{ op: 'return', value: text }] }
      const errors = errorsOf(logic)
      // A macro over what may be empty may leave a part out, too.
      fc.pre(errors.length > 0 && !/(?:map|filter|all)\(/.test(text))
      refused++
      for (const sample of samples)
        expect([text, errors, runs(logic, sample)]).toEqual([text, errors, false])
    }),
    { numRuns: howOften(500) },
  )
  expect(refused).toBeGreaterThan(30)
})

it('refuses no fold that can give a value', () => {
  const step = fc.record({
    op: fc.constant('fold'),
    list: fc.constantFrom('list', 'words', '[1]', '["a", 1]', 'v'),
    as: fc.constant('i'),
    acc: fc.constant('x'),
    init: fc.constantFrom('0', '""', '[]', 'null', 'true', 'any', 'o', '[[]]'),
    value: fc.oneof(
      fc.constantFrom('x + i', 'x + [i]', '[x]', 'i', '[i]', 'x + x', '[x, i]', 'x == i', 'x[0]'),
      fc.constantFrom('x == 0 ? "" : x + "a"', 'x == null ? 1 : x * 2', 'x == "" ? [] : x', '!x'),
      anyValue,
    ),
    output: fc.constant('y'),
  })
  let refused = 0
  fc.assert(
    fc.property(step, fc.array(args, { minLength: 3, maxLength: 3 }), (fold, samples) => {
      const logic = { ...declared, steps: [fold, { op: 'return', value: 'y' }] }
      const errors = errorsOf(logic)
      fc.pre(errors.length > 0 && !/(?:map|filter|all)\(|\?/.test(fold.value))
      refused++
      for (const sample of samples) {
        expect([fold, errors, runs(logic, sample)]).toEqual([fold, errors, false])
      }
    }),
    { numRuns: howOften(250) },
  )
  expect(refused).toBeGreaterThan(30)
})

it('calls no condition constant that can be true and false', () => {
  const simple = fc.constantFrom(
    ...'1 "a" "gold" "lead" true null [] [n] n s b z list words o any t u v x o.p o.q t.q'.split(
      ' ',
    ),
    ...'u[n] v[0] v[1].q list[0] words[0] split(s,"o")[0] upper(s) number(n) s+s t[s] any.p'.split(
      ' ',
    ),
    ...'n+1 [s,"b"][n] distinct(words) map(u,x,s) filter(words,x,x==s)'.split(' '),
  )
  const operator = fc.constantFrom('==', '!=', 'in')
  let constant = 0
  fc.assert(
    fc.property(
      fc.tuple(simple, operator, simple),
      fc.array(args, { minLength: 4, maxLength: 8 }),
      (parts, samples) => {
        const value = `(${parts.join(' ')}) ? 1 : 2`
        const logic = { ...declared, steps: [{ op: 'return', value }] }
        const codes = checkCompute(logic).map(({ code }) => code)
        fc.pre(codes.includes('constant_condition') && errorsOf(logic).length === 0)
        constant++
        const found = new Set<unknown>()
        for (const sample of samples) {
          try {
            const { program } = readProgram(logic, defaultLimits)
            found.add(walkProgram(program, loadArguments(program, [], sample)))
          } catch (error) {
            if (!ComputeError.is(error)) throw error
          }
        }
        expect([value, found.size < 2]).toEqual([value, true])
      },
    ),
    { numRuns: howOften(500) },
  )
  expect(constant).toBeGreaterThan(30)
})

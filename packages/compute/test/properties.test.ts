import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkCompute,
  compileCompute,
  ComputeError,
  type ComputeLogic,
  evaluateComputeDSL,
  evaluateMathExpression,
} from '../src/index.ts'
import { explainCompute, traceCompute } from '../src/explain/index.ts'
import { computeLogicSchema } from '../src/schema/index.ts'
import {
  evaluateNumber,
  Refusal,
  runTreeSteps,
  toLogic,
  type Tree,
  treeToText,
  type TreeStep,
} from './plain-evaluator.ts'
import { howOften } from './how-often.ts'

const names = ['a', 'b', 'c', 'flag', 'label', 'table']
const name = fc.constantFrom(...names)
const literal = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom(0, 0.1, 0.5, 2.5, 1e300, 1e-300, 123456.789),
)

const { numeric, logical } = fc.letrec<{ numeric: Tree; logical: Tree; comparable: Tree }>(
  (tie) => ({
    numeric: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ number: literal }),
      fc.record({ name }),
      fc.record({ negated: tie('numeric') }),
      fc.record({
        operator: fc.constantFrom('+', '-', '*', '/', '%'),
        left: tie('numeric'),
        right: tie('numeric'),
      }),
    ),
    comparable: fc.oneof(
      { depthSize: 'small' },
      tie('numeric'),
      fc.record({ name }),
      fc.record({ text: fc.constantFrom('', 'gold', 'a"b\\c\n') }),
    ),
    logical: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ boolean: fc.boolean() }),
      fc.record({ name }),
      fc.record({ not: tie('logical') }),
      fc.record({
        operator: fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
        left: tie('comparable'),
        right: tie('comparable'),
      }),
      fc.record({
        operator: fc.constantFrom('&&', '||'),
        left: tie('logical'),
        right: tie('logical'),
      }),
    ),
  }),
)

const output = fc.constantFrom('a', 'b', 'x', 'y')
const { steps } = fc.letrec<{ step: TreeStep; steps: TreeStep[] }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { depthSize: 'small' },
    fc.record({ op: fc.constant('math' as const), tree: numeric, output }),
    fc.record({
      op: fc.constant('lookup' as const),
      table: name,
      key: fc.constantFrom('k', '0', 'length', 'toString'),
      output,
    }),
    fc.record({
      op: fc.constant('format' as const),
      names: fc.array(fc.oneof(name, output), { minLength: 1, maxLength: 3 }),
      output,
    }),
    fc.record({ op: fc.constant('return' as const), value: fc.oneof(name, output) }),
    fc.record({
      op: fc.constant('condition' as const),
      tree: logical,
      then: tie('steps'),
      else: tie('steps'),
    }),
  ),
}))

const args = fc.record(
  {
    a: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(0.1, 1e308, -1e200)),
    b: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constant('5'), fc.constant(null)),
    c: fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
    flag: fc.oneof(fc.boolean(), fc.constant(1)),
    label: fc.constantFrom('gold', '', '{{a}} $& $1'),
    table: fc.constantFrom({ k: 3 }, { k: '{{b}}' }, [7, 8], { k: { deep: [1] } }),
  },
  { requiredKeys: ['a'] },
)

function outcomeOf(run: () => unknown): unknown {
  try {
    return { value: run() }
  } catch (error) {
    if (ComputeError.is(error) || error instanceof Refusal) return { code: error.code }
    throw error
  }
}

const errorsOf = (logic: ComputeLogic): readonly string[] =>
  checkCompute(logic).flatMap(({ code, severity }) => (severity === 'error' ? [code] : []))

describe('a plain evaluator that shares no code with this package', () => {
  it('agrees on every math expression', () => {
    fc.assert(
      fc.property(numeric, args, (tree, variables) => {
        const expected = outcomeOf(() => evaluateNumber(tree, new Map(Object.entries(variables))))
        const actual = outcomeOf(() => evaluateMathExpression(treeToText(tree), variables))
        expect(actual).toEqual(expected)
      }),
      { numRuns: howOften(3_000) },
    )
  })

  it('agrees on every program, and a trace on its result', () => {
    let ran = 0
    fc.assert(
      fc.property(steps, args, (body, variables) => {
        const program: TreeStep[] = [...body, { op: 'return', value: 'a' }]
        const logic = toLogic(program)
        // What can never work is refused before the run, also where the run would not come to it.
        fc.pre(errorsOf(logic).length === 0)
        const expected = outcomeOf(() => runTreeSteps(program, new Map(Object.entries(variables))))
        expect(outcomeOf(() => evaluateComputeDSL(logic, variables))).toEqual(expected)
        const { result, error } = traceCompute(logic, variables)
        expect(error === undefined ? { value: result } : { code: error.code }).toEqual(expected)
        ran++
      }),
      { numRuns: howOften(3_000) },
    )
    expect(ran).toBeGreaterThan(200)
  })
})

describe('an explanation', () => {
  it('has a line for every step of every program that is taken, in reading order', () => {
    fc.assert(
      fc.property(steps, (body) => {
        const logic = toLogic([...body, { op: 'return', value: 'a' }])
        fc.pre(errorsOf(logic).length === 0)
        const paths = explainCompute(logic).map(({ path }) => path)
        expect(paths.filter((path) => /^steps.*\]$/.test(path))).toHaveLength(
          compileCompute(logic).stepCount,
        )
      }),
      { numRuns: 500 },
    )
  })
})

const anyStep = fc.oneof(
  fc.anything(),
  fc.record(
    {
      op: fc.constantFrom(
        'math',
        'set',
        'lookup',
        'format',
        'condition',
        'switch',
        'fold',
        'sort',
        'check',
        'return',
        'eval',
      ),
      expression: fc.string(),
      template: fc.string(),
      table: fc.string(),
      key: fc.string(),
      keyFrom: fc.string(),
      default: fc.anything(),
      value: fc.string(),
      fields: fc.anything(),
      list: fc.string(),
      as: fc.string(),
      acc: fc.string(),
      init: fc.string(),
      by: fc.string(),
      that: fc.string(),
      message: fc.string(),
      cases: fc.anything(),
      if: fc.string(),
      output: fc.string(),
      then: fc.anything(),
      else: fc.anything(),
    },
    { requiredKeys: ['op'] },
  ),
)

describe('evaluation', () => {
  it('gives a JSON value or a ComputeError whatever it is given, and the same each time', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 4 }), fc.anything(), (given, values) => {
        const run = (): unknown =>
          outcomeOf(() =>
            evaluateComputeDSL({ steps: given } as ComputeLogic, values as Record<string, unknown>),
          )
        const first = run()
        expect(run()).toEqual(first)
        expect(JSON.parse(JSON.stringify(first))).toEqual(first)
      }),
      { numRuns: howOften(2_000) },
    )
  })

  it('gives a JSON value or a ComputeError for any text in the place of an expression or a template', () => {
    const symbols = [
      '(',
      ')',
      '-',
      '!',
      '<',
      '==',
      '&&',
      '{{',
      '}}',
      'a',
      ' ',
      '1',
      '.',
      'e',
      '"',
      "'",
      '\\',
      '\u{1f600}',
      '\ud800',
      '[',
      ']',
      ',',
      '?',
      ':',
      '|',
      '+',
      ' in ',
      'a.map(',
      'round(',
      'has(',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...symbols)).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, text, (expression, test, template) => {
        const outcome = outcomeOf(() =>
          evaluateComputeDSL(
            {
              steps: [
                { op: 'condition', if: test, then: [{ op: 'math', expression, output: 'a' }] },
                { op: 'format', template, output: 'b' },
                { op: 'return', value: 'b' },
              ],
            },
            { a: 1 },
          ),
        )
        expect(typeof outcome).toBe('object')
      }),
      { numRuns: howOften(2_000) },
    )
  })

  it('never changes the arguments or the program, even when they are frozen', () => {
    fc.assert(
      fc.property(steps, args, (body, variables) => {
        const logic = toLogic([...body, { op: 'return', value: 'a' }])
        const before = JSON.stringify([logic, variables])
        outcomeOf(() => compileCompute(logic).run(Object.freeze(variables)))
        expect(JSON.stringify([logic, variables])).toBe(before)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the three ways to judge a program', () => {
  const schemas = (['draft-2020-12', 'draft-07'] as const).map(
    (target) =>
      new Validator(
        computeLogicSchema['~standard'].jsonSchema.input({ target }),
        target === 'draft-07' ? '7' : '2020-12',
      ),
  )
  const spoilt = fc.constantFrom<unknown>(
    undefined,
    null,
    {},
    [],
    'x',
    { steps: null },
    { more: 1 },
    { op: 'math' },
  )

  it('agree, and what they take the JSON Schema takes', () => {
    let taken = 0
    fc.assert(
      fc.property(steps, fc.option(spoilt), fc.nat(), (body, spoiler, at) => {
        const logic: { steps: unknown[] } = JSON.parse(
          JSON.stringify(toLogic([...body, { op: 'return', value: 'a' }])),
        )
        if (spoiler !== null) logic.steps.splice(at % logic.steps.length, 1, spoiler)
        const outcome = outcomeOf(() => compileCompute(logic as ComputeLogic))
        const isTaken = 'value' in (outcome as object)
        const isRefused = checkCompute(logic).some(({ severity }) => severity === 'error')
        expect(isRefused).toBe(!isTaken)
        const judged = computeLogicSchema['~standard'].validate(logic)
        expect(judged.issues === undefined ? judged.value : undefined).toEqual(
          isTaken ? logic : undefined,
        )
        taken += isTaken ? 1 : 0
        const fitting = schemas.filter((schema) => !isTaken || schema.validate(logic).valid)
        expect(fitting).toEqual(schemas)
      }),
      { numRuns: howOften(1_000) },
    )
    expect(taken).toBeGreaterThan(20)
  })
})

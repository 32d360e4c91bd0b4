import { describe, expect, it } from 'vitest'
import { checkCompute, compileCompute, ComputeError, type ComputeLogic } from './index.ts'

const shipping: ComputeLogic = {
  steps: [
    { op: 'math', expression: 'weight_kg * 2.50 + 5.00', output: 'base_cost' },
    {
      op: 'condition',
      if: 'weight_kg > 10',
      then: [{ op: 'math', expression: 'base_cost * 0.9', output: 'base_cost' }],
    },
    { op: 'format', template: 'Shipping cost: ${{base_cost}}', output: 'message' },
    { op: 'return', value: 'base_cost' },
  ],
}

const codesOf = (logic: unknown, inputs?: readonly string[]): string[] =>
  checkCompute(logic, inputs === undefined ? {} : { inputs }).map(
    ({ code, path, offset }) => `${code} ${path}${offset === undefined ? '' : ` @${offset}`}`,
  )

function thrownBy(run: () => unknown): ComputeError {
  try {
    run()
  } catch (error) {
    if (ComputeError.is(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a compiled program', () => {
  it('gives the shipping cost with the discount above ten kilograms', () => {
    const program = compileCompute(shipping, { inputs: ['weight_kg'] })
    expect(program.run({ weight_kg: 12 })).toBe(31.5)
    expect(program.run({ weight_kg: 10 })).toBe(30)
  })

  it('tells which arguments it may read and how many steps it has', () => {
    const program = compileCompute(shipping)
    expect(program.inputsUsed).toEqual(['weight_kg'])
    expect(program.stepCount).toBe(5)
  })

  it('counts a name as an argument when only one branch assigns it', () => {
    const { inputsUsed } = compileCompute({
      steps: [
        { op: 'condition', if: 'a', then: [{ op: 'math', expression: '1', output: 'b' }] },
        { op: 'return', value: 'b' },
      ],
    })
    expect(inputsUsed).toEqual(['a', 'b'])
  })

  it('keeps nothing from one run to the next', () => {
    const program = compileCompute({
      steps: [
        { op: 'condition', if: 'a', then: [{ op: 'math', expression: '1', output: 'b' }] },
        { op: 'return', value: 'b' },
      ],
    })
    expect(program.run({ a: true })).toBe(1)
    expect(thrownBy(() => program.run({ a: false })).code).toBe('unknown_variable')
  })

  it('is not changed by changing the object it was compiled from', () => {
    const steps = [{ op: 'return' as const, value: 'a' }]
    const program = compileCompute({ steps })
    steps[0] = { op: 'return', value: 'b' }
    expect(program.run({ a: 1, b: 2 })).toBe(1)
  })
})

describe('a check', () => {
  it('finds every problem of a program at once, each with its place', () => {
    expect(
      codesOf({
        steps: [
          { op: 'math', expression: 'a +', output: 'x' },
          { op: 'maths' },
          { op: 'format', template: 'a {{b', output: 'toString' },
          { op: 'condition', if: 'a = 1', then: [{ op: 'return', value: '2x' }] },
        ],
      }),
    ).toEqual([
      'bad_token steps[0].expression @3',
      'unknown_op steps[1].op',
      'bad_template steps[2].template @2',
      'reserved_name steps[2].output',
      'bad_token steps[3].if @2',
      'bad_token steps[3].then[0].value @0',
    ])
  })

  it('names the unknown names of a program whose arguments are known, with the name that was meant', () => {
    const [issue] = checkCompute(
      {
        steps: [
          { op: 'math', expression: '2 * weigth_kg', output: 'x' },
          { op: 'return', value: 'x' },
        ],
      },
      { inputs: ['weight_kg', 'price'] },
    )
    expect(issue).toEqual({
      code: 'unknown_variable',
      severity: 'error',
      path: 'steps[0].expression',
      offset: 4,
      snippet: '2 * weigth_kg',
      message: 'unknown variable "weigth_kg"',
      hint: 'Did you mean "weight_kg"?',
    })
  })

  it('finds a name that is read before it is assigned', () => {
    const steps = [
      { op: 'math', expression: 'x + 1', output: 'y' },
      { op: 'math', expression: '1', output: 'x' },
      { op: 'return', value: 'y' },
    ]
    expect(codesOf({ steps }, [])).toEqual(['unknown_variable steps[0].expression @0'])
  })

  it('finds a name that only one branch assigns, and takes one that both assign', () => {
    const assign = [{ op: 'math', expression: '1', output: 'x' }]
    const program = (branches: object): object => ({
      steps: [
        { op: 'condition', if: 'a', ...branches },
        { op: 'return', value: 'x' },
      ],
    })
    expect(codesOf(program({ then: assign }), ['a'])).toEqual([
      'unknown_variable steps[1].value @0',
    ])
    expect(checkCompute(program({ then: assign }), { inputs: ['a'] })[0]?.message).toContain(
      'may have no value',
    )
    expect(codesOf(program({ then: assign, else: assign }), ['a'])).toEqual([])
  })

  it('takes a name that one branch assigns when the other one returns', () => {
    const returns = [{ op: 'return', value: 'a' }]
    const assign = [{ op: 'math', expression: '1', output: 'x' }]
    const last = { op: 'return', value: 'x' }
    for (const [then, otherwise] of [
      [returns, assign],
      [assign, returns],
    ]) {
      const step = { op: 'condition', if: 'a', then, else: otherwise }
      expect(codesOf({ steps: [step, last] }, ['a'])).toEqual([])
    }
  })

  it('wants a return at the end of every way', () => {
    const condition = { op: 'condition', if: 'a', then: [{ op: 'return', value: 'a' }] }
    expect(codesOf({ steps: [condition] })).toEqual(['no_return steps'])
    expect(codesOf({ steps: [] })).toEqual(['no_return steps'])
    expect(codesOf({ steps: [{ ...condition, else: condition.then }] })).toEqual([])
  })

  it('refuses names of arguments that no program could read', () => {
    expect(thrownBy(() => checkCompute(shipping, { inputs: ['a', '2b'] }))).toMatchObject({
      code: 'bad_name',
      path: 'options.inputs[1]',
    })
    expect(thrownBy(() => checkCompute(shipping, { inputs: ['constructor'] })).code).toBe(
      'reserved_name',
    )
  })

  it('stops after a hundred problems', () => {
    const steps = Array.from({ length: 300 }, () => ({ op: 'nonsense' }))
    expect(checkCompute({ steps })).toHaveLength(100)
  })
})

describe('the shape of a program', () => {
  const end = { op: 'return', value: 'a' }
  it.each([
    ['null', null, 'bad_program '],
    ['a JSON text', '{"steps":[]}', 'bad_program '],
    ['a list', [], 'bad_program '],
    ['no steps', {}, 'bad_program steps'],
    ['an unknown field', { steps: [end], step: 1 }, 'bad_program '],
    ['a step that is no object', { steps: [1] }, 'bad_program steps[0]'],
    ['a step of a class', { steps: [new Date()] }, 'bad_program '],
    ['a step without op', { steps: [{}, end] }, 'bad_program steps[0].op'],
    [
      'an op found on the prototype only',
      { steps: [Object.create({ op: 'return' })] },
      'bad_program ',
    ],
    ['an unknown field of a step', { steps: [{ ...end, values: 1 }] }, 'bad_program steps[0]'],
    [
      'a field of another type',
      { steps: [{ op: 'return', value: 1 }] },
      'bad_program steps[0].value',
    ],
    [
      'an else that is null',
      { steps: [{ op: 'condition', if: 'a', then: [], else: null }, end] },
      'bad_program steps[0].else',
    ],
    ['an op of the prototype', { steps: [{ op: 'toString' }, end] }, 'unknown_op steps[0].op'],
  ])('is refused: %s', (_, logic, expected) => {
    expect(codesOf(logic)).toEqual([expected])
  })

  it('is refused cleanly when reading it throws', () => {
    const logic = {
      get steps(): never {
        throw new Error('secret of the host')
      },
    }
    const error = thrownBy(() => compileCompute(logic))
    expect(error.code).toBe('bad_program')
    expect(JSON.stringify(error)).not.toContain('secret')
  })
})

describe('options of the wrong form', () => {
  const logic: ComputeLogic = { steps: [{ op: 'return', value: 'a' }] }

  it.each([
    [{ inputs: 'ab' }, 'options.inputs'],
    [{ inputs: null }, 'options.inputs'],
    [{ inputs: [5] }, 'options.inputs[0]'],
    [{ limits: null }, 'options.limits'],
    [{ limits: 5 }, 'options.limits'],
    [{ limits: { maxSteps: Object.create(null) as object } }, 'options.limits.maxSteps'],
  ])('%j are refused at %s', (options, path) => {
    for (const use of [compileCompute, checkCompute]) {
      expect(() => use(logic, options as never)).toThrow(
        expect.objectContaining({ code: 'bad_argument', path }),
      )
    }
  })
})

describe('hints', () => {
  it('cost nothing for names that are far too long to be meant', () => {
    const args = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${'\0'.repeat(50_000)}${index}`, 1]),
    )
    const missing = compileCompute({ steps: [{ op: 'return', value: 'a' }] })
    const before = performance.now()
    expect(() => missing.run(args)).toThrow('unknown variable "a"')
    const lookup = compileCompute({
      steps: [
        { op: 'lookup', table: 't', key: 'a', output: 'a' },
        { op: 'return', value: 'a' },
      ],
    })
    expect(() => lookup.run({ t: args })).toThrow('no key "a"')
    expect(performance.now() - before).toBeLessThan(30_000)
  })
})

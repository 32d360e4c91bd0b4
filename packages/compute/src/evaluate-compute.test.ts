import { describe, expect, it } from 'vitest'
import {
  ComputeError,
  type ComputeLimits,
  type ComputeLogic,
  type ComputeStep,
  evaluateComputeDSL,
} from './index.ts'

describe('evaluateComputeDSL', () => {
  it('runs a program in one call', () => {
    expect(evaluateComputeDSL({ steps: [{ op: 'return', value: 'a' }] }, { a: 1 })).toBe(1)
  })

  it('runs the program as it is now, also when the object was changed since the last call', () => {
    const step: { op: 'return'; value: string } = { op: 'return', value: 'a' }
    const logic = { steps: [step] }
    const args = { a: 1, b: 2 }
    expect(evaluateComputeDSL(logic, args)).toBe(1)
    step.value = 'b'
    expect(evaluateComputeDSL(logic, args)).toBe(2)
    logic.steps.unshift({ op: 'return', value: 'a' })
    expect(evaluateComputeDSL(logic, args)).toBe(1)
    Object.assign(logic, { extra: true })
    expect(() => evaluateComputeDSL(logic, args)).toThrow('no field "extra"')
  })

  it('takes the options of each call', () => {
    const logic: ComputeLogic = { steps: [{ op: 'return', value: 'a' }] }
    expect(evaluateComputeDSL(logic, { a: 1 })).toBe(1)
    expect(() => evaluateComputeDSL(logic, { a: 1 }, { inputs: ['b'] })).toThrow('unknown variable')
  })
})

/** Runs one step that assigns `x`, and gives x, or the code and place of the error. */
function result(step: ComputeStep, args: unknown, limits: Partial<ComputeLimits> = {}): unknown {
  try {
    return evaluateComputeDSL(
      { steps: [step, { op: 'return', value: 'x' }] },
      args as Record<string, unknown>,
      { limits },
    )
  } catch (error) {
    if (ComputeError.is(error)) return `${error.code} ${error.path}`
    throw error
  }
}

const format = (template: string, args: unknown): unknown =>
  result({ op: 'format', template, output: 'x' }, args)
const lookup = (table: unknown, key: string): unknown =>
  result({ op: 'lookup', table: 't', key, output: 'x' }, { t: table })
const returned = (x: unknown): unknown =>
  result({ op: 'math', expression: '1', output: 'other' }, { x })

describe('a format step', () => {
  it('puts values into text once and takes them as they are', () => {
    const args = { a: '{{b}} $& $1', b: 'SECRET' }
    expect(format('{{a}}|{{ b }}|', args)).toBe('{{b}} $& $1|SECRET|')
  })

  it('keeps a dollar sign before a placeholder, lone braces and text without placeholders', () => {
    expect(format('${{n}}', { n: 31.5 })).toBe('$31.5')
    expect(format('{"n":{{n}}}', { n: 1 })).toBe('{"n":1}')
    expect(format('{{{n}}}', { n: 1 })).toBe('{1}')
    expect(format('a } b }} c {', {})).toBe('a } b }} c {')
    expect(format('', {})).toBe('')
  })

  it.each([
    [0.1 + 0.2, '0.3'],
    [1 / 3, '0.333333333333333'],
    [-2.5, '-2.5'],
    [-0, '0'],
    [9007199254740991, '9007199254740991'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [true, 'true'],
    ['text', 'text'],
  ])('writes %d as %s', (value, text) => {
    expect(format('{{v}}', { v: value })).toBe(text)
  })

  it.each([[null], [[1]], [{ a: 1 }]])('refuses %j, which has no text', (value) => {
    expect(format('{{v}}', { v: value })).toBe('type steps[0].template')
  })

  it.each(['{{', '{{a', '{{}}', '{{a}', '{{a', '{{{{a}}}', '{{ }}'])(
    'refuses the template %s',
    (template) => {
      expect(format(template, { a: {} })).toMatch(/^(bad_template|type) steps\[0\]\.template$/)
    },
  )
})

describe('a lookup step', () => {
  it('takes a field of an object and an item of a list', () => {
    expect(lookup({ small: 5 }, 'small')).toBe(5)
    expect(lookup({ '': 5 }, '')).toBe(5)
    expect(lookup([7, 8], '1')).toBe(8)
    expect(lookup(Object.assign(Object.create(null), { a: 1 }), 'a')).toBe(1)
  })

  it.each([
    [{ a: 1 }, 'b'],
    [{ a: 1 }, 'toString'],
    [{ a: 1 }, '__proto__'],
    [[7], '1'],
    [[7], '-1'],
    [[7], '00'],
    [[7], 'length'],
    [[7], 'map'],
  ])('in %j does not find %s', (table, key) => {
    expect(lookup(table, key)).toBe('unknown_key steps[0].key')
  })

  it.each([['text'], [5], [true], [null]])('refuses %j as a table', (table) => {
    expect(lookup(table, 'length')).toBe('type steps[0].table')
  })

  it('names the key that was probably meant', () => {
    const run = (): unknown =>
      evaluateComputeDSL(
        {
          steps: [
            { op: 'lookup', table: 't', key: 'smal', output: 'x' },
            { op: 'return', value: 'x' },
          ],
        },
        { t: { small: 1 } },
      )
    expect(run).toThrow('Did you mean "small"?')
  })

  it('refuses what it finds when that is no JSON value', () => {
    expect(lookup({ a: undefined }, 'a')).toBe('unknown_key steps[0].key')
    expect(lookup({ a: () => 1 }, 'a')).toBe('bad_argument steps[0].key')
    expect(lookup({ a: Number.NaN }, 'a')).toBe('bad_argument steps[0].key')
    const throwing = {
      get a(): never {
        throw new Error('no')
      },
    }
    expect(lookup(throwing, 'a')).toBe('bad_argument steps[0].key')
  })
})

describe('a return step', () => {
  it('gives lists and objects as copies', () => {
    const given = { list: [1, { deep: 'x' }], none: null, zero: -0 }
    const copy = returned(given) as typeof given
    expect(copy).toEqual({ list: [1, { deep: 'x' }], none: null, zero: 0 })
    expect(copy).not.toBe(given)
    expect(copy.list[1]).not.toBe(given.list[1])
  })

  it('gives null, false and empty text as values, not as the lack of one', () => {
    expect([returned(null), returned(false), returned(''), returned(0)]).toEqual([
      null,
      false,
      '',
      0,
    ])
  })

  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  it.each<[string, unknown, string]>([
    ['undefined', { a: undefined }, 'bad_argument'],
    ['a hole', Array.from({ length: 1 }).concat([1]), 'bad_argument'],
    ['a function', [() => 1], 'bad_argument'],
    ['a date', { a: new Date(0) }, 'bad_argument'],
    ['a bigint', [1n], 'bad_argument'],
    ['NaN', [[Number.NaN]], 'bad_argument'],
    ['the key __proto__', JSON.parse('{"__proto__": {"admin": true}}'), 'bad_argument'],
    ['itself', cyclic, 'limit'],
  ])('refuses a value that contains %s', (_, value, code) => {
    expect(returned(value)).toBe(`${code} steps[1].value`)
  })

  it('names the place inside the value', () => {
    expect(() =>
      evaluateComputeDSL({ steps: [{ op: 'return', value: 'x' }] }, { x: { a: [1, Number.NaN] } }),
    ).toThrow('a[1] is NaN')
  })
})

describe('arguments', () => {
  class Rates {
    x = 1
  }
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an instance of a class', new Rates()],
    [
      'a revoked proxy',
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      })(),
    ],
  ])('are refused when one is %s', (_, value) => {
    expect(returned(value)).toBe('bad_argument args.x')
  })

  it.each([[null], [undefined], [[1]], ['text'], [5], [new Rates()]])(
    'are refused as a whole when they are %s',
    (args) => {
      expect(result({ op: 'math', expression: '1', output: 'x' }, args)).toBe('bad_argument args')
    },
  )

  it('are refused when a whole number may have lost digits, and taken when it is plainly rounded', () => {
    expect(returned(2 ** 53)).toBe('precision args.x')
    expect(returned(2 ** 53 - 1)).toBe(2 ** 53 - 1)
    expect(returned(1e21)).toBe(1e21)
    expect(returned(-(2 ** 53))).toBe('precision args.x')
  })

  it('are read once each, and only those the program uses', () => {
    const reads: string[] = []
    const args = new Proxy(
      { x: 1, unused: 2 },
      {
        get(target, key) {
          reads.push(String(key))
          return Reflect.get(target, key)
        },
      },
    )
    const step = { op: 'format', template: '{{x}}{{x}}', output: 'y' } as const
    expect(result(step, args)).toBe(1)
    expect(reads).toEqual(['x'])
  })

  it('may have no prototype', () => {
    const args: unknown = Object.assign(Object.create(null), { x: 1 })
    expect(result({ op: 'math', expression: '1', output: 'y' }, args)).toBe(1)
  })

  it('never supply what only their prototype has', () => {
    const step = { op: 'math', expression: '1', output: 'y' } as const
    const bare: unknown = Object.create(Object.assign(Object.create(null), { x: 1 }))
    expect(result(step, bare)).toBe('unknown_variable steps[1].value')
    expect(result(step, Object.create({ x: 1 }))).toBe('bad_argument args')
  })
})

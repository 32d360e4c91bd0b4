import { describe, expect, it } from 'vitest'
import { type ComputeOptions, inspectProgram, resolveOptions } from '../check/inspect-program.ts'
import { hostReadError } from '../values/json-value.ts'
import { codeSize, made, run, values } from './frame.ts'
import { compileEngine, type Walk } from './compile-engine.ts'

const left = Symbol('left to the walker')
const leave: Walk = () => left

/** Compiles for the engine alone: what it gives up gives `left`. */
function compile(
  logic: object,
  options: ComputeOptions = {},
): (args: unknown, walk?: Walk) => unknown {
  const { program, inputSlots, errors } = inspectProgram(logic, resolveOptions(options))
  expect(errors).toEqual([])
  const engine = compileEngine(program, inputSlots)
  if (engine === undefined) throw new Error('The engine did not take the program.')
  return (args, walk = leave) => engine.run(args, walk)
}

const valueOf = (value: string, more: object = {}): ReturnType<typeof compile> =>
  compile({ ...more, steps: [{ op: 'return', value }] })

describe('arguments', () => {
  it('are found in any order, before and after an order was learnt', () => {
    const difference = valueOf('a - b')
    const orders = [
      { a: 3, b: 1 },
      { b: 1, a: 3 },
      { c: 0, a: 3, d: 0, b: 1 },
      { a: 3, b: 1, e: 0 },
    ]
    for (let pass = 0; pass < 3_000; pass++) expect(difference(orders[pass % 4])).toBe(2)
  })

  it('are found by a program that runs often with one order, and then with others', () => {
    const difference = valueOf('a - b')
    for (let pass = 0; pass < 200; pass++) expect(difference({ a: pass, b: 1 })).toBe(pass - 1)
    expect(difference({ b: 2, a: 5 })).toBe(3)
    expect(difference({ a: 5 })).toBe(left)
    expect(difference(Object.assign(Object.create(null) as object, { a: 4, b: 3 }))).toBe(1)
    expect(difference({ a: 5, b: 'x' })).toBe(left)
  })

  it.each([
    ['inherited from a class', Object.assign(new (class Holder {})(), { a: 1, b: 2 })],
    ['inherited fields', Object.create({ a: 1, b: 2 })],
    ['null', null],
    ['undefined', undefined],
    ['an array', [1, 2]],
    ['a text', 'ab'],
    ['a number', 5],
    ['a function', Object.assign(() => 1, { a: 1, b: 2 })],
  ])('are left to the walker when they are %s', (_, args) => {
    const sum = valueOf('a + b')
    for (let pass = 0; pass < 100; pass++) {
      expect(sum({ a: 1, b: 2 })).toBe(3)
      expect(sum(args)).toBe(left)
    }
  })

  it.each([Number.NaN, Infinity, -Infinity, 2 ** 53, new Date(0), Symbol('s'), 10n, undefined])(
    'are left to the walker when one is %s',
    (x) => {
      const first = valueOf('[x][0]')
      expect(first({ x })).toBe(left)
      for (let pass = 0; pass < 100; pass++) expect(first({ x: pass })).toBe(pass)
      expect(first({ x })).toBe(left)
    },
  )

  it('lose the sign of zero', () => {
    const same = valueOf('x')
    for (let pass = 0; pass < 100; pass++) expect(same({ x: -0 })).toBe(0)
  })

  it('are not those that every object inherits', () => {
    const one = valueOf('x')
    const sum = valueOf('sum(map(items, i, i.x))')
    const late = valueOf('x')
    for (let pass = 0; pass < 100; pass++) one({ x: 1 })
    for (const enumerable of [true, false]) {
      const descriptor = { value: 5, configurable: true, writable: true, enumerable }
      // oxlint-disable-next-line no-extend-native -- as a hostile host does
      Object.defineProperty(Object.prototype, 'x', descriptor)
      const results = [
        one({}),
        late({}),
        sum({ items: [{}] }),
        one({ x: 7 }),
        sum({ items: [{ x: 7 }] }),
      ]
      Reflect.deleteProperty(Object.prototype, 'x')
      expect(results).toEqual([left, left, left, 7, 7])
    }
  })

  it('are read once, whatever order they come in', () => {
    const difference = valueOf('a - b')
    let reads = 0
    const counted = (keys: readonly string[]): object =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          keys.map((key) => [key, { enumerable: true, get: () => (reads++, key === 'a' ? 3 : 1) }]),
        ),
      )
    for (let pass = 0; pass < 200; pass++) {
      expect(difference(counted(pass % 50 === 49 ? ['b', 'a'] : ['a', 'b']))).toBe(2)
    }
    expect(reads).toBe(400)
  })

  it('are handed to the walker as they were loaded, when steps have changed them', () => {
    const logic = {
      steps: [
        { op: 'math', expression: 'a * 2', output: 'a' },
        { op: 'set', value: '"b"', output: 'b' },
        { op: 'math', expression: 'a / c', output: 'd' },
        { op: 'return', fields: { d: 'd', b: 'b' } },
      ],
    }
    const divide = compile(logic, { inputs: ['a', 'b', 'c'] })
    const frames: unknown[] = []
    const args = { a: 5, c: 0 }
    divide(args, (_, frame) => frames.push(frame))
    expect(frames).toEqual([[5, undefined, 0, undefined, args]])
    expect(divide({ a: 5, c: 5 })).toEqual({ d: 2, b: 'b' })
  })
})

describe('a run', () => {
  it('inside another one is left to the walker, and the outer one goes on', () => {
    const double = valueOf('x * 2')
    const inner: unknown[] = []
    const args = {
      get x() {
        inner.push(double({ x: 1 }))
        return 4
      },
    }
    expect(double(args)).toBe(8)
    expect(inner).toEqual([left])
    expect(double({ x: 3 })).toBe(6)
  })

  it('ends in every way there is', () => {
    const root = valueOf('10 / x')
    const failing = {
      get x(): number {
        throw new Error('no')
      },
    }
    for (const args of [{ x: 0 }, null, {}]) {
      expect(root(args)).toBe(left)
      expect(run.busy).toBe(false)
      expect(root({ x: 5 })).toBe(2)
    }
    const failed = hostReadError(new Error('no'), '', 'bad_argument')
    const walk = (): never => {
      throw failed
    }
    expect(() => root(failing, walk)).toThrow(failed)
    expect(run.busy).toBe(false)
    expect(root({ x: 5 })).toBe(2)
  })

  it('may be started by the walker of another one', () => {
    const root = valueOf('10 / x')
    expect(root({ x: 0 }, () => root({ x: 2 }))).toBe(5)
  })

  it('keeps nothing of the caller', () => {
    const logic = {
      tables: { t: { a: 1 } },
      steps: [
        { op: 'set', value: 'filter(items, i, i.x > y)', output: 'found' },
        { op: 'check', that: 'z', message: 'no' },
        { op: 'return', value: 'size(found) + t.a' },
      ],
    }
    const count = compile(logic)
    const args = { items: [{ x: 1 }, { x: 3 }], y: 2, z: true }
    expect(count(args)).toBe(2)
    expect(count({ ...args, z: false })).toBe(left)
    expect(count({ ...args, y: 'x' })).toBe(left)
    expect(values.every((value) => value === undefined)).toBe(true)
    expect(made.size).toBe(0)
  })

  it('knows nothing of the one before', () => {
    const given = compile({
      steps: [
        { op: 'condition', if: 'a > 1', then: [{ op: 'set', value: '"x"', output: 'v' }] },
        { op: 'return', value: 'v' },
      ],
    })
    expect(given({ a: 2 })).toBe('x')
    expect(given({ a: 1 })).toBe(left)
    expect(given({ a: 1, v: 5 })).toBe(5)
    expect(given({ a: 1 })).toBe(left)
  })

  it('of one program leaves those of others alone', () => {
    const programs = Array.from({ length: 20 }, (_, index) => valueOf(`x * ${index} + ${index}`))
    for (let pass = 0; pass < 10; pass++) {
      for (const [index, program] of programs.entries()) {
        expect(program({ x: pass })).toBe(pass * index + index)
      }
    }
  })
})

describe('what is not finite', () => {
  it.each([
    '1e308 * x',
    '0 * (1e308 * x)',
    '1 / (1e308 * x)',
    '1 % (1e308 * x)',
    '5 / (x - 10)',
    '5 % (x - 10)',
    '1 / (0 * -x)',
    'min(1, 1e308 * x)',
    'max(1, -1e308 * x)',
    'sign(1e308 * x)',
    'pow(1e308 * x, 0)',
    'sqrt(-x)',
    'round(1e308 * x, 2)',
    '(1e308 * x) > 1 ? 1 : 2',
    '(1e308 * x) == (1e308 * x) ? 1 : 2',
    'sum(map([1, 2], i, i * 1e308 * x))',
    'sum(map([1, 2], i, 1 / (1e308 * x * i)))',
    'min(map([1, 2], i, i * 1e308 * x))',
    'size(filter([1, 2], i, 1e308 * x * i > 1))',
  ])('%s is left to the walker', (expression) => {
    expect(valueOf(expression)({ x: 10 })).toBe(left)
  })

  it('does no harm where it is not chosen', () => {
    expect(valueOf('x == 0 ? 0 : 1 / x')({ x: 0 })).toBe(0)
    expect(valueOf('map(l, i, i == 0 ? 0 : 1 / i)')({ l: [0, 2] })).toEqual([0, 0.5])
    expect(valueOf('filter(l, i, i != 0 && 1 / i > 0.1)')({ l: [0, 2] })).toEqual([2])
  })

  it('is never negative zero', () => {
    for (const expression of [
      '0 * -x',
      '[0 * -x][0]',
      'map([x], i, i * 0 * -1)[0]',
      '-x * 0 + 0 * -1',
    ]) {
      expect(valueOf(expression)({ x: 10 })).toBe(0)
    }
  })
})

describe('lists by columns', () => {
  const lines = Array.from({ length: 1_300 }, (_, index) => ({
    qty: index % 7,
    price: (index % 97) / 4,
    off: (index % 3) / 8,
  }))
  const total = lines.reduce((sum, { qty, price, off }) => sum + qty * price * (1 - off), 0)

  it('go on over the edge of a chunk', () => {
    const sum = valueOf('sum(map(l, i, i.qty * i.price * (1 - i.off)))')
    expect(sum({ l: lines })).toBe(total)
    expect(sum({ l: lines.slice(0, 512) })).toBeCloseTo(
      lines.slice(0, 512).reduce((all, { qty, price, off }) => all + qty * price * (1 - off), 0),
    )
    expect(sum({ l: [] })).toBe(0)
  })

  it('see a line at the end that is not like the others', () => {
    const sum = valueOf('sum(map(l, i, i.qty))')
    for (const odd of [
      { qty: '1' },
      {},
      null,
      new (class Line {
        qty = 1
      })(),
      { qty: Number.NaN },
    ]) {
      expect(sum({ l: [...lines, odd] })).toBe(left)
    }
    const holes = [...lines]
    Reflect.deleteProperty(holes, 600)
    expect(sum({ l: holes })).toBe(left)
    expect(sum({ l: [{ qty: 1e21 }, { qty: 1 }] })).toBe(1e21)
  })

  it('stop early where the language does', () => {
    expect(valueOf('exists(l, i, i.qty > 0)')({ l: [{ qty: 1 }, {}] })).toBe(true)
    expect(valueOf('all(l, i, i.qty > 1)')({ l: [{ qty: 1 }, {}] })).toBe(false)
  })

  it('are exact with decimals, and do not mind what other programs left', () => {
    const program = { numbers: 'decimal', rounding: 'half_even' }
    const cents = valueOf('sum(map(l, i, round(i.a * i.b, 2)))', program)
    const l = [
      { a: 1.005, b: 1 },
      { a: 1.015, b: 1 },
      { a: 0.1, b: 0.2 },
    ]
    expect(cents({ l })).toBe(2.04)
    expect(valueOf('filter(l, x, 2.5 <= x)')({ l: [0.1, 3] })).toEqual([3])
    expect(cents({ l: [...l, { a: 0.123456789012, b: 1 }] })).toBe(2.16)
  })
})

describe('limits', () => {
  const limited = (
    value: string,
    limits: NonNullable<ComputeOptions['limits']>,
  ): ReturnType<typeof compile> => compile({ steps: [{ op: 'return', value }] }, { limits })

  it.each([
    ['size(map(l, x, x))', { maxRunUnits: 9 }, 3],
    ['sum(map(l, x, x))', { maxRunUnits: 9 }, 3],
    ['size(map(l, x, x + 1))', { maxRunUnits: 15 }, 3],
    ['sum(map(l, x, x + 1))', { maxRunUnits: 15 }, 3],
    ['size(filter(l, x, x >= 0))', { maxRunUnits: 15 }, 3],
    ['sum(l)', { maxRunUnits: 3 }, 3],
    ['sum(l)', { maxListLength: 3 }, 3],
    ['size(map(l, x, x))', { maxListLength: 3 }, 3],
    ['map(l, x, x)', { maxReturnedValues: 3 }, 3],
  ])('%s with %o is left to the walker above %i items', (value, limits, most) => {
    const list = limited(value, limits)
    const of = (length: number): object => ({ l: Array.from({ length }, (_, index) => index) })
    expect(list(of(most))).not.toBe(left)
    expect(list(of(most + 1))).toBe(left)
    expect(list(of(most))).not.toBe(left)
  })

  it('hold for texts', () => {
    const text = limited('s', { maxTextLength: 3 })
    expect(text({ s: 'abc' })).toBe('abc')
    expect(text({ s: 'abcd' })).toBe(left)
    expect(limited('"abcd"', { maxTextLength: 3 })({})).toBe(left)
    expect(limited('s + s', { maxTextLength: 3 })({ s: 'ab' })).toBe(left)
  })
})

describe('texts of numbers', () => {
  const text = compile({
    steps: [
      { op: 'format', template: '{{ x }}', output: 't' },
      { op: 'return', value: 't' },
    ],
  })

  it.each([
    [0.1 + 0.2, '0.3'],
    [37.800000000000004, '37.8'],
    [-1.1 * 3, '-3.3'],
    [1 / 3, '0.333333333333333'],
    [Number('123456.789012345678'), '123456.789012346'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.05, '0.05'],
    [12345678901234.5, '12345678901234.5'],
    [9007199254740991, '9007199254740991'],
    [5e-324, '5e-324'],
    [-0, '0'],
  ])('%d reads %s', (x, wanted) => {
    expect(text({ x })).toBe(wanted)
  })
})

describe('a program that is too large', () => {
  it('is not taken', () => {
    const step = {
      op: 'math',
      expression: Array.from({ length: 900 }, () => 'a*b').join('-'),
      output: 'x',
    }
    const count = Math.ceil(codeSize / 900) + 1
    const logic = {
      steps: [...Array.from({ length: count }, () => step), { op: 'return', value: 'x' }],
    }
    const { program, inputSlots } = inspectProgram(logic, resolveOptions({}))
    expect(compileEngine(program, inputSlots)).toBeUndefined()
  })
})

import { outcomeOf } from '../attack-runner.ts'
import {
  type LanguageAttack,
  compile,
  evaluate,
  nestedArray,
  returns,
  steps,
} from './language-attack.ts'

function cyclic(): Record<string, unknown> {
  const object: Record<string, unknown> = { b: 1 }
  object['self'] = object
  return object
}

function changing(first: unknown, then: unknown): Record<string, unknown> {
  let reads = 0
  return {
    get b() {
      reads += 1
      return reads === 1 ? first : then
    },
  }
}

/** Holes only: an array of this length made without items. */
function sparse(length: number): unknown[] {
  const array: unknown[] = []
  array.length = length
  return array
}

/** Arguments and programs that are no plain data. */
export const hostAttacks: readonly LanguageAttack[] = [
  {
    title: 'a getter that changes after the declared range was checked',
    program: returns('a.b', {
      inputs: { a: { type: 'object', fields: { b: { type: 'number', max: 10 } } } },
    }),
    args: () => ({ a: changing(5, 1e9) }),
    expected: { value: 5, error: 'bad_argument' },
    why: 'what was checked is what is used',
  },
  {
    title: 'a getter that changes after the declared enum was checked',
    program: returns('a.map(i, i.b)', {
      inputs: {
        a: {
          type: 'array',
          items: { type: 'object', fields: { b: { type: 'string', enum: ['ok'] } } },
        },
      },
    }),
    args: () => ({ a: [changing('ok', 'evil')] }),
    expected: { value: ['ok'], error: 'bad_argument' },
    why: 'what was checked is what is used',
  },
  {
    title: 'a getter that gives a string after a number',
    run: () => {
      const outcome = outcomeOf(() => evaluate(returns('a.b + a.b'), { a: changing(1, 'x') }))
      // How often it is read is open, not whether a number and a string make a sum.
      const safe: readonly unknown[] = [2, 'xx', 'type', 'bad_argument']
      return safe.includes('error' in outcome ? outcome.error : outcome.value)
    },
    expected: { value: true },
    why: 'no conversion, whenever the value is read',
  },
  {
    title: 'a getter that gives a function after a number',
    program: returns('[a.b, a.b]'),
    args: () => ({ a: changing(1, () => 1) }),
    expected: { value: [1, 1], error: 'bad_argument|type' },
    why: 'no function ever comes out',
  },
  ...[
    [
      'a nested getter that throws',
      (): unknown => ({
        get b() {
          throw new RangeError('host trouble')
        },
      }),
    ],
    [
      'a nested getter that throws no error',
      (): unknown => ({
        get b() {
          throw 5
        },
      }),
    ],
    [
      'a nested proxy whose traps throw',
      (): unknown =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('get')
            },
            ownKeys: () => {
              throw new Error('keys')
            },
            getOwnPropertyDescriptor: () => {
              throw new Error('own')
            },
            has: () => {
              throw new Error('has')
            },
            getPrototypeOf: () => {
              throw new Error('prototype')
            },
          },
        ),
    ],
    [
      'a revoked proxy',
      (): unknown => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      },
    ],
  ].flatMap(([title, make]): LanguageAttack[] =>
    ['a.b', 'a', 'a == 1', 'has(a.b)', 'a.b + 1', '[a].map(i, i.b)']
      .slice(0, title === 'a revoked proxy' ? 2 : 6)
      .map((value) => ({
        title: `${String(title)}, read by ${value}`,
        program: returns(value),
        args: () => ({ a: (make as () => unknown)() }),
        expected:
          value.startsWith('has') || value.includes('==')
            ? { value: value.startsWith('has'), error: 'bad_argument|unknown_key' }
            : { error: 'bad_argument|unknown_key|type' },
        why: 'what a host object throws is reported as a bad argument',
      })),
  ),
  ...[
    ['a hole', (): unknown => [1, , 3]],
    ['undefined', (): unknown => [1, undefined]],
    ['NaN', (): unknown => [1, Number.NaN]],
    ['Infinity', (): unknown => [1, Number.POSITIVE_INFINITY]],
    ['a BigInt', (): unknown => [1n]],
    ['a number object', (): unknown => [Object(5)]],
    ['a Date', (): unknown => [new Date(0)]],
    ['a function', (): unknown => [() => 1]],
    ['a symbol', (): unknown => [Symbol('s')]],
    ['a boxed string', (): unknown => [Object('5')]],
  ].flatMap(([title, make]): LanguageAttack[] =>
    [
      'sum(a)',
      'a',
      'max(a)',
      'a.map(i, i)',
      'a.map(i, i + 1)',
      'a + a',
      'distinct(a)',
      'a[size(a) - 1]',
    ].map((value) => ({
      title: `a list with ${String(title)}: ${value}`,
      program: returns(value),
      args: () => ({ a: (make as () => unknown)() }),
      expected:
        title === 'a hole' && value === 'a[size(a) - 1]'
          ? { value: 3 }
          : { error: 'bad_argument|type|unknown_key' },
      why: 'what JSON cannot hold is refused where it is met',
    })),
  ),
  {
    title: 'something array-like',
    program: returns('sum(a)'),
    args: () => ({ a: { length: 2, 0: 1, 1: 2 } }),
    expected: { error: 'type' },
    why: 'an object is no array',
  },
  {
    title: 'an array of a class with methods of its own',
    program: returns('sum(a.map(i, i * 2)) + size(a)'),
    args: () => {
      class Loud extends Array<number> {
        override map(): never {
          throw new Error('map of the host')
        }
        override [Symbol.iterator](): never {
          throw new Error('iterator of the host')
        }
      }
      return {
        a: Loud.from([]).concat() && (Object.setPrototypeOf([1, 2], Loud.prototype) as unknown),
      }
    },
    expected: { value: 8, error: 'bad_argument' },
    why: 'methods found in data are never called',
  },
  {
    title: 'an array with own methods',
    program: returns('sort(a) == [1, 2] && reverse(a) == [1, 2] && join(["x"], "") == "x"'),
    args: () => ({
      a: Object.assign([2, 1], {
        sort: () => 'evil',
        slice: () => 'evil',
        map: () => 'evil',
        [Symbol.iterator]: () => 'evil',
      }),
    }),
    expected: { value: true, error: 'bad_argument' },
    why: 'methods found in data are never called',
  },
  {
    title: 'an object with toJSON, valueOf and toString',
    program: returns('a.b'),
    args: () => ({
      a: {
        b: 1,
        toJSON: () => ({ b: 2 }),
        valueOf: () => 3,
        toString: () => 'x',
      },
    }),
    expected: { value: 1, error: 'bad_argument' },
    why: 'methods found in data are never called',
  },
  ...['sum(a)', 'a', 'size(a) + max(a)', 'a.map(i, 1)', 'sort(a)', 'a == a', '1 in a'].map(
    (value): LanguageAttack => ({
      title: `a sparse array of 4,000,000,000 items: ${value}`,
      program: returns(value),
      args: () => ({ a: sparse(4_000_000_000) }),
      expected: value === 'a == a' ? { value: true, error: 'limit' } : { error: 'limit' },
      why: 'its length is over the limit, whatever it holds',
    }),
  ),
  {
    title: 'a proxy array that says it is long',
    program: returns('sum(a)'),
    args: () => ({
      a: new Proxy([1, 2], {
        get: (target, key): unknown => (key === 'length' ? 1e9 : Reflect.get(target, key)),
      }),
    }),
    expected: { error: 'limit|bad_argument' },
    why: 'its length is over the limit',
  },
  ...['a', 'a == b', '[a] == [b]', 'a in [b]', 'distinct([a, b])'].map((value): LanguageAttack => ({
    title: `arguments that contain themselves: ${value}`,
    program: returns(value),
    args: () => ({ a: cyclic(), b: cyclic() }),
    expected: { error: 'limit' },
    why: 'comparing and returning go as deep as the nesting limit',
  })),
  ...['a', 'a == b', 'b in [a]', '[a, a]'].map((value): LanguageAttack => ({
    title: `arrays nested 10,000 deep: ${value}`,
    program: returns(value),
    args: () => ({ a: nestedArray(10_000), b: nestedArray(10_000) }),
    expected: { error: 'limit' },
    why: 'no stack overflow',
  })),
  {
    title: 'a getter that runs another program in the middle of a run',
    program: returns('a.b + a.b * 10 + c'),
    args: () => ({
      a: {
        get b() {
          return evaluate(returns('sum([1, 2].map(i, i * k))'), { k: 1 })
        },
      },
      c: 100,
    }),
    expected: { value: 133, error: 'bad_argument' },
    why: 'runs inside runs do not disturb each other',
  },
  {
    title: 'a getter that runs the same compiled program in the middle of its run',
    run: () => {
      const compiled = compile(
        steps(
          { op: 'math', expression: 'n * 2', output: 'twice' },
          { op: 'set', value: 'list.map(i, i.v + twice)', output: 'all' },
          { op: 'math', expression: 'sum(all) + twice', output: 'total' },
          { op: 'return', value: 'total' },
        ),
      )
      const inner = (): unknown => compiled.run({ n: 1000, list: [{ v: 1 }] })
      const outer = compiled.run({
        n: 1,
        list: [
          { v: 1 },
          {
            get v() {
              inner()
              return 2
            },
          },
        ],
      })
      return [inner(), outer]
    },
    expected: { value: [4001, 9] },
    why: 'runs inside runs do not disturb each other',
  },
  {
    title: 'a getter that fails a run of the same program in the middle of its run',
    run: () => {
      const compiled = compile(returns('a.v + a.w + b'))
      return compiled.run({
        a: {
          v: 1,
          get w() {
            return outcomeOf(() => compiled.run({ a: { v: 'x', w: 1 }, b: 1 })) && 2
          },
        },
        b: 4,
      })
    },
    expected: { value: 7 },
    why: 'a failed run leaves nothing behind',
  },
  {
    title: 'a failed run leaves no values for the next one',
    run: () => {
      const compiled = compile(
        steps(
          { op: 'condition', if: 'has(a.b)', then: [{ op: 'set', value: 'a.b', output: 'leak' }] },
          { op: 'math', expression: '1 / n', output: 'z' },
          { op: 'return', value: 'leak' },
        ),
      )
      outcomeOf(() => compiled.run({ a: { b: 'SECRET' }, n: 0 }))
      return compiled.run({ a: {}, n: 1 })
    },
    expected: { error: 'unknown_variable' },
    why: 'each run starts empty',
  },
  {
    title: 'sorting and reversing an argument',
    run: () => {
      const a = [3, 1, 2]
      const b = [{ k: 2 }, { k: 1 }]
      evaluate(
        steps(
          { op: 'set', value: 'reverse(sort(a))', output: 'a' },
          { op: 'sort', list: 'b', as: 'i', by: 'i.k', output: 'b' },
          { op: 'return', value: 'a' },
        ),
        { a, b },
      )
      return [a, b.map(({ k }) => k)]
    },
    expected: {
      value: [
        [3, 1, 2],
        [2, 1],
      ],
    },
    why: "the caller's data is never changed",
  },
  {
    title: 'changing a result that came from an argument',
    run: () => {
      const a = { list: [1] }
      const result = evaluate(returns('a'), { a }) as typeof a
      result.list.push(2)
      return a.list
    },
    expected: { value: [1] },
    why: 'a result shares nothing with the arguments',
  },
  {
    title: 'changing a result that came from a table or a default',
    run: () => {
      const compiled = compile(
        returns('[t, d]', {
          tables: { t: { n: 1 } },
          inputs: { d: { type: 'array', default: [1] } },
        }),
      )
      const [t, d] = compiled.run({}) as [{ n: number }, number[]]
      t.n = 666
      d.push(666)
      return compiled.run({})
    },
    expected: { value: [{ n: 1 }, [1]] },
    why: 'a program is the same in every run',
  },
  {
    title: 'changing a program after it was compiled',
    run: () => {
      const program = returns('t.n + 1', { tables: { t: { n: 1 } } })
      const compiled = compile(program)
      ;(program['tables'] as { t: { n: number } }).t.n = 666
      return compiled.run({})
    },
    expected: { value: 2 },
    why: 'what was checked is what runs',
  },
  {
    title: 'a program whose getters change between reads',
    run: () => {
      let reads = 0
      const step = {
        get op() {
          reads += 1
          return reads === 1 ? 'return' : 'eval'
        },
        value: '1',
      }
      return evaluate({ steps: [step] }, {})
    },
    expected: { value: 1, error: 'bad_program|unknown_op' },
    why: 'what was checked is what runs',
  },
  {
    title: 'a program that contains itself',
    run: () => {
      const step: Record<string, unknown> = { op: 'condition', if: 'true' }
      step['then'] = [step]
      return evaluate({ steps: [step] }, {})
    },
    expected: { error: 'limit|bad_program' },
    why: 'reading a program goes as deep as the nesting limit',
  },
  {
    title: 'negative zero inside an argument',
    program: returns('a'),
    args: () => ({ a: [-0, { b: -0 }] }),
    expected: { value: [0, { b: 0 }] },
    why: 'no negative zero comes out',
  },
  {
    title: 'division by a negative zero inside an argument',
    program: returns('1 / a.b'),
    args: () => ({ a: { b: -0 } }),
    expected: { error: 'division_by_zero' },
    why: 'it is zero',
  },
  {
    title: 'arguments without a prototype',
    program: returns('a + 1'),
    args: () => Object.assign(Object.create(null) as Record<string, unknown>, { a: 1 }),
    expected: { value: 2 },
    why: 'they are plain data too',
  },
  {
    title: 'half a surrogate pair',
    program: returns('[size(a), size(a.substring(0, 1)), a == a, size(split(a, ""))]'),
    args: () => ({ a: '\ud800x\udc00' }),
    expected: { value: [3, 1, true, 3] },
    why: 'texts that are not well-formed do not break counting',
  },
]

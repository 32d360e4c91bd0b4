import { type LanguageAttack, evaluate, returns, steps } from './language-attack.ts'

const inObject = { a: { b: 1 } }
/** Prototypes that were changed before the run. */
export const pollutionAttacks: readonly LanguageAttack[] = [
  {
    title: 'a variable that is only on a polluted Object.prototype',
    program: returns('evil'),
    pollution: { evil: 5 },
    expected: { error: 'unknown_variable' },
    why: 'arguments are own fields',
  },
  {
    title: 'a polluted variable with arguments read by for-in',
    program: returns('a + b'),
    args: () => ({ a: 1, b: 2 }),
    pollution: { c: 5, evil: { valueOf: 1 } },
    expected: { value: 3 },
    why: 'inherited enumerable keys are not arguments',
  },
  {
    title: 'a field that is only on a polluted Object.prototype',
    program: returns('a.evil'),
    args: () => inObject,
    pollution: { evil: 5 },
    expected: { error: 'unknown_key' },
    why: 'a path sees own keys only',
  },
  {
    title: 'a field of the items of a list that is only on a polluted Object.prototype',
    program: returns('sum(a.map(i, i.evil))'),
    args: () => ({ a: [{ b: 1 }, { b: 2 }] }),
    pollution: { evil: 5 },
    expected: { error: 'unknown_key' },
    why: 'fast loops over items see own keys only',
  },
  {
    title: 'has() and in with a polluted Object.prototype',
    program: returns(
      '[has(a.evil), "evil" in a, size(a), a == {"b": 1}.b]'.replace('{"b": 1}.b', 'a'),
    ),
    args: () => inObject,
    pollution: { evil: 5 },
    expected: { value: [false, false, 1, true] },
    why: 'inherited keys are no keys',
  },
  ...(
    [
      [
        'a default',
        steps({ op: 'lookup', table: 't', key: 'k', output: 'x' }, { op: 'return', value: 'x' }),
        { default: 9 },
        'unknown_key',
      ],
      [
        'an output',
        steps({ op: 'math', expression: '1' }, { op: 'return', value: '1' }),
        { output: 'x' },
        'bad_program',
      ],
      ['a value', steps({ op: 'return' }), { value: '7' }, 'bad_program'],
      ['an op', steps({ value: '7' }), { op: 'return' }, 'bad_program|unknown_op'],
    ] as const
  ).map(([place, program, pollution, error]): LanguageAttack => ({
    title: `a step that gets ${place} from a polluted Object.prototype`,
    program,
    args: () => ({ t: {} }),
    pollution,
    expected: { error },
    why: 'a program is what its own fields say',
  })),
  {
    title: 'a program that gets decimals, inputs and tables from a polluted Object.prototype',
    program: returns('0.1 + 0.2'),
    pollution: { numbers: 'decimal', inputs: { a: { type: 'number' } }, tables: { t: {} } },
    expected: { value: 0.1 + 0.2 },
    why: 'a program is what its own fields say',
  },
  {
    title: 'options from a polluted Object.prototype',
    program: returns('1 + 1'),
    pollution: { limits: { maxSteps: 0 }, maxSteps: 0, maxExpressionLength: 1 },
    expected: { value: 2 },
    why: 'options are own fields',
  },
  {
    title: 'an Array.prototype that some library extended',
    run: () => {
      const { prototype } = Array
      Object.defineProperty(prototype, 'extra', {
        configurable: true,
        enumerable: true,
        value: () => 'evil',
      })
      try {
        const expression = '[sum(a.map(i, i.n)), size(a), a == a, [1] + [2]]'
        return evaluate(returns(expression), { a: [{ n: 1 }, { n: 2 }] })
      } finally {
        Reflect.deleteProperty(Array.prototype, 'extra')
      }
    },
    expected: { value: [3, 2, true, [1, 2]] },
    why: 'a list is its items',
  },
]

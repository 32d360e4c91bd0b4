import {
  type LanguageAttack,
  type ProgramData,
  nestedArray,
  numbers,
  repeat,
  returns,
  steps,
} from './language-attack.ts'

const limited = (
  title: string,
  program: ProgramData,
  args?: () => Record<string, unknown>,
): LanguageAttack => ({
  title,
  program,
  ...(args === undefined ? {} : { args }),
  expected: { error: 'limit' },
  why: 'a program cannot use more than its budget',
})
const nested = (depth: number, variable: (level: number) => string): string => {
  let text = '1'
  for (let level = 0; level < depth; level++) text = variable(level).replace('…', text)
  return text
}
function nestedDeclaration(depth: number): unknown {
  let declaration: unknown = { type: 'number' }
  for (let level = 0; level < depth; level++) declaration = { type: 'array', items: declaration }
  return declaration
}

function nestedSwitches(depth: number): unknown[] {
  let inner: unknown[] = [{ op: 'return', value: '1' }]
  for (let level = 0; level < depth; level++)
    inner = [{ op: 'switch', cases: [{ when: 'true', then: inner }] }]
  return inner
}

/** Programs that would use too much. */
export const budgetAttacks: readonly LanguageAttack[] = [
  limited(
    'four macros over 300 items inside each other',
    returns('a.all(p, a.all(q, a.all(r, a.all(s, true))))'),
    () => ({ a: numbers(300) }),
  ),
  limited(
    'three filters over 300 items inside each other',
    returns('size(a.filter(p, size(a.filter(q, size(a.filter(r, p + q + r > 0)) > 0)) > 0))'),
    () => ({ a: numbers(300) }),
  ),
  limited('a list of a list 1,000 times over', returns('a.map(i, a)'), () => ({
    a: numbers(1000),
  })),
  limited(
    'a text doubled 40 times with +',
    steps(
      { op: 'set', value: '"xxxxxxxxxx"', output: 's' },
      ...repeat(40, () => ({ op: 'set', value: 's + s', output: 's' })),
      { op: 'return', value: 's' },
    ),
  ),
  limited(
    'a list doubled 40 times with +',
    steps(
      { op: 'set', value: '[1, 2]', output: 's' },
      ...repeat(40, () => ({ op: 'set', value: 's + s', output: 's' })),
      { op: 'return', value: 'size(s)' },
    ),
  ),
  limited(
    'a list nested in itself 80 times, two by two',
    steps(
      { op: 'set', value: '[1, 2]', output: 's' },
      ...repeat(80, () => ({ op: 'set', value: '[s, s]', output: 's' })),
      { op: 'return', value: 's' },
    ),
  ),
  limited(
    'two lists nested in themselves 80 times, compared',
    steps(
      { op: 'set', value: '[1, 2]', output: 's' },
      { op: 'set', value: '[1, 2]', output: 't' },
      ...repeat(80, () => ({ op: 'set', value: '[s, s]', output: 's' })),
      ...repeat(80, () => ({ op: 'set', value: '[t, t]', output: 't' })),
      { op: 'return', value: 's == t' },
    ),
  ),
  limited(
    'a text that grows tenfold with replace()',
    steps(
      { op: 'set', value: '"aaaaaaaaaa"', output: 's' },
      ...repeat(20, () => ({ op: 'set', value: 'replace(s, "a", "aaaaaaaaaa")', output: 's' })),
      { op: 'return', value: 'size(s)' },
    ),
  ),
  limited('a text that grows with join()', returns('join(a.map(i, s), s)'), () => ({
    a: numbers(1000),
    s: 'x'.repeat(1000),
  })),
  limited(
    'a text that grows with a template in a loop of steps',
    steps(...repeat(30, () => ({ op: 'format', template: '{{s}}{{s}}{{s}}', output: 's' })), {
      op: 'return',
      value: 's',
    }),
    () => ({ s: 'xxxxxxxxxx' }),
  ),
  ...['1000000000', '1e308', '100001'].map((width): LanguageAttack => ({
    ...limited(`pad to ${width}`, returns(`pad("x", ${width})`)),
    expected: { error: 'limit|bad_value' },
  })),
  limited('pad with a long fill', returns('pad("x", 100, f)'), () => ({ f: 'y'.repeat(200_000) })),
  ...['-1e9', '1.5', '0.5'].map((width): LanguageAttack => ({
    title: `pad to ${width}`,
    program: returns(`pad("x", ${width})`),
    expected: { value: 'x', error: 'bad_value|type' },
    why: 'a width is a whole number',
  })),
  ...[
    'round(1.5, 1000000000)',
    'round(1.5, -400)',
    'round(1.5, 0.5)',
    'fixed(1.5, 1000000)',
    'money(1, "$", 1e308)',
    'percent(1, 400)',
    'fixed(1, -1e9)',
    'round(1, 0, "ceil")',
    'round(1, 0, "__proto__")',
  ].map((value): LanguageAttack => ({
    title: value,
    program: returns(value),
    expected: { error: 'bad_value|type' },
    why: 'digits and modes outside the table are refused',
  })),
  limited('thousands with a long separator', returns('thousands(1e20, s)'), () => ({
    s: 'x'.repeat(50_000),
  })),
  limited('`in` for every item of 20,000', returns('size(a.filter(i, i in a))'), () => ({
    a: numbers(20_000),
  })),
  limited(
    'a fold that builds a list of 10,000',
    steps(
      { op: 'fold', list: 'a', as: 'i', acc: 's', init: '[0]', value: 's + [i]', output: 's' },
      { op: 'return', value: 'size(s)' },
    ),
    () => ({ a: numbers(10_000) }),
  ),
  limited(
    'a fold that builds a text of 1,000,000',
    steps(
      {
        op: 'fold',
        list: 'a',
        as: 'i',
        acc: 's',
        init: '""',
        value: 's + "xxxxxxxxxx"',
        output: 's',
      },
      { op: 'return', value: 'size(s)' },
    ),
    () => ({ a: numbers(50_000) }),
  ),
  limited(
    'a fold that doubles a list',
    steps(
      { op: 'fold', list: 'a', as: 'i', acc: 's', init: '[0]', value: '[s, s]', output: 's' },
      { op: 'return', value: 's' },
    ),
    () => ({ a: numbers(90) }),
  ),
  limited('sorting 100,000 numbers', returns('sort(a)[0]'), () => ({
    a: numbers(100_000).toReversed(),
  })),
  {
    title: 'distinct of 60,000 different numbers',
    program: returns('size(distinct(a))'),
    args: () => ({ a: numbers(60_000) }),
    expected: { value: 60_000, error: 'limit' },
    why: 'either it is fast or it is refused',
  },
  {
    title: 'distinct of 20,000 different objects',
    program: returns('size(distinct(a))'),
    args: () => ({ a: numbers(20_000).map((n) => ({ n, m: [n] })) }),
    expected: { value: 20_000, error: 'limit' },
    why: 'either it is fast or it is refused',
  },
  limited('a list of 100,001 items', returns('size(a.map(i, i))'), () => ({ a: numbers(100_001) })),
  limited('a text of 100,001 characters', returns('size(s)'), () => ({ s: 'x'.repeat(100_001) })),
  limited(
    'splitting a text again and again',
    steps(...repeat(20, () => ({ op: 'set', value: 'split(s, "")', output: 'l' })), {
      op: 'return',
      value: 'size(l)',
    }),
    () => ({ s: 'x'.repeat(100_000) }),
  ),
  limited(
    'searching a long text for a long part, often',
    returns('size(a.filter(i, s.contains(p)))'),
    () => ({ a: numbers(1000), s: 'a'.repeat(50_000), p: `${'a'.repeat(25_000)}b` }),
  ),
  limited(
    '1,001 steps',
    steps(...repeat(1000, () => ({ op: 'math', expression: '1', output: 'x' })), {
      op: 'return',
      value: 'x',
    }),
  ),
  limited(
    '2,001 variables',
    steps(...repeat(667, (i) => ({ op: 'math', expression: `a${i} + b${i}`, output: `c${i}` })), {
      op: 'return',
      value: '1',
    }),
  ),
  limited('a program of 300 KB', returns('1', { description: 'x'.repeat(300_000) })),
  limited('an expression of 4,001 characters', returns(`1${'+1'.repeat(2000)}`)),
  limited(
    'an expression of 4,001 characters in a placeholder',
    steps(
      { op: 'format', template: `{{ 1${'+1'.repeat(2000)} }}`, output: 'x' },
      { op: 'return', value: 'x' },
    ),
  ),
  ...[
    ['minus signs', `${'-'.repeat(3000)}1`],
    ['exclamation marks', `${'!'.repeat(3000)}true`],
    ['lists in lists', '['.repeat(1500) + ']'.repeat(1500)],
    ['parentheses', `${'('.repeat(1500)}1${')'.repeat(1500)}`],
    ['indexes', `a${'[0]'.repeat(1000)}`],
    ['fields', `a${'.b'.repeat(1500)}`],
    ['calls', `${'abs('.repeat(600)}1${')'.repeat(600)}`],
    ['methods', `1${'.abs()'.repeat(600)}`.replace('1.', '(1).')],
    ['conditionals', `${'true ? 1 : '.repeat(300)}1`],
    ['conditionals in the middle', `${'true ? '.repeat(300)}1${' : 1'.repeat(300)}`],
    ['macros', nested(120, (level) => `[1].map(v${level}, …)`)],
  ].map(([title, value]) => ({
    ...limited(`${title}, as many as fit in an expression`, returns(value ?? '')),
    expected: { error: 'limit' },
  })),
  limited(
    'array declarations 10,000 deep',
    returns('1', { inputs: { a: nestedDeclaration(10_000) } }),
  ),
  limited('a table nested 10,000 deep', returns('1', { tables: { t: nestedArray(10_000) } })),
  limited('switches 2,000 deep', {
    steps: nestedSwitches(2000),
  }),
]

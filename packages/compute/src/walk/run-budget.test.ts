import { describe, expect, it } from 'vitest'
import { issueOf, problemOf, walkLogic, type WalkOptions } from '../../test/walk-logic.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'

/** The units a run takes: the smallest limit that lets it pass, found by running. */
function unitsOf(logic: object, args: object): number {
  const passes = (maxRunUnits: number): boolean => {
    try {
      walkLogic(logic, { args, limits: { maxRunUnits } })
      return true
    } catch {
      return false
    }
  }
  expect(passes(1_000_000)).toBe(true)
  let low = 0
  let high = 1_000_000
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (passes(middle)) high = middle
    else low = middle
  }
  return high
}

const returning = (value: string): object => ({ steps: [{ op: 'return', value }] })

const args = {
  l: [1, 2, 3, 4, 5],
  words: ['abc', 'de'],
  s: 'hello',
  t: 'world',
  o: { a: 1, b: [1, 2] },
  p: { a: 1, b: [1, 2] },
  long: `${'a'.repeat(472)}${'b'.repeat(40)}`,
  tail: 'b'.repeat(40),
}

describe('the units of', () => {
  it.each([
    ['l.map(x, x * 2)', 5 * (1 + 3)],
    ['l.map(x, x > 2, x)', 5 * (1 + 3 + 1)],
    ['l.exists(x, x == 1)', 5 * (1 + 3)],
    ['l.map(x, l.map(y, x + y))', 5 * (1 + 5) + 5 * 5 * (1 + 3)],
    ['sum(l)', 5],
    ['size(l)', 5],
    ['sort(l)', 5 + 5 * 3],
    ['sort(l, "desc")', 9 + 5 * 3],
    ['l + l', 10],
    ['9 in l', 5],
    ['[1] in [[1, 2], [1]]', 2 + 1 + 2],
    ['s + t', 20],
    ['s < t', 10],
    ['s == t', 5],
    ['"x" + s == t', 2 * 6],
    ['o == p', 5 + 4],
    ['[o, "abc"] == [p, "abd"]', 1 + (5 + 4) + (1 + 3)],
    ['count([size(o)])', 1 + 2],
    ['contains(long, tail)', 512 + 40 + 40],
    ['indexOf(long, tail)', 512 + 40 + 40],
    ['count(split(long, tail))', 512 + 40 + 40 + 2],
    ['replace(long, tail, "")', 512 + 40 + 40 + 512 - 40],
    ['sort(words)', 2 + 2 * 2],
    ['sort([long, tail, s])', 3 + 2 * 3 + 2 * 34],
    ['distinct([long, tail, s])', 3 + 32 + 2],
    ['o == 1 || l == s || 1 + 2 == 4 || "k" in o || has(o.z) || s + "" == ""', 10],
    ['distinct(l)', 5],
    ['distinct([[1], [1], [2]])', 3 + 2 + 2],
    ['upper(s)', 10],
    ['join(words, "--")', 2 + 2 + 7],
    ['fixed(1.5)', 4],
    ['daysBetween("2026-01-01", "2026-01-02")', 20],
    ['round(2.5, 0, "half_up")', 7],
  ])('%s are %d', (expression, expected) => {
    expect(unitsOf(returning(expression), args)).toBe(expected)
  })

  it.each([
    ['b + b', 6],
    ['b - 1', 6],
    ['b % 3', 6],
    ['b < 3', 6],
    ['b == 3', 6],
    ['-b', 6],
    ['b * b', 13],
    ['b * 2 * 0.5', 6 + 6],
    ['b / b', 10 + 13],
    ['1 / 2', 10],
    ['avg([b, b])', 2 + 6 + 6 + 10 + 6],
    ['sum([b, b])', 2 + 6 + 6],
    ['max([b, b])', 2 + 6],
    ['sqrt(b)', 100 + 6],
    ['sqrt(2)', 100],
    ['pow(b, 2)', 100 + 6 + 13],
    ['pow(7, -100)', 100 + 7],
    ['fixed(c, 2)', 15 + 4],
    ['percent(c)', 15 + 3],
    ['pow(1.5, c)', 100 + 246],
    ['pow(1, 1e99)', 100 + 350 + 287],
    ['round(c, 2)', 15],
    ['floor(c)', 15],
    ['round(b)', 0],
    ['1e20 + 1e-20', 2],
    ['0 + 1e-99', 0],
    ['1e15 + 2.5', 1],
    ['123456789.12 * 1.19 - 12345.678 < 3', 0],
    ['sort([b, b])', 2 + 2 * 2 + 2 * 2 * 6],
    ['distinct([b, b])', 2 + 2 * 6],
  ])('%s of decimals are %d, b and c have 100 digits', (expression, expected) => {
    const logic = {
      numbers: 'decimal',
      steps: [
        { op: 'set', value: 'number(s)', output: 'b' },
        { op: 'set', value: 'number("0." + s)', output: 'c' },
        { op: 'return', value: `count([${expression}])` },
      ],
    }
    // What reading the two takes, and count.
    const rest = 100 + 204 + 102 + 1
    expect(unitsOf(logic, { s: '7'.repeat(100) })).toBe(rest + expected)
  })

  it.each<[object, number]>([
    [{ op: 'format', template: 'say {{s}}: {{12.5}}', output: 'x' }, 15],
    [
      { op: 'fold', list: 'l', as: 'i', acc: 'a', init: '0', value: 'a + i', output: 'x' },
      5 * (1 + 3),
    ],
    [{ op: 'sort', list: 'l', as: 'i', by: '-i', output: 'x' }, 5 * (1 + 2) + 5 * 3],
    [{ op: 'sort', list: 'l', output: 'x' }, 5 + 5 * 3],
  ])('%j are %d', (step, expected) => {
    expect(unitsOf({ steps: [step, { op: 'return', value: 'x' }] }, args)).toBe(expected)
  })
})

describe('limits of a run', () => {
  const problem = (expression: string, options: WalkOptions): string =>
    problemOf(() => walkLogic(returning(expression), options))
  const passes = (expression: string, options: WalkOptions): boolean => {
    walkLogic(returning(expression), options)
    return true
  }
  const list = (length: number): number[] => Array.from({ length }, (_, index) => index)

  it.each<[string, keyof ComputeLimits, string, object, object]>([
    ['text made by +', 'maxTextLength', 's + "c"', { s: 'ab' }, { s: 'abc' }],
    ['text made by a function', 'maxTextLength', 'join([s, "c"])', { s: 'ab' }, { s: 'abc' }],
    ['text that a symbol makes long', 'maxTextLength', 'money(n, "", 0)', { n: 999 }, { n: 1000 }],
    ['text read inside a value', 'maxTextLength', 'o.s', { o: { s: 'abc' } }, { o: { s: 'abcd' } }],
    ['array gone through', 'maxListLength', 'l.all(x, true)', { l: list(3) }, { l: list(4) }],
    [
      'text made by a function on the way',
      'maxTextLength',
      'size(fixed(n, 1))',
      { n: 9 },
      { n: 10 },
    ],
    ['array counted', 'maxListLength', 'count(l)', { l: list(3) }, { l: list(4) }],
    ['array read by a function', 'maxListLength', 'sum(l)', { l: list(3) }, { l: list(4) }],
    ['array read by in', 'maxListLength', '-1 in l', { l: list(3) }, { l: list(4) }],
    ['array made on the way', 'maxListLength', '[l + [1]] == []', { l: [1, 2] }, { l: [1, 2, 3] }],
    ['array made by +', 'maxListLength', 'l + [1]', { l: list(2) }, { l: list(3) }],
    ['array made by split', 'maxListLength', 'split(s, "")', { s: 'abc' }, { s: 'abcd' }],
    ['array returned', 'maxListLength', 'l', { l: list(3) }, { l: list(4) }],
    ['array returned in an array', 'maxListLength', '[l]', { l: list(3) }, { l: list(4) }],
    ['values returned', 'maxReturnedValues', '[l]', { l: list(2) }, { l: list(3) }],
    ['levels returned', 'maxNesting', '[l]', { l: [[]] }, { l: [[[]]] }],
  ])('hold at their edge: %s', (...[, limit, expression, fits, tooMuch]) => {
    const limits = { [limit]: 3 }
    expect(passes(expression, { args: fits, limits })).toBe(true)
    expect(problem(expression, { args: tooMuch, limits })).toMatch(
      /^limit steps\[0\]\.value(@\d+)?$/,
    )
  })

  it('a text argument, and a template', () => {
    const limits = { maxTextLength: 3 }
    expect(problem('s', { args: { s: 'abcd' }, limits })).toBe('limit args.s')
    const logic = (template: string): object => ({
      steps: [
        { op: 'format', template, output: 'x' },
        { op: 'return', value: 'x' },
      ],
    })
    expect(walkLogic(logic('{{s}}b'), { args: { s: 'cd' }, limits })).toBe('cdb')
    expect(problemOf(() => walkLogic(logic('{{s}}bc'), { args: { s: 'cd' }, limits }))).toBe(
      'limit steps[0].template@2',
    )
    expect(problemOf(() => walkLogic(logic('abcd'), { limits }))).toBe('limit steps[0].template@0')
  })

  it('a declared array is bounded before its items are read', () => {
    const inputs = { l: { type: 'array', items: { type: 'number' } } }
    const logic = { inputs, ...returning('1') }
    const limits = { maxListLength: 3 }
    expect(walkLogic(logic, { args: { l: list(3) }, limits })).toBe(1)
    expect(problemOf(() => walkLogic(logic, { args: { l: list(4) }, limits }))).toBe('limit args.l')
    const endless = new Proxy([1], {
      get: (target, key) => (key === 'length' ? Infinity : Reflect.get(target, key)),
    })
    expect(problemOf(() => walkLogic(logic, { args: { l: endless } }))).toBe('limit args.l')
    expect(problem('l.map(x, x)', { args: { l: endless } })).toBe('limit steps[0].value@0')
  })

  it('stop nested macros and growing texts long before they hurt', () => {
    const l = list(300)
    const nested = 'l.map(a, l.map(b, l.map(c, l.map(d, 1))))'
    expect(problem(nested, { args: { l } })).toMatch(/^limit steps\[0\]\.value@\d+$/)
    const doubling = Array.from({ length: 60 }, () => ({ op: 'set', value: 's + s', output: 's' }))
    const grown = { steps: [...doubling, { op: 'return', value: 's' }] }
    expect(problemOf(() => walkLogic(grown, { args: { s: 'ab' } }))).toMatch(
      /^limit steps\[15\]\.value/,
    )
  })

  it.each<[string, string, object]>([
    [
      'keys counted again and again',
      'count(l.map(x, size(o)))',
      { l: list(5_000), o: Object.fromEntries(list(20_000).map((n) => [`k${n}`, 1])) },
    ],
    [
      'objects of other keys compared',
      'count(l.filter(x, o == p))',
      {
        l: list(2_000),
        o: Object.fromEntries(list(20_000).map((n) => [`k${n}`, 1])),
        p: Object.fromEntries(list(20_000).map((n) => [`j${n}`, 1])),
      },
    ],
    [
      'a long part in a longer text',
      'contains(s, t)',
      { s: 'a'.repeat(100_000), t: `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}` },
    ],
    [
      'long texts inside arrays',
      'l.exists(x, [s] == [t])',
      { l: list(1_000), s: `${'a'.repeat(99_999)}b`, t: `${'a'.repeat(99_999)}c` },
    ],
    [
      'long texts in order',
      'sort(l.map(x, x % 2 == 0 ? s : t))',
      { l: list(1_000), s: `${'a'.repeat(99_999)}b`, t: `${'a'.repeat(99_999)}c` },
    ],
    [
      'long texts told apart',
      'distinct(l.map(x, s))',
      { l: list(1_000), s: `${'a'.repeat(99_999)}b` },
    ],
    ['many roots', 'l.map(x, sqrt(x))', { l: list(10_000) }],
    ['many quotients', 'l.map(x, number(s) / 7)', { l: list(1_000), s: '3'.repeat(999) }],
    ['long products', 'l.map(x, number(s) * number(s))', { l: list(1_500), s: '3'.repeat(499) }],
    [
      'powers of long numbers',
      Array.from({ length: 50 }, () => 'pow(number(s), number(t))').join('+'),
      { s: `1.${'3'.repeat(999)}`, t: `1.${'7'.repeat(999)}` },
    ],
    ['long sums', 'sum(l.map(x, number(s)))', { l: list(1_000), s: '3'.repeat(998) }],
  ])('stop %s', (_, value, given) => {
    const logic = { numbers: 'decimal', steps: [{ op: 'return', value }] }
    expect(problemOf(() => walkLogic(logic, { args: given }))).toMatch(
      /^limit steps\[0\]\.value@\d+$/,
    )
  })

  it('say what to do', () => {
    const run = (): unknown =>
      walkLogic(returning('sum(l)'), { args: { l: list(4) }, limits: { maxRunUnits: 3 } })
    expect(issueOf(run)).toMatchObject({ code: 'limit', path: 'steps[0].value', offset: 0 })
    expect(issueOf(run).hint).toContain('maxRunUnits')
  })
})

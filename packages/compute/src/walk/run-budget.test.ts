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
    ['o == p', 5],
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

  it('say what to do', () => {
    const run = (): unknown =>
      walkLogic(returning('sum(l)'), { args: { l: list(4) }, limits: { maxRunUnits: 3 } })
    expect(issueOf(run)).toMatchObject({ code: 'limit', path: 'steps[0].value', offset: 0 })
    expect(issueOf(run).hint).toContain('maxRunUnits')
  })
})

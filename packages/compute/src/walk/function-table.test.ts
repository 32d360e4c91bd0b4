import { describe, expect, it } from 'vitest'
import { issueOf, problemOf, walkExpression } from '../../test/walk-logic.ts'
import { functionForms } from '../language/functions.ts'
import { functionTable } from './function-table.ts'

const args = { list: [3, 1, 2], words: ['b', 'a'], none: [], text: 'h\u00e9llo \u{1f600}!' }
const valueOf = (expression: string, program: object = {}): unknown =>
  walkExpression(expression, { args, program })
const problem = (expression: string): string =>
  problemOf(() => valueOf(expression)).replace(' steps[0].value', ' ')

const decimal = { numbers: 'decimal' }

describe('the table', () => {
  it('has every function of the language and no other', () => {
    expect(Object.keys(functionTable).toSorted()).toEqual([...functionForms.keys()].toSorted())
  })
})

describe('functions of numbers', () => {
  const cases: readonly [string, unknown][] = [
    ['abs(-2.5)', 2.5],
    ['abs(2)', 2],
    ['floor(-2.5)', -3],
    ['ceil(-2.5)', -2],
    ['ceil(-0.5)', 0],
    ['trunc(-2.5)', -2],
    ['sign(-2)', -1],
    ['sign(0)', 0],
    ['sign(0.1)', 1],
    ['sqrt(6.25)', 2.5],
    ['pow(2, 10)', 1024],
    ['pow(4, 0.5)', 2],
    ['pow(0, 0)', 1],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(1250, -2)', 1300],
    ['round(2.5, 0, "half_even")', 2],
    ['min(3, 1, 2)', 1],
    ['max(list)', 3],
    ['min(4)', 4],
    ['sum(list)', 6],
    ['sum(none)', 0],
    ['sum(1, 2)', 3],
    ['avg(list)', 2],
    ['avg(1, 2)', 1.5],
    ['number("-00.50e1")', -5],
    ['number(4)', 4],
  ]
  it.each(cases)('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected)
  })
  it.each(cases)('%s is %j with decimals', (expression, expected) => {
    expect(valueOf(expression, decimal)).toBe(expected)
  })

  it('round ties as the program says unless told otherwise', () => {
    const even = { rounding: 'half_even' }
    expect(valueOf('[round(2.5), round(2.5, 0, "half_up")]', even)).toEqual([2, 3])
    expect(valueOf('[fixed(0.125), money(0.125), percent(0.125)]', even)).toEqual([
      '0.12',
      '$0.12',
      '12%',
    ])
    expect(valueOf('fixed(0.125)')).toBe('0.13')
  })

  it.each([
    ['sqrt(-1)', 'bad_value @0'],
    ['pow(-8, 1 / 3)', 'bad_value @0'],
    ['pow(0, -1)', 'division_by_zero @0'],
    ['pow(10, 400)', 'overflow @0'],
    ['round(1, 0.5)', 'bad_value @0'],
    ['round(1, 0, "up")', 'bad_value @0'],
    ['round(1, -21)', 'bad_value @0'],
    ['min(none)', 'bad_value @0'],
    ['max(none)', 'bad_value @0'],
    ['avg(none)', 'bad_value @0'],
    ['sum(words)', 'type @0'],
    ['min(words)', 'type @0'],
    ['sum([1e308, 1e308])', 'overflow @0'],
    ['number("")', 'bad_value @0'],
    ['number(" 1")', 'bad_value @0'],
    ['number("0x1")', 'bad_value @0'],
    ['number("1e999")', 'overflow @0'],
  ])('%s is refused with %s', (expression, expected) => {
    expect(problem(expression)).toBe(expected)
  })
})

describe('functions of strings', () => {
  it.each<[string, unknown]>([
    ['size(text)', 8],
    ['size("")', 0],
    ['contains(text, "ll")', true],
    ['text.startsWith("h")', true],
    ['text.endsWith("h")', false],
    ['upper("stra\u00dfe")', 'STRASSE'],
    ['lower("\u0130")', 'i\u0307'],
    ['trim("\u00a0 a \n")', 'a'],
    ['substring(text, 6)', '\u{1f600}!'],
    ['substring(text, 1, 3)', '\u00e9l'],
    ['replace("a.b.a", "a", "$&")', '$&.b.$&'],
    ['split("a,b,", ",")', ['a', 'b', '']],
    ['split("a\u{1f600}", "")', ['a', '\u{1f600}']],
    ['join(words, "-")', 'b-a'],
    ['join(words)', 'ba'],
    ['join(none, "-")', ''],
    ['indexOf(text, "!")', 7],
    ['indexOf("aba", "a", 1)', 2],
    ['indexOf("aba", "c")', -1],
    ['string(0.1 + 0.2)', '0.3'],
    ['string(true)', 'true'],
    ['string("x")', 'x'],
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it.each([
    ['substring(text, 3, 2)', 'bad_value @0'],
    ['substring(text, 9)', 'bad_value @0'],
    ['substring(text, 0.5)', 'bad_value @0'],
    ['replace(text, "", "x")', 'bad_value @0'],
    ['join(list)', 'type @0'],
    ['indexOf("a", "a", 2)', 'bad_value @0'],
    ['string(none)', 'type @7'],
    ['string(null)', 'type @7'],
  ])('%s is refused with %s', (expression, expected) => {
    expect(problem(expression)).toBe(expected)
  })
})

describe('functions of arrays', () => {
  it.each<[string, unknown]>([
    ['size(list)', 3],
    ['count(list)', 3],
    ['sort(list)', [1, 2, 3]],
    ['list.sort("desc")', [3, 2, 1]],
    ['sort(words, "asc")', ['a', 'b']],
    ['sort(none)', []],
    ['reverse(list)', [2, 1, 3]],
    ['distinct([1, "1", 1.0, [1], [1], null, null, true, "1"])', [1, '1', [1], null, true]],
    ['slice(list, 1)', [1, 2]],
    ['slice(list, 0, 2)', [3, 1]],
    ['slice(list, 3)', []],
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it('size counts the keys of an object', () => {
    expect(walkExpression('size(x)', { args: { x: { a: 1, b: 2 } } })).toBe(2)
  })

  it('leave what they are given as it is', () => {
    const given = { list: [3, 1, 2] }
    walkExpression('[sort(list), reverse(list)]', { args: given })
    expect(given.list).toEqual([3, 1, 2])
  })

  it.each([
    ['sort([1, "a"])', 'type @0'],
    ['sort([true])', 'type @0'],
    ['sort([[1]])', 'type @0'],
    ['sort(list, "up")', 'bad_value @0'],
    ['slice(list, 0, 4)', 'bad_value @0'],
    ['slice(list, 2, 1)', 'bad_value @0'],
    ['slice(list, -1)', 'bad_value @0'],
  ])('%s is refused with %s', (expression, expected) => {
    expect(problem(expression)).toBe(expected)
  })
})

describe('functions of dates', () => {
  const cases: readonly [string, unknown][] = [
    ['date("2026-02-28T23:59:59-05:00")', '2026-02-28'],
    ['date(2024, 2, 29)', '2024-02-29'],
    ['addDays("2026-02-28", 1)', '2026-03-01'],
    ['"2024-01-31".addMonths(1)', '2024-02-29'],
    ['daysBetween("2026-03-01", "2026-02-28")', -1],
    ['year("0001-02-03")', 1],
    ['month("2026-02-03")', 2],
    ['day("2026-02-03")', 3],
    ['weekday("2026-02-28")', 6],
  ]
  it.each(cases)('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected)
    expect(valueOf(expression, decimal)).toBe(expected)
  })

  it.each(['date("2026-02-30")', 'date(2026, 13, 1)', 'addDays("2026-1-1", 1)', 'year("x")'])(
    '%s is refused with bad_value',
    (expression) => {
      expect(problem(expression)).toBe('bad_value @0')
    },
  )
})

describe('functions that format', () => {
  const cases: readonly [string, string][] = [
    ['fixed(1.005)', '1.01'],
    ['fixed(-0.001)', '0.00'],
    ['fixed(2, 0)', '2'],
    ['money(-1234.5)', '-$1,234.50'],
    ['money(1234.5, "EUR ", 0)', 'EUR 1,235'],
    ['percent(0.125)', '13%'],
    ['percent(0.125, 1)', '12.5%'],
    ['thousands(1234567.125)', '1,234,567.125'],
    ['thousands(1234, " ")', '1 234'],
    ['pad(7, 3)', '  7'],
    ['pad(7, 3, "0")', '007'],
    ['pad("ab", 4, ".", "end")', 'ab..'],
  ]
  it.each(cases)('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toBe(expected)
    expect(valueOf(expression, decimal)).toBe(expected)
  })

  it.each([
    'fixed(1, 21)',
    'money(1, "$", -1)',
    'pad(1, -1)',
    'pad(1, 3, "ab")',
    'pad(1, 3, "0", "left")',
  ])('%s is refused with bad_value', (expression) => {
    expect(problem(expression)).toBe('bad_value @0')
  })
})

describe('decimals', () => {
  const exactly = (expression: string): unknown => valueOf(expression, decimal)

  it('are exact, where doubles are not', () => {
    expect(exactly('0.1 + 0.2')).toBe(0.3)
    expect(valueOf('0.1 + 0.2')).toBe(0.1 + 0.2)
    expect(exactly('0.1 + 0.2 == 0.3')).toBe(true)
    expect(exactly('sum([0.1, 0.2, 0.3]) in [0.6]')).toBe(true)
    expect(exactly('string(number("0.12345678901234567890123") * 10)')).toBe(
      '1.2345678901234567890123',
    )
    expect(exactly('string(0.1234567890123456789012)')).toBe('0.1234567890123456789012')
  })

  it('round quotients to 34 digits', () => {
    expect(exactly('string(2 / 3)')).toBe(`0.${'6'.repeat(33)}7`)
    expect(exactly('string(avg(1, 1, 0))')).toBe(`0.${'6'.repeat(33)}7`)
    expect(exactly('string(sqrt(2))')).toBe('1.414213562373095048801688724209698')
    expect(exactly('1 / 8')).toBe(0.125)
  })

  it('leave as numbers only where nothing is lost, at any depth', () => {
    expect(problemOf(() => exactly('1 / 3'))).toBe('precision steps[0].value@2')
    expect(problemOf(() => exactly('[[1 / 3]]'))).toBe('precision steps[0].value@0')
    expect(exactly('[[0.5 / 2]]')).toEqual([[0.25]])
    expect(issueOf(() => exactly('1 / 3')).hint).toContain('string(x)')
    expect(problemOf(() => exactly('pow(10, 30) + 1'))).toBe('precision steps[0].value@12')
    expect(exactly('pow(10, 30)')).toBe(1e30)
  })

  it('have at most 1,000 digits', () => {
    expect(problemOf(() => exactly('pow(10, 1001)'))).toBe('overflow steps[0].value@0')
    expect(problemOf(() => exactly('1e-300 * 1e-300 * 1e-300 * 1e-300'))).toBe(
      'overflow steps[0].value@25',
    )
  })

  it('are neither converted nor lost where a position or an index is wanted', () => {
    expect(exactly('list[3 - 1]')).toBe(2)
    expect(exactly('substring("abcd", 1 + 1, 3 * 1)')).toBe('c')
    expect(exactly('slice(list, 1 * 1)')).toEqual([1, 2])
    expect(problemOf(() => exactly('list[1 / 3]'))).toBe('type steps[0].value@7')
    expect(problemOf(() => exactly('substring("abcd", 1 / 3)'))).toBe('bad_value steps[0].value@0')
    expect(problemOf(() => exactly('list[3 + 0]'))).toBe('unknown_key steps[0].value@7')
  })

  it('mix with plain numbers of the arguments in every function', () => {
    expect(exactly('min(list) < max(list) * 1')).toBe(true)
    expect(exactly('sort(list.map(x, x * 0.1) + list)')).toEqual([0.1, 0.2, 0.3, 1, 2, 3])
    expect(exactly('distinct([3.0 * 1, 3, 1.5 * 2] + list)')).toEqual([3, 1, 2])
    expect(exactly('distinct([["a", 1 * 1], ["a", 1]])')).toEqual([['a', 1]])
    expect(exactly('abs(-list[0])')).toBe(3)
    const noisy = { args: { x: 0.1 + 0.2 }, program: decimal }
    expect(walkExpression('thousands(x)', noisy)).toBe('0.30000000000000004')
  })
})

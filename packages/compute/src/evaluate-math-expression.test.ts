import { describe, expect, it } from 'vitest'
import { ComputeError, evaluateComputeDSL, evaluateMathExpression } from './index.ts'

function test(expression: string, args: Record<string, unknown> = {}): unknown {
  try {
    return (
      evaluateComputeDSL(
        {
          steps: [
            {
              op: 'condition',
              if: expression,
              then: [{ op: 'math', expression: '1', output: 'x' }],
              else: [{ op: 'math', expression: '0', output: 'x' }],
            },
            { op: 'return', value: 'x' },
          ],
        },
        args,
      ) === 1
    )
  } catch (error) {
    if (ComputeError.is(error)) return `${error.code} @${error.offset}`
    throw error
  }
}

function math(expression: string, variables: Record<string, number> = {}): unknown {
  try {
    return evaluateMathExpression(expression, variables)
  } catch (error) {
    if (ComputeError.is(error)) return `${error.code} @${error.offset}`
    throw error
  }
}

describe('math', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 5', 2],
    ['-7 % 3', -1],
    ['--2', 2],
    ['2 - -2', 4],
    ['1e3 + 1.5E-1', 1000.15],
    ['0 * -1', 0],
    ['-0', 0],
    ['\t1\n+\r1 ', 2],
    ['1e20', 1e20],
  ])('%s is %d', (expression, expected) => {
    expect(math(expression)).toBe(expected)
  })

  it.each([
    ['', 'bad_token @0'],
    ['1 2', 'bad_token @2'],
    ['(1', 'bad_token @2'],
    ['1)', 'bad_token @1'],
    ['+1', 'bad_token @0'],
    ['.5', 'bad_token @0'],
    ['1.', 'bad_token @0'],
    ['1.2.3', 'bad_token @0'],
    ['0x10', 'bad_token @0'],
    ['1_000', 'bad_token @0'],
    ['2 ** 3', 'bad_token @3'],
    ['2 ^ 3', 'bad_token @2'],
    ['a.b', 'type @0'],
    ['a(1)', 'unknown_function @0'],
    ['1 > 2', 'type @2'],
    ['"1"', 'type @0'],
    ['1\u00a0+ 1', 'bad_token @1'],
    ['1 + \u{1f600}', 'bad_token @4'],
    ['true', 'type @0'],
    ['this', 'bad_token @0'],
    ['1 + __proto__', 'reserved_name @4'],
    ['1 + b', 'unknown_variable @4'],
    ['1 + a / 0', 'division_by_zero @6'],
    ['1 % (a - a)', 'division_by_zero @2'],
    ['1e308 * 10', 'overflow @6'],
    ['1e308 + 1e308', 'overflow @6'],
    ['-1e308 - 1e308', 'overflow @7'],
    ['1e308 / 1e-10', 'overflow @6'],
    ['1 / (1e308 + 1e308) + 1', 'overflow @11'],
    ['1 / (1e308 * 1e308)', 'overflow @11'],
    ['1e999', 'overflow @0'],
    ['9007199254740993', 'precision @0'],
    ['9007199254740993.0', 'precision @0'],
    ['9007199254740992.5', 'precision @0'],
  ])('%j is refused with %s', (expression, expected) => {
    expect(math(expression, { a: 4 })).toBe(expected)
  })

  it('says what to write instead', () => {
    expect(() => evaluateMathExpression('2 ^ 3')).toThrow('use pow(x, y)')
    expect(() => evaluateMathExpression('\u2212 1')).toThrow('U+2212')
  })
})

describe('a condition', () => {
  const args = {
    a: 5,
    b: 5,
    gold: 'gold',
    tier: 'gold',
    yes: true,
    no: false,
    none: null,
    empty: '',
    list: [1],
  }
  it.each([
    ['a >= 5 && a <= 5', true],
    ['a < 5 || a > 5', false],
    ['a == b', true],
    ['a != b', false],
    ['10 < a * 3', true],
    ['a + b > 9', true],
    ['!(a > 5)', true],
    ['!yes', false],
    ['true', true],
    ['false || yes', true],
    ['tier == "gold"', true],
    [`tier == 'gold'`, true],
    ['tier == gold', true],
    ['tier > "a" && "b" < tier', true],
    ['a == "5"', false],
    ['none == 0', false],
    ['empty == 0', false],
    ['yes == 1', false],
    ['list == 1', false],
    ['list == [1]', true],
    ['null == none', true],
    ['(a > 1) == true', true],
    ['1 < 2 && 2 < 3 && 3 < 4', true],
    ['false && true || true', true],
    [String.raw`"\"\\\n\u0041" == '"\\` + "\\nA'", true],
  ])('%s is %s', (expression, expected) => {
    expect(test(expression, args)).toBe(expected)
  })

  it('does not look at the right side when the left decides', () => {
    expect(test('no && missing', args)).toBe(false)
    expect(test('yes || missing', args)).toBe(true)
    expect(test('yes && missing', args)).toBe('unknown_variable @7')
  })

  it.each([
    [0, false],
    ['', false],
    [null, false],
    [false, false],
    [1, true],
    ['0', true],
    [[], true],
    [{}, true],
  ])('on one bare variable holding %j is %s', (value, expected) => {
    expect(test('v', { v: value })).toBe(expected)
    expect(test('(v)', { v: value })).toBe(expected)
  })

  it.each([
    ['a && yes', 'type @0'],
    ['!a', 'type @1'],
    ['5', 'type @0'],
    ['"text"', 'type @0'],
    ['a + b', 'type @2'],
    ['1 && true', 'type @0'],
    ['a > tier', 'type @4'],
    ['tier > 1', 'type @7'],
    ['"a" < 1', 'type @6'],
    ['true < false', 'type @0'],
    ['yes < no', 'type @0'],
    ['none >= 0', 'type @0'],
    ['tier + 1 > 0', 'type @7'],
    ['1 < a < 3', 'bad_token @6'],
    ['a = 5', 'bad_token @2'],
    ['a & b', 'bad_token @2'],
    ['"open', 'bad_token @0'],
    [String.raw`"\x"`, 'bad_token @1'],
    [String.raw`"\u00g0"`, 'bad_token @1'],
  ])('%s is refused with %s', (expression, expected) => {
    expect(test(expression, args)).toBe(expected)
  })
})

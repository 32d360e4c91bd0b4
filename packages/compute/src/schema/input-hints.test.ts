import { describe, expect, it } from 'vitest'
import type { ComputeLogic, ComputeStep } from '../language/compute-logic.ts'
import { type InputHint, type InputHints, readInputHints } from './index.ts'

/** A hint as plain data, without what says nothing. */
const show = ({ types, isDate, numbers, strings, entries, any }: InputHint): unknown => ({
  ...(types.length === 0 ? {} : { types: types.join(' ') }),
  ...(isDate ? { isDate } : {}),
  ...(numbers.size === 0 ? {} : { numbers: [...numbers] }),
  ...(strings.size === 0 ? {} : { strings: [...strings] }),
  ...(entries.size === 0
    ? {}
    : { entries: Object.fromEntries([...entries].map(([key, inner]) => [key, show(inner)])) }),
  ...(any === undefined ? {} : { any: show(any) }),
})
const hintsOf = (...steps: ComputeStep[]): InputHints =>
  readInputHints({ tables: { known: { a: 1 } }, steps } satisfies ComputeLogic)
const shown = (...steps: ComputeStep[]): unknown =>
  Object.fromEntries([...hintsOf(...steps).inputs].map(([name, hint]) => [name, show(hint)]))
const shownOf = (value: string): unknown => shown({ op: 'return', value })

describe('what a program says about its arguments', () => {
  it.each<[string, object]>([
    ['a * -b', { a: { types: 'number' }, b: { types: 'number' } }],
    ['a + 1 + b', { a: { types: 'number' }, b: { types: 'number' } }],
    ['a + "x"', { a: { types: 'string' } }],
    ['upper(a + b)', { a: { types: 'string' }, b: { types: 'string' } }],
    ['a + b', { a: { types: 'number string array' }, b: { types: 'number string array' } }],
    ['a + fixed(b)', { a: { types: 'string' }, b: { types: 'number' } }],
    ['a > 10 ? b : c', { a: { types: 'number', numbers: [10] }, b: {}, c: {} }],
    ['!a && b', { a: { types: 'boolean' }, b: { types: 'boolean' } }],
    ['a == "x" || "y" != a', { a: { types: 'string', strings: ['x', 'y'] } }],
    ['a in ["x", "y"]', { a: { types: 'string', strings: ['x', 'y'] } }],
    ['a < b', { a: { types: 'number string' }, b: { types: 'number string' } }],
    ['a == null', { a: {} }],
    [
      'a.b["c d"].e',
      {
        a: {
          types: 'object',
          entries: {
            b: { types: 'object', entries: { 'c d': { types: 'object', entries: { e: {} } } } },
          },
        },
      },
    ],
    ['has(a.b) ? a.c : 1', { a: { types: 'object', entries: { c: {} } } }],
    [
      'a[0].b + 1',
      {
        a: {
          types: 'array',
          entries: { 0: { types: 'object', entries: { b: { types: 'number' } } } },
        },
      },
    ],
    ['a[b]', { a: { types: 'array object', any: {} }, b: { types: 'number string' } }],
    ['a.upper().contains(b)', { a: { types: 'string' }, b: { types: 'string' } }],
    ['sum(a)', { a: { types: 'array', any: { types: 'number' } } }],
    ['min(a, b)', { a: { types: 'number' }, b: { types: 'number' } }],
    ['join(a, ", ")', { a: { types: 'array', any: { types: 'string' } } }],
    ['daysBetween(a, "2026-01-01")', { a: { types: 'string', isDate: true } }],
    ['a.addDays(b)', { a: { types: 'string', isDate: true }, b: { types: 'number' } }],
    [
      'a.filter(x, x.qty > 2).map(x, x.price * 2)',
      {
        a: {
          types: 'array',
          any: {
            types: 'object',
            entries: { qty: { types: 'number', numbers: [2] }, price: { types: 'number' } },
          },
        },
      },
    ],
    [
      'a.map(x, x.price).exists(p, p > 5)',
      {
        a: {
          types: 'array',
          any: { types: 'object', entries: { price: { types: 'number', numbers: [5] } } },
        },
      },
    ],
    ['a.map(x, a == x, 1)', { a: { types: 'array', any: {} } }],
    ['[a, -b]', { a: {}, b: { types: 'number' } }],
    ['known.a + known[b]', { b: { types: 'number string' } }],
  ])('%s', (expression, wanted) => {
    expect(shownOf(expression)).toEqual(wanted)
  })

  it('follows values through every operation', () => {
    expect(
      shown(
        { op: 'set', value: 'order.lines', output: 'lines' },
        { op: 'sort', list: 'lines', as: 'l', by: 'l.price', output: 'lines' },
        {
          op: 'fold',
          list: 'lines',
          as: 'l',
          acc: 't',
          init: '0',
          value: 't + l.qty * 1',
          output: 't',
        },
        { op: 'lookup', table: 'rates', key: 'de', output: 'rate' },
        { op: 'lookup', table: 'names', keyFrom: 'country', output: 'name' },
        { op: 'math', expression: 'rate * t', output: 'cost' },
        { op: 'check', that: 'cost > 0 && paid', message: 'No: {{reason}}' },
        {
          op: 'switch',
          cases: [{ when: 'kind == "small"', then: [{ op: 'return', value: 'name' }] }],
          else: [
            {
              op: 'condition',
              if: 'flag',
              then: [],
              else: [{ op: 'format', template: '{{note | upper}}', output: 'n' }],
            },
          ],
        },
        { op: 'return', fields: { cost: 'cost', extra: 'extra * 2' } },
      ),
    ).toEqual({
      order: {
        types: 'object',
        entries: {
          lines: {
            types: 'array',
            any: {
              types: 'object',
              entries: { price: { types: 'number string' }, qty: { types: 'number' } },
            },
          },
        },
      },
      rates: { types: 'array object', entries: { de: { types: 'number' } } },
      names: { types: 'array object', any: {} },
      country: { types: 'number string' },
      paid: { types: 'boolean' },
      reason: { types: 'number string boolean' },
      kind: { types: 'string', strings: ['small'] },
      flag: {},
      note: { types: 'string' },
      extra: { types: 'number' },
    })
  })

  it('reads programs that were compiled with higher limits', () => {
    const value = `${'('.repeat(200)}a${')'.repeat(200)}${' + 1'.repeat(2_000)}`
    expect(shownOf(value)).toEqual({ a: { types: 'number' } })
  })

  it('collects what anything is compared with', () => {
    const { numbers, strings } = hintsOf(
      { op: 'math', expression: 'a * 2', output: 'b' },
      { op: 'return', value: 'b >= 100 || string(b) == "7"' },
    )
    expect([...numbers]).toEqual([100])
    expect([...strings]).toEqual(['7'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walkExpression } from './walk-logic.ts'
import { howOften } from './how-often.ts'

/** An exact number, as a fraction of two bigints; the lower one is positive. */
interface Fraction {
  readonly upper: bigint
  readonly lower: bigint
}

type Tree =
  | { readonly text: string }
  | { readonly operator: '+' | '-' | '*'; readonly left: Tree; readonly right: Tree }
  | { readonly negated: Tree }

function fractionOf(text: string): Fraction {
  const [digits = '', decimals = ''] = text.split('.')
  return { upper: BigInt(digits + decimals), lower: 10n ** BigInt(decimals.length) }
}

function evaluate(tree: Tree): Fraction {
  if ('text' in tree) return fractionOf(tree.text)
  if ('negated' in tree) {
    const { upper, lower } = evaluate(tree.negated)
    return { upper: -upper, lower }
  }
  const left = evaluate(tree.left)
  const right = evaluate(tree.right)
  const lower = left.lower * right.lower
  if (tree.operator === '*') return { upper: left.upper * right.upper, lower }
  const added = right.upper * left.lower
  const upper = left.upper * right.lower + (tree.operator === '+' ? added : -added)
  return { upper, lower }
}

const textOf = (tree: Tree): string => {
  if ('text' in tree) return tree.text
  if ('negated' in tree) return `-(${textOf(tree.negated)})`
  return `(${textOf(tree.left)} ${tree.operator} ${textOf(tree.right)})`
}

const compare = (left: Fraction, right: Fraction): number => {
  const difference = left.upper * right.lower - right.upper * left.lower
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** Rounds to a whole number as one does by hand: looking at twice the rest. */
function roundFraction({ upper, lower }: Fraction, mode: 'half_up' | 'half_even'): bigint {
  const size = upper < 0n ? -upper : upper
  const whole = size / lower
  const rest = (size % lower) * 2n
  const isUp = rest > lower || (rest === lower && (mode === 'half_up' || whole % 2n === 1n))
  const rounded = isUp ? whole + 1n : whole
  return upper < 0n ? -rounded : rounded
}

const amount = fc
  .tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => {
    const text = String(digits).padStart(places + 1, '0')
    return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
  })

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ text: amount }),
    fc.record({ negated: tie('tree') }),
    fc.record({
      operator: fc.constantFrom('+', '-', '*'),
      left: tie('tree'),
      right: tie('tree'),
    }),
  ),
}))

const mode = fc.constantFrom('half_up' as const, 'half_even' as const)
const exactly = (expression: string, rounding = 'half_up'): unknown =>
  walkExpression(expression, { program: { numbers: 'decimal', rounding } })

/** The fraction that a text of the language stands for. */
const exactFraction = (expression: string, rounding?: string): Fraction =>
  fractionOf(String(exactly(`string(${expression})`, rounding)))

describe('decimal arithmetic and fractions of bigints', () => {
  it('agree on sums, differences, products and signs to the last digit', () => {
    fc.assert(
      fc.property(tree, (expression) => {
        expect(compare(exactFraction(textOf(expression)), evaluate(expression))).toBe(0)
      }),
      { numRuns: howOften(2_000) },
    )
  })

  it('agree on every comparison', () => {
    fc.assert(
      fc.property(tree, tree, (left, right) => {
        const [a, b] = [textOf(left), textOf(right)]
        const order = compare(evaluate(left), evaluate(right))
        expect(exactly(`[${a} < ${b}, ${a} == ${b}, ${a} >= ${b}, ${a} in [${b}]]`)).toEqual([
          order < 0,
          order === 0,
          order >= 0,
          order === 0,
        ])
        expect(exactly(`${a} == ${a} && distinct([${a}, ${a}]) == [${a}]`)).toBe(true)
      }),
      { numRuns: howOften(1_000) },
    )
  })

  it('agree on rounding', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: -3, max: 6 }), mode, (expression, digits, rounding) => {
        const { upper, lower } = evaluate(expression)
        const scale = 10n ** BigInt(Math.abs(digits))
        const scaled =
          digits < 0 ? { upper, lower: lower * scale } : { upper: upper * scale, lower }
        const whole = roundFraction(scaled, rounding)
        const expected =
          digits < 0 ? { upper: whole * scale, lower: 1n } : { upper: whole, lower: scale }
        const rounded = `round(${textOf(expression)}, ${digits})`
        expect(compare(exactFraction(rounded, rounding), expected)).toBe(0)
        if (digits < 0) return
        const fixed = String(exactly(`fixed(${textOf(expression)}, ${digits})`, rounding))
        expect(compare(fractionOf(fixed), expected)).toBe(0)
        expect(fixed.split('.')[1]?.length ?? 0).toBe(digits)
        expect(fixed).not.toMatch(/^-0(\.0*)?$/)
      }),
      { numRuns: howOften(1_500) },
    )
  })

  it('agree on quotients to 34 digits, and on remainders', () => {
    fc.assert(
      fc.property(tree, tree, mode, (left, right, rounding) => {
        const a = evaluate(left)
        const b = evaluate(right)
        fc.pre(b.upper !== 0n)
        const sign = b.upper < 0n ? -1n : 1n
        const quotient = { upper: a.upper * b.lower * sign, lower: a.lower * b.upper * sign }
        const actual = String(exactly(`string(${textOf(left)} / ${textOf(right)})`, rounding))
        const significant = actual.replace(/^-?0*\.?0*/, '').replace('.', '').length
        // Trailing zeros of a whole number may be digits that were rounded away.
        const places = (actual.split('.')[1] ?? '').length
        if (compare(fractionOf(actual), quotient) !== 0) {
          expect(actual).toContain('.')
          expect(significant).toBeLessThanOrEqual(34)
          const kept = 34 - significant + places
          const scale = 10n ** BigInt(kept)
          const scaled = { upper: quotient.upper * scale, lower: quotient.lower }
          const expected = { upper: roundFraction(scaled, rounding), lower: scale }
          expect(compare(fractionOf(actual), expected)).toBe(0)
        }
        const rest = exactFraction(`${textOf(left)} % ${textOf(right)}`)
        const whole = quotient.upper / quotient.lower
        const lower = a.lower * b.lower
        const upper = a.upper * b.lower - whole * b.upper * a.lower
        expect(compare(rest, { upper, lower })).toBe(0)
      }),
      { numRuns: howOften(1_500) },
    )
  })

  it('agree on sums and averages of arrays', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (texts) => {
        const total = texts.reduce<Tree>(
          (left, text) => ({ operator: '+', left, right: { text } }),
          { text: '0' },
        )
        const list = `[${texts.join(', ')}]`
        expect(compare(exactFraction(`sum(${list})`), evaluate(total))).toBe(0)
        expect(exactly(`avg(${list}) == sum(${list}) / size(${list})`)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('functions and what plain JavaScript gives', () => {
  const walk = (expression: string, args: object): unknown => walkExpression(expression, { args })
  const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 30 })

  it('agree on arrays of numbers', () => {
    fc.assert(
      fc.property(numbers, fc.nat({ max: 30 }), (l, at) => {
        const ascending = [...l].toSorted((left, right) => left - right)
        expect(walk('sort(l)', { l })).toEqual(ascending)
        expect(walk('sort(l, "desc")', { l })).toEqual([...ascending].toReversed())
        expect(walk('distinct(l)', { l })).toEqual([...new Set(l)])
        expect(walk('l.filter(x, x > 0).map(x, x * 2)', { l })).toEqual(
          l.filter((x) => x > 0).map((x) => x * 2),
        )
        expect(
          walk('[l.all(x, x > 0), l.exists(x, x > 0), l.exists_one(x, x > 0)]', { l }),
        ).toEqual([
          l.every((x) => x > 0),
          l.some((x) => x > 0),
          l.filter((x) => x > 0).length === 1,
        ])
        const from = Math.min(at, l.length)
        expect(walk('slice(l, at) + slice(l, 0, at)', { l, at: from })).toEqual([
          ...l.slice(from),
          ...l.slice(0, from),
        ])
        expect(walk('sum(l)', { l })).toBe(l.reduce((sum, x) => sum + x, 0))
      }),
      { numRuns: 500 },
    )
  })

  it('agree on strings, counted in code points', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    fc.assert(
      fc.property(text, text, (s, t) => {
        const points = Array.from(s)
        expect(walk('size(s)', { s })).toBe(points.length)
        expect(walk('split(s, "")', { s })).toEqual(points)
        expect(walk('join(split(s, ""), t)', { s, t })).toBe(points.join(t))
        const middle = Math.floor(points.length / 2)
        expect(walk('substring(s, m) + substring(s, 0, m)', { s, m: middle })).toBe(
          points.slice(middle).join('') + points.slice(0, middle).join(''),
        )
        expect(walk('indexOf(s + t, t)', { s, t })).toBe(
          Array.from((s + t).slice(0, (s + t).indexOf(t))).length,
        )
        expect(walk('[contains(s, t), s < t, s == t]', { s, t })).toEqual([
          s.includes(t),
          s < t,
          s === t,
        ])
      }),
      { numRuns: 500 },
    )
  })
})

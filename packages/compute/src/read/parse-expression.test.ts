import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ComputeError } from '../language/compute-error.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import { type Expression, expressionSize, partsOf } from '../language/expression.ts'
import { functionForms, macroNames } from '../language/functions.ts'
import { ExpressionParser } from './parse-expression.ts'
import { VariableTable } from './variable-table.ts'
import { howOften } from '../../test/how-often.ts'

function parse(text: string, limits = {}): Expression {
  const context = { limits: { ...defaultLimits, ...limits }, variables: new VariableTable() }
  return new ExpressionParser(context).parse({ path: 'p', text })
}

/** The tree of a text with a bracket around every operation. */
function show(expression: Expression): string {
  const parts = partsOf(expression).map(show)
  const [first = '', second = '', third = ''] = parts
  switch (expression.kind) {
    case 'number':
      return expression.text
    case 'string':
      return JSON.stringify(expression.value)
    case 'boolean':
      return String(expression.value)
    case 'null':
      return 'null'
    case 'variable':
      return `$${expression.slot}`
    case 'negate':
      return `(-${first})`
    case 'not':
      return `(!${first})`
    case 'array':
      return `[${parts.join(' ')}]`
    case 'field':
      return `${first}.${expression.key}`
    case 'has':
      return `has(${first}.${expression.key})`
    case 'index':
      return `${first}[${second}]`
    case 'arithmetic':
      return expression.rest.reduce(
        (left, { operator, operand }) => `(${left} ${operator} ${show(operand)})`,
        first,
      )
    case 'comparison':
      return `(${first} ${expression.operator} ${second})`
    case 'logic':
      return `(${parts.join(` ${expression.operator} `)})`
    case 'conditional':
      return `(${first} ? ${second} : ${third})`
    case 'call':
      return `${expression.name}(${parts.join(' ')})`
    default:
      return `${expression.name}($${expression.slot} ${parts.join(' ')})`
  }
}

function problemOf(text: string, limits = {}): string {
  try {
    return show(parse(text, limits))
  } catch (error) {
    if (ComputeError.is(error)) return `${error.code} @${error.offset}`
    throw error
  }
}

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3 - 4', '((1 + (2 * 3)) - 4)'],
    ['1 - (2 - 3)', '(1 - (2 - 3))'],
    ['8 / 4 % 3 * 2', '(((8 / 4) % 3) * 2)'],
    ['-1', '-1'],
    ['--1', '1'],
    ['-a * -b', '((-$0) * (-$1))'],
    ['!a && b || c && !d', '(((!$0) && $1) || ($2 && (!$3)))'],
    ['a || b || c', '($0 || $1 || $2)'],
    ['a < b == c', 'bad_token @6'],
    ['(a < b) == c', '(($0 < $1) == $2)'],
    ['a + 1 >= b && c != d', '((($0 + 1) >= $1) && ($2 != $3))'],
    ['a in b + c', '($0 in ($1 + $2))'],
    ['a ? b : c ? d : e', '($0 ? $1 : ($2 ? $3 : $4))'],
    ['a ? b ? c : d : e', '($0 ? ($1 ? $2 : $3) : $4)'],
    ['a.b["c d"][0][a.b]', '$0.b.c d[0][$0.b]'],
    ['-a.b', '(-$0.b)'],
    ['[1, [2,], a,]', '[1 [2] $0]'],
    ['[]', '[]'],
    ['size(a)', 'size($0)'],
    ['a.size()', 'size($0)'],
    ['"a b".split(" ").join("-")', 'join(split("a b" " ") "-")'],
    ['has(a.b.c)', 'has($0.b.c)'],
    ['has(a["b c"])', 'has($0.b c)'],
    ['a.map(x, x + a)', 'map($1 $0 ($1 + $0))'],
    ['map(a, x, x > 1, x * 2)', 'map($1 $0 ($1 > 1) ($1 * 2))'],
    ['a.map(a, a.map(a, a)) + a', '(map($1 $0 map($2 $1 $2)) + $0)'],
    ['exists_one(a, x, true)', 'exists_one($1 $0 true)'],
    ['map + filter(map, size, size > size(map))', '($0 + filter($1 $0 ($1 > size($0))))'],
    ['inner + int', '($0 + $1)'],
    ['1e3 + 003.20', '(1e3 + 003.20)'],
    [' \t\r\n1', '1'],
  ])('%s is %s', (text, tree) => {
    expect(problemOf(text)).toBe(tree)
  })

  it.each([
    ['', 'bad_token @0'],
    ['a b', 'bad_token @2'],
    ['a,', 'bad_token @1'],
    ['[1,,2]', 'bad_token @3'],
    ['size(a,)', 'bad_token @7'],
    ['a ? b', 'bad_token @5'],
    ['a ? b : ', 'bad_token @8'],
    ['a.', 'bad_token @2'],
    ['a.1', 'bad_token @2'],
    ['a[1', 'bad_token @3'],
    ['a | fixed', 'bad_token @2'],
    ['a = b', 'bad_token @2'],
    ['a & b', 'bad_token @2'],
    ['a ** b', 'bad_token @3'],
    ['{"a": 1}', 'bad_token @0'],
    ['b"x"', 'bad_token @1'],
    ['"""x"""', 'bad_token @2'],
    ['1 // x', 'bad_token @3'],
    ['1.', 'bad_token @0'],
    ['1.e3', 'bad_token @0'],
    ['.5', 'bad_token @0'],
    ['1u', 'bad_token @0'],
    ['this', 'bad_token @0'],
    ['a.map(this, 1)', 'reserved_name @6'],
    ['toString', 'reserved_name @0'],
    ['a.map(prototype, 1)', 'reserved_name @6'],
    ['foo(1)', 'unknown_function @0'],
    ['a.constructor()', 'unknown_function @2'],
    ['round()', 'wrong_arguments @0'],
    ['round(1, 2, "half_up", 4)', 'wrong_arguments @0'],
    ['min()', 'wrong_arguments @0'],
    ['date(1, 2)', 'wrong_arguments @0'],
    ['has(a)', 'wrong_arguments @0'],
    ['has(a[0])', 'wrong_arguments @0'],
    ['has(a.b, a.c)', 'wrong_arguments @0'],
    ['map(a)', 'wrong_arguments @0'],
    ['a.map(x)', 'wrong_arguments @2'],
    ['a.map(1, 2)', 'wrong_arguments @2'],
    ['a.filter(x, 1, 2)', 'wrong_arguments @2'],
    ['a.map(x, 1, 2, 3)', 'wrong_arguments @2'],
    ['9007199254740993', 'precision @0'],
    ['1e999', 'overflow @0'],
  ])('%s is refused: %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  it('names the function that was probably meant, also one of a macro', () => {
    expect(() => parse('a.uper()')).toThrow('Did you mean "upper"?')
    expect(() => parse('a.exist(x, x)')).toThrow('Did you mean "exists"?')
    expect(() => parse('zzzzzzzz(1)')).toThrow('Functions: abs, floor')
  })

  it('says how many arguments a function takes', () => {
    expect(() => parse('round()')).toThrow('round takes 1 to 3 arguments, this call has 0')
    expect(() => parse('date(1, 2)')).toThrow('date takes 1 or 3 arguments, this call has 2')
    expect(() => parse('a.pow()')).toThrow('pow takes 2 arguments, this call has 1')
  })

  it('has numbers that are the doubles nearest to what is written', () => {
    const digits = fc.stringMatching(/^[0-9]{1,18}$/)
    const written = fc
      .tuple(digits, fc.option(digits), fc.option(fc.integer({ min: -340, max: 300 })))
      .map(([whole, decimals, power]) => {
        const point = decimals === null ? '' : `.${decimals}`
        return `${whole}${point}${power === null ? 'e0' : `e${power}`}`
      })
    fc.assert(
      fc.property(fc.oneof(written, digits), (text) => {
        fc.pre(Number.isFinite(Number(text)) && (text.includes('e') || Number(text) < 2 ** 53))
        expect(parse(text)).toMatchObject({ kind: 'number', value: Number(text), text })
      }),
      { numRuns: howOften(2_000) },
    )
  })

  it('nests as deep as the limit says, counting brackets, signs, paths, calls and ?:', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
      ['-', ''],
      ['!', ''],
      ['a[', ']'],
      ['abs(', ')'],
      ['true ? 1 : ', ''],
      ['[1].map(x, ', ')'],
    ] as const) {
      const nested = (depth: number): string => `${open.repeat(depth)}a${close.repeat(depth)}`
      const levels = open.startsWith('[1]') ? 3 : 1
      const most = Array.from({ length: 12 }, (_, index) => index).findLast(
        (depth) => !problemOf(nested(depth), { maxNesting: 10 }).startsWith('limit'),
      )
      expect([open, most]).toEqual([open, Math.floor(10 / levels)])
    }
    const path = (length: number): string =>
      problemOf(`a${'.b'.repeat(length)}`, { maxNesting: 10 })
    expect([path(10), path(11)]).toEqual([`$0${'.b'.repeat(10)}`, 'limit @21'])
  })

  it('counts an operation, a literal and a variable as one node each', () => {
    for (const [text, size] of [
      ['1', 1],
      ['a + 1 + b', 5],
      ['a && b && c', 4],
      ['a.b[c]', 4],
      ['has(a.b)', 2],
      ['a ? -b : !c', 6],
      ['[1, 2]', 3],
      ['round(a, 2)', 3],
      ['a.map(x, x > 1, x * 2)', 8],
    ] as const) {
      expect([text, expressionSize(parse(text))]).toEqual([text, size])
    }
  })

  it('knows every function and macro by name', () => {
    for (const [name, [form]] of functionForms) {
      const given = Array.from({ length: form?.fewest ?? 0 }, () => 'a').join(', ')
      expect(parse(`${name}(${given})`)).toMatchObject({ kind: 'call', name })
    }
    for (const name of macroNames) expect(parse(`a.${name}(x, x)`)).toMatchObject({ name })
  })
})

describe('a string', () => {
  it.each([
    [String.raw`'a"b'`, 'a"b'],
    [String.raw`"a'b"`, "a'b"],
    [String.raw`"\\\"\'\`\?"`, '\\"\'`?'],
    [String.raw`"\a\b\f\n\r\t\v"`, '\u0007\b\f\n\r\t\v'],
    [String.raw`"\x41\u00e9\U0001F600\101"`, 'A\u00e9\u{1f600}A'],
    [String.raw`"\377"`, '\u00ff'],
    ['"a\nb"', 'a\nb'],
    ['"{{ }}"', '{{ }}'],
  ])('%s is read', (text, value) => {
    expect(parse(text)).toMatchObject({ kind: 'string', value })
  })

  it.each([
    ['"a', 0],
    ['\'a"', 0],
    [String.raw`"\q"`, 1],
    [String.raw`"\u12"`, 1],
    [String.raw`"\u+123"`, 1],
    [String.raw`"\x4g"`, 1],
    [String.raw`"\U00110000"`, 1],
    [String.raw`"\400"`, 1],
    [String.raw`"\18"`, 1],
    [String.raw`"\0"`, 1],
    ['"\\', 1],
  ])('%s is refused', (text, offset) => {
    expect(problemOf(text)).toBe(`bad_token @${offset}`)
  })
})

describe('parsing', () => {
  it('gives a tree or a ComputeError for any text', () => {
    const pieces =
      '( ) [ ] . , ? : + - ! == in a map( has( "x" 1 }} {{ | \\ \u{1f600} \ud800'.split(' ')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(text, (source) => {
        expect(problemOf(source)).not.toBe('')
      }),
      { numRuns: howOften(2_000) },
    )
  })
})

import { errorAt, type Problem, type Site } from '../language/compute-issue.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ArithmeticOperator, ComparisonOperator, Expression } from '../language/expression.ts'
import {
  type FunctionName,
  functionForms,
  type MacroName,
  macroNames,
  takesCount,
} from '../language/functions.ts'
import { suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { Tokenizer } from './tokenize.ts'
import { nameProblem, type VariableTable } from './variable-table.ts'

const comparisonLevel = 3
const levels: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ...['<', '<=', '>', '>=', '==', '!=', 'in'].map((symbol) => [symbol, comparisonLevel] as const),
  ['+', 4],
  ['-', 4],
  ['*', 5],
  ['/', 5],
  ['%', 5],
])

/** Everything a parser needs to know beside the text. */
export interface ParseContext {
  readonly limits: ComputeLimits
  readonly variables: VariableTable
}

/** Parses expressions out of one text: a whole text, or a placeholder of a template. */
export class ExpressionParser {
  readonly #site: Site
  readonly #limits: ComputeLimits
  readonly #variables: VariableTable
  readonly #tokens: Tokenizer
  #depth = 0

  constructor(site: Site, context: ParseContext, from = 0) {
    this.#site = site
    this.#limits = context.limits
    this.#variables = context.variables
    this.#tokens = new Tokenizer(site, from)
  }

  /** A whole text. */
  parse(): Expression {
    const expression = this.#parseConditional()
    if (this.#tokens.kind !== 'end') this.#refuseToken()
    return expression
  }

  /** An expression with filters, up to `}}`. Gives where the template goes on. */
  parsePlaceholder(): { readonly expression: Expression; readonly end: number } {
    let expression = this.#parseConditional()
    while (this.#tokens.take('|')) {
      const { kind, text: name, offset } = this.#tokens
      if (kind !== 'name') this.#refuseToken()
      this.#tokens.advance()
      const isCall = this.#tokens.take('(')
      expression = this.#finishCall(name, offset, { receiver: expression, isCall })
    }
    if (!this.#is('}')) this.#refuseToken()
    const end = this.#tokens.offset
    if (this.#site.text.charAt(end + 1) !== '}') this.#refuseToken()
    return { expression, end: end + 2 }
  }

  #is(symbol: string): boolean {
    return this.#tokens.kind === 'symbol' && this.#tokens.text === symbol
  }

  #fail(offset: number, problem: Problem): never {
    throw errorAt(this.#site, offset, problem)
  }

  #refuseToken(): never {
    const { kind, text, offset } = this.#tokens
    const isEnd = kind === 'end'
    this.#fail(offset, {
      code: 'bad_token',
      message: isEnd ? 'the expression ends too early' : `unexpected ${kind} ${quoteText(text)}`,
      hint: isEnd
        ? 'Complete it with a value or a closing bracket.'
        : text === '|'
          ? 'For "or", use ||. Filters stand in templates only.'
          : 'Check the operator or the bracket before it.',
    })
  }

  #expect(symbol: string): void {
    if (!this.#tokens.take(symbol)) this.#refuseToken()
  }

  #deepen(offset: number): void {
    if (++this.#depth <= this.#limits.maxNesting) return
    this.#fail(offset, {
      code: 'limit',
      message: `brackets, signs, paths and ?: are nested deeper than ${this.#limits.maxNesting} levels`,
      hint: 'Split the expression into several steps.',
    })
  }

  #parseConditional(): Expression {
    const test = this.#parseBinary(1)
    const { offset } = this.#tokens
    if (!this.#tokens.take('?')) return test
    this.#deepen(offset)
    const then = this.#parseConditional()
    this.#expect(':')
    const otherwise = this.#parseConditional()
    this.#depth--
    return { kind: 'conditional', test, then, else: otherwise, offset }
  }

  #parseBinary(lowest: number): Expression {
    let left = this.#parseUnary()
    let compared = false
    for (;;) {
      const { kind, text, offset } = this.#tokens
      const level = kind === 'symbol' || text === 'in' ? (levels.get(text) ?? 0) : 0
      if (level < lowest || level === 0 || kind === 'string') return left
      if (level === comparisonLevel) {
        if (compared) {
          this.#fail(offset, {
            code: 'bad_token',
            message: `a comparison cannot be followed by ${quoteText(text)}`,
            hint: 'Write a < b && b < c.',
          })
        }
        compared = true
      }
      this.#tokens.advance()
      left = combine(left, { operator: text, offset, right: this.#parseBinary(level + 1) })
    }
  }

  #parseUnary(): Expression {
    const { offset } = this.#tokens
    const isMinus = this.#is('-')
    if (!isMinus && !this.#is('!')) return this.#parsePath()
    this.#deepen(offset)
    this.#tokens.advance()
    const operand = this.#parseUnary()
    this.#depth--
    if (isMinus && operand.kind === 'number') {
      const text = operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}`
      return { kind: 'number', value: 0 - operand.value, text, offset }
    }
    return { kind: isMinus ? 'negate' : 'not', operand, offset }
  }

  #parsePath(): Expression {
    const depth = this.#depth
    let expression = this.#parsePrimary()
    for (;;) {
      const { offset } = this.#tokens
      if (this.#tokens.take('.')) {
        this.#deepen(offset)
        const { kind, text, offset: at } = this.#tokens
        if (kind !== 'name') this.#refuseToken()
        this.#tokens.advance()
        expression = this.#tokens.take('(')
          ? this.#finishCall(text, at, { receiver: expression, isCall: true })
          : { kind: 'field', object: expression, key: text, offset: at }
      } else if (this.#tokens.take('[')) {
        this.#deepen(offset)
        const key = this.#parseConditional()
        this.#expect(']')
        expression =
          key.kind === 'string'
            ? { kind: 'field', object: expression, key: key.value, offset: key.offset }
            : { kind: 'index', object: expression, key, offset }
      } else {
        this.#depth = depth
        return expression
      }
    }
  }

  #parsePrimary(): Expression {
    const { kind, text, offset } = this.#tokens
    if (kind === 'number') return this.#parseNumber(text, offset)
    if (kind === 'string') {
      this.#tokens.advance()
      return { kind: 'string', value: text, offset }
    }
    if (kind === 'name') return this.#parseName(text, offset)
    if (this.#is('[')) {
      this.#tokens.advance()
      return { kind: 'array', items: this.#parseItems(']', offset), offset }
    }
    if (!this.#is('(')) this.#refuseToken()
    this.#deepen(offset)
    this.#tokens.advance()
    const inner = this.#parseConditional()
    this.#expect(')')
    this.#depth--
    return inner
  }

  /** Items up to the closing symbol, which it takes. */
  #parseItems(closing: string, offset: number): Expression[] {
    this.#deepen(offset)
    const items: Expression[] = []
    while (!this.#tokens.take(closing)) {
      items.push(this.#parseConditional())
      if (this.#is(closing)) continue
      this.#expect(',')
      if (closing === ')' && this.#is(closing)) this.#refuseToken()
    }
    this.#depth--
    return items
  }

  #parseNumber(text: string, offset: number): Expression {
    const value = Number(text)
    if (!Number.isFinite(value)) {
      this.#fail(offset, {
        code: 'overflow',
        message: `the number ${quoteText(text)} is too large`,
        hint: 'The largest number is about 1.8e308.',
      })
    }
    // Without an exponent every digit is meant. From 2^53 on a fraction is lost as well.
    if (value > Number.MAX_SAFE_INTEGER && !/e/i.test(text)) {
      this.#fail(offset, {
        code: 'precision',
        message: `the number ${quoteText(text)} cannot be held exactly`,
        hint: 'Whole numbers are exact up to 9007199254740991; write 1e20 if you mean an approximate one.',
      })
    }
    this.#tokens.advance()
    return { kind: 'number', value, text, offset }
  }

  #parseName(text: string, offset: number): Expression {
    this.#tokens.advance()
    if (this.#tokens.take('(')) return this.#finishCall(text, offset, { isCall: true })
    if (text === 'true' || text === 'false')
      return { kind: 'boolean', value: text === 'true', offset }
    if (text === 'null') return { kind: 'null', offset }
    if (text === 'this') {
      this.#fail(offset, {
        code: 'bad_token',
        message: 'there is no "this"',
        hint: 'Name the variable.',
      })
    }
    const problem = nameProblem(text)
    if (problem !== undefined) this.#fail(offset, problem)
    return { kind: 'variable', slot: this.#variables.slotOf(text), offset }
  }

  /** A call after its opening bracket, or a filter without one. */
  #finishCall(
    name: string,
    offset: number,
    { receiver, isCall }: { readonly receiver?: Expression; readonly isCall: boolean },
  ): Expression {
    if (macroNames.has(name)) return this.#finishMacro(name as MacroName, offset, receiver)
    const rest = isCall ? this.#parseItems(')', offset) : []
    const given = receiver === undefined ? rest : [receiver, ...rest]
    const [first] = given
    if (name === 'has') {
      if (given.length === 1 && first?.kind === 'field') return { ...first, kind: 'has' }
      this.#fail(offset, {
        code: 'wrong_arguments',
        message: 'has takes one path',
        hint: 'Write has(order.note).',
      })
    }
    const forms = functionForms.get(name)
    if (forms === undefined) {
      const names = [...functionForms.keys(), ...macroNames, 'has']
      this.#fail(offset, {
        code: 'unknown_function',
        message: `there is no function ${quoteText(name)}`,
        hint: suggestName(name, names, `Functions: ${names.join(', ')}.`),
      })
    }
    if (!forms.some((form) => takesCount(form, given.length))) {
      this.#fail(offset, {
        code: 'wrong_arguments',
        message: `${name} takes ${countsOf(name)} arguments, this call has ${given.length}`,
        hint: 'The value before a dot or a "|" counts as the first argument.',
      })
    }
    return { kind: 'call', name: name as FunctionName, arguments: given, offset }
  }

  /** `map(list, item, body)` from behind its bracket. The item's name is known inside the body only. */
  #finishMacro(name: MacroName, offset: number, receiver: Expression | undefined): Expression {
    this.#deepen(offset)
    let list = receiver
    if (list === undefined) {
      list = this.#parseConditional()
      if (!this.#tokens.take(',')) this.#refuseMacro(name, offset)
    }
    const { kind, text: item, offset: itemOffset } = this.#tokens
    if (kind !== 'name') this.#refuseMacro(name, offset)
    const problem = nameProblem(item)
    if (problem !== undefined) this.#fail(itemOffset, problem)
    this.#tokens.advance()
    if (!this.#tokens.take(',')) this.#refuseMacro(name, offset)
    const slot = this.#variables.bind(item)
    const bodies = this.#parseItems(')', offset)
    this.#variables.unbind()
    this.#depth--
    const body = bodies.at(-1)
    const isFiltered = bodies.length === 2 && name === 'map'
    if (body === undefined || (bodies.length > 1 && !isFiltered)) this.#refuseMacro(name, offset)
    const condition = isFiltered ? bodies[0] : undefined
    return { kind: 'macro', name, list, slot, condition, body, offset }
  }

  #refuseMacro(name: string, offset: number): never {
    this.#fail(offset, {
      code: 'wrong_arguments',
      message: `${name} takes an array, a name for its items and an expression`,
      hint: `Write ${name}(items, item, item.price > 10).`,
    })
  }
}

function countsOf(name: string): string {
  const counts = (functionForms.get(name) ?? []).map(({ fewest, parameters, repeats }) => {
    const most = repeats ? 'any number of' : parameters.length
    return fewest === most || repeats ? `${most}` : `${fewest} to ${most}`
  })
  return counts.join(' or ')
}

function combine(
  left: Expression,
  { operator, offset, right }: { operator: string; offset: number; right: Expression },
): Expression {
  const level = levels.get(operator) ?? 0
  if (level < comparisonLevel) {
    if (left.kind === 'logic' && left.operator === operator) {
      left.operands.push(right)
      return left
    }
    return { kind: 'logic', operator: operator as '&&' | '||', operands: [left, right], offset }
  }
  if (level === comparisonLevel) {
    return { kind: 'comparison', operator: operator as ComparisonOperator, left, right, offset }
  }
  const link = { operator: operator as ArithmeticOperator, operand: right, offset }
  if (left.kind === 'arithmetic' && levels.get(left.rest[0]?.operator ?? '') === level) {
    left.rest.push(link)
    return left
  }
  return { kind: 'arithmetic', first: left, rest: [link], offset }
}

/** Parses an expression. Throws at the first problem. */
export function parseExpression(site: Site, context: ParseContext): Expression {
  const { maxExpressionLength } = context.limits
  if (site.text.length > maxExpressionLength) {
    throw errorAt(site, maxExpressionLength, {
      code: 'limit',
      message: `an expression may have ${maxExpressionLength} characters, this has ${site.text.length}`,
      hint: 'Split it into several steps.',
    })
  }
  return new ExpressionParser(site, context).parse()
}

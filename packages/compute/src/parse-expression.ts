import { errorAt, type Site } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  type Expression,
  typeOfExpression,
} from './expression.ts'
import { quoteText } from './quote-text.ts'
import { type Grammar, type Token, tokenize } from './tokenize.ts'
import { nameProblem, type VariableTable } from './variable-name.ts'

const comparisonLevel = 3
const levels: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['<', comparisonLevel],
  ['<=', comparisonLevel],
  ['>', comparisonLevel],
  ['>=', comparisonLevel],
  ['==', comparisonLevel],
  ['!=', comparisonLevel],
  ['+', 4],
  ['-', 4],
  ['*', 5],
  ['/', 5],
  ['%', 5],
])

const levelOf = (token: Token): number =>
  token.kind === 'symbol' ? (levels.get(token.text) ?? 0) : 0

class ExpressionParser {
  readonly #site: Site
  readonly #grammar: Grammar
  readonly #limits: ComputeLimits
  readonly #variables: VariableTable
  readonly #tokens: Token[]
  #at = 0
  #depth = 0

  constructor(
    site: Site,
    grammar: Grammar,
    context: { readonly limits: ComputeLimits; readonly variables: VariableTable },
  ) {
    this.#site = site
    this.#grammar = grammar
    this.#limits = context.limits
    this.#variables = context.variables
    this.#tokens = tokenize(site, grammar)
  }

  parse(): Expression {
    const expression = this.#parseBinary(1)
    if (this.#token.kind !== 'end') this.#refuseToken()
    return expression
  }

  get #token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1)
    if (token === undefined) throw new Error('unreachable: every token list has an end')
    return token
  }

  #refuseToken(): never {
    const { kind, text, offset } = this.#token
    throw errorAt(this.#site, offset, {
      code: 'bad_token',
      message:
        kind === 'end' ? 'the expression ends too early' : `unexpected ${kind} ${quoteText(text)}`,
      hint:
        kind === 'end'
          ? 'Complete it with a number, a variable name or a closing parenthesis.'
          : 'Check the operator or the parenthesis before it.',
    })
  }

  #parseBinary(lowest: number): Expression {
    let left = this.#parseUnary()
    let compared = false
    for (;;) {
      const operator = this.#token
      const level = levelOf(operator)
      if (level < lowest || level === 0) return left
      if (level === comparisonLevel) {
        if (compared) this.#refuseChainedComparison(operator)
        compared = true
      }
      this.#at++
      left = this.#combine(left, operator, this.#parseBinary(level + 1))
    }
  }

  #refuseChainedComparison(operator: Token): never {
    throw errorAt(this.#site, operator.offset, {
      code: 'bad_token',
      message: `a comparison cannot be followed by ${quoteText(operator.text)}`,
      hint: 'Write a < b && b < c.',
    })
  }

  #combine(left: Expression, { text, offset }: Token, right: Expression): Expression {
    if (text === '&&' || text === '||') {
      this.#require(left, 'boolean', text)
      this.#require(right, 'boolean', text)
      if (left.kind === 'logic' && left.operator === text) {
        left.operands.push(right)
        return left
      }
      return { kind: 'logic', operator: text, operands: [left, right], offset }
    }
    if (levels.get(text) === comparisonLevel) {
      const operator = text as ComparisonOperator
      if (operator !== '==' && operator !== '!=') this.#requireOrder(left, right, offset)
      return { kind: 'comparison', operator, left, right, offset }
    }
    this.#require(left, 'number', text)
    this.#require(right, 'number', text)
    const link = { operator: text as ArithmeticOperator, operand: right, offset }
    if (left.kind === 'arithmetic') {
      const leftOperator = left.rest[0]?.operator ?? ''
      if (levels.get(leftOperator) === levels.get(text)) {
        left.rest.push(link)
        return left
      }
    }
    return { kind: 'arithmetic', first: left, rest: [link], offset }
  }

  #require(operand: Expression, wanted: 'number' | 'boolean', operator: string): void {
    const found = typeOfExpression(operand)
    if (found === 'any' || found === wanted) return
    throw errorAt(this.#site, operand.offset, {
      code: 'type',
      message: `${operator} needs a ${wanted} on both sides, this is a ${found}`,
      hint:
        wanted === 'boolean'
          ? 'Compare it with something, for example a > 0.'
          : 'Use numbers and variables that hold numbers.',
    })
  }

  #requireOrder(left: Expression, right: Expression, offset: number): void {
    const leftType = typeOfExpression(left)
    const rightType = typeOfExpression(right)
    const isMixed = leftType !== 'any' && rightType !== 'any' && leftType !== rightType
    if (!isMixed && leftType !== 'boolean' && rightType !== 'boolean') return
    throw errorAt(this.#site, offset, {
      code: 'type',
      message: `${leftType} and ${rightType} have no order`,
      hint: 'Compare two numbers or two texts; for true and false use == or !=.',
    })
  }

  #deepen(offset: number): void {
    if (++this.#depth <= this.#limits.maxNesting) return
    throw errorAt(this.#site, offset, {
      code: 'limit',
      message: `parentheses and signs are nested deeper than ${this.#limits.maxNesting} levels`,
      hint: 'Split the expression into several steps.',
    })
  }

  #parseUnary(): Expression {
    const { kind, text, offset } = this.#token
    if (kind !== 'symbol' || (text !== '-' && text !== '!')) return this.#parsePrimary()
    this.#deepen(offset)
    this.#at++
    const operand = this.#parseUnary()
    this.#depth--
    if (text === '!') {
      this.#require(operand, 'boolean', '!')
      return { kind: 'not', operand, offset }
    }
    this.#require(operand, 'number', '-')
    if (operand.kind === 'number') return { kind: 'number', value: -operand.value, offset }
    return { kind: 'negate', operand, offset }
  }

  #parsePrimary(): Expression {
    const token = this.#token
    const { kind, text, offset } = token
    if (kind === 'number') return this.#parseNumber(token)
    if (kind === 'name') return this.#parseName(token)
    if (kind === 'text') {
      this.#at++
      return { kind: 'text', value: text, offset }
    }
    if (kind !== 'symbol' || text !== '(') this.#refuseToken()
    this.#deepen(offset)
    this.#at++
    const inner = this.#parseBinary(1)
    if (this.#token.kind !== 'symbol' || this.#token.text !== ')') this.#refuseToken()
    this.#at++
    this.#depth--
    return inner
  }

  #parseNumber({ text, offset }: Token): Expression {
    const value = Number(text)
    if (!Number.isFinite(value)) {
      throw errorAt(this.#site, offset, {
        code: 'overflow',
        message: `the number ${quoteText(text)} is too large`,
        hint: 'The largest number is about 1.8e308.',
      })
    }
    const isApproximate = text.includes('e') || text.includes('E')
    // Without an exponent every digit is meant. From 2^53 on a fraction is lost as well.
    if (!isApproximate && value > Number.MAX_SAFE_INTEGER) {
      throw errorAt(this.#site, offset, {
        code: 'precision',
        message: `the number ${quoteText(text)} cannot be held exactly`,
        hint: 'Whole numbers are exact up to 9007199254740991; write 1e20 if you mean an approximate one.',
      })
    }
    this.#at++
    return { kind: 'number', value, offset }
  }

  #parseName({ text, offset }: Token): Expression {
    if (this.#grammar === 'condition' && (text === 'true' || text === 'false')) {
      this.#at++
      return { kind: 'boolean', value: text === 'true', offset }
    }
    const problem = nameProblem(text)
    if (problem !== undefined) throw errorAt(this.#site, offset, problem)
    this.#at++
    return { kind: 'variable', slot: this.#variables.slotOf(text), offset }
  }
}

/** Everything a parser needs to know beside the text. */
export interface ParseContext {
  readonly grammar: Grammar
  readonly limits: ComputeLimits
  readonly variables: VariableTable
}

/** Parses an expression; a condition must give a boolean or be one bare variable. Throws at the first problem. */
export function parseExpression(site: Site, context: ParseContext): Expression {
  const { maxExpressionLength } = context.limits
  if (site.text.length > maxExpressionLength) {
    throw errorAt(site, maxExpressionLength, {
      code: 'limit',
      message: `an expression may have ${maxExpressionLength} characters, this has ${site.text.length}`,
      hint: 'Split it into several steps.',
    })
  }
  const expression = new ExpressionParser(site, context.grammar, context).parse()
  const type = typeOfExpression(expression)
  if (context.grammar === 'condition' && type !== 'boolean' && type !== 'any') {
    throw errorAt(site, expression.offset, {
      code: 'type',
      message: `a condition must be true or false, this is a ${type}`,
      hint: 'Compare it with something, for example a > 0.',
    })
  }
  return expression
}

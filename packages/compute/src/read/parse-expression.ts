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
import { parseDecimal } from '../values/decimal-text.ts'
import type { Fault } from '../values/fault.ts'
import { comparisonLevel, Tokenizer } from './tokenize.ts'
import { nameProblem, type VariableTable } from './variable-table.ts'

/** Everything a parser needs to know beside the text. */
export interface ParseContext {
  readonly limits: ComputeLimits
  readonly variables: VariableTable
}

/** For what other languages write. */
const tokenHints: ReadonlyMap<string, string> = new Map([
  ['|', 'For "or", use ||. Filters stand in templates only.'],
  ['and', 'For "and", use &&.'],
  ['or', 'For "or", use ||.'],
  ['**', 'For powers, use pow(x, y).'],
  ['//', 'Write / for a division; trunc(x / y) drops the fraction.'],
  ['?.', 'Write has(a.b) ? a.b : c for a field that may be missing.'],
  ['??', 'Write a == null ? b : a.'],
])

/** Parses expressions, one after the other: whole texts, and placeholders of templates. */
export class ExpressionParser {
  readonly limits: ComputeLimits
  /** Whether numbers are exact decimals, of any length. */
  decimal = false
  readonly #variables: VariableTable
  readonly #tokens = new Tokenizer()
  #site: Site = { path: '', text: '' }
  #depth = 0

  constructor({ limits, variables }: ParseContext) {
    this.limits = limits
    this.#variables = variables
  }

  #start(site: Site, from: number): void {
    this.#site = site
    this.#depth = 0
    this.#tokens.start(site, from)
  }

  /**
   * Parses a whole text.
   *
   * @throws {ComputeError} for the first problem
   */
  parse(site: Site): Expression {
    const { maxExpressionLength } = this.limits
    const { length } = site.text
    if (length > maxExpressionLength) {
      throw errorAt(site, maxExpressionLength, {
        code: 'limit',
        message: `an expression may have ${maxExpressionLength} characters, this has ${length}`,
        hint: 'Split it into several steps.',
      })
    }
    this.#start(site, 0)
    const expression = this.#parseConditional()
    if (this.#tokens.kind !== 'end') this.#refuseToken()
    return expression
  }

  /** Parses an expression with filters, up to `}}`. Gives where the template goes on. */
  parsePlaceholder(
    site: Site,
    from: number,
  ): { readonly expression: Expression; readonly end: number } {
    this.#start(site, from)
    let expression = this.#parseConditional()
    while (this.#tokens.take('|')) {
      const { kind, text: name, offset } = this.#tokens
      if (kind !== 'name') this.#refuseToken()
      this.#tokens.advance()
      const isCall = this.#tokens.take('(')
      expression = this.#finishCall(name, offset, { receiver: expression, isCall })
    }
    if (!this.#tokens.is('}')) this.#refuseToken()
    const end = this.#tokens.offset
    if (this.#site.text.charAt(end + 1) !== '}') this.#refuseToken()
    return { expression, end: end + 2 }
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
        : (tokenHints.get(this.#site.text.slice(offset - 1, offset + 1)) ??
          tokenHints.get(text) ??
          'Check the operator or the bracket before it.'),
    })
  }

  #expect(symbol: string): void {
    if (!this.#tokens.take(symbol)) this.#refuseToken()
  }

  #deepen(offset: number): void {
    if (++this.#depth <= this.limits.maxNesting) return
    this.#fail(offset, {
      code: 'limit',
      message: `brackets, signs, paths and ?: are nested deeper than ${this.limits.maxNesting} levels`,
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
    const tokens = this.#tokens
    let left = this.#parseUnary()
    let compared = false
    for (;;) {
      const { text, offset, level } = tokens
      if (level < lowest) return left
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
      tokens.advance()
      const right = this.#parseBinary(level + 1)
      if (level === comparisonLevel) {
        const operator = text as ComparisonOperator
        left = { kind: 'comparison', operator, left, right, offset }
      } else if (level > comparisonLevel) {
        const link = { operator: text as ArithmeticOperator, operand: right, offset }
        if (left.kind === 'arithmetic' && isSum(left.rest[0]?.operator) === isSum(text)) {
          left.rest.push(link)
        } else left = { kind: 'arithmetic', first: left, rest: [link], offset }
      } else if (left.kind === 'logic' && left.operator === text) left.operands.push(right)
      else left = { kind: 'logic', operator: text as '&&' | '||', operands: [left, right], offset }
    }
  }

  #parseUnary(): Expression {
    const { offset } = this.#tokens
    const isMinus = this.#tokens.is('-')
    if (!isMinus && !this.#tokens.is('!')) return this.#parsePath()
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
    if (this.#tokens.is('[')) {
      this.#tokens.advance()
      return { kind: 'array', items: this.#parseItems(']', offset), offset }
    }
    if (!this.#tokens.is('(')) this.#refuseToken()
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
      if (this.#tokens.is(closing)) continue
      this.#expect(',')
      if (closing === ')' && this.#tokens.is(closing)) this.#refuseToken()
    }
    this.#depth--
    return items
  }

  #parseNumber(text: string, offset: number): Expression {
    const { value } = this.#tokens
    if (this.decimal) this.#checkDecimal(text, offset)
    else if (!Number.isFinite(value)) {
      this.#fail(offset, {
        code: 'overflow',
        message: `the number ${quoteText(text)} is too large`,
        hint: 'The largest number is about 1.8e308.',
      })
    } else if (value > Number.MAX_SAFE_INTEGER && !text.toLowerCase().includes('e')) {
      // Without an exponent every digit is meant. From 2^53 on a fraction is lost as well.
      this.#fail(offset, {
        code: 'precision',
        message: `the number ${quoteText(text)} cannot be held exactly`,
        hint: 'Whole numbers are exact up to 9007199254740991; write 1e20 if you mean an approximate one.',
      })
    }
    this.#tokens.advance()
    return { kind: 'number', value, text, offset }
  }

  #checkDecimal(text: string, offset: number): void {
    try {
      parseDecimal(text)
    } catch (error) {
      this.#fail(offset, error as Fault)
    }
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
    return { kind: 'variable', slot: this.#slotOf(text, offset), offset }
  }

  #slotOf(name: string, offset: number): number {
    const known = this.#variables.knownSlotOf(name)
    if (known !== undefined) return known
    const problem = nameProblem(name)
    if (problem !== undefined) this.#fail(offset, problem)
    return this.#variables.outputSlotOf(name)
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
    this.#variables.unbindTo(this.#variables.boundCount - 1)
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

/** Whether an operator of arithmetic binds as + and - do. */
const isSum = (operator: string | undefined): boolean => operator === '+' || operator === '-'

function countsOf(name: string): string {
  const counts = (functionForms.get(name) ?? []).map(({ fewest, parameters, repeats }) => {
    const most = repeats ? 'any number of' : parameters.length
    return fewest === most || repeats ? `${most}` : `${fewest} to ${most}`
  })
  return counts.join(' or ')
}

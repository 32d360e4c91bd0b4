import type { ComputeError } from '../language/compute-error.ts'
import { errorAt, type Site } from '../language/compute-issue.ts'
import {
  type ArithmeticExpression,
  type CallExpression,
  type ComparisonExpression,
  type Expression,
  expressionSize,
  type IndexExpression,
  type MacroExpression,
  type NumberLiteral,
} from '../language/expression.ts'
import { functionForms, takesCount } from '../language/functions.ts'
import { typeHint, typeNames, valueTypes } from '../language/value-type.ts'
import { compareOrder, equalValues } from '../values/compare-values.ts'
import { parseDecimal } from '../values/decimal-text.ts'
import type { Decimal } from '../values/decimal.ts'
import { checkMade } from '../values/text-functions.ts'
import { calculate } from './calculate.ts'
import { callFunction } from './call-function.ts'
import { reportUnassigned } from './load-arguments.ts'
import { findEntry, lengthOf, makeArray, readEntry, readItem, readItems } from './read-data.ts'
import { atPlace, isNumeric, type Numeric, type Run, typeOf } from './run.ts'

const { number, string, boolean, array, object } = valueTypes
const literals = new WeakMap<NumberLiteral, Decimal>()

/** A literal is read once, however often a macro comes by. */
function literalOf(expression: NumberLiteral): Decimal {
  const value = literals.get(expression) ?? parseDecimal(expression.text)
  literals.set(expression, value)
  return value
}

/** Evaluates expressions of one text by walking their trees. The parser bounds how deep they are. */
export class ExpressionWalker {
  readonly #run: Run
  readonly #site: Site

  constructor(run: Run, site: Site) {
    this.#run = run
    this.#site = site
  }

  /** The value of an expression. */
  value(expression: Expression): unknown {
    switch (expression.kind) {
      case 'number':
        return this.#run.program.decimal
          ? this.at(expression, () => literalOf(expression))
          : expression.value
      case 'string':
      case 'boolean':
        return expression.value
      case 'null':
        return null
      case 'variable':
        return this.#variable(expression.slot, expression.offset)
      case 'negate': {
        const operand = this.#number(expression.operand)
        return this.at(expression, () => calculate('-', [0, operand], this.#run))
      }
      case 'not':
        return !this.boolean(expression.operand)
      case 'array': {
        const items = expression.items.map((item) => this.value(item))
        return this.at(expression, () => makeArray(this.#run, items))
      }
      case 'field': {
        const holder = this.#object(expression.object)
        return this.at(expression, () => readEntry(this.#run, holder, expression.key))
      }
      case 'has': {
        const holder = this.#object(expression.object)
        return this.at(expression, () => findEntry(this.#run, holder, expression.key) !== undefined)
      }
      case 'index':
        return this.#index(expression)
      case 'arithmetic':
        return this.#chain(expression)
      case 'comparison':
        return this.#compare(expression)
      case 'logic': {
        const decisive = expression.operator === '||'
        return (
          expression.operands.some((operand) => this.boolean(operand) === decisive) === decisive
        )
      }
      case 'conditional':
        return this.value(this.boolean(expression.test) ? expression.then : expression.else)
      case 'call':
        return this.#call(expression)
      default:
        return this.#macro(expression)
    }
  }

  /** The value of an expression that has to be true or false. */
  boolean(expression: Expression): boolean {
    return this.typed(this.value(expression), boolean, expression) as boolean
  }

  /** The value of an expression that has to be an array, with its length. Its items are read one by one. */
  list(expression: Expression): { readonly items: readonly unknown[]; readonly length: number } {
    const items = this.typed(this.value(expression), array, expression) as readonly unknown[]
    return { items, length: this.at(expression, () => lengthOf(items, this.#run.program.limits)) }
  }

  /** Refuses a value that is none of some types. */
  typed(value: unknown, wanted: number, at: { readonly offset: number }): unknown {
    // Looking at a proxy that its handler revoked throws.
    return this.at(at, () => {
      if (maskOf(value) & wanted) return value
      throw this.#wrongType(value, wanted, at)
    })
  }

  /** Runs what knows nothing of its place, which is this one. */
  at<Result>({ offset }: { readonly offset: number }, work: () => Result): Result {
    return atPlace(this.#site, offset, work)
  }

  #wrongType(
    value: unknown,
    wanted: number,
    { offset }: { readonly offset: number },
  ): ComputeError {
    return errorAt(this.#site, offset, {
      code: 'type',
      message: `needs ${typeNames(wanted)}, got ${typeOf(value)}`,
      hint: typeHint(wanted, maskOf(value)),
    })
  }

  #variable(slot: number, offset: number): unknown {
    const value = this.#run.frame[slot]
    if (value !== undefined) return value
    throw reportUnassigned(this.#run, slot, { site: this.#site, offset })
  }

  #number(expression: Expression): Numeric {
    return this.typed(this.value(expression), number, expression) as Numeric
  }

  #object(expression: Expression): object {
    return this.typed(this.value(expression), object, expression) as object
  }

  #index({ object: holder, key }: IndexExpression): unknown {
    const from = this.typed(this.value(holder), array | object, holder) as object
    const value = this.value(key)
    this.typed(value, Array.isArray(from) ? number : string, key)
    return this.at(key, () => readEntry(this.#run, from, value as string | Numeric))
  }

  #chain({ first, rest }: ArithmeticExpression): unknown {
    let value = this.value(first)
    let at = first
    for (const { operator, operand, offset } of rest) {
      const left = value
      const right = this.value(operand)
      this.typed(left, operator === '+' ? number | string | array : number, at)
      this.typed(right, maskOf(left), operand)
      value = this.at({ offset }, () =>
        isNumeric(left)
          ? calculate(operator, [left, right as Numeric], this.#run)
          : this.#join(left, right),
      )
      at = operand
    }
    return value
  }

  /** Two strings or two arrays as one. */
  #join(left: unknown, right: unknown): unknown {
    const { budget, program } = this.#run
    if (typeof left === 'string') {
      const text = left + String(right)
      budget.charge(text.length * 2)
      checkMade(text.length, program.limits.maxTextLength)
      return text
    }
    const lists = [left, right] as (readonly unknown[])[]
    for (const list of lists) budget.charge(lengthOf(list, program.limits))
    return makeArray(
      this.#run,
      lists.flatMap((list) => readItems(this.#run, list)),
    )
  }

  #compare({ operator, left, right, offset }: ComparisonExpression): boolean {
    const first = this.value(left)
    const second = this.value(right)
    if (operator === '==') return this.at({ offset }, () => this.#equal(first, second))
    if (operator === '!=') return !this.at({ offset }, () => this.#equal(first, second))
    if (operator === 'in') {
      if (typeof second === 'string') {
        throw errorAt(this.#site, right.offset, {
          code: 'type',
          message: 'needs array or object, got string',
          hint: 'For a part of a string, use contains(string, part).',
        })
      }
      this.typed(second, array | object, right)
      if (!Array.isArray(second)) this.typed(first, string, left)
      return this.at({ offset }, () => this.#isIn(first, second as object))
    }
    this.typed(first, number | string, left)
    this.typed(second, maskOf(first), right)
    const order = this.at({ offset }, () => compareOrder(first, second, this.#run.budget)) ?? 0
    if (operator === '<') return order < 0
    if (operator === '<=') return order <= 0
    return operator === '>' ? order > 0 : order >= 0
  }

  #equal(left: unknown, right: unknown): boolean {
    return equalValues(left, right, this.#run.budget)
  }

  #isIn(value: unknown, holder: object): boolean {
    if (!Array.isArray(holder)) {
      return findEntry(this.#run, holder, String(value)) !== undefined
    }
    const list: readonly unknown[] = holder
    const length = lengthOf(list, this.#run.program.limits)
    this.#run.budget.charge(length)
    for (let index = 0; index < length; index++) {
      if (this.#equal(value, readItem(this.#run, list, index))) return true
    }
    return false
  }

  #call(call: CallExpression): unknown {
    const { name, arguments: given } = call
    const values = given.map((argument) => this.value(argument))
    const forms = (functionForms.get(name) ?? []).filter((form) => takesCount(form, given.length))
    for (const [index, argument] of given.entries()) {
      let wanted = 0
      for (const { parameters } of forms) wanted |= parameters[index] ?? parameters.at(-1) ?? 0
      this.typed(values[index], wanted, argument)
    }
    return this.at(call, () => callFunction(this.#run, name, values))
  }

  #macro(macro: MacroExpression): unknown {
    const { name, list, slot, condition, body } = macro
    const run = this.#run
    const { items, length } = this.list(list)
    const size = (condition === undefined ? 0 : expressionSize(condition)) + expressionSize(body)
    this.at(macro, () => run.budget.charge(length * (1 + size)))
    const chosen: unknown[] = []
    let result: unknown
    for (let index = 0; index < length && result === undefined; index++) {
      const item = this.at(list, () => readItem(run, items, index))
      run.frame[slot] = item
      if (condition !== undefined && !this.boolean(condition)) continue
      if (name === 'map') chosen.push(this.value(body))
      else if (this.boolean(body)) {
        chosen.push(item)
        if (name === 'exists') result = true
      } else if (name === 'all') result = false
    }
    run.frame[slot] = undefined
    if (name === 'map' || name === 'filter') return this.at(macro, () => makeArray(run, chosen))
    return result ?? (name === 'all' || (name === 'exists_one' && chosen.length === 1))
  }
}

/** The type of a value as a bit. */
function maskOf(value: unknown): number {
  return (valueTypes as Readonly<Record<string, number>>)[typeOf(value)] ?? 0
}

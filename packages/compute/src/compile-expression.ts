import { errorAt, type Site } from './compute-issue.ts'
import type { ComputeError } from './compute-error.ts'
import {
  type ArithmeticExpression,
  type ArithmeticOperator,
  type ComparisonExpression,
  type Expression,
  type LogicExpression,
  typeOfExpression,
} from './expression.ts'
import { describeType } from './json-value.ts'

/**
 * The variables of one run by slot; undefined means not assigned. One slot more than there are
 * names holds the arguments, for hints only.
 */
export type Frame = unknown[]

type NumberCode = (frame: Frame) => number
type BooleanCode = (frame: Frame) => boolean
type ValueCode = (frame: Frame) => unknown

/** What compiled code needs to report an error. */
export interface CodeContext {
  readonly site: Site
  /** The error for a slot that has no value. */
  unassigned(slot: number, frame: Frame, place: { site: Site; offset: number }): ComputeError
}

class ExpressionCompiler {
  readonly #context: CodeContext
  readonly #site: Site

  constructor(context: CodeContext) {
    this.#context = context
    this.#site = context.site
  }

  #wrongType(value: unknown, wanted: string, offset: number): ComputeError {
    return errorAt(this.#site, offset, {
      code: 'type',
      message: `a ${wanted} is needed here, this is ${describeType(value)}`,
      hint: `Nothing is converted by itself; pass a ${wanted}.`,
    })
  }

  #typed<Type extends 'number' | 'boolean'>(
    slot: number,
    offset: number,
    type: Type,
  ): (frame: Frame) => Type extends 'number' ? number : boolean {
    return (frame) => {
      const value = frame[slot]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typeof was compared with the type parameter
      if (typeof value === type) return value as Type extends 'number' ? number : boolean
      throw value === undefined
        ? this.#context.unassigned(slot, frame, { site: this.#site, offset })
        : this.#wrongType(value, type, offset)
    }
  }

  value(expression: Expression): ValueCode {
    switch (typeOfExpression(expression)) {
      case 'number':
        return this.number(expression)
      case 'boolean':
        return this.boolean(expression)
      default:
    }
    if (expression.kind !== 'variable') {
      const constant = expression.kind === 'text' ? expression.value : ''
      return () => constant
    }
    const { slot, offset } = expression
    return (frame) => {
      const value = frame[slot]
      if (value !== undefined) return value
      throw this.#context.unassigned(slot, frame, { site: this.#site, offset })
    }
  }

  number(expression: Expression): NumberCode {
    switch (expression.kind) {
      case 'number': {
        const { value } = expression
        return () => value
      }
      case 'variable':
        return this.#typed(expression.slot, expression.offset, 'number')
      case 'negate': {
        const operand = this.number(expression.operand)
        return (frame) => -operand(frame)
      }
      case 'arithmetic':
        return expression.rest.length === 1 ? this.#binary(expression) : this.#chain(expression)
      default:
        throw new Error(`unreachable: the parser lets no ${expression.kind} stand for a number`)
    }
  }

  #overflow(offset: number): ComputeError {
    return errorAt(this.#site, offset, {
      code: 'overflow',
      message: 'the result is too large for a number',
      hint: 'The largest number is about 1.8e308.',
    })
  }

  #zero(offset: number): ComputeError {
    return errorAt(this.#site, offset, {
      code: 'division_by_zero',
      message: 'the right side of this division is 0',
      hint: 'Test the divisor in a condition first.',
    })
  }

  #apply(operator: ArithmeticOperator, offset: number): (left: number, right: number) => number {
    const finite = (result: number): number => {
      if (Number.isFinite(result)) return result
      throw this.#overflow(offset)
    }
    const divisor = (right: number): number => {
      if (right !== 0) return right
      throw this.#zero(offset)
    }
    const operations: Record<ArithmeticOperator, (left: number, right: number) => number> = {
      '+': (left, right) => finite(left + right),
      '-': (left, right) => finite(left - right),
      '*': (left, right) => finite(left * right),
      '/': (left, right) => finite(left / divisor(right)),
      '%': (left, right) => left % divisor(right),
    }
    return operations[operator]
  }

  #binary({ first, rest }: ArithmeticExpression): NumberCode {
    const [link] = rest
    if (link === undefined) return this.number(first)
    const left = this.number(first)
    const right = this.number(link.operand)
    const apply = this.#apply(link.operator, link.offset)
    return (frame) => apply(left(frame), right(frame))
  }

  #chain({ first, rest }: ArithmeticExpression): NumberCode {
    const start = this.number(first)
    const links = rest.map(({ operator, operand, offset }) => ({
      apply: this.#apply(operator, offset),
      operand: this.number(operand),
    }))
    return (frame) => {
      let result = start(frame)
      for (const { apply, operand } of links) result = apply(result, operand(frame))
      return result
    }
  }

  boolean(expression: Expression): BooleanCode {
    switch (expression.kind) {
      case 'boolean': {
        const { value } = expression
        return () => value
      }
      case 'variable':
        return this.#typed(expression.slot, expression.offset, 'boolean')
      case 'not': {
        const operand = this.boolean(expression.operand)
        return (frame) => !operand(frame)
      }
      case 'comparison':
        return expression.operator === '==' || expression.operator === '!='
          ? this.#equality(expression)
          : this.#order(expression)
      case 'logic':
        return this.#logic(expression)
      default:
        throw new Error(`unreachable: the parser lets no ${expression.kind} stand for a boolean`)
    }
  }

  #logic({ operator, operands }: LogicExpression): BooleanCode {
    const codes = operands.map((operand) => this.boolean(operand))
    return operator === '&&'
      ? (frame) => codes.every((code) => code(frame))
      : (frame) => codes.some((code) => code(frame))
  }

  #equality({ operator, left, right, offset }: ComparisonExpression): BooleanCode {
    const readLeft = this.value(left)
    const readRight = this.value(right)
    const wanted = operator === '=='
    const refuse = (value: unknown): ComputeError =>
      errorAt(this.#site, offset, {
        code: 'type',
        message: `a ${describeType(value)} cannot be compared`,
        hint: 'Take one field or item of it with a lookup step, and compare that.',
      })
    return (frame) => {
      const leftValue = readLeft(frame)
      const rightValue = readRight(frame)
      if (typeof leftValue === 'object' && leftValue !== null) throw refuse(leftValue)
      if (typeof rightValue === 'object' && rightValue !== null) throw refuse(rightValue)
      return (leftValue === rightValue) === wanted
    }
  }

  #order(comparison: ComparisonExpression): BooleanCode {
    const { left, right } = comparison
    // Both sides are worked out before their types are judged; these forms cannot show a difference.
    return typeOfExpression(left) === 'number' || right.kind === 'number'
      ? this.#numberOrder(comparison)
      : this.#valueOrder(comparison)
  }

  #numberOrder({ operator, left, right }: ComparisonExpression): BooleanCode {
    const readLeft = this.number(left)
    const readRight = this.number(right)
    switch (operator) {
      case '<':
        return (frame) => readLeft(frame) < readRight(frame)
      case '<=':
        return (frame) => readLeft(frame) <= readRight(frame)
      case '>':
        return (frame) => readLeft(frame) > readRight(frame)
      default:
        return (frame) => readLeft(frame) >= readRight(frame)
    }
  }

  #valueOrder({ operator, left, right, offset }: ComparisonExpression): BooleanCode {
    const readLeft = this.value(left)
    const readRight = this.value(right)
    const compare = <Value extends number | string>(first: Value, second: Value): boolean => {
      switch (operator) {
        case '<':
          return first < second
        case '<=':
          return first <= second
        case '>':
          return first > second
        default:
          return first >= second
      }
    }
    return (frame) => {
      const first = readLeft(frame)
      const second = readRight(frame)
      if (typeof first === 'number' && typeof second === 'number') return compare(first, second)
      if (typeof first === 'string' && typeof second === 'string') return compare(first, second)
      throw errorAt(this.#site, offset, {
        code: 'type',
        message: `${describeType(first)} and ${describeType(second)} have no order`,
        hint: 'Compare two numbers or two texts; nothing is converted by itself.',
      })
    }
  }
}

/** Code for an expression that gives a number. */
export function compileNumber(expression: Expression, context: CodeContext): NumberCode {
  return new ExpressionCompiler(context).number(expression)
}

/** Code for the test of a condition. One bare variable is tested for truthiness, all else is strict. */
export function compileTest(expression: Expression, context: CodeContext): BooleanCode {
  const compiler = new ExpressionCompiler(context)
  if (expression.kind !== 'variable') return compiler.boolean(expression)
  const read = compiler.value(expression)
  return (frame) => Boolean(read(frame))
}

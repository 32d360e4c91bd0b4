import type {
  ArithmeticExpression,
  ArithmeticOperator,
  CallExpression,
  ComparisonExpression,
  Expression,
} from '../language/expression.ts'
import { functionForms } from '../language/functions.ts'
import { type Program } from '../language/program.ts'
import { anyType, valueTypes } from '../language/value-type.ts'
import { roundNumber } from '../values/round-number.ts'
import { CodeWriter, type Label, newLabel, operations as o } from './code-writer.ts'
import type { ValueCode } from './machine.ts'

/** The operators by their place in a group of operations. */
export const arithmetic: Readonly<Record<ArithmeticOperator, number>> = {
  '+': 0,
  '-': 1,
  '*': 2,
  '/': 3,
  '%': 4,
}
const orders = ['<', '<=', '>', '>=', '==', '!='] as const
/** By the index in `orders`: what holds exactly where the comparison does not, and with its sides exchanged. */
const opposites = [3, 2, 1, 0, 5, 4] as const
const mirrored = [2, 3, 0, 1, 4, 5] as const

const unaries = ['abs', 'floor', 'ceil', 'trunc', 'sqrt', 'sign']
const binaries = ['min', 'max', 'pow']

/** Writes code for numbers and conditions. What is neither is worked out by functions, which a subclass makes. */
export abstract class NumberCompiler {
  readonly writer: CodeWriter
  protected program: Program
  /** The types that each slot can have so far, as bits. */
  protected readonly masks: number[]

  constructor(program: Program, slots: number) {
    this.program = program
    // What a macro, a fold or a sort goes through may be anything, and so may arguments that are not declared.
    this.masks = program.names.map(() => anyType)
    this.writer = new CodeWriter(slots)
  }

  /** A function that gives the value of an expression. */
  protected abstract value(expression: Expression): ValueCode

  /** Whether an expression gives a number if it gives anything. */
  protected isNumber(expression: Expression): boolean {
    switch (expression.kind) {
      case 'number':
      case 'negate':
        return true
      case 'variable':
        return this.masks[expression.slot] === valueTypes.number
      case 'arithmetic':
        return (
          expression.rest.some(
            ({ operator, operand }) => operator !== '+' || this.isNumber(operand),
          ) || this.isNumber(expression.first)
        )
      case 'conditional':
        return this.isNumber(expression.then) && this.isNumber(expression.else)
      case 'call':
        return functionForms.get(expression.name)?.[0]?.result === valueTypes.number
      default:
        return false
    }
  }

  /** The slot of a literal or a variable, otherwise -1. */
  #slotOf(expression: Expression): number {
    if (expression.kind === 'number') return this.writer.constant(expression.value + 0)
    return expression.kind === 'variable' ? expression.slot : -1
  }

  /** Writes code that leaves a number in A; NaN or Infinity where there is none. */
  protected number(expression: Expression): void {
    const { writer } = this
    const slot = this.#slotOf(expression)
    if (slot >= 0) writer.load(slot)
    else if (expression.kind === 'negate') {
      this.number(expression.operand)
      writer.emit(o.negate)
    } else if (expression.kind === 'arithmetic') this.#chain(expression)
    else if (expression.kind === 'conditional' && this.isNumber(expression)) {
      writer.flush()
      const otherwise = newLabel()
      const end = newLabel()
      this.condition(expression.test, false, otherwise)
      this.number(expression.then)
      writer.jump(end)
      writer.place(otherwise)
      this.number(expression.else)
      writer.place(end)
    } else if (expression.kind !== 'call' || !this.#function(expression)) {
      writer.emit(o.call, writer.pooled(this.value(expression)))
    }
  }

  #chain({ first, rest }: ArithmeticExpression): void {
    const link = rest[0]!
    const operator = arithmetic[link.operator]
    const x = this.#slotOf(first)
    const y = this.#slotOf(link.operand)
    if (x >= 0 && y >= 0) this.writer.apply(operator, x, y)
    else if (x >= 0) {
      this.number(link.operand)
      this.writer.applyLeft(operator, x)
    } else {
      this.number(first)
      this.#right(operator, link.operand)
    }
    for (let index = 1; index < rest.length; index++) {
      this.#right(arithmetic[rest[index]!.operator], rest[index]!.operand)
    }
  }

  /** A = A operator expression */
  #right(operator: number, expression: Expression): void {
    const { writer } = this
    const slot = this.#slotOf(expression)
    if (slot >= 0) return writer.applyRight(operator, slot)
    if (expression.kind === 'arithmetic' && expression.rest.length === 1) {
      const { first, rest } = expression
      const [link] = rest
      const x = this.#slotOf(first)
      const y = link === undefined ? -1 : this.#slotOf(link.operand)
      if (link !== undefined && x >= 0 && y >= 0) {
        return writer.applyPair(operator, arithmetic[link.operator], [x, y])
      }
    }
    writer.push()
    this.number(expression)
    writer.applyPopped(operator)
  }

  /** Functions of numbers that the machine has. */
  #function({ name, arguments: given }: CallExpression): boolean {
    const { writer } = this
    const [first, ...others] = given
    const unary = unaries.indexOf(name)
    const binary = binaries.indexOf(name)
    if (first === undefined) return false
    if (name === 'round') return this.#round(first, others)
    if (unary < 0 && (binary < 0 || others.length === 0)) return false
    this.number(first)
    if (unary >= 0) writer.emit(o.unary + unary)
    for (const other of others) {
      writer.push()
      this.number(other)
      writer.emit(o.binary, binary)
      writer.pop()
    }
    return true
  }

  #round(first: Expression, [digits, ...others]: readonly Expression[]): boolean {
    if (others.length > 0 || (digits !== undefined && digits.kind !== 'number')) return false
    const places = digits?.value ?? 0
    const { rounding } = this.program
    this.number(first)
    this.writer.emit(
      o.through,
      this.writer.pooled((value) =>
        Number.isFinite(value) ? roundNumber(value as number, places, rounding) : Number.NaN,
      ),
    )
    return true
  }

  /** Writes code that jumps to a label if a condition comes out as told, and otherwise goes on. */
  protected condition(expression: Expression, jumpsIf: boolean, label: Label): void {
    switch (expression.kind) {
      case 'not':
        return this.condition(expression.operand, !jumpsIf, label)
      case 'logic': {
        const { operator, operands } = expression
        // Told early: && by false, || by true.
        const early = operator === '||'
        const target = early === jumpsIf ? label : newLabel()
        for (const operand of operands.slice(0, -1)) this.condition(operand, early, target)
        const last = operands.at(-1)
        if (last !== undefined) this.condition(last, jumpsIf, label)
        if (target !== label) this.writer.place(target)
        return undefined
      }
      case 'variable':
        this.writer.emit(o.testSlot, expression.slot, Number(jumpsIf))
        return this.writer.target(label)
      case 'comparison':
        if (this.#compare(expression, jumpsIf, label)) return undefined
        break
      default:
    }
    this.writer.emit(o.test, this.writer.pooled(this.value(expression)), Number(jumpsIf))
    this.writer.target(label)
  }

  /** Compares as numbers; where something else may be compared, a function does that then. */
  #compare(comparison: ComparisonExpression, jumpsIf: boolean, label: Label): boolean {
    const { writer } = this
    const { operator, left, right } = comparison
    if (operator === 'in' || this.program.decimal) return false
    const numeric = Number(this.isNumber(left)) + Number(this.isNumber(right))
    const given = orders.indexOf(operator)
    // What is ordered with a number is a number.
    const isCertain = numeric === 2 || (numeric === 1 && given < 4)
    if (!isCertain && !(isPure(left) && isPure(right))) return false
    const order = jumpsIf ? (opposites[given] ?? 0) : given
    const x = this.#slotOf(left)
    const y = this.#slotOf(right)
    const other = isCertain
      ? 0
      : writer.pooled(this.value({ ...comparison, operator: orders[order] ?? operator }))
    if (x >= 0 && y >= 0) writer.emit(o.compareSlots + order, x, y)
    else if (y >= 0) {
      this.number(left)
      writer.emit(o.compareRight + order, y)
    } else if (x >= 0) {
      this.number(right)
      writer.emit(o.compareRight + (mirrored[order] ?? 0), x)
    } else {
      const kept = writer.temporary()
      this.number(left)
      writer.emit(o.keep, kept)
      this.number(right)
      writer.emit(o.compareRight + (mirrored[order] ?? 0), kept)
    }
    writer.target(label, other)
    return true
  }
}

/** Whether working it out as numbers costs no units and calls nothing, so that it may be tried. */
function isPure(expression: Expression): boolean {
  if (expression.kind === 'arithmetic') {
    return isPure(expression.first) && expression.rest.every(({ operand }) => isPure(operand))
  }
  if (expression.kind === 'negate') return isPure(expression.operand)
  return expression.kind === 'variable' || expression.kind === 'number'
}

import type { ArithmeticExpression, CallExpression, Expression } from '../language/expression.ts'
import { Decimal, powersOfTen, splitColumn } from '../values/decimal.ts'
import { parseDecimal } from '../values/decimal-text.ts'
import { roundNumber } from '../values/round-number.ts'
import { toDecimal } from '../walk/calculate.ts'
import { isNumeric } from '../walk/run.ts'
import {
  choose,
  type Column,
  columnSize,
  decimalOperations,
  either,
  equal,
  floatOperations,
  invert,
  less,
  multiplyThree,
  type Operation,
  roundExact,
  through,
} from './column-operations.ts'
import { arithmetic } from './compile-numbers.ts'
import type { EngineRun } from './engine-run.ts'
import { keyOf, readSlot } from './frame.ts'
import { type Columns, loadItems, loadRows, loaderFor, sharedLoader } from './row-loaders.ts'

/** Works through items a column at a time; false where they are not all what it is made for. */
export type ColumnCode = (
  items: readonly unknown[],
  take: (column: Column, count: number, from: number) => boolean,
) => boolean

/** A part of an expression as the index of a column. */
interface Part {
  readonly index: number
  readonly isBoolean: boolean
}

interface Instruction {
  readonly operation: Operation
  readonly into: Column
  readonly from: readonly Column[]
}

const mostColumns = 24

/** How often a program runs before its fields get a loader of their own: trying a proposal runs it less often. */
const runsBefore = 64

const plain: object = Object.prototype
const empty = {}

/** Where fields of decimals are loaded. */
const raw = [0, 1, 2].map(() => new Float64Array(columnSize))

/**
 * One set for all programs, made once: nothing that is called while they are in use works on columns. What a run finds in
 * them is what it put there.
 */
const columns: readonly Column[] = Array.from({ length: mostColumns }, () => ({
  data: new Float64Array(columnSize),
  places: 0,
}))

const columnAt = ({ index }: Part): Column => columns[index]!

const unaries: ReadonlyMap<string, (value: number) => number> = new Map([
  ...(['abs', 'floor', 'ceil', 'trunc', 'sqrt'] as const).map(
    (name): [string, (value: number) => number] => [name, Math[name]],
  ),
  ['sign', (value) => value - value + Math.sign(value)],
])

/** Takes the body of a macro apart into operations on whole columns, where it is numbers only. */
class ColumnPlanner {
  readonly keys: string[] = []
  readonly instructions: Instruction[] = []
  /** Numbers that are the same for all items, and where they go. */
  readonly scalars: { readonly read: () => unknown; readonly into: Column }[] = []
  usesItem = false
  readonly #fields = new Map<string | undefined, Part>()
  readonly #run: EngineRun
  readonly #slot: number
  #used = 0

  constructor(run: EngineRun, slot: number) {
    this.#run = run
    this.#slot = slot
  }

  plan(expression: Expression): Part | undefined {
    switch (expression.kind) {
      case 'number': {
        const { value, text } = expression
        return this.#scalar(this.#run.program.decimal ? parseDecimal(text) : value + 0)
      }
      case 'boolean': {
        const part = this.#scalar(Number(expression.value))
        return part && { ...part, isBoolean: true }
      }
      case 'variable': {
        const { slot } = expression
        if (slot === this.#slot) return this.#field(undefined)
        return this.#scalarOf(() => readSlot(slot))
      }
      case 'field':
        return expression.object.kind === 'variable' && expression.object.slot === this.#slot
          ? this.#field(expression.key)
          : undefined
      case 'negate':
        return this.#numbers(this.#arithmetic(1), [this.#scalar(0), this.plan(expression.operand)])
      case 'not':
        return this.#booleans(invert, [this.plan(expression.operand)])
      case 'arithmetic':
        return this.#chain(expression)
      case 'logic': {
        const operation = either(Number(expression.operator === '||'))
        const [first, ...others] = expression.operands.map((operand) => this.plan(operand))
        let part = first
        for (const other of others) part = this.#booleans(operation, [part, other])
        return part
      }
      case 'conditional': {
        const [test, then, otherwise] = [expression.test, expression.then, expression.else].map(
          (part) => this.plan(part),
        )
        if (!test?.isBoolean || then === undefined || then.isBoolean !== otherwise?.isBoolean) {
          return undefined
        }
        return this.#emit(choose, [test, then, otherwise], then.isBoolean)
      }
      case 'comparison': {
        const { operator, left, right } = expression
        const sides = [this.plan(left), this.plan(right)]
        const isMirrored = operator === '>' || operator === '<='
        if (operator === 'in' || sides.some((side) => side?.isBoolean !== false)) return undefined
        if (isMirrored) sides.reverse()
        const isEqual = operator === '==' || operator === '!='
        const part = this.#emit(isEqual ? equal : less, sides, true)
        return operator === '!=' || operator === '>=' || operator === '<='
          ? this.#booleans(invert, [part])
          : part
      }
      case 'call':
        return this.#call(expression)
      default:
        return undefined
    }
  }

  #arithmetic(operator: number): Operation | undefined {
    return (this.#run.program.decimal ? decimalOperations : floatOperations)[operator]
  }

  #chain({ first, rest }: ArithmeticExpression): Part | undefined {
    let part = this.plan(first)
    let product: Instruction | undefined
    for (const { operator, operand } of rest) {
      const right = this.plan(operand)
      if (product !== undefined && operator === '*' && right?.isBoolean === false) {
        // Three factors in one go; the product of the first two is not needed then.
        this.instructions.splice(this.instructions.indexOf(product), 1)
        const from = [...product.from, columnAt(right)]
        this.instructions.push({ operation: multiplyThree, into: product.into, from })
        product = undefined
        continue
      }
      part = this.#numbers(this.#arithmetic(arithmetic[operator]), [part, right])
      const isProduct = operator === '*' && part !== undefined && !this.#run.program.decimal
      product = isProduct ? this.instructions.at(-1) : undefined
    }
    return part
  }

  #call({ name, arguments: given }: CallExpression): Part | undefined {
    const { decimal, rounding } = this.#run.program
    const [first, digits, mode] = given
    if (first === undefined || mode !== undefined) return undefined
    if (name !== 'round') {
      const unary = decimal && name !== 'abs' ? undefined : unaries.get(name)
      return this.#numbers(unary && through(unary), [this.plan(first)])
    }
    if (digits !== undefined && digits.kind !== 'number') return undefined
    const places = digits?.value ?? 0
    if (!Number.isInteger(places) || places > 20) return undefined
    const operation = decimal
      ? roundExact(places, rounding)
      : through((value) =>
          value - value === 0 ? roundNumber(value, places, rounding) : Number.NaN,
        )
    return this.#numbers(operation, [this.plan(first)])
  }

  #numbers(
    operation: Operation | undefined,
    from: readonly (Part | undefined)[],
  ): Part | undefined {
    if (from.some((part) => part?.isBoolean !== false)) return undefined
    return this.#emit(operation, from, false)
  }

  #booleans(operation: Operation, from: readonly (Part | undefined)[]): Part | undefined {
    if (from.some((part) => part?.isBoolean !== true)) return undefined
    return this.#emit(operation, from, true)
  }

  #emit(
    operation: Operation | undefined,
    from: readonly (Part | undefined)[],
    isBoolean: boolean,
  ): Part | undefined {
    const columnsFrom = from.flatMap((part) => (part === undefined ? [] : [columnAt(part)]))
    if (operation === undefined || columnsFrom.length < from.length) return undefined
    const part = this.#next(isBoolean)
    if (part === undefined) return undefined
    this.instructions.push({ operation, into: columnAt(part), from: columnsFrom })
    return part
  }

  #next(isBoolean: boolean): Part | undefined {
    return this.#used < mostColumns ? { index: this.#used++, isBoolean } : undefined
  }

  #scalar(value: unknown): Part | undefined {
    return this.#scalarOf(() => value)
  }

  #scalarOf(read: () => unknown): Part | undefined {
    const part = this.#next(false)
    if (part !== undefined) this.scalars.push({ read, into: columnAt(part) })
    return part
  }

  /** The column of a field, or of the items themselves. */
  #field(key: string | undefined): Part | undefined {
    const known = this.#fields.get(key)
    if (known !== undefined) return known
    const part = this.#next(false)
    if (part === undefined) return undefined
    this.#fields.set(key, part)
    if (key === undefined) this.usesItem = true
    else this.keys.push(keyOf(key))
    return part
  }

  fieldColumns(): Column[] {
    return [...this.#fields.values()].map(columnAt)
  }
}

/** Code that works out an expression for whole columns of items; undefined for one that is not all numbers. */
export function compileColumns(
  run: EngineRun,
  slot: number,
  expression: Expression,
): { readonly code: ColumnCode; readonly isBoolean: boolean } | undefined {
  const planner = new ColumnPlanner(run, slot)
  const result = planner.plan(expression)
  const { keys, instructions, scalars, usesItem } = planner
  const fields = planner.fieldColumns()
  if (result === undefined || (usesItem ? keys.length > 0 : keys.length === 0)) return undefined
  const { decimal } = run.program
  const column = columnAt(result)
  // Three are read at once; the first stands in where there are fewer. Decimals are split on the way to their column.
  const groups = Array.from({ length: Math.ceil(keys.length / 3) }, (_, group) => {
    const [first, ...others] = fields.slice(group * 3, group * 3 + 3)
    const at = [0, 1, 2].map((place) => (place <= others.length ? place : 0))
    const names = at.map((place) => keys[group * 3 + place] ?? '')
    const into = [first, ...others].map((field, place) => (decimal ? raw[place]! : field!.data))
    return { names, into: at.map((place) => into[place]!), loader: sharedLoader }
  })
  const split = (from: number, count: number): boolean =>
    fields.slice(from, from + 3).every((field, place) => {
      field.places = splitColumn(raw[place]!, count, field.data)
      return field.places >= 0
    })
  const load = (items: readonly unknown[], from: number, count: number): boolean => {
    const rows = { items, from, count, keys }
    if (usesItem && !loadItems(rows, decimal ? raw[0]! : fields[0]!.data)) return false
    if (usesItem && decimal) return split(0, count)
    for (const [index, group] of groups.entries()) {
      const { names, into } = group
      if (group.loader === sharedLoader && run.runs > runsBefore) group.loader = loaderFor(names)
      if (!loadRows(group.loader, { ...rows, keys: names }, into as unknown as Columns)) {
        return false
      }
      if (decimal && !split(index * 3, count)) return false
    }
    return true
  }
  const code: ColumnCode = (items, take) => {
    // Fields that every object inherits would pass for their own.
    for (const _ in empty) return false
    for (const key of keys) if (Reflect.get(plain, key) !== undefined) return false
    const { length } = items
    // A program before may have had decimals in them.
    for (const used of columns) used.places = 0
    for (const { read, into } of scalars) {
      if (!fill(into, read(), { decimal, count: Math.min(length, columnSize) })) return false
    }
    for (let from = 0; from < length; from += columnSize) {
      const count = Math.min(length - from, columnSize)
      if (!load(items, from, count)) return false
      for (const { operation, into, from: parts } of instructions) operation(count, into, parts)
      if (!take(column, count, from)) return false
    }
    return true
  }
  return { code, isBoolean: result.isBoolean }
}

/** Puts the same number into a whole column. */
function fill(
  into: Column,
  value: unknown,
  { decimal, count }: { readonly decimal: boolean; readonly count: number },
): boolean {
  if (!isNumeric(value)) return false
  if (!decimal) {
    into.data.fill(value as number, 0, count)
    return true
  }
  const { mantissa, exponent } = toDecimal(value)
  const factor = powersOfTen[Math.max(0, exponent)]
  into.places = Math.max(0, 0 - exponent)
  if (typeof mantissa !== 'number' || factor === undefined || into.places > 22) return false
  const whole = mantissa * factor
  into.data.fill(whole, 0, count)
  return Math.abs(whole) <= Number.MAX_SAFE_INTEGER
}

/** A number of a column as the language has it; undefined for NaN and Infinity. */
export function numberAt(
  { data, places }: Column,
  index: number,
  decimal: boolean,
): number | Decimal | undefined {
  const value = data[index]!
  if (value - value !== 0) return undefined
  return decimal ? new Decimal(value + 0, 0 - places) : value + 0
}

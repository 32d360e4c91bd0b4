import {
  type ArithmeticExpression,
  type CallExpression,
  type ComparisonExpression,
  type Expression,
  expressionSize,
  type MacroExpression,
} from '../language/expression.ts'
import { type FunctionName, functionForms, takesCount } from '../language/functions.ts'
import type { Program, Template } from '../language/program.ts'
import { valueTypes } from '../language/value-type.ts'
import { compareOrder, equalValues } from '../values/compare-values.ts'
import { powersOfTen } from '../values/decimal.ts'
import { parseDecimal } from '../values/decimal-text.ts'
import { calculate, textOf } from '../walk/calculate.ts'
import { callFunction } from '../walk/call-function.ts'
import {
  findEntry,
  lengthOf,
  makeArray,
  readEntry,
  readItem,
  readItems,
} from '../walk/read-data.ts'
import { RunBudget } from '../walk/run-budget.ts'
import { isNumeric, type Numeric, type Run, typeOf } from '../walk/run.ts'
import { newLabel, operations } from './code-writer.ts'
import { compileColumns } from './compile-columns.ts'
import { NumberCompiler } from './compile-numbers.ts'
import type { EngineRun } from './engine-run.ts'
import { goThrough, chooseByColumns, mapColumns, reductions } from './go-through.ts'
import * as frame from './frame.ts'
import { execute, type ValueCode } from './machine.ts'

// Constants of this module, as elsewhere in the engine.
const { giveUp, keyOf, made, readSlot, values } = frame
const powers = powersOfTen

type Items = readonly unknown[]
type UnaryExpression = Extract<Expression, { readonly kind: 'negate' | 'not' }>

const maskOf = (value: unknown): number =>
  (valueTypes as Readonly<Record<string, number>>)[typeOf(value)] ?? 0

const asNumber = (value: unknown): Numeric => (isNumeric(value) ? value : giveUp('type'))
const asBoolean = (value: unknown): boolean => (typeof value === 'boolean' ? value : giveUp('type'))
const asArray = (value: unknown): Items => (Array.isArray(value) ? value : giveUp('type'))
const isCompound = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isNumeric(value)
/** An object as paths go through; what arrays and objects of the caller are was checked when they were read. */
const asObject = (value: unknown): object =>
  isCompound(value) && !Array.isArray(value) ? value : giveUp('type')

/** What of a program its code needs no more. */
const nothing = {
  names: [],
  steps: [],
  stepCount: 0,
  tables: [],
  inputs: undefined,
  logic: { steps: [] },
}

/** Makes functions for what is no plain number or condition. They give up where the walker would report. */
export class ValueCompiler extends NumberCompiler {
  /** What the shared library wants to know of a run. */
  readonly run: EngineRun
  /** What functions run as code, and where it begins. */
  readonly #later: { readonly expression: Expression; readonly entry: { start: number } }[] = []

  constructor(program: Program, slots: number) {
    super(program, slots)
    const { limits, decimal, rounding, output } = program
    // Nothing of the tree stays: the program is compiled.
    const kept: Program = { ...nothing, limits, decimal, rounding, output }
    this.run = { program: kept, frame: values, budget: new RunBudget(limits), made, runs: 0 }
  }

  /** Writes what functions run as code; to be called last. */
  protected writeLater(): void {
    const { writer } = this
    // The list may grow while it is gone through.
    for (const { expression, entry } of this.#later) {
      entry.start = writer.words.length
      if (expression.kind !== 'logic' && expression.kind !== 'not') {
        this.number(expression)
        writer.emit(operations.returnNumber)
      } else {
        const otherwise = newLabel()
        this.condition(expression, false, otherwise)
        writer.emit(operations.returnTrue)
        writer.place(otherwise)
        writer.emit(operations.returnFalse)
      }
    }
    this.#later.length = 0
    // Functions may hold on to this object, but need not hold on to the tree.
    this.program = this.run.program
  }

  /** A function that runs code of its own. */
  #coded(expression: Expression): ValueCode {
    const entry = { start: 0 }
    this.#later.push({ expression, entry })
    return runCode(entry, this.writer.pool)
  }

  protected override value(expression: Expression): ValueCode {
    const { run } = this
    const { decimal } = this.program
    switch (expression.kind) {
      case 'number': {
        const value = decimal ? parseDecimal(expression.text) : expression.value + 0
        return () => value
      }
      case 'string':
      case 'boolean': {
        const { value } = expression
        return () => value
      }
      case 'null':
        return () => null
      case 'variable': {
        const { slot } = expression
        return () => readSlot(slot)
      }
      case 'array': {
        const items = expression.items.map((item) => this.value(item))
        return () =>
          makeArray(
            run,
            items.map((item) => item()),
          )
      }
      case 'field': {
        const holder = this.value(expression.object)
        const key = keyOf(expression.key)
        return () => readEntry(run, asObject(holder()), key)
      }
      case 'has': {
        const holder = this.value(expression.object)
        const key = keyOf(expression.key)
        return () => findEntry(run, asObject(holder()), key) !== undefined
      }
      case 'index': {
        const holder = this.value(expression.object)
        const key = this.value(expression.key)
        return () => {
          const from = holder()
          if (!isCompound(from)) return giveUp('type')
          const index = key()
          if (Array.isArray(from) ? !isNumeric(index) : typeof index !== 'string') giveUp('type')
          return readEntry(run, from, index as string | Numeric)
        }
      }
      case 'conditional': {
        if (!decimal && this.isNumber(expression)) return this.#coded(expression)
        const test = this.value(expression.test)
        const then = this.value(expression.then)
        const otherwise = this.value(expression.else)
        return () => (asBoolean(test()) ? then() : otherwise())
      }
      case 'negate':
      case 'arithmetic':
        if (!decimal && this.isNumber(expression)) return this.#coded(expression)
        return this.#arithmetic(expression)
      case 'logic':
      case 'not':
        return this.#coded(expression)
      case 'comparison':
        return this.#comparison(expression)
      case 'call':
        return this.#call(expression)
      default:
        return this.#macro(expression)
    }
  }

  #arithmetic(expression: ArithmeticExpression | UnaryExpression): ValueCode {
    const { run } = this
    if (!('rest' in expression)) {
      const operand = this.value(expression.operand)
      return () => calculate('-', [0, asNumber(operand())], run)
    }
    let left = this.value(expression.first)
    for (const { operator, operand } of expression.rest) {
      const before = left
      const right = this.value(operand)
      left =
        operator === '+'
          ? () => addValues(run, before(), right())
          : () => {
              const first = before()
              const second = right()
              return calculate(operator, [asNumber(first), asNumber(second)], run)
            }
    }
    return left
  }

  #comparison({ operator, left, right }: ComparisonExpression): ValueCode {
    const { run } = this
    const first = this.value(left)
    const second = this.value(right)
    if (operator === '==') return () => equalValues(first(), second(), run.budget)
    if (operator === '!=') return () => !equalValues(first(), second(), run.budget)
    if (operator === 'in') return () => isIn(run, first(), second())
    const order = (): number => {
      return compareOrder(first(), second(), run.budget) ?? giveUp('type')
    }
    if (operator === '<') return () => order() < 0
    if (operator === '<=') return () => order() <= 0
    return operator === '>' ? () => order() > 0 : () => order() >= 0
  }

  #call({ name, arguments: given }: CallExpression): ValueCode {
    const { run } = this
    const forms = (functionForms.get(name) ?? []).filter((form) => takesCount(form, given.length))
    const [first, ...others] = given
    const reduction =
      first !== undefined && others.length === 0 ? this.#reduction(name, first) : undefined
    if (reduction !== undefined) return reduction
    const parts = given.map((argument, index) => ({
      value: this.value(argument),
      wanted: forms.reduce(
        (mask, { parameters }) => mask | (parameters[index] ?? parameters.at(-1) ?? 0),
        0,
      ),
    }))
    return () => {
      const found = parts.map(({ value }) => value())
      for (const [index, { wanted }] of parts.entries()) {
        if ((maskOf(found[index]) & wanted) === 0) giveUp('type')
      }
      return callFunction(run, name, found)
    }
  }

  #macro({ name, list, slot, condition, body }: MacroExpression): ValueCode {
    const { run } = this
    const from = this.value(list)
    const size =
      1 + (condition === undefined ? 0 : expressionSize(condition)) + expressionSize(body)
    const begin = (): Items => {
      const items = asArray(from())
      run.budget.charge(lengthOf(items, run.program.limits) * size)
      return items
    }
    const columns = condition === undefined ? compileColumns(run, slot, body) : undefined
    const test = condition && this.value(condition)
    const each = goThrough({ run, name, slot, test, body: this.value(body) })
    if (columns === undefined || columns.isBoolean !== (name !== 'map')) return () => each(begin())
    const { code } = columns
    if (name === 'map') {
      return () => {
        const items = begin()
        return mapColumns(run, code, items) ?? each(items)
      }
    }
    return () => {
      const items = begin()
      return chooseByColumns(run, name, { code, items }) ?? each(items)
    }
  }

  /** sum, avg, min and max of one array, most often one that is mapped there and then. */
  #reduction(name: string, list: Expression): ValueCode | undefined {
    const { run } = this
    const reduce = reductions.get(name)
    if (reduce === undefined) return undefined
    const isMap = list.kind === 'macro' && list.name === 'map' && list.condition === undefined
    const columns = isMap
      ? compileColumns(run, list.slot, list.body)
      : compileColumns(run, -1, { kind: 'variable', slot: -1, offset: 0 })
    if (columns === undefined || columns.isBoolean) return undefined
    const { code } = columns
    const { decimal, limits } = run.program
    const source = this.value(isMap ? list.list : list)
    const size = isMap ? 1 + expressionSize(list.body) : 0
    const body = isMap ? this.value(list.body) : undefined
    const each =
      body && isMap
        ? goThrough({ run, name: 'map', slot: list.slot, test: undefined, body })
        : (items: Items): unknown => items
    return () => {
      const given = source()
      if (!Array.isArray(given)) {
        return isMap ? giveUp('type') : callFunction(run, name as FunctionName, [asNumber(given)])
      }
      const items: Items = given
      const length = lengthOf(items, limits)
      if (isMap) run.budget.charge(length * size)
      let result: Numeric | undefined
      const isDone = code(items, (column, count) => {
        result = reduce(column, count, { before: result, decimal })
        return result !== undefined
      })
      if (!isDone || result === undefined)
        return callFunction(run, name as FunctionName, [each(items)])
      run.budget.charge(length)
      return name === 'avg' ? calculate('/', [result, length], run) : result
    }
  }

  /** A function that fills a template. */
  protected template({ leading, parts }: Template): ValueCode {
    const { budget, program } = this.run
    const { decimal, limits } = program
    const codes = parts.map(({ expression }) => this.value(expression))
    const slots = parts.map(({ expression }) =>
      expression.kind === 'variable' ? expression.slot : -1,
    )
    const texts = parts.map(({ following }) => following)
    return () => {
      let text = leading
      for (let index = 0; index < codes.length; index++) {
        const slot = slots[index]!
        text += textOfPart(slot < 0 ? codes[index]!() : readSlot(slot), decimal)
        text += texts[index]!
        if (text.length > limits.maxTextLength) giveUp('limit')
      }
      budget.charge(text.length)
      return text
    }
  }
}

function textOfPart(value: unknown, decimal: boolean): string {
  if (typeof value === 'string') return value
  const short = typeof value === 'number' && !decimal ? shortText(value) : undefined
  return short ?? textOf(value, decimal) ?? giveUp('type')
}

/**
 * The text of a small whole number, or of one from 0.1 to 1e15; undefined where rounding to 15 digits in doubles might go
 * wrong. A number that has no more digits comes out as it is.
 */
function shortText(value: number): string | undefined {
  if ((value | 0) === value) return String(value)
  const size = Math.abs(value)
  let digits = 0
  while (size >= powers[digits]!) digits++
  const power = powers[15 - digits]!
  const scaled = size * power
  const rounded = Math.round(scaled)
  const isClear = Math.abs(scaled - rounded) < 0.35 && rounded >= 1e14 && rounded < 1e15
  return isClear ? String((rounded / power) * Math.sign(value)) : undefined
}

const runCode =
  (entry: { readonly start: number }, pool: readonly ValueCode[]): ValueCode =>
  () =>
    execute(entry.start, pool)

function addValues(run: Run, left: unknown, right: unknown): unknown {
  const { budget, program } = run
  if (typeof left === 'string' && typeof right === 'string') {
    const text = left + right
    budget.charge(text.length * 2)
    return text.length > program.limits.maxTextLength ? giveUp('limit') : text
  }
  if (isNumeric(left) && isNumeric(right)) return calculate('+', [left, right], run)
  const lists = [asArray(left), asArray(right)]
  for (const list of lists) budget.charge(lengthOf(list, program.limits))
  return makeArray(
    run,
    lists.flatMap((list) => readItems(run, list)),
  )
}

function isIn(run: Run, value: unknown, holder: unknown): boolean {
  if (!Array.isArray(holder)) {
    const object = asObject(holder)
    return findEntry(run, object, typeof value === 'string' ? value : giveUp('type')) !== undefined
  }
  const length = lengthOf(holder, run.program.limits)
  run.budget.charge(length)
  for (let index = 0; index < length; index++) {
    if (equalValues(value, readItem(run, holder, index), run.budget)) return true
  }
  return false
}

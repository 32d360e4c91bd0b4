import type { CallExpression, Expression, MacroExpression } from '../language/expression.ts'
import { functionForms, takesCount } from '../language/functions.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import { type ComputeLimits, defaultLimits } from '../language/compute-limits.ts'
import type { Program, ProgramStep, SitedExpression, Template } from '../language/program.ts'
import { anyType, valueTypes } from '../language/value-type.ts'
import { readProgram } from '../read/read-program.ts'
import { HintNode, type InputHint } from './hint-node.ts'

const { number, string, boolean, array, object } = valueTypes
const printable = number | string | boolean

/** Whoever compiled the program has judged its size. */
const raised: ComputeLimits = {
  ...defaultLimits,
  maxProgramBytes: 1e9,
  maxSteps: 1e6,
  maxVariables: 1e6,
  maxExpressionLength: 1e6,
  maxNesting: 250,
}

/** Functions whose array has to hold numbers. */
const numeric: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max'])
/** Functions whose strings are dates. */
const dated: ReadonlySet<string> = new Set(
  'date addDays addMonths daysBetween year month day weekday'.split(' '),
)

/** What a program says about its arguments. */
export interface InputHints {
  /** By the name of the argument. */
  readonly inputs: ReadonlyMap<string, InputHint>
  /** Numbers that anything is compared with. */
  readonly numbers: ReadonlySet<number>
  /** Strings that anything is compared with. */
  readonly strings: ReadonlySet<string>
}

class HintReader {
  readonly inputs = new Map<string, HintNode>()
  readonly numbers = new Set<number>()
  readonly strings = new Set<string>()
  readonly #names: readonly string[]
  readonly #slots: (HintNode | undefined)[] = []

  constructor({ names, tables, steps }: Program) {
    this.#names = names
    for (const { slot } of tables) this.#slots[slot] = new HintNode()
    this.#readSteps(steps)
  }

  #readSteps(steps: readonly ProgramStep[]): void {
    for (const step of steps) this.#readStep(step)
  }

  #readStep(step: ProgramStep): void {
    switch (step.op) {
      case 'math':
        this.#read(step.value, number)
        this.#slots[step.output] = new HintNode()
        return
      case 'set':
        this.#slots[step.output] = this.#read(step.value) ?? new HintNode()
        return
      case 'lookup': {
        const from = this.#variable(step.table.slot).want(array | object)
        this.#read(step.keyFrom, string | number)
        const { key } = step
        this.#slots[step.output] = key === undefined ? from.anyEntry() : from.entry(key.text)
        return
      }
      case 'format':
        this.#readTemplate(step.template)
        this.#slots[step.output] = new HintNode()
        return
      case 'fold': {
        const list = this.#read(step.list, array)
        this.#slots[step.as] = list?.anyEntry() ?? new HintNode()
        this.#slots[step.acc] = this.#read(step.init) ?? new HintNode()
        this.#read(step.value)
        this.#slots[step.output] = new HintNode()
        return
      }
      case 'sort': {
        const list = this.#read(step.list, array) ?? new HintNode()
        if (step.by !== undefined) this.#slots[step.as] = list.anyEntry()
        this.#read(step.by, number | string)
        this.#slots[step.output] = list
        return
      }
      case 'check':
        this.#read(step.that, boolean)
        this.#readTemplate(step.message)
        return
      case 'return':
        this.#read(step.value)
        for (const { value } of step.fields) this.#read(value)
        return
      default:
        for (const { test, then } of step.cases) {
          this.#read(test, step.truthy ? anyType : boolean)
          this.#readSteps(then)
        }
        this.#readSteps(step.else)
    }
  }

  #readTemplate({ parts }: Template): void {
    for (const { expression } of parts) this.#collect(expression, printable)
  }

  #read(sited: SitedExpression | undefined, wanted: number = anyType): HintNode | undefined {
    return sited === undefined ? undefined : this.#collect(sited.expression, wanted)
  }

  #variable(slot: number): HintNode {
    const known = this.#slots[slot]
    if (known !== undefined) return known
    const node = new HintNode()
    this.#slots[slot] = node
    this.inputs.set(this.#names[slot] ?? '', node)
    return node
  }

  /** Notes what an expression needs; gives the part of an argument that it stands for, if it is one. */
  #collect(expression: Expression, wanted: number): HintNode | undefined {
    switch (expression.kind) {
      case 'variable':
        return this.#variable(expression.slot).want(wanted)
      case 'field':
        return this.#collect(expression.object, object)?.entry(expression.key).want(wanted)
      case 'has':
        this.#collect(expression.object, object)
        return undefined
      case 'index': {
        const { object: holder, key } = expression
        if (key.kind === 'number') {
          return this.#collect(holder, array)?.entry(String(key.value)).want(wanted)
        }
        this.#collect(key, number | string)
        return this.#collect(holder, array | object)
          ?.anyEntry()
          .want(wanted)
      }
      case 'conditional':
        this.#collect(expression.test, boolean)
        this.#collect(expression.then, wanted)
        this.#collect(expression.else, wanted)
        return undefined
      case 'macro':
        return this.#macro(expression)
      default:
        this.#operate(expression, wanted)
        return undefined
    }
  }

  #operate(expression: Expression, wanted: number): void {
    switch (expression.kind) {
      case 'negate':
        this.#collect(expression.operand, number)
        return
      case 'not':
        this.#collect(expression.operand, boolean)
        return
      case 'array':
        for (const item of expression.items) this.#collect(item, anyType)
        return
      case 'arithmetic': {
        const operands = [expression.first, ...expression.rest.map(({ operand }) => operand)]
        const adds = expression.rest.every(({ operator }) => operator === '+')
        const known = operands.map(resultOf).find((mask) => mask !== anyType)
        const mask = adds ? (known ?? (wanted & (number | string | array) || number)) : number
        for (const operand of operands) this.#collect(operand, mask)
        return
      }
      case 'logic':
        for (const operand of expression.operands) this.#collect(operand, boolean)
        return
      case 'comparison':
        this.#compare(expression)
        return
      case 'call':
        this.#call(expression)
        return
      default:
    }
  }

  #compare({ operator, left, right }: Expression & { readonly kind: 'comparison' }): void {
    if (operator === 'in') {
      const choices = right.kind === 'array' ? right.items : []
      const node = this.#collect(left, anyType)
      for (const choice of choices) this.#note(node, choice)
      if (right.kind !== 'array') this.#collect(right, array | object)
      return
    }
    const isOrder = operator !== '==' && operator !== '!='
    const wanted = isOrder ? number | string : anyType
    const first = this.#collect(left, resultOf(right) & wanted || wanted)
    const second = this.#collect(right, resultOf(left) & wanted || wanted)
    this.#note(first, right)
    this.#note(second, left)
  }

  /** Remembers what something is compared with. */
  #note(node: HintNode | undefined, literal: Expression): void {
    if (literal.kind === 'number') {
      this.numbers.add(literal.value)
      node?.want(number).numbers.add(literal.value)
    } else if (literal.kind === 'string') {
      this.strings.add(literal.value)
      node?.want(string).strings.add(literal.value)
    }
  }

  #call({ name, arguments: given }: CallExpression): void {
    const forms = (functionForms.get(name) ?? []).filter((form) => takesCount(form, given.length))
    for (const [index, argument] of given.entries()) {
      let mask = 0
      for (const { parameters } of forms) mask |= parameters[index] ?? parameters.at(-1) ?? 0
      const node = this.#collect(argument, mask)
      if (node === undefined) continue
      if (numeric.has(name) && given.length === 1) node.want(array).anyEntry().want(number)
      if (name === 'join' && index === 0) node.anyEntry().want(string)
      if (dated.has(name) && mask === string) node.isDate = true
    }
  }

  #macro({ name, list, slot, condition, body }: MacroExpression): HintNode | undefined {
    const from = this.#collect(list, array) ?? new HintNode()
    this.#slots[slot] = from.anyEntry()
    if (condition !== undefined) this.#collect(condition, boolean)
    const made = this.#collect(body, name === 'map' ? anyType : boolean)
    if (name === 'filter') return from
    return name === 'map' ? new HintNode(made) : undefined
  }
}

/** The types an expression surely gives, by its syntax alone. */
function resultOf(expression: Expression): number {
  switch (expression.kind) {
    case 'number':
    case 'negate':
      return number
    case 'string':
      return string
    case 'array':
      return array
    case 'boolean':
    case 'not':
    case 'logic':
    case 'has':
      return boolean
    case 'call': {
      let mask = 0
      for (const { result } of functionForms.get(expression.name) ?? []) mask |= result
      return mask
    }
    default:
      return anyType
  }
}

/**
 * Reads from a sound program what its arguments have to be like to run it well: types, fields, and the values that
 * conditions compare with. For making up test data and schemas; it promises nothing.
 *
 * @throws {ComputeError} for what is no program
 */
export function readInputHints(logic: ComputeLogic): InputHints {
  const { program } = readProgram(logic, raised)
  return new HintReader(program)
}

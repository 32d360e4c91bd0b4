import type { ComputeIssue } from '../language/compute-error.ts'
import { errorOf, type Site } from '../language/compute-issue.ts'
import type {
  BranchProgramStep,
  FoldProgramStep,
  LookupProgramStep,
  Program,
  ProgramInput,
  ProgramStep,
  ReturnProgramStep,
  SortProgramStep,
} from '../language/program.ts'
import { anyType, valueTypes } from '../language/value-type.ts'
import type { ReadProgram } from '../read/read-program.ts'
import { suggestName } from '../text/nearest-name.ts'
import { checkDeclared } from '../walk/check-declared.ts'
import { quoteText } from '../text/quote-text.ts'
import { checkDeclarations } from './check-declaration.ts'
import { OutputCheck } from './check-output.ts'
import { CheckReport } from './check-report.ts'
import { knownInputs } from './known-inputs.ts'
import { ExpressionChecker, type Variables } from './infer-expression.ts'
import {
  anyShape,
  entryOf,
  forgetUnions,
  itemOf,
  numberShape,
  objectShape,
  type Shape,
  shapeOfDeclaration,
  shapeOfValue,
  unionOf,
  widen,
} from './shape.ts'
import { sortUnits } from './worst-case-cost.ts'

const { number, string, array, object } = valueTypes

/** What the checks found out about a program without errors. */
export interface CheckedProgram {
  /** Slots that may be read before a step has assigned them, so their values come from the arguments; in reading order. */
  readonly inputSlots: readonly number[]
  readonly warnings: readonly ComputeIssue[]
  /** Run units in the worst case, or undefined where a size is not known. */
  readonly units: number | undefined
}

/** Where the ways through a branch end. */
interface Ends {
  assigned: boolean[] | undefined
  shapes: (Shape | undefined)[]
  units: number
  /** Whether one of them has no steps: more of them change nothing, and there may be thousands. */
  isPassed: boolean
}

class ProgramChecker implements Variables {
  assigned: boolean[]
  shapes: (Shape | undefined)[]
  readonly inputSlots = new Set<number>()
  readonly report: CheckReport
  readonly #read: ReadProgram
  readonly #program: Program
  /** Names of the arguments, or undefined where the caller has not said. */
  readonly #known: ReadonlySet<string> | undefined
  readonly #expressions: ExpressionChecker
  /** Whether every part could be read. Otherwise a warning may only be the echo of an error. */
  readonly #isWhole: boolean
  /** Where each variable is assigned first. */
  readonly #outputs = new Map<number, string>()
  readonly #tables: ReadonlySet<number>
  readonly #output: OutputCheck | undefined

  constructor(read: ReadProgram, given: ReadonlySet<string> | undefined) {
    const { program, collector } = read
    this.#read = read
    this.#program = program
    this.#isWhole = collector.issues.length === 0
    this.#tables = new Set(program.tables.map(({ slot }) => slot))
    this.#output = program.output && new OutputCheck(program.output)
    this.#known = knownInputs(program.inputs, given, collector)
    this.assigned = program.names.map(() => false)
    this.shapes = program.names.map(() => undefined)
    this.report = new CheckReport(collector)
    this.#expressions = new ExpressionChecker(this, this.report, program.decimal)
  }

  check(): CheckedProgram {
    const { inputs, tables, steps } = this.#program
    const { collector, hasGaps } = this.#read
    for (const input of inputs ?? []) {
      this.shapes[input.slot] = shapeOfDeclaration(input.declaration)
      this.#checkDefault(input)
    }
    checkDeclarations(this.#program, collector)
    for (const { slot, value } of tables) this.#expressions.bind(slot, shapeOfValue(value))
    const returns = this.#walk(steps)
    if (!returns && !hasGaps && collector.issues.length === 0) {
      collector.addAt('steps', {
        code: 'no_return',
        message: 'the program can end without a return',
        hint: 'End it with { "op": "return", "value": "name" }.',
      })
    }
    this.#warnUnused()
    const { units } = this.#expressions
    return {
      inputSlots: [...this.inputSlots],
      warnings: this.#isWhole ? this.report.warnings : [],
      units: Number.isFinite(units) ? units : undefined,
    }
  }

  /** A default has to be what the argument has to be; null stands for the lack of one. */
  #checkDefault({ name, declaration }: ProgramInput): void {
    const { default: given } = declaration
    if (given === undefined || given === null) return
    const path = `inputs.${name}.default`
    this.#read.collector.attempt(() => {
      checkDeclared(given, declaration, {
        label: 'the default',
        place: {
          limits: this.#program.limits,
          check: (value) => value,
          error: (_, problem) => errorOf(path, { code: 'bad_program', ...problem }),
        },
      })
    })
  }

  #warnUnused(): void {
    const { read } = this.#expressions
    const message = 'nothing reads it'
    for (const [slot, path] of this.#outputs) {
      if (read[slot] === true) continue
      const hint = 'Use it, or leave the step out.'
      this.report.warn({ path, text: '' }, undefined, { code: 'unused_output', message, hint })
    }
    for (const { name, slot } of this.#program.inputs ?? []) {
      if (this.inputSlots.has(slot)) continue
      const path = `inputs.${name}`
      const hint = 'Use it, or leave it out.'
      this.report.warn({ path, text: '' }, undefined, { code: 'unused_input', message, hint })
    }
  }

  readUnassigned(slot: number, site: Site, offset: number): void {
    this.inputSlots.add(slot)
    const { names } = this.#program
    const name = names[slot] ?? ''
    if (this.#known === undefined || this.#known.has(name)) return
    if (this.#read.hasGaps || this.report.silent > 0) return
    const isPartial = this.#outputs.has(slot)
    const known = [...this.#known, ...names.filter((_, index) => this.assigned[index] === true)]
    const list = known.slice(0, 20).join(', ') || 'nothing'
    this.report.error(site, offset, {
      code: 'unknown_variable',
      message: isPartial
        ? `${quoteText(name)} may have no value here: not every way to this step assigns it`
        : `unknown variable ${quoteText(name)}`,
      hint: isPartial
        ? 'Assign it before the condition, or in all of its branches.'
        : suggestName(name, known, `Known here: ${list}.`),
    })
  }

  /** Tells whether the steps always return. */
  #walk(steps: readonly ProgramStep[]): boolean {
    let returns = false
    let isReached = true
    for (const step of steps) {
      if (returns && isReached) {
        isReached = false
        this.report.warn({ path: step.path, text: '' }, undefined, {
          code: 'unreachable_step',
          message: 'every way to this step returns before it',
          hint: 'Leave it out, or put it before the return.',
        })
      }
      if (this.#step(step)) returns = true
    }
    return returns
  }

  #step(step: ProgramStep): boolean {
    const expressions = this.#expressions
    switch (step.op) {
      case 'math':
        expressions.infer(step.value, number)
        this.#assign(step, numberShape)
        return false
      case 'set':
        this.#assign(step, expressions.infer(step.value))
        return false
      case 'format':
        this.#assign(step, expressions.inferTemplate(step.template))
        return false
      case 'lookup':
        this.#assign(step, this.#lookup(step))
        return false
      case 'fold':
        this.#assign(step, this.#fold(step))
        return false
      case 'sort':
        this.#assign(step, this.#sort(step))
        return false
      case 'check':
        expressions.inferTest(step.that)
        expressions.inferTemplate(step.message)
        return false
      case 'return':
        this.#return(step)
        return true
      default:
        return this.#branch(step)
    }
  }

  #assign(
    { output, path }: { readonly output: number; readonly path: string },
    shape: Shape,
  ): void {
    if (output < 0) return
    if (this.#tables.has(output)) {
      this.report.errorAtPath(`${path}.output`, {
        code: 'duplicate_name',
        message: `${quoteText(this.#program.names[output] ?? '')} is a table`,
        hint: 'Choose another name.',
      })
      return
    }
    this.#expressions.bind(output, shape)
    if (!this.#outputs.has(output)) this.#outputs.set(output, `${path}.output`)
  }

  #lookup({ table, key, keyFrom, default: fallback }: LookupProgramStep): Shape {
    const expressions = this.#expressions
    const { site, slot } = table
    if (slot < 0) return anyShape
    const expression = { kind: 'variable', slot, offset: 0 } as const
    const from = expressions.infer({ site, expression }, array | object)
    const other = fallback === undefined ? undefined : shapeOfValue(fallback)
    let shape = anyShape
    if (keyFrom !== undefined) {
      const wanted = (from.mask === object ? 0 : number) | string
      expressions.infer(keyFrom, wanted)
      shape = entryOf(from)
    } else if (key !== undefined) {
      const { text } = key
      const { mask, fields, size } = from
      const found = mask === array ? Number(text) < size && itemOf(from) : fields?.shapes.get(text)
      if (found) shape = found
      else if (mask === array || (mask === object && fields !== undefined)) {
        if (other === undefined) expressions.failKey(key, 0, { key: text, fields })
        else if (fields?.open !== true) return other
        else expressions.tested.add(text)
      }
    }
    return other === undefined ? shape : unionOf(shape, other)
  }

  #fold(step: FoldProgramStep): Shape {
    const expressions = this.#expressions
    const list = expressions.infer(step.list, array)
    let carried = expressions.infer(step.init)
    expressions.bind(step.as, itemOf(list))
    // What is carried grows with each round; only the last round, which knows all of it, may find faults.
    this.report.silent++
    const { units } = expressions
    for (let round = 0; ; round++) {
      expressions.bind(step.acc, carried)
      const next = unionOf(carried, expressions.inferBody(step.value, 1))
      if (next === carried) break
      carried = [next, widen(next)][round] ?? anyShape
    }
    expressions.units = units
    this.report.silent--
    expressions.bind(step.acc, carried)
    expressions.inferBody(step.value, list.size)
    this.assigned[step.as] = this.assigned[step.acc] = false
    return carried
  }

  #sort({ list, as, by }: SortProgramStep): Shape {
    const expressions = this.#expressions
    const sorted = expressions.inferArray(list, by === undefined ? number | string : anyType)
    const { size } = sorted
    let keys = itemOf(sorted)
    if (by === undefined) expressions.units += size
    else {
      expressions.bind(as, keys)
      keys = expressions.inferBody(by, size, number | string)
      this.assigned[as] = false
    }
    expressions.units += sortUnits(size, keys, expressions.decimal)
    return sorted
  }

  #return({ value, fields }: ReturnProgramStep): void {
    const expressions = this.#expressions
    const output = this.#output
    const first = value ?? fields[0]?.value
    const shape =
      value === undefined
        ? objectShape(new Map(fields.map((field) => [field.name, expressions.infer(field.value)])))
        : expressions.infer(value)
    if (output === undefined || first === undefined || first.site.path === '') return
    const message = output.misfitOf(shape)
    if (message === undefined) return
    this.report.error(first.site, first.expression.offset, {
      code: 'bad_output',
      message,
      hint: 'Return what "output" declares, or change the declaration.',
    })
  }

  #branch({ cases, truthy, else: otherwise }: BranchProgramStep): boolean {
    const ends: Ends = { assigned: undefined, shapes: [], units: 0, isPassed: false }
    for (const { test, then } of cases) {
      if (truthy) this.#expressions.infer(test)
      else this.#expressions.inferTest(test)
      this.#follow(then, ends)
    }
    this.#follow(otherwise, ends)
    this.#expressions.units += ends.units
    if (ends.assigned === undefined) return true
    this.assigned = ends.assigned
    this.shapes = ends.shapes
    return false
  }

  /** Goes through one way of a branch and adds where it ends, unless it returns. */
  #follow(steps: readonly ProgramStep[], ends: Ends): void {
    if (steps.length === 0) {
      if (ends.isPassed) return
      ends.isPassed = true
    }
    const { assigned, shapes } = this
    const { units } = this.#expressions
    this.#expressions.units = 0
    this.assigned = assigned.slice()
    this.shapes = shapes.slice()
    if (!this.#walk(steps)) this.#merge(ends)
    this.assigned = assigned
    this.shapes = shapes
    ends.units = Math.max(ends.units, this.#expressions.units)
    this.#expressions.units = units
  }

  #merge(ends: Ends): void {
    const { assigned, shapes } = this
    for (let slot = 0; ends.assigned !== undefined && slot < shapes.length; slot++) {
      const one = shapes[slot]
      const other = ends.shapes[slot]
      shapes[slot] = one && other && unionOf(one, other)
      if (ends.assigned[slot] !== true) assigned[slot] = false
    }
    ends.assigned = assigned
    ends.shapes = shapes
  }
}

/**
 * Follows every way through the program: names that cannot have a value, types that can never fit, missing returns. Errors
 * go to the collector.
 */
export function checkProgram(
  read: ReadProgram,
  given: ReadonlySet<string> | undefined,
): CheckedProgram {
  forgetUnions()
  return new ProgramChecker(read, given).check()
}

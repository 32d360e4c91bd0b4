import { IssueCollector } from '../language/compute-issue.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ComputeLogic, JsonValue } from '../language/compute-logic.ts'
import type { Program, ProgramInput, ProgramTable } from '../language/program.ts'
import { suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { copyProgram, ownField } from './copy-program.ts'
import { DeclarationReader } from './read-declarations.ts'
import { StepReader } from './read-steps.ts'
import { nameProblem } from './variable-table.ts'

type PlainObject = Readonly<Record<string, unknown>>

const programFields = ['description', 'inputs', 'output', 'tables', 'numbers', 'rounding', 'steps']

const choices: Readonly<Record<string, readonly [string, string]>> = {
  numbers: ['float', 'decimal'],
  rounding: ['half_up', 'half_even'],
}

/** A program after reading, with every problem found so far. */
export interface ReadProgram {
  readonly program: Program
  readonly collector: IssueCollector
  /** Whether some part could not be understood that may give names or types. */
  readonly hasGaps: boolean
}

class ProgramReader {
  readonly collector: IssueCollector = new IssueCollector()
  readonly #steps: StepReader
  readonly #limits: ComputeLimits

  constructor(limits: ComputeLimits) {
    this.#limits = limits
    this.#steps = new StepReader(this.collector, limits)
  }

  read(source: unknown): ReadProgram {
    const logic = copyProgram(source, this.#limits)
    for (const key of Object.keys(logic)) {
      if (programFields.includes(key)) continue
      const hint = suggestName(key, programFields, `A program has ${programFields.join(', ')}.`)
      this.#refuse('', `a program has no field ${quoteText(key)}`, hint)
    }
    const description = ownField(logic, 'description')
    if (description !== undefined && typeof description !== 'string') {
      this.#refuse('description', 'must be a string', 'Give a string.')
    }
    const declarations = new DeclarationReader(this.collector)
    const inputs = this.#readInputs(ownField(logic, 'inputs'), declarations)
    const tables = this.#readTables(ownField(logic, 'tables'))
    const given = ownField(logic, 'output')
    const output = given === undefined ? undefined : declarations.read(given, 'output')
    const decimal = this.#choose(logic, 'numbers') === 'decimal'
    const rounding = this.#choose(logic, 'rounding') === 'half_even' ? 'half_even' : 'half_up'
    this.#steps.parser.decimal = decimal
    const hasGaps = this.collector.issues.length > 0
    const steps = this.#steps.readList(ownField(logic, 'steps'), 'steps')
    const program: Program = {
      steps,
      names: this.#steps.variables.names,
      stepCount: this.#steps.stepCount,
      limits: this.#limits,
      logic: logic as unknown as ComputeLogic,
      inputs,
      tables,
      output,
      decimal,
      rounding,
    }
    const { collector } = this
    return { program, collector, hasGaps: hasGaps || this.#steps.hasGaps }
  }

  #readInputs(given: unknown, declarations: DeclarationReader): ProgramInput[] | undefined {
    if (given === undefined) return undefined
    return this.#entries(given, 'inputs').flatMap(([name, source]) => {
      const slot = this.#steps.variables.outputSlotOf(name)
      const declaration = declarations.read(source, `inputs.${name}`, true)
      return declaration === undefined ? [] : [{ name, slot, declaration }]
    })
  }

  #readTables(given: unknown): ProgramTable[] {
    if (given === undefined) return []
    const taken = new Set(this.#steps.variables.names)
    return this.#entries(given, 'tables').flatMap(([name, value]) => {
      if (taken.has(name)) {
        this.collector.addAt(`tables.${name}`, {
          code: 'duplicate_name',
          message: `${quoteText(name)} is an input already`,
          hint: 'Give the table another name.',
        })
        return []
      }
      if (typeof value !== 'object' || value === null) {
        const message = `must be an object or an array, got ${describeType(value)}`
        this.#refuse(`tables.${name}`, message, 'Give { "key": value }.')
        return []
      }
      const slot = this.#steps.variables.outputSlotOf(name)
      return [{ name, slot, value: value as JsonValue }]
    })
  }

  /** The entries of an object whose keys are variable names. */
  #entries(given: unknown, path: string): readonly [string, unknown][] {
    if (!isPlainObject(given)) {
      this.#refuse(path, `must be an object, got ${describeType(given)}`, 'Give { "name": … }.')
      return []
    }
    return Object.entries(given).filter(([name]) => {
      const problem = nameProblem(name)
      if (problem !== undefined) this.collector.addAt(`${path}.${name}`, problem)
      return problem === undefined
    })
  }

  #choose(logic: PlainObject, field: string): unknown {
    const value = ownField(logic, field)
    const allowed: readonly unknown[] = choices[field] ?? []
    if (value !== undefined && !allowed.includes(value)) {
      this.#refuse(field, `must be ${allowed.join(' or ')}`, `Use ${allowed.join(' or ')}.`)
    }
    return value
  }

  #refuse(path: string, message: string, hint: string): void {
    this.collector.addAt(path, { code: 'bad_program', message, hint })
  }
}

/**
 * Reads a program: checks shapes, parses texts, gives every variable a slot. What it gives shares no object with what
 * was given. Names, types and ways through the program are checked after it.
 *
 * @throws {ComputeError} for what makes reading on pointless: no object at all, or a limit that was passed
 */
export function readProgram(given: unknown, limits: ComputeLimits): ReadProgram {
  return new ProgramReader(limits).read(given)
}

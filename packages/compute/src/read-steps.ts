import type { IssueCollector, Site } from './compute-issue.ts'
import type { ComputeLimits } from './compute-limits.ts'
import type { ComputeStep } from './compute-logic.ts'
import type { Expression } from './expression.ts'
import { describeType, isPlainObject } from './json-value.ts'
import { suggestName } from './nearest-name.ts'
import { parseExpression } from './parse-expression.ts'
import { parseTemplate } from './parse-template.ts'
import type { ProgramStep, VariableReference } from './program.ts'
import { quoteText } from './quote-text.ts'
import { nameProblem, VariableTable } from './variable-name.ts'

/** The fields of each step beside `op`; those with a question mark may be left out. */
const stepFields = new Map<string, readonly string[]>([
  ['math', ['expression', 'output']],
  ['lookup', ['table', 'key', 'output']],
  ['format', ['template', 'output']],
  ['condition', ['if', 'then', 'else?']],
  ['return', ['value']],
])

/** A step with its private copy. A faulty step has no copy, but what it assigns is kept for the checks to come. */
interface ReadStep {
  readonly parsed: ProgramStep | undefined
  readonly copy: ComputeStep | undefined
}

/** The fields of one step, each read from the caller's object exactly once. */
type StepFields = ReadonlyMap<string, unknown>

/** Reads steps from untrusted data into a program, noting every problem on the way. */
export class StepReader {
  readonly collector: IssueCollector
  readonly variables: VariableTable = new VariableTable()
  readonly #limits: ComputeLimits
  /** Length of all texts read so far. */
  textLength = 0
  /** Steps read so far. */
  stepCount = 0
  /** Whether some step could not be understood at all, so that its effect is unknown. */
  hasGaps = false

  constructor(collector: IssueCollector, limits: ComputeLimits) {
    this.collector = collector
    this.#limits = limits
  }

  /** Reads a list of steps. `depth` counts the conditions around it. */
  readList(
    given: unknown,
    path: string,
    depth: number,
  ): { readonly parsed: ProgramStep[]; readonly copy: ComputeStep[] } {
    const parsed: ProgramStep[] = []
    const copy: ComputeStep[] = []
    if (!Array.isArray(given)) {
      this.hasGaps = true
      this.#refuse(path, `must be a list of steps, got ${describeType(given)}`, 'Give [ … ].')
      return { parsed, copy }
    }
    if (depth > this.#limits.maxNesting) {
      this.#stop(path, `conditions are nested deeper than ${this.#limits.maxNesting} levels`)
    }
    for (let index = 0; index < given.length; index++) {
      if (++this.stepCount > this.#limits.maxSteps) {
        this.#stop(path, `the program has more than ${this.#limits.maxSteps} steps`)
      }
      const step = this.#readStep(given[index], `${path}[${index}]`, depth)
      if (step.parsed !== undefined) parsed.push(step.parsed)
      if (step.copy !== undefined) copy.push(step.copy)
    }
    return { parsed, copy }
  }

  #stop(path: string, message: string): never {
    return this.collector.stop({
      code: 'limit',
      path,
      message,
      hint: 'Make the program smaller or split it into several tools.',
    })
  }

  #refuse(path: string, message: string, hint: string): void {
    this.collector.add({ code: 'bad_program', path, message, hint })
  }

  #gap(): ReadStep {
    this.hasGaps = true
    return { parsed: undefined, copy: undefined }
  }

  #readStep(given: unknown, path: string, depth: number): ReadStep {
    if (!isPlainObject(given)) {
      this.#refuse(path, `a step must be an object, got ${describeType(given)}`, stepHint())
      return this.#gap()
    }
    const op: unknown = Object.hasOwn(given, 'op') ? given['op'] : undefined
    if (typeof op !== 'string') {
      this.#refuse(
        `${path}.op`,
        `must be the name of an operation, got ${describeType(op)}`,
        stepHint(),
      )
      return this.#gap()
    }
    const allowed = stepFields.get(op)
    if (allowed === undefined) {
      this.collector.add({
        code: 'unknown_op',
        path: `${path}.op`,
        message: `there is no operation ${quoteText(op)}`,
        hint: suggestName(op, stepFields.keys(), stepHint()),
      })
      return this.#gap()
    }
    const fields = this.#readFields(given, path, { op, allowed })
    switch (op) {
      case 'math':
        return this.#readMath(fields, path)
      case 'lookup':
        return this.#readLookup(fields, path)
      case 'format':
        return this.#readFormat(fields, path)
      case 'condition':
        return this.#readCondition(fields, path, depth)
      default:
        return this.#readReturn(fields, path)
    }
  }

  #readFields(
    given: Record<string, unknown>,
    path: string,
    { op, allowed }: { readonly op: string; readonly allowed: readonly string[] },
  ): StepFields {
    const names = allowed.map((name) => name.replace('?', ''))
    for (const key of Object.keys(given)) {
      if (key === 'op' || names.includes(key)) continue
      const hint = suggestName(key, names, `${op} takes ${names.join(', ')}.`)
      this.#refuse(path, `${op} has no field ${quoteText(key)}`, hint)
    }
    const fields = new Map<string, unknown>()
    for (const name of names) {
      const value: unknown = Object.hasOwn(given, name) ? given[name] : undefined
      fields.set(name, value)
      if (name === 'then' || name === 'else') continue
      if (typeof value === 'string') {
        this.#countText(value, path)
        continue
      }
      this.#refuse(
        `${path}.${name}`,
        `must be a text, got ${describeType(value)}`,
        `Give ${op} a text here.`,
      )
    }
    return fields
  }

  #countText(text: string, path: string): void {
    this.textLength += text.length
    if (this.textLength <= this.#limits.maxProgramBytes) return
    this.#stop(path, `the program is larger than ${this.#limits.maxProgramBytes} bytes`)
  }

  #text(fields: StepFields, path: string, name: string): Site | undefined {
    const text = fields.get(name)
    return typeof text === 'string' ? { path: `${path}.${name}`, text } : undefined
  }

  #readName(fields: StepFields, path: string, name: string): VariableReference | undefined {
    const site = this.#text(fields, path, name)
    if (site === undefined) return undefined
    const problem = nameProblem(site.text)
    if (problem !== undefined) {
      this.collector.add({ ...problem, path: site.path })
      return undefined
    }
    return { site, slot: this.#checkCount(site.path, () => this.variables.slotOf(site.text)) }
  }

  #checkCount<Result>(path: string, read: () => Result): Result {
    const result = read()
    const { maxVariables } = this.#limits
    if (this.variables.names.length > maxVariables) {
      this.#stop(path, `the program has more than ${maxVariables} variables`)
    }
    return result
  }

  #readExpression(site: Site | undefined, grammar: 'math' | 'condition'): Expression | undefined {
    if (site === undefined) return undefined
    const context = { grammar, limits: this.#limits, variables: this.variables }
    return this.#checkCount(site.path, () =>
      this.collector.attempt(() => parseExpression(site, context)),
    )
  }

  #readMath(fields: StepFields, path: string): ReadStep {
    const site = this.#text(fields, path, 'expression')
    const expression = this.#readExpression(site, 'math')
    const output = this.#readName(fields, path, 'output')
    if (output === undefined) return this.#gap()
    if (site === undefined || expression === undefined) return assigning(output)
    return {
      parsed: { op: 'math', site, expression, output: output.slot },
      copy: { op: 'math', expression: site.text, output: output.site.text },
    }
  }

  #readLookup(fields: StepFields, path: string): ReadStep {
    const table = this.#readName(fields, path, 'table')
    const key = this.#text(fields, path, 'key')
    const output = this.#readName(fields, path, 'output')
    if (output === undefined) return this.#gap()
    if (table === undefined || key === undefined) return assigning(output)
    return {
      parsed: { op: 'lookup', table, key, output: output.slot },
      copy: { op: 'lookup', table: table.site.text, key: key.text, output: output.site.text },
    }
  }

  #readFormat(fields: StepFields, path: string): ReadStep {
    const site = this.#text(fields, path, 'template')
    const template =
      site === undefined
        ? undefined
        : this.#checkCount(site.path, () =>
            this.collector.attempt(() => parseTemplate(site, this.variables)),
          )
    const output = this.#readName(fields, path, 'output')
    if (output === undefined) return this.#gap()
    if (site === undefined || template === undefined) return assigning(output)
    return {
      parsed: { op: 'format', site, template, output: output.slot },
      copy: { op: 'format', template: site.text, output: output.site.text },
    }
  }

  #readCondition(fields: StepFields, path: string, depth: number): ReadStep {
    const site = this.#text(fields, path, 'if')
    const test = this.#readExpression(site, 'condition')
    const then = this.readList(fields.get('then'), `${path}.then`, depth + 1)
    const otherwise = fields.get('else')
    const other =
      otherwise === undefined ? undefined : this.readList(otherwise, `${path}.else`, depth + 1)
    const branches = { then: then.parsed, else: other?.parsed ?? [] }
    if (site === undefined || test === undefined) {
      return {
        parsed: { op: 'condition', site: nowhere, test: untested, ...branches },
        copy: undefined,
      }
    }
    const copy = { op: 'condition' as const, if: site.text, then: then.copy }
    return {
      parsed: { op: 'condition', site, test, ...branches },
      copy: other === undefined ? copy : { ...copy, else: other.copy },
    }
  }

  #readReturn(fields: StepFields, path: string): ReadStep {
    const value = this.#readName(fields, path, 'value')
    if (value === undefined) return this.#gap()
    return { parsed: { op: 'return', value }, copy: { op: 'return', value: value.site.text } }
  }
}

const nowhere: Site = { path: '', text: '' }
const untested: Expression = { kind: 'boolean', value: true, offset: 0 }

/** Stands for a faulty step whose output is known. Never runs: the program has issues. */
function assigning(output: VariableReference): ReadStep {
  const expression: Expression = { kind: 'number', value: 0, offset: 0 }
  return {
    parsed: { op: 'math', site: nowhere, expression, output: output.slot },
    copy: undefined,
  }
}

const stepHint = (): string => `Give an object with "op": ${[...stepFields.keys()].join(', ')}.`

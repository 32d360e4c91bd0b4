import { ComputeError } from '../language/compute-error.ts'
import { errorAt, type IssueCollector, type Site } from '../language/compute-issue.ts'
import type { ComputeLimits } from '../language/compute-limits.ts'
import type { JsonValue } from '../language/compute-logic.ts'
import type { Expression } from '../language/expression.ts'
import type {
  ProgramCase,
  ProgramField,
  ProgramStep,
  SitedExpression,
  Template,
} from '../language/program.ts'
import { suggestName } from '../text/nearest-name.ts'
import { escapeText, quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { ownField } from './copy-program.ts'
import { ExpressionParser } from './parse-expression.ts'
import { parseTemplate } from './parse-template.ts'
import { stepFields } from './step-fields.ts'
import { nameProblem, VariableTable } from './variable-table.ts'

type PlainObject = Readonly<Record<string, unknown>>

/** By syntax these never give a number. */
const neverNumbers: ReadonlySet<Expression['kind']> = new Set([
  'string',
  'boolean',
  'null',
  'array',
  'comparison',
  'logic',
  'not',
  'has',
])

const nowhere: Site = { path: '', text: '' }
/** Stands for a part that is missing or wrong: of any type. Never runs: the program has issues. */
const untested: SitedExpression = {
  site: nowhere,
  expression: { kind: 'variable', slot: -1, offset: 0 },
}
const unfilled: Template = { site: nowhere, leading: '', parts: [] }

const stepHint = (): string => `Give an object with "op": ${[...stepFields.keys()].join(', ')}.`

const fieldNames: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from(stepFields, ([op, fields]) => [op, ['op', ...fields.map(({ name }) => name)]]),
)

/** Reads steps from a private copy of the program, noting every problem on the way. */
export class StepReader {
  readonly variables: VariableTable = new VariableTable()
  /** Steps read so far. */
  stepCount = 0
  /** Whether some part could not be understood, so that its effect is unknown. */
  hasGaps = false
  readonly #collector: IssueCollector
  readonly #limits: ComputeLimits
  /** Parses the texts of the steps. */
  readonly parser: ExpressionParser
  /** The step that is read, where it stands, and how many steps are around it. */
  #step: PlainObject = {}
  #path = ''
  #depth = -1

  constructor(collector: IssueCollector, limits: ComputeLimits) {
    this.#collector = collector
    this.#limits = limits
    this.parser = new ExpressionParser({ limits, variables: this.variables })
  }

  /** Reads a list of steps. */
  readList(given: unknown, path: string): readonly ProgramStep[] {
    const { maxNesting, maxSteps } = this.#limits
    const steps: ProgramStep[] = []
    if (!Array.isArray(given)) {
      this.#refuse(path, `must be an array of steps, got ${describeType(given)}`, 'Give [ … ].')
      return steps
    }
    const { length } = given
    if (++this.#depth > maxNesting) {
      this.#stop(path, `steps are nested deeper than ${maxNesting} levels`)
    }
    this.stepCount += length
    if (this.stepCount > maxSteps) this.#stop(path, `the program has more than ${maxSteps} steps`)
    const [around, place] = [this.#step, this.#path]
    for (let index = 0; index < length; index++) {
      this.#path = `${path}[${index}]`
      const step = this.#readStep(given[index])
      if (step !== undefined) steps.push(step)
    }
    this.#step = around
    this.#path = place
    this.#depth--
    return steps
  }

  #stop(path: string, message: string): never {
    const hint = 'Make the program smaller or split it into several tools.'
    return this.#collector.stop(path, { code: 'limit', message, hint })
  }

  #refuse(path: string, message: string, hint: string): void {
    this.hasGaps = true
    this.#collector.addAt(path, { code: 'bad_program', message, hint })
  }

  #readStep(given: unknown): ProgramStep | undefined {
    const path = this.#path
    if (!isPlainObject(given)) {
      this.#refuse(path, `a step must be an object, got ${describeType(given)}`, stepHint())
      return undefined
    }
    const op = ownField(given, 'op')
    if (typeof op !== 'string') {
      const message = `must be the name of an operation, got ${describeType(op)}`
      this.#refuse(`${path}.op`, message, stepHint())
      return undefined
    }
    const names = fieldNames.get(op)
    if (names === undefined) {
      this.hasGaps = true
      this.#collector.addAt(`${path}.op`, {
        code: 'unknown_op',
        message: `there is no operation ${quoteText(op)}`,
        hint: suggestName(op, stepFields.keys(), stepHint()),
      })
      return undefined
    }
    for (const key of Object.keys(given)) {
      if (names.includes(key)) continue
      const known = names.slice(1)
      const hint = suggestName(key, known, `${op} takes ${known.join(', ')}.`)
      this.#refuse(path, `${op} has no field ${quoteText(key)}`, hint)
    }
    this.#step = given
    const step = this.#assemble(op)
    const { maxVariables } = this.#limits
    if (this.variables.names.length > maxVariables) {
      this.#stop(path, `the program has more than ${maxVariables} variables`)
    }
    return step
  }

  /** Reads the fields of a step. What is missing or wrong is filled in, so that the checks still learn what the step assigns. */
  #assemble(op: string): ProgramStep {
    const path = this.#path
    switch (op) {
      case 'math': {
        const value = this.#numeric(this.#expression('expression'))
        return { op, path, value, output: this.#output() }
      }
      case 'set':
        return { op, path, value: this.#expression('value'), output: this.#output() }
      case 'lookup': {
        this.#requireOne('key', 'keyFrom')
        const text = this.#name('table')
        const slot = text === undefined ? -1 : this.variables.outputSlotOf(text)
        const table = { site: { path: `${path}.table`, text: text ?? '' }, slot }
        const key = this.#has('key') ? this.#text('key') : undefined
        const keyFrom = this.#has('keyFrom') ? this.#expression('keyFrom') : undefined
        const fallback = ownField(this.#step, 'default') as JsonValue | undefined
        return { op, path, table, key, keyFrom, default: fallback, output: this.#output() }
      }
      case 'format':
        return { op, path, template: this.#template('template'), output: this.#output() }
      case 'condition': {
        const test = this.#expression('if')
        const truthy = test.expression.kind === 'variable'
        const then = this.#steps('then')
        return { op, path, cases: [{ test, then }], truthy, else: this.#otherwise() }
      }
      case 'switch':
        return { op, path, cases: this.#cases(), truthy: false, else: this.#otherwise() }
      case 'fold': {
        const list = this.#expression('list')
        const init = this.#expression('init')
        const as = this.#bind('as')
        const acc = this.#bind('acc')
        const value = this.#expression('value')
        this.variables.unbindTo(0)
        return { op, path, list, as, acc, init, value, output: this.#output() }
      }
      case 'sort': {
        const list = this.#expression('list')
        const hasKey = this.#has('by')
        // A name that nothing uses still has to be one.
        const as = hasKey || this.#has('as') ? this.#bind('as') : -1
        const by = hasKey ? this.#expression('by') : undefined
        this.variables.unbindTo(0)
        const desc = this.#has('desc') && this.#step['desc']
        if (typeof desc !== 'boolean') {
          const message = `must be true or false, got ${describeType(desc)}`
          this.#refuse(`${path}.desc`, message, 'Give true.')
        }
        return { op, path, list, as, by, desc: desc === true, output: this.#output() }
      }
      case 'check':
        return { op, path, that: this.#expression('that'), message: this.#template('message') }
      default: {
        this.#requireOne('value', 'fields')
        const value = this.#has('value') ? this.#expression('value') : undefined
        return { op: 'return', path, value, fields: this.#has('fields') ? this.#fields() : [] }
      }
    }
  }

  #has(field: string): boolean {
    return Object.hasOwn(this.#step, field)
  }

  #requireOne(first: string, second: string): void {
    if (this.#has(first) !== this.#has(second)) return
    this.#refuse(this.#path, `must have either ${first} or ${second}`, `Give ${first}.`)
  }

  /** A field that is a string. */
  #text(field: string): Site | undefined {
    return this.#site(ownField(this.#step, field), `${this.#path}.${field}`)
  }

  #site(text: unknown, path: string): Site | undefined {
    if (typeof text === 'string') return { path, text }
    const hint = isPlainObject(text)
      ? 'Give a string; a return of several has "fields".'
      : 'Give a string.'
    const message =
      text === undefined ? 'is missing' : `must be a string, got ${describeType(text)}`
    this.#refuse(path, message, hint)
    return undefined
  }

  #expression(field: string): SitedExpression {
    return this.#parse(this.#text(field))
  }

  #parse(site: Site | undefined): SitedExpression {
    if (site === undefined) return untested
    const { boundCount } = this.variables
    try {
      return { site, expression: this.parser.parse(site) }
    } catch (error) {
      this.variables.unbindTo(boundCount)
      this.#note(error)
      return untested
    }
  }

  #template(field: string): Template {
    const site = this.#text(field)
    if (site === undefined) return unfilled
    const { boundCount } = this.variables
    try {
      return parseTemplate(site, this.parser)
    } catch (error) {
      this.variables.unbindTo(boundCount)
      this.#note(error)
      return unfilled
    }
  }

  /** Notes why a text could not be parsed. */
  #note(error: unknown): void {
    if (!ComputeError.is(error)) throw error
    for (const issue of error.issues) this.#collector.add(issue)
  }

  #name(field: string): string | undefined {
    const site = this.#text(field)
    if (site === undefined || this.variables.knownSlotOf(site.text) !== undefined) return site?.text
    const problem = nameProblem(site.text)
    if (problem === undefined) return site.text
    this.hasGaps = true
    this.#collector.addAt(site.path, problem)
    return undefined
  }

  #output(): number {
    const name = this.#name('output')
    return name === undefined ? -1 : this.variables.outputSlotOf(name)
  }

  /** Makes a name known to the expression that follows. */
  #bind(field: string): number {
    return this.variables.bind(this.#name(field) ?? '')
  }

  #steps(field: string): readonly ProgramStep[] {
    return this.readList(ownField(this.#step, field), `${this.#path}.${field}`)
  }

  #otherwise(): readonly ProgramStep[] {
    return this.#has('else') ? this.#steps('else') : []
  }

  #cases(): readonly ProgramCase[] {
    const cases = ownField(this.#step, 'cases')
    const path = `${this.#path}.cases`
    if (!Array.isArray(cases) || cases.length === 0) {
      const hint = 'Give [{ "when": "a > 10", "then": [ … ] }].'
      this.#refuse(path, `must be an array of cases, got ${describeType(cases)}`, hint)
      return []
    }
    return (cases as readonly unknown[]).map((entry, index) => {
      const place = `${path}[${index}]`
      const keys = isPlainObject(entry) ? Object.keys(entry) : []
      if (!isPlainObject(entry) || keys.some((key) => key !== 'when' && key !== 'then')) {
        const message = 'a case must be an object with "when" and "then" only'
        this.#refuse(place, message, 'Check its fields.')
        return { test: untested, then: [] }
      }
      const test = this.#parse(this.#site(ownField(entry, 'when'), `${place}.when`))
      return { test, then: this.readList(ownField(entry, 'then'), `${place}.then`) }
    })
  }

  #fields(): readonly ProgramField[] {
    const fields = ownField(this.#step, 'fields')
    const path = `${this.#path}.fields`
    if (!isPlainObject(fields) || Object.keys(fields).length === 0) {
      const hint = 'Give an expression for each field: { "total": "a + b" }.'
      this.#refuse(path, `must be an object of expressions, got ${describeType(fields)}`, hint)
      return []
    }
    return Object.entries(fields).map(([name, text]) => ({
      name,
      value: this.#parse(this.#site(text, `${path}.${escapeText(name)}`)),
    }))
  }

  #numeric(value: SitedExpression): SitedExpression {
    const { site, expression } = value
    if (site === nowhere || !neverNumbers.has(expression.kind)) return value
    this.#note(
      errorAt(site, expression.offset, {
        code: 'bad_token',
        message: 'math works out a number, this gives something else',
        hint: 'Use a set step for other values, a condition for comparisons.',
      }),
    )
    return untested
  }
}

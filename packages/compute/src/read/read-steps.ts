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
  VariableReference,
} from '../language/program.ts'
import { suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { parseExpression } from './parse-expression.ts'
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
/** Stands for a part that is missing or wrong. Never runs: the program has issues. */
const untested: SitedExpression = {
  site: nowhere,
  expression: { kind: 'boolean', value: true, offset: 0 },
}

const stepHint = (): string => `Give an object with "op": ${[...stepFields.keys()].join(', ')}.`

/** Reads steps from a private copy of the program, noting every problem on the way. */
export class StepReader {
  readonly variables: VariableTable = new VariableTable()
  /** Steps read so far. */
  stepCount = 0
  /** Whether some part could not be understood, so that its effect is unknown. */
  hasGaps = false
  readonly #collector: IssueCollector
  readonly #limits: ComputeLimits

  constructor(collector: IssueCollector, limits: ComputeLimits) {
    this.#collector = collector
    this.#limits = limits
  }

  /** Reads a list of steps. `depth` counts the steps around it. */
  readList(given: unknown, path: string, depth = 0): readonly ProgramStep[] {
    const { maxNesting, maxSteps } = this.#limits
    if (!Array.isArray(given)) {
      this.#refuse(path, `must be an array of steps, got ${describeType(given)}`, 'Give [ … ].')
      return []
    }
    if (depth > maxNesting) this.#stop(path, `steps are nested deeper than ${maxNesting} levels`)
    return (given as readonly unknown[]).flatMap((step, index) => {
      if (++this.stepCount > maxSteps) {
        this.#stop(path, `the program has more than ${maxSteps} steps`)
      }
      const parsed = this.#readStep(step, `${path}[${index}]`, depth)
      return parsed === undefined ? [] : [parsed]
    })
  }

  #stop(path: string, message: string): never {
    const hint = 'Make the program smaller or split it into several tools.'
    return this.#collector.stop(path, { code: 'limit', message, hint })
  }

  #refuse(path: string, message: string, hint: string): undefined {
    this.hasGaps = true
    this.#collector.addAt(path, { code: 'bad_program', message, hint })
  }

  #readStep(given: unknown, path: string, depth: number): ProgramStep | undefined {
    if (!isPlainObject(given)) {
      return this.#refuse(path, `a step must be an object, got ${describeType(given)}`, stepHint())
    }
    const { op } = given
    if (typeof op !== 'string') {
      const message = `must be the name of an operation, got ${describeType(op)}`
      return this.#refuse(`${path}.op`, message, stepHint())
    }
    if (!stepFields.has(op)) {
      this.hasGaps = true
      this.#collector.addAt(`${path}.op`, {
        code: 'unknown_op',
        message: `there is no operation ${quoteText(op)}`,
        hint: suggestName(op, stepFields.keys(), stepHint()),
      })
      return undefined
    }
    return this.#assemble(op, { fields: this.#readFields(op, given, { path, depth }), path })
  }

  /** Reads every field as what it holds. A field that is missing or wrong is left out. */
  #readFields(
    op: string,
    given: PlainObject,
    { path, depth }: { readonly path: string; readonly depth: number },
  ): Map<string, unknown> {
    const known = stepFields.get(op) ?? []
    const names = known.map(({ name }) => name)
    for (const key of Object.keys(given)) {
      if (key === 'op' || names.includes(key)) continue
      const hint = suggestName(key, names, `${op} takes ${names.join(', ')}.`)
      this.#refuse(path, `${op} has no field ${quoteText(key)}`, hint)
    }
    const fields = new Map<string, unknown>()
    const isBound = op === 'fold' || op === 'sort'
    // The item's name is known inside the one expression that runs for each item.
    const bound = isBound ? (op === 'fold' ? ['as', 'acc'] : ['as']) : []
    for (const { name, kind, optional } of known) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (value === undefined && optional) continue
      const place = `${path}.${name}`
      if (bound.includes(name)) continue
      const isInner = (op === 'fold' && name === 'value') || (op === 'sort' && name === 'by')
      const slots = isInner
        ? bound.map((field) => this.#bind(given[field], `${path}.${field}`))
        : []
      const read = this.#readField(value, { kind, path: place, depth })
      if (read !== undefined) fields.set(name, read)
      for (const [index, field] of bound.entries()) {
        if (!isInner) break
        fields.set(field, slots[index])
        this.variables.unbind()
      }
    }
    return fields
  }

  /** Binds a name even when it is wrong, so that binding and unbinding stay in step. */
  #bind(given: unknown, path: string): number {
    const name = this.#readName(given, path)
    const slot = this.variables.bind(name ?? '')
    this.#countVariables(path)
    return slot
  }

  #readField(
    given: unknown,
    { kind, path, depth }: { readonly kind: string; readonly path: string; readonly depth: number },
  ): unknown {
    switch (kind) {
      case 'steps':
        return this.readList(given, path, depth + 1)
      case 'cases':
        return this.#readCases(given, path, depth)
      case 'fields':
        return this.#readReturnFields(given, path)
      case 'value':
        return { value: given }
      case 'boolean':
        if (typeof given === 'boolean') return given
        return this.#refuse(path, `must be true or false, got ${describeType(given)}`, 'Give true.')
      case 'name': {
        const name = this.#readName(given, path)
        if (name === undefined) return undefined
        const slot = this.variables.outputSlotOf(name)
        this.#countVariables(path)
        return { site: { path, text: name }, slot } satisfies VariableReference
      }
      default:
        return this.#readText(given, path, kind)
    }
  }

  #readName(given: unknown, path: string): string | undefined {
    if (typeof given !== 'string') {
      return this.#refuse(path, `must be a name, got ${describeType(given)}`, 'Give a string.')
    }
    const problem = nameProblem(given)
    if (problem === undefined) return given
    this.hasGaps = true
    this.#collector.addAt(path, problem)
    return undefined
  }

  #countVariables(path: string): void {
    const { maxVariables } = this.#limits
    if (this.variables.names.length <= maxVariables) return
    this.#stop(path, `the program has more than ${maxVariables} variables`)
  }

  #readText(given: unknown, path: string, kind: string): unknown {
    if (typeof given !== 'string') {
      const hint = kind === 'expression' ? 'Write the expression as a string.' : 'Give a string.'
      return this.#refuse(path, `must be a string, got ${describeType(given)}`, hint)
    }
    const site: Site = { path, text: given }
    if (kind === 'string') return site
    const context = { limits: this.#limits, variables: this.variables }
    const parsed = this.#collector.attempt(() =>
      kind === 'template' ? parseTemplate(site, context) : parseExpression(site, context),
    )
    this.#countVariables(path)
    if (parsed === undefined) {
      this.hasGaps = true
      return undefined
    }
    return kind === 'template' ? parsed : { site, expression: parsed }
  }

  #readCases(given: unknown, path: string, depth: number): readonly ProgramCase[] {
    if (!Array.isArray(given) || given.length === 0) {
      const hint = 'Give [{ "when": "a > 10", "then": [ … ] }].'
      this.#refuse(path, `must be an array of cases, got ${describeType(given)}`, hint)
      return []
    }
    return (given as readonly unknown[]).flatMap((entry, index) => {
      const place = `${path}[${index}]`
      const keys = isPlainObject(entry) ? Object.keys(entry) : []
      if (!isPlainObject(entry) || keys.some((key) => key !== 'when' && key !== 'then')) {
        this.#refuse(
          place,
          'a case must be an object with "when" and "then" only',
          'Check its fields.',
        )
        return []
      }
      const test = this.#readText(entry['when'], `${place}.when`, 'expression')
      const then = this.readList(entry['then'], `${place}.then`, depth + 1)
      return test === undefined ? [] : [{ test: test as SitedExpression, then }]
    })
  }

  #readReturnFields(given: unknown, path: string): readonly ProgramField[] | undefined {
    if (!isPlainObject(given) || Object.keys(given).length === 0) {
      const hint = 'Give an expression for each field: { "total": "a + b" }.'
      return this.#refuse(
        path,
        `must be an object of expressions, got ${describeType(given)}`,
        hint,
      )
    }
    return Object.entries(given).flatMap(([name, text]) => {
      const value = this.#readText(text, `${path}.${name}`, 'expression')
      return value === undefined ? [] : [{ name, value: value as SitedExpression }]
    })
  }

  /** Makes the step of the fields that were read. A faulty step keeps what it assigns, for the checks to come. */
  #assemble(
    op: string,
    { fields, path }: { readonly fields: ReadonlyMap<string, unknown>; readonly path: string },
  ): ProgramStep | undefined {
    const expression = (name: string): SitedExpression =>
      (fields.get(name) as SitedExpression | undefined) ?? untested
    const steps = (name: string): readonly ProgramStep[] =>
      (fields.get(name) as readonly ProgramStep[] | undefined) ?? []
    const output = (fields.get('output') as VariableReference | undefined)?.slot ?? -1
    const template = (name: string): Template =>
      (fields.get(name) as Template | undefined) ?? { site: nowhere, leading: '', parts: [] }
    switch (op) {
      case 'math':
        return { op, path, value: this.#checkNumeric(expression('expression')), output }
      case 'set':
        return { op, path, value: expression('value'), output }
      case 'lookup': {
        const key = fields.get('key') as Site | undefined
        const keyFrom = fields.get('keyFrom') as SitedExpression | undefined
        this.#requireOne(path, fields, ['key', 'keyFrom'])
        const table = (fields.get('table') as VariableReference | undefined) ?? {
          site: nowhere,
          slot: -1,
        }
        const fallback = fields.get('default') as { readonly value: JsonValue } | undefined
        return { op, path, table, key, keyFrom, default: fallback?.value, output }
      }
      case 'format':
        return { op, path, template: template('template'), output }
      case 'condition': {
        const test = expression('if')
        const truthy = test.expression.kind === 'variable'
        return { op, path, cases: [{ test, then: steps('then') }], truthy, else: steps('else') }
      }
      case 'switch': {
        const cases = (fields.get('cases') as readonly ProgramCase[] | undefined) ?? []
        return { op, path, cases, truthy: false, else: steps('else') }
      }
      case 'fold': {
        const [as, acc] = ['as', 'acc'].map((name) => fields.get(name) as number)
        const [list, init, value] = [expression('list'), expression('init'), expression('value')]
        return { op, path, list, as: as ?? -1, acc: acc ?? -1, init, value, output }
      }
      case 'sort': {
        const by = fields.get('by') as SitedExpression | undefined
        const as = (fields.get('as') as number | undefined) ?? -1
        return {
          op,
          path,
          list: expression('list'),
          as,
          by,
          desc: fields.get('desc') === true,
          output,
        }
      }
      case 'check':
        return { op, path, that: expression('that'), message: template('message') }
      default: {
        const returned = (fields.get('fields') as readonly ProgramField[] | undefined) ?? []
        this.#requireOne(path, fields, ['value', 'fields'])
        const value = fields.get('value') as SitedExpression | undefined
        return { op: 'return', path, value, fields: returned }
      }
    }
  }

  #requireOne(
    path: string,
    fields: ReadonlyMap<string, unknown>,
    names: readonly [string, string],
  ): void {
    if (fields.has(names[0]) !== fields.has(names[1]) || this.hasGaps) return
    this.#refuse(path, `must have either ${names.join(' or ')}`, `Give ${names[0]}.`)
  }

  #checkNumeric(value: SitedExpression): SitedExpression {
    const { site, expression } = value
    if (value === untested || !neverNumbers.has(expression.kind)) return value
    this.hasGaps = true
    this.#collector.attempt(() => {
      throw errorAt(site, expression.offset, {
        code: 'bad_token',
        message: 'math works out a number, this gives something else',
        hint: 'Use a set step for other values, a condition for comparisons.',
      })
    })
    return value
  }
}

import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import { suggestName } from '../text/nearest-name.ts'
import { quoteText } from '../text/quote-text.ts'
import { copyValue, describeType, isPlainObject } from '../values/json-value.ts'
import { checkLogic } from './check-logic.ts'
import { programChoices } from './declaration-shapes.ts'
import { FlatDeclarationReader } from './flat-declarations.ts'
import { FlatIssues } from './flat-issues.ts'
import { FlatStepReader } from './flat-steps.ts'
import { readJsonText } from './flat-json-text.ts'

type PlainObject = Readonly<Record<string, unknown>>

const programFields = ['description', 'numbers', 'rounding', 'declarations', 'tables', 'steps']

/** A private copy, so that a caller's getters are read once and nothing but JSON is met. */
function copyFlat(given: unknown): unknown {
  const { maxProgramBytes } = defaultLimits
  const limits = {
    ...defaultLimits,
    maxTextLength: maxProgramBytes,
    maxReturnedValues: maxProgramBytes,
  }
  return copyValue(given, { path: '', label: 'the program', limits, code: 'bad_program' })
}

function listOf(given: PlainObject, field: string, issues: FlatIssues): readonly unknown[] {
  const value = given[field] ?? []
  if (Array.isArray(value)) return value as readonly unknown[]
  const message = `must be an array, got ${describeType(value)}`
  issues.refuse({ path: field, label: '' }, message, 'Give [ … ].')
  return []
}

function readTables(given: PlainObject, issues: FlatIssues): Record<string, unknown> | undefined {
  const tables: [string, unknown][] = []
  for (const [index, entry] of listOf(given, 'tables', issues).entries()) {
    const path = `tables[${index}]`
    const name = isPlainObject(entry) ? entry['name'] : undefined
    if (!isPlainObject(entry) || typeof name !== 'string') {
      const hint = 'Give { "name": "rates", "json": "{ … }" }.'
      issues.refuse({ path, label: '' }, 'must be an object with a name', hint)
      continue
    }
    const origin = { path, label: `table ${quoteText(name)}` }
    if (tables.some(([other]) => other === name)) {
      issues.refuse(origin, 'there are two tables of this name', 'Give one another name.')
    }
    issues.trace(`tables.${name}`, origin)
    tables.push([name, readJsonText(entry['json'], origin, issues)])
  }
  return tables.length === 0 ? undefined : Object.fromEntries(tables)
}

/** The program a flat one stands for, not yet checked, and the way back for what the check will find. */
function unflatten(flat: unknown): {
  readonly logic: PlainObject
  readonly issues: FlatIssues
} {
  const given = copyFlat(flat)
  const issues = new FlatIssues()
  const place = { path: '', label: '' }
  if (!isPlainObject(given)) {
    const hint = 'Give { "steps": [ … ] } with the other fields of the flat form.'
    issues.refuse(place, `a program must be an object, got ${describeType(given)}`, hint)
    issues.throwIfAny()
    return { logic: {}, issues }
  }
  for (const key of Object.keys(given)) {
    if (programFields.includes(key)) continue
    const hint = suggestName(key, programFields, `Known: ${programFields.join(', ')}.`)
    issues.refuse(place, `a flat program has no field ${quoteText(key)}`, hint)
  }
  const declarations = new FlatDeclarationReader(issues)
  for (const [index, entry] of listOf(given, 'declarations', issues).entries()) {
    declarations.read(entry, `declarations[${index}]`)
  }
  const steps = new FlatStepReader(issues)
  for (const [index, entry] of listOf(given, 'steps', issues).entries()) {
    steps.read(entry, `steps[${index}]`)
  }
  const { description } = given
  const tables = readTables(given, issues)
  const chosen = Object.entries(programChoices).flatMap(([name, [usual]]) =>
    given[name] === undefined || given[name] === usual ? [] : [[name, given[name]]],
  )
  const hasInputs = Object.keys(declarations.inputs).length > 0
  const logic = {
    ...(description === undefined || description === '' ? {} : { description }),
    ...(hasInputs ? { inputs: declarations.inputs } : {}),
    ...(declarations.output === undefined ? {} : { output: declarations.output }),
    ...(tables === undefined ? {} : { tables }),
    ...(Object.fromEntries(chosen) as PlainObject),
    steps: steps.finish(),
  }
  return { logic, issues }
}

/**
 * Turns a flat program into one of the language and checks it completely, with the default limits.
 *
 * @param flat - anything; usually JSON that a model wrote under the schema of `computeFlatSchema`
 * @throws {ComputeError} with every problem; paths and messages name the step, the declaration or the table of the
 * flat form
 */
export function fromFlatCompute(flat: unknown): ComputeLogic {
  const { logic: given, issues } = unflatten(flat)
  issues.throwIfAny()
  const { logic, errors } = checkLogic(given)
  if (logic !== undefined) return logic
  issues.throwIfAny(errors)
  throw new ComputeError(errors as readonly [ComputeIssue, ...ComputeIssue[]])
}

import { stepFields } from '../read/step-fields.ts'
import { escapedCandidates, suggestName } from '../text/nearest-name.ts'
import { escapeText, quoteText } from '../text/quote-text.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'
import { eitherFields } from './step-descriptions.ts'
import { type FlatField, flatStepFields, listsOf } from './flat-fields.ts'
import type { FlatIssues, FlatOrigin } from './flat-issues.ts'
import { readJsonText } from './flat-json-text.ts'

type PlainObject = Readonly<Record<string, unknown>>
type Step = Record<string, unknown>

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** A list of steps that is being filled, and its path in the program. */
interface StepList {
  readonly steps: Step[]
  readonly path: string
}

/** Puts flat steps back into each other. */
export class FlatStepReader {
  readonly #issues: FlatIssues
  readonly #root: StepList = { steps: [], path: 'steps' }
  readonly #lists = new Map<string, StepList>([['', this.#root]])
  readonly #ids = new Map<string, string>()

  constructor(issues: FlatIssues) {
    this.#issues = issues
  }

  /** Reads one step; those it is inside of come before it. */
  read(given: unknown, path: string): void {
    const id = isPlainObject(given) ? given['id'] : undefined
    if (!isPlainObject(given) || typeof id !== 'string' || id === '') {
      const hint = 'Give { "id": "s1", "in": "", "op": "math", … }.'
      this.#issues.refuse({ path, label: '' }, 'must be an object with an id', hint)
      return
    }
    const origin = { path, label: `step ${quoteText(id)}` }
    const { op } = given
    if (this.#ids.has(id)) {
      this.#issues.refuse(origin, 'another step has this id', 'Give every step an id of its own.')
    }
    if (typeof op !== 'string' || !flatStepFields.has(op)) {
      const shown = typeof op === 'string' ? quoteText(op) : describeType(op)
      const names = [...flatStepFields.keys()]
      const hint = suggestName(String(op), names, `Use one of ${names.join(', ')}.`)
      this.#issues.refuse(origin, `there is no operation ${shown}`, hint)
      return
    }
    this.#ids.set(id, op)
    const list = this.#listOf(given['in'] ?? '', origin)
    const step: Step = { op }
    if (list !== undefined) {
      const place = `${list.path}[${list.steps.length}]`
      this.#issues.trace(place, origin)
      this.#openLists(step, { id, place, given })
      list.steps.push(step)
    }
    this.#fill(step, given, origin)
    if (list !== undefined) this.#traceFields(given['fields'], list, origin)
  }

  /** The program's own steps. Lists that stayed empty and may be left out are. */
  finish(): readonly Step[] {
    for (const { steps } of this.#lists.values()) {
      for (const step of steps) {
        const otherwise = step['else']
        if (Array.isArray(otherwise) && otherwise.length === 0) delete step['else']
      }
    }
    return this.#root.steps
  }

  #listOf(name: unknown, origin: FlatOrigin): StepList | undefined {
    const list = typeof name === 'string' ? this.#lists.get(name) : undefined
    if (list !== undefined) return list
    const text = typeof name === 'string' ? name : describeType(name)
    const op = this.#ids.get(text)
    const lists =
      op === undefined ? [] : [...this.#lists.keys()].filter((key) => key.startsWith(`${text}.`))
    const known = escapedCandidates([...this.#lists.keys()].slice(1))
    const otherwise = `Use "" for the program itself${known.length === 0 ? '' : `, or one of ${known.slice(0, 20).join(', ')}`}.`
    const hint =
      lists.length > 0
        ? `Say which list: ${escapedCandidates(lists).join(', ')}.`
        : suggestName(text, known, otherwise)
    this.#issues.refuse(
      { path: `${origin.path}.in`, label: origin.label },
      `no step before it has a list ${quoteText(text)}`,
      hint,
    )
    return undefined
  }

  #openLists(
    step: Step,
    {
      id,
      place,
      given,
    }: { readonly id: string; readonly place: string; readonly given: PlainObject },
  ): void {
    const cases = Array.isArray(given['cases']) ? given['cases'] : []
    const branches: { then: Step[] }[] = cases.map(() => ({ then: [] }))
    if (flatStepFields.get(String(step['op']))?.some(({ kind }) => kind === 'cases') === true)
      step['cases'] = branches
    for (const { word, path } of listsOf(String(step['op']), cases.length)) {
      const steps: Step[] = []
      const branch = /\d+/.exec(word)
      if (branch === null) step[word] = steps
      else (branches[Number(branch[0])] as { then: Step[] }).then = steps
      this.#lists.set(`${id}.${word}`, { steps, path: `${place}.${path}` })
    }
  }

  #fill(step: Step, given: PlainObject, origin: FlatOrigin): void {
    const op = String(step['op'])
    const fields = flatStepFields.get(op) ?? []
    const names = ['id', 'in', 'op', ...fields.map(({ name }) => name)]
    for (const key of Object.keys(given)) {
      if (names.includes(key)) continue
      const isList = stepFields.get(op)?.some(({ name }) => name === key) === true
      const hint = isList
        ? `Steps inside others stand beside them, with "in": "${escapeText(`${String(given['id'])}.${key}`)}".`
        : suggestName(key, names, `${op} takes ${names.join(', ')}.`)
      this.#issues.refuse(origin, `${op} has no field ${quoteText(key)}`, hint)
    }
    for (const field of fields) {
      const place = { path: `${origin.path}.${field.name}`, label: origin.label }
      const value = this.#readField(given[field.name], field, { step, place })
      if (value !== undefined) step[field.name] = value
    }
    const either = eitherFields[op]
    // Where both are empty, a key may be empty as well.
    if (op === 'lookup' && step['keyFrom'] === undefined) step['key'] ??= ''
    const chosen = either?.filter((name) => name in step || !isEmpty(given[name])).length
    if (either === undefined || chosen === 1) return
    const message = `must have either ${either.join(' or ')}`
    this.#issues.refuse(origin, message, `Leave one of ${either.join(' and ')} empty.`)
  }

  #readField(
    value: unknown,
    { name, kind, mayBeEmpty }: FlatField,
    { step, place }: { readonly step: Step; readonly place: FlatOrigin },
  ): unknown {
    if (mayBeEmpty && isEmpty(value)) return undefined
    switch (kind) {
      case 'boolean':
        if (typeof value === 'boolean') return value ? true : undefined
        return this.#refuse(place, `${name} must be true or false, got ${describeType(value)}`)
      case 'value':
        return readJsonText(value, place, this.#issues)
      case 'cases':
        return this.#readCases(value, step, place)
      case 'fields':
        return this.#readFields(value, place)
      default:
        if (typeof value === 'string') return value
        return this.#refuse(place, `${name} must be a string, got ${describeType(value)}`)
    }
  }

  #readCases(value: unknown, step: Step, place: FlatOrigin): unknown {
    if (!Array.isArray(value)) {
      return this.#refuse(place, `cases must be an array, got ${describeType(value)}`)
    }
    const branches = (step['cases'] ?? []) as readonly { readonly then: unknown }[]
    return (value as readonly unknown[]).map((entry, index) => {
      const isCase = isPlainObject(entry) && Object.keys(entry).join(' ') === 'when'
      if (!isCase) this.#refuse(place, 'a case must be { "when": "…" }')
      return { when: isCase ? entry['when'] : '', then: branches[index]?.then ?? [] }
    })
  }

  #readFields(value: unknown, place: FlatOrigin): unknown {
    if (!Array.isArray(value)) {
      return this.#refuse(place, `fields must be an array, got ${describeType(value)}`)
    }
    const entries = (value as readonly unknown[]).map((entry): [string, unknown] => {
      const isField = isPlainObject(entry) && typeof entry['name'] === 'string'
      if (!isField) this.#refuse(place, 'a field must be { "name": "…", "value": "…" }')
      return isField ? [String(entry['name']), entry['value']] : ['', '']
    })
    const names = entries.map(([name]) => name)
    if (new Set(names).size < names.length) this.#refuse(place, 'two fields have the same name')
    return Object.fromEntries(entries)
  }

  #refuse(place: FlatOrigin, message: string): undefined {
    this.#issues.refuse(place, message, 'Give every field as the schema of the flat form says.')
  }

  /** Fields by name became entries of a list, so their paths differ. */
  #traceFields(fields: unknown, list: StepList, origin: FlatOrigin): void {
    if (!Array.isArray(fields)) return
    // An object has names like "1" first, so the order is that of the list.
    for (const [index, field] of (fields as readonly unknown[]).entries()) {
      const name = isPlainObject(field) ? String(field['name']) : ''
      const path = `${list.path}[${list.steps.length - 1}].fields.${escapeText(name)}`
      this.#issues.trace(path, {
        path: `${origin.path}.fields[${index}].value`,
        label: origin.label,
      })
    }
  }
}

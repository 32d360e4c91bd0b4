import type { JsonSchema, JsonValue } from '@toolcrib/registry'
import { makeVisible } from '@toolcrib/toolsmaker/kind'

/** The longest line that {@link fillHumanReadable} gives, in characters. */
const maxLineLength = 500
const maxValueLength = 100
const maxPlaceholders = 50
const maxReferences = 50
/** More parts of a schema than this are not looked through: choices of choices multiply with each step. */
const maxNodes = 200
/** More text than this is not made from an input to show a line of it, in characters. */
const maxSerialized = 1_048_576

type Step = string | number

interface Placeholder {
  /** As it is written, such as `${input.city}`. */
  readonly text: string
  /** `undefined` where it is none of the known form. */
  readonly steps: readonly Step[] | undefined
}

/**
 * Fills the values of an input into a line such as `Weather in ${input.city}`. Nothing is evaluated: a placeholder is
 * `${input}` followed by names (`.a`, `["a b"]`) and positions (`[0]`), and looks at own values only. `$${` stands for `${`.
 * What is not in the input is named in its place. Gives one line of at most 500 characters, with every character that is
 * not seen written out.
 */
export function fillHumanReadable(format: string, input: unknown): string {
  let serialized = 0
  const show = (value: unknown): string => {
    if (typeof value === 'string') return cut(oneLine(value), maxValueLength)
    if (serialized > maxSerialized) return `(${typeof value})`
    const text = toJson(value)
    serialized += text.length
    return cut(oneLine(text), maxValueLength)
  }
  const parts = splitFormat(format).map((part) => {
    if (typeof part === 'string') return part
    if (part.steps === undefined) return part.text
    const value = valueAt(input, part.steps)
    return value === undefined ? `(no ${describeSteps(part.steps)})` : show(value)
  })
  return cut(oneLine(parts.join('')), maxLineLength)
}

/** What is wrong with a format: placeholders of an unknown form, and those that the schema of the input has not. */
export function describeFormatProblems(format: string, inputSchema: JsonSchema): readonly string[] {
  const placeholders = splitFormat(format).filter((part) => typeof part !== 'string')
  if (placeholders.length > maxPlaceholders)
    return [
      `humanReadableFormat has ${placeholders.length} placeholders; at most ${maxPlaceholders} are taken.`,
    ]
  const branches = new Map<JsonValue | undefined, readonly JsonValue[]>()
  return placeholders.flatMap(({ steps, text }) => {
    const shown = cut(oneLine(text), maxValueLength)
    if (steps === undefined)
      return [
        `humanReadableFormat: ${shown} is no placeholder. Write for example \${input.city}, \${input.items[0].name}, or $\${ for the characters themselves; nothing is evaluated.`,
      ]
    return hasPlace(inputSchema, steps, branches)
      ? []
      : [`humanReadableFormat: the input has no ${describeSteps(steps)}, which ${shown} names.`]
  })
}

/** Texts and placeholders in their order. */
function splitFormat(format: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  let at = 0
  for (const { 0: text, index } of format.matchAll(/\$\$\{|\$\{[^}]*\}?/g)) {
    parts.push(format.slice(at, index))
    parts.push(text === '$${' ? '${' : { text, steps: readSteps(text) })
    at = index + text.length
  }
  return [...parts, format.slice(at)]
}

function readSteps(text: string): readonly Step[] | undefined {
  const [, path] =
    /^\$\{\s*input((?:\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d{1,6}\]|\["[^"\\]*"\]|\['[^'\\]*'\])*)\s*\}$/u.exec(
      text,
    ) ?? []
  if (path === undefined) return undefined
  return Array.from(
    path.matchAll(/\.([^.[]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g),
    ([, name, position, double, single]) =>
      position === undefined ? (name ?? double ?? single ?? '') : Number(position),
  )
}

/** Only own values are looked at, so that no step leads into a prototype. */
function valueAt(input: unknown, steps: readonly Step[]): unknown {
  let value = input
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    if (Array.isArray(value) && typeof step !== 'number') return undefined
    // A getter is not called: it has no `value`.
    value = Object.getOwnPropertyDescriptor(value, step)?.value as unknown
  }
  return value
}

function toJson(value: unknown): string {
  try {
    // A long list is not written out to show its beginning.
    const shown = Array.isArray(value) && value.length > 50 ? value.slice(0, 50) : value
    return JSON.stringify(shown) ?? typeof value
  } catch {
    return `(${typeof value})`
  }
}

function oneLine(text: string): string {
  // What is cut away need not be looked at.
  const bounded = text.length > maxLineLength * 4 ? text.slice(0, maxLineLength * 4) : text
  return makeVisible(bounded.toWellFormed().replaceAll(/\s+/g, ' '))
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}

function describeSteps(steps: readonly Step[]): string {
  const path = steps
    .map((step) =>
      typeof step === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
    )
    .join('')
  return `input${cut(oneLine(path), maxValueLength)}`
}

/** Whether inputs of a schema can have something at a place; what cannot be told is taken for possible. */
function hasPlace(
  schema: JsonSchema,
  steps: readonly Step[],
  branches: Map<JsonValue | undefined, readonly JsonValue[]>,
): boolean {
  let nodes: readonly (JsonValue | undefined)[] = [schema]
  for (const step of steps) {
    const next = nodes
      .flatMap((node) => {
        const known = branches.get(node) ?? branchesOf(node, schema)
        branches.set(node, known)
        return known
      })
      .map((node) => stepInto(node, step))
    nodes = [...new Set(next)].filter((node) => node !== false && node !== undefined)
    if (nodes.length === 0) return false
    if (nodes.includes(true) || nodes.length > maxNodes) return true
  }
  return true
}

/** A schema and those that it refers to or is put together from. */
function branchesOf(schema: JsonValue | undefined, root: JsonSchema): readonly JsonValue[] {
  const found: JsonValue[] = []
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.length > maxReferences) return [true]
    found.push(next)
    if (!isObject(next)) continue
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const branches = next[keyword]
      if (Array.isArray(branches)) waiting.push(...branches)
    }
    const reference = typeof next['$ref'] === 'string' ? next['$ref'] : ''
    const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
    const definitions = root[group]
    if (isObject(definitions) && Object.hasOwn(definitions, name)) waiting.push(definitions[name])
  }
  return found
}

function stepInto(schema: JsonValue, step: Step): JsonValue | undefined {
  if (!isObject(schema)) return schema
  const { additionalProperties, items, prefixItems, properties } = schema
  if (typeof step === 'number') {
    if (Array.isArray(prefixItems) && step < prefixItems.length) return prefixItems[step]
    return items ?? (schema['type'] === 'array' ? true : undefined)
  }
  if (isObject(properties) && Object.hasOwn(properties, step)) return properties[step]
  if (isObject(additionalProperties) || additionalProperties === true) return additionalProperties
  // An object of which nothing is said may have everything; one with named properties is meant to have these.
  return schema['type'] === 'object' && properties === undefined && additionalProperties !== false
    ? true
    : undefined
}

function isObject(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

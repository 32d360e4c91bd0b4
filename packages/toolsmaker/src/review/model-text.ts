import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { ToolContent } from '../tool-spec.ts'
import { makeVisible } from '../validation/suspicious-text.ts'

/**
 * What models read of a tool beside its name and description: a line for each property of its schemas, with everything that is said
 * about it. Texts of the author stand in quotation marks, hidden characters are written out.
 */
export function describeModelText({
  inputSchema,
  outputSchema,
}: Pick<ToolContent, 'inputSchema' | 'outputSchema'>): readonly string[] {
  return [
    ...describeSchema(inputSchema, { label: 'Input' }),
    ...(outputSchema === undefined ? [] : describeSchema(outputSchema, { label: 'Output' })),
  ].map(makeVisible)
}

interface Place {
  readonly label: string
  /** How deep it stands inside the whole. */
  readonly depth?: number
  readonly isRequired?: boolean
}

/** What is nested deeper is shown as JSON. */
const deepest = 5

function describeSchema(
  schema: JsonValue,
  { depth = 0, isRequired = false, label }: Place,
): readonly string[] {
  const start = `${'  '.repeat(depth)}${label}: `
  const needed = isRequired ? ', required' : ''
  if (!isObject(schema)) return [`${start}${JSON.stringify(schema)}${needed}`]
  const { description, items, properties, required, type, ...others } = schema
  const isDeepest = depth === deepest
  const fields = isObject(properties) && !isDeepest ? properties : undefined
  const item = isObject(items) && !isDeepest ? items : undefined
  const names = namesIn(required).filter(
    (name) => fields !== undefined && Object.hasOwn(fields, name),
  )
  const needs = new Set(names)
  const rest = {
    ...(typeof description === 'string' ? {} : { description }),
    ...others,
    ...(fields === undefined ? { properties } : {}),
    ...(item === undefined ? { items } : {}),
    // Each name that is not told with its property.
    ...(Array.isArray(required) && required.length === names.length ? {} : { required }),
  }
  return [
    [
      `${start}${describeType(type)}${needed}`,
      ...(typeof description === 'string' ? [JSON.stringify(description)] : []),
      ...Object.entries(rest).flatMap(([keyword, value]) =>
        value === undefined ? [] : [`${showKey(keyword)}: ${JSON.stringify(value)}`],
      ),
    ].join(', '),
    ...Object.entries(fields ?? {}).flatMap(([name, field]) =>
      describeSchema(field, {
        label: showKey(name),
        depth: depth + 1,
        isRequired: needs.has(name),
      }),
    ),
    // No name of a property is written so.
    ...(item === undefined ? [] : describeSchema(item, { label: 'each item', depth: depth + 1 })),
  ]
}

const plainWord = /^[\w$-]{1,64}$/

function showKey(key: string): string {
  return plainWord.test(key) ? key : JSON.stringify(key)
}

function describeType(type: JsonValue | undefined): string {
  if (type === undefined) return 'anything'
  return typeof type === 'string' ? showKey(type) : JSON.stringify(type)
}

function namesIn(required: JsonValue | undefined): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

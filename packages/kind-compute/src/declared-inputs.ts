import type { InputDeclaration, ValueDeclaration } from '@toolcrib/compute'
import type { JsonObject, JsonSchema, JsonValue } from '@toolcrib/registry'
import { isJsonObject } from './compute-inputs.ts'

type Scalar = string | number | boolean | null
type Declaration = { -readonly [Key in keyof ValueDeclaration]: ValueDeclaration[Key] }

const plainTypes: ReadonlyMap<unknown, ValueDeclaration['type']> = new Map([
  ['number', 'number'],
  ['integer', 'integer'],
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['array', 'array'],
  ['object', 'object'],
])

/** Deeper than this nothing is known of a value. */
const deepest = 16
/** A list of more choices says little about a value. */
const mostChoices = 1_000

/** Keywords that allow a value by other means than its type. */
const combining = [
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'dependentSchemas',
]

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object' || value === null

function choicesOf({ enum: choices, const: only }: JsonObject): readonly Scalar[] | undefined {
  const all = only === undefined ? choices : [only]
  if (!Array.isArray(all)) return undefined
  const list = all as readonly JsonValue[]
  return list.length > 0 && list.length <= mostChoices && list.every(isScalar) ? list : undefined
}

function addArray(declaration: Declaration, schema: JsonObject, depth: number): void {
  const { items, maxItems, prefixItems } = schema
  if (typeof maxItems === 'number') declaration.maxItems = maxItems
  if (prefixItems !== undefined || !isJsonObject(items)) return
  declaration.items = declare(items, depth + 1)
}

/**
 * The fields of an object, required or not: reading one that may be missing is the program's business, reading one
 * that the schema does not have is a mistake, unless the schema says that it allows others.
 */
function addObject(declaration: Declaration, schema: JsonObject, depth: number): void {
  const { properties, patternProperties, additionalProperties } = schema
  const isClosed = additionalProperties === undefined || additionalProperties === false
  if (!isJsonObject(properties) || !isClosed || patternProperties !== undefined) return
  if (Object.keys(properties).length === 0 || Object.hasOwn(properties, '__proto__')) return
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    declare(field, depth + 1),
  ])
  declaration.fields = Object.fromEntries(fields) as Record<string, ValueDeclaration>
}

function declare(schema: JsonValue, depth: number): Declaration {
  if (!isJsonObject(schema) || depth > deepest || combining.some((key) => key in schema))
    return { type: 'any' }
  const type = plainTypes.get(schema['type'])
  if (type === undefined) return { type: 'any' }
  const declaration: Declaration = { type }
  if (type === 'array') addArray(declaration, schema, depth)
  else if (type === 'object') addObject(declaration, schema, depth)
  else {
    const choices = choicesOf(schema)
    const { maxLength } = schema
    if (choices !== undefined) declaration.enum = choices
    // JSON Schema counts code points, of which one may take two units.
    if (type === 'string' && typeof maxLength === 'number') declaration.maxLength = maxLength * 2
  }
  return declaration
}

/** What a schema says of an input. `[T, "null"]` is the one union that a declaration can express. */
function declareInput(schema: JsonValue): InputDeclaration {
  const types = isJsonObject(schema) ? schema['type'] : undefined
  if (!isJsonObject(schema) || !Array.isArray(types)) return declare(schema, 0)
  const names = (types as readonly JsonValue[]).filter((name) => name !== 'null')
  const [only] = names
  if (names.length !== 1 || only === undefined) return { type: 'any' }
  const declaration = declare({ ...schema, type: only }, 0)
  return names.length === types.length ? declaration : { ...declaration, default: null }
}

/**
 * What an object schema says about some of its properties, in the words of the language, for checking types before
 * anything runs. It never says more than the schema does: what the language cannot express is of any type.
 */
export function inputsFromSchema(
  { properties }: JsonSchema,
  names: readonly string[],
): Record<string, InputDeclaration> {
  const known = isJsonObject(properties) ? properties : {}
  return Object.fromEntries(names.map((name) => [name, declareInput(known[name] ?? {})]))
}

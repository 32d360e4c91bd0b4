import { computeLanguageCard, computeLogicSchema } from '@toolcrib/compute/schema'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isJsonObject } from '@toolcrib/kind-compute'

const target = 'draft-2020-12'
// What the package writes is a JSON Schema, and that is JSON.
const schema = computeLogicSchema['~standard'].jsonSchema.input({ target }) as JsonObject

/** The value at the end of some keys; `{}` where there is none. */
function at(value: JsonValue | undefined, ...keys: readonly string[]): JsonValue {
  let current: JsonValue = value ?? {}
  for (const key of keys) current = isJsonObject(current) ? (current[key] ?? {}) : {}
  return current
}

/** A property without what is inside of it: steps in steps would repeat the whole language. */
function shallow(property: JsonValue): JsonObject {
  if (!isJsonObject(property)) return {}
  const { type, const: only } = property
  if (only !== undefined) return { type: 'string', enum: [only] }
  if (type === 'array') return { type, items: { type: 'object' } }
  return type === undefined ? {} : { type }
}

/** One shape for every step: which operation takes which fields is in the description. */
function stepShape(): JsonObject {
  const variants = at(schema, '$defs', 'step', 'anyOf')
  const operations = new Set<JsonValue>()
  const properties: Record<string, JsonValue> = {}
  for (const variant of Array.isArray(variants) ? (variants as readonly JsonValue[]) : []) {
    operations.add(at(variant, 'properties', 'op', 'const'))
    const fields = at(variant, 'properties')
    for (const [name, field] of Object.entries(isJsonObject(fields) ? fields : {}))
      properties[name] = shallow(field)
  }
  return {
    type: 'object',
    required: ['op'],
    properties: { ...properties, op: { type: 'string', enum: [...operations] } },
  }
}

/** What a model is shown of a program. What it writes is checked by the kind, which can say more than a schema. */
export const logicShape: JsonObject = {
  properties: {
    steps: { type: 'array', minItems: 1, items: stepShape() },
    output: { type: 'object' },
    tables: { type: 'object' },
    numbers: { type: 'string', enum: at(schema, 'properties', 'numbers', 'enum') },
    rounding: { type: 'string', enum: at(schema, 'properties', 'rounding', 'enum') },
  },
  required: ['steps'],
  additionalProperties: true,
}

/** Sections of the language card. Inputs are the tool's parameters, and what an error is comes with each error. */
function sectionsOf(...headings: readonly string[]): string {
  return computeLanguageCard
    .split('\n\n## ')
    .filter((section) => headings.some((heading) => section.startsWith(heading)))
    .map((section) => `## ${section}`)
    .join('\n\n')
}

const example = {
  tables: { rates: { de: 2.5 } },
  numbers: 'decimal',
  steps: [
    { op: 'lookup', table: 'rates', keyFrom: 'country', default: 5, output: 'rate' },
    { op: 'math', expression: 'weight_kg * rate + 5', output: 'cost' },
    {
      op: 'condition',
      if: 'weight_kg > 10',
      then: [{ op: 'math', expression: 'cost * 0.9', output: 'cost' }],
    },
    { op: 'return', fields: { cost: 'round(cost, 2)', text: "'Cost ' + money(cost)" } },
  ],
}

/** What a model is told of the language in the description of the tool: the parts of the language card it needs to begin. */
export const logicDescription: string = `The program as JSON: { steps, tables?, output?, numbers?, rounding? }. The tool's parameters are its variables; declare no inputs.
tables {name: object or array}: constants. output {"type": "number"} or another JSON type. numbers "decimal": exact, for money. rounding "half_up" or "half_even".

${sectionsOf('Steps', 'Expressions', 'Templates', 'Mistakes')}

Example: ${JSON.stringify(example)}`

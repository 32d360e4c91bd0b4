import type { StandardJSONSchemaV1 } from '@standard-schema/spec'
import { isAiSdkSchema, readAiSdkJsonSchema } from './ai-sdk-schema.ts'
import { ToolError } from './tool-error.ts'
import { type JsonSchema, type ToolSchema, isStandardSchema } from './tool-schema.ts'

/** A schema as models and clients get it: as data that nobody can change, and as text that is made once. */
export interface SchemaView {
  readonly schema: JsonSchema
  readonly text: string
}

type Direction = 'input' | 'output'

const cache: Readonly<Record<Direction, WeakMap<object, SchemaView>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
}

/**
 * A schema as JSON Schema (draft 2020-12): `input` is what a caller may pass, `output` what validation gives. Converted
 * once for each schema object and kept as long as that lives.
 *
 * @throws {ToolError} SCHEMA_INVALID when the schema cannot be turned into JSON Schema.
 */
export function viewSchema(schema: ToolSchema, direction: Direction = 'input'): SchemaView {
  const known = cache[direction].get(schema)
  if (known !== undefined) return known
  const text = writeSchema(toJsonSchema(schema, direction))
  // A copy: whoever gets the view must not be able to change what the tool checks.
  const view = Object.freeze({ schema: freezeDeeply(JSON.parse(text) as JsonSchema), text })
  cache[direction].set(schema, view)
  return view
}

function toJsonSchema(schema: ToolSchema, direction: Direction): JsonSchema {
  if (isStandardSchema(schema)) return convert(schema, direction)
  return isAiSdkSchema(schema) ? readAiSdkJsonSchema(schema) : schema
}

function writeSchema(schema: JsonSchema): string {
  try {
    return JSON.stringify(schema)
  } catch (cause) {
    throw new ToolError('SCHEMA_INVALID', 'The schema cannot be written as JSON.', { cause })
  }
}

function freezeDeeply<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const entry of Object.values(value)) freezeDeeply(entry)
  return Object.freeze(value)
}

function convert(schema: object, direction: Direction): JsonSchema {
  const { '~standard': standard } = schema as Partial<StandardJSONSchemaV1>
  const converter = standard?.jsonSchema
  if (typeof converter?.[direction] !== 'function')
    throw new ToolError(
      'SCHEMA_INVALID',
      `A schema of ${standard?.vendor ?? 'this library'} cannot be turned into JSON Schema. Use zod 4.2 or newer, another ` +
        'library with Standard JSON Schema, or pass a JSON Schema.',
    )
  try {
    // The library promises a JSON Schema of that draft.
    return converter[direction]({ target: 'draft-2020-12' }) as JsonSchema
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError(
      'SCHEMA_INVALID',
      `The schema cannot be turned into JSON Schema: ${reason}`,
      { cause },
    )
  }
}

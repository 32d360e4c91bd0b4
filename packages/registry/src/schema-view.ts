import type { StandardJSONSchemaV1 } from '@standard-schema/spec'
import type { ToolDefinition } from './tool-definition.ts'
import { ToolError } from './tool-error.ts'
import { type JsonSchema, type ToolSchema, isStandardSchema } from './tool-schema.ts'

/** A schema as models and clients get it: as data, and as text that is made once. */
export interface SchemaView {
  readonly schema: JsonSchema
  readonly text: string
}

/** A tool as models and clients get it. A tool whose schema cannot be shown says so here and harms no other. */
export type ToolView =
  | {
      readonly name: string
      readonly description: string
      readonly input: SchemaView
      readonly output?: SchemaView
      readonly problem?: undefined
    }
  | { readonly name: string; readonly description: string; readonly problem: string }

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
  const converted = isStandardSchema(schema) ? convert(schema, direction) : schema
  let text: string
  try {
    text = JSON.stringify(converted)
  } catch (cause) {
    throw new ToolError('SCHEMA_INVALID', 'The schema cannot be written as JSON.', { cause })
  }
  const view = Object.freeze({ schema: converted, text })
  cache[direction].set(schema, view)
  return view
}

/** A tool's name, description and schemas for a model or a client. Never throws: see `problem`. */
export function viewTool(tool: ToolDefinition): ToolView {
  const { name, description, inputSchema, outputSchema } = tool
  try {
    const input = viewSchema(inputSchema)
    if (input.schema['type'] !== 'object')
      return {
        name,
        description,
        problem: 'The input schema does not describe an object, which models and MCP require.',
      }
    if (outputSchema === undefined) return { name, description, input }
    return { name, description, input, output: viewSchema(outputSchema, 'output') }
  } catch (error) {
    return { name, description, problem: error instanceof Error ? error.message : String(error) }
  }
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

import { isPlainObject } from './plain-object.ts'
import { ToolError } from './tool-error.ts'
import type { JsonSchema } from './tool-schema.ts'

/** How the AI SDK marks its schemas, in every installed copy of it. */
const mark = Symbol.for('vercel.ai.schema')

/** What the check of a value by a schema of the AI SDK comes to. */
export type AiSdkVerdict =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: unknown }

/** A schema as `jsonSchema()` of the AI SDK makes it: a JSON Schema, and perhaps a function that checks values. */
export interface AiSdkSchema<Value = unknown> {
  readonly jsonSchema: unknown
  readonly _type: Value
  readonly validate?: ((value: unknown) => AiSdkVerdict | PromiseLike<AiSdkVerdict>) | undefined
}

const jsonSchemas = new WeakMap<AiSdkSchema, JsonSchema>()

/** Tells whether a schema was made by the AI SDK. */
export function isAiSdkSchema(schema: unknown): schema is AiSdkSchema {
  return typeof schema === 'object' && schema !== null && Reflect.get(schema, mark) === true
}

/**
 * The JSON Schema in a schema of the AI SDK, read once.
 *
 * @throws {ToolError} SCHEMA_INVALID when it holds none, or will hold it only later.
 */
export function readAiSdkJsonSchema(schema: AiSdkSchema): JsonSchema {
  const known = jsonSchemas.get(schema)
  if (known !== undefined) return known
  const { jsonSchema } = schema
  if (!isPlainObject(jsonSchema) || typeof jsonSchema['then'] === 'function')
    throw new ToolError(
      'SCHEMA_INVALID',
      isPlainObject(jsonSchema)
        ? 'The schema of the AI SDK gives its JSON Schema as a promise. Pass jsonSchema(await schema.jsonSchema).'
        : 'The schema of the AI SDK holds no JSON Schema.',
    )
  jsonSchemas.set(schema, jsonSchema as JsonSchema)
  return jsonSchema as JsonSchema
}

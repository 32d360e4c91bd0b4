import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AiSdkSchema } from './ai-sdk-schema.ts'
import type { JsonObject } from './json-value.ts'

/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = JsonObject

/**
 * What describes the input or output of a tool: a Standard Schema (zod 4 and others), a JSON Schema, or what
 * `jsonSchema()` of the AI SDK gives.
 *
 * `Value` is what comes out of validation.
 */
export type ToolSchema<Value = unknown> =
  | StandardSchemaV1<never, Value>
  | StandardSchemaV1<unknown, Value>
  | AiSdkSchema<Value>
  | JsonSchema

/** The value that a schema gives after validation; `unknown` for a JSON Schema. */
export type SchemaValue<Schema> =
  Schema extends StandardSchemaV1<infer _Input, infer Value>
    ? Value
    : Schema extends AiSdkSchema<infer Value>
      ? Value
      : unknown

/** Tells whether a schema follows the Standard Schema convention (an object or function with `~standard`). */
export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const standard: unknown = (schema as { '~standard'?: unknown })['~standard']
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  )
}

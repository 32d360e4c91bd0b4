import type { JsonObject, JsonSchema, JsonValue } from '@toolcrib/registry'

/** One input as the program sees it. */
export interface ComputeInput {
  readonly name: string
  /** The program always gets it: the caller must pass it, or it has a default. */
  readonly alwaysPresent: boolean
}

/** Tells whether a JSON value is an object with named fields. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The inputs that an object schema names. What it allows beyond these is no input of a program. */
export function readInputs(schema: JsonSchema): readonly ComputeInput[] {
  const { properties, required } = schema
  if (!isJsonObject(properties)) return []
  const requiredNames = new Set(Array.isArray(required) ? (required as readonly JsonValue[]) : [])
  return Object.entries(properties).map(([name, property]) => ({
    name,
    alwaysPresent:
      requiredNames.has(name) || (isJsonObject(property) && Object.hasOwn(property, 'default')),
  }))
}

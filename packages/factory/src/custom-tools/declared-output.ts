import { checkCompute, type ValueDeclaration } from '@toolcrib/compute'
import type { JsonSchema, JsonValue } from '@toolcrib/registry'
import { isJsonObject } from '@toolcrib/kind-compute'

function schemaOf(declaration: ValueDeclaration): JsonSchema {
  const { type, description, min, max, enum: choices, format } = declaration
  const { maxLength, maxItems, items, fields } = declaration
  return {
    ...(type === 'any' ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(choices === undefined ? {} : { enum: [...choices] }),
    ...(format === undefined ? {} : { format }),
    // A text of so many UTF-16 units has at most as many code points.
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(items === undefined ? {} : { items: schemaOf(items) }),
    ...(fields === undefined
      ? {}
      : { properties: mapValues(fields), required: Object.keys(fields) }),
  }
}

function mapValues(fields: Readonly<Record<string, ValueDeclaration>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, declaration]) => [name, schemaOf(declaration)]),
  )
}

/**
 * The output schema of a tool, from what its program declares to give; `undefined` where it declares nothing, and for
 * a program that is not sound, which the checks of the kind will refuse.
 */
export function outputSchemaOf(definition: JsonValue): JsonSchema | undefined {
  if (!isJsonObject(definition) || definition['output'] === undefined) return undefined
  if (checkCompute(definition).some(({ severity }) => severity === 'error')) return undefined
  // The check just said that it is one.
  return schemaOf(definition['output'] as unknown as ValueDeclaration)
}

import { type JsonObject, type JsonSchema, type JsonValue, canonicalJson } from '@toolcrib/registry'

/** Tells whether a value is a JSON Schema rather than inputs by name. */
export function isSchemaForm(value: JsonObject): boolean {
  // By name, an input called "type" is an object; in a schema, `type` is a text.
  return typeof value['type'] === 'string' || typeof value['$ref'] === 'string'
}

/** Inputs by name as an object schema: those without `default` are required, others than those named are refused. */
export function parametersToSchema(parameters: JsonObject): JsonSchema {
  const required = Object.entries(parameters)
    .filter(([, input]) => !(isObject(input) && Object.hasOwn(input, 'default')))
    .map(([name]) => name)
  return {
    type: 'object',
    properties: parameters,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** The same the other way: inputs by name where the schema is that simple, else the schema itself. */
export function schemaToParameters(schema: JsonSchema): JsonObject {
  const properties = schema['properties']
  if (!isObject(properties) || isSchemaForm(properties)) return schema
  const same = canonicalJson(parametersToSchema(properties)) === canonicalJson(schema)
  return same ? properties : schema
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

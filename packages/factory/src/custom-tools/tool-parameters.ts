import {
  assertStoredSchema,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  ToolError,
} from '@toolcrib/registry'
import { z } from 'zod'
import { isJsonObject } from '@toolcrib/kind-compute'

/** The types that a parameter can have: those of JSON Schema, without `null`. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const

/** The type of one parameter. */
export type ParameterType = (typeof parameterTypes)[number]

/** One parameter of a custom tool. Without `default` the caller must pass it. */
export interface ToolParameter {
  readonly type: ParameterType
  readonly description?: string | undefined
  /** Used when the caller passes nothing; must be of the type. */
  readonly default?: JsonValue | undefined
}

/** The parameters of a custom tool, by name. */
export type ToolParameters = Readonly<Record<string, ToolParameter>>

function isOfType(value: JsonValue, type: ParameterType): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    default:
      return typeof value === type
  }
}

const parameterSchema = z
  .strictObject(
    {
      type: z
        .enum(parameterTypes, { error: `must be one of ${parameterTypes.join(', ')}` })
        .describe('The JSON type of the value.'),
      description: z
        .string()
        .max(2_000)
        .optional()
        .describe('What the value means, with its unit.'),
      default: z
        .json()
        .optional()
        .describe('Used when the caller leaves it out. A parameter without a default is required.'),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `has unknown fields: ${issue.keys.join(', ')}. A parameter has type, description and default; one without default is required.`
          : 'must be { "type": "number", "description": "…" }',
    },
  )
  .superRefine((parameter, context) => {
    const { type, default: value } = parameter
    if (value === undefined || isOfType(value, type)) return
    const message = `must be of type ${type}, as the parameter is`
    context.addIssue({ code: 'custom', path: ['default'], message })
  })

/** The schema of {@link ToolParameters}; at most 100 of them. */
export const toolParametersSchema: z.ZodType<ToolParameters> = z
  .record(z.string().min(1).max(64), parameterSchema)
  .refine((parameters) => Object.keys(parameters).length <= 100, {
    error: 'must be at most 100 parameters',
  })

/** Parameters as the JSON Schema of a tool's input: one with a default is optional, any other is required. */
export function parametersToSchema(parameters: ToolParameters): JsonSchema {
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const [name, { type, description, default: value }] of Object.entries(parameters)) {
    properties[name] = {
      type,
      ...(description === undefined ? {} : { description }),
      ...(value === undefined ? {} : { default: value }),
    }
    if (value === undefined) required.push(name)
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** Tells a JSON Schema from parameters by name, of which one called "type" would be an object. */
function isSchemaForm(value: JsonObject): boolean {
  return typeof value['type'] === 'string'
}

function describeSchemaProblem(schema: JsonObject): string | undefined {
  if (schema['type'] !== 'object')
    return 'must describe an object, with a property for each parameter'
  try {
    assertStoredSchema(schema)
    return undefined
  } catch (error) {
    if (ToolError.is(error)) return error.message
    throw error
  }
}

/** The schema of a tool's inputs in either form: parameters by name, or a JSON Schema of type `object`. */
export const toolInputsSchema: z.ZodType<ToolParameters | JsonSchema> = z
  .record(z.string(), z.json(), {
    error: 'must be an object with the parameters by name: { "weight_kg": { "type": "number" } }',
  })
  .superRefine((value, context) => {
    if (isSchemaForm(value)) {
      const message = describeSchemaProblem(value)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
      return
    }
    for (const { path, message } of toolParametersSchema.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message })
  })

/** Inputs in either form as a JSON Schema. */
export function inputsToSchema(inputs: ToolParameters | JsonSchema): JsonSchema {
  return isSchemaForm(inputs as JsonObject)
    ? (inputs as JsonSchema)
    : parametersToSchema(inputs as ToolParameters)
}

/**
 * The way back, for showing a tool's inputs in the short form. Gives `undefined` for a schema that says more than
 * parameters can.
 */
export function schemaToParameters(schema: JsonSchema): ToolParameters | undefined {
  const { type, properties = {}, required = [], additionalProperties, ...others } = schema
  const isPlain = type === 'object' && additionalProperties === false
  if (!isPlain || Object.keys(others).length > 0) return undefined
  const parsed = toolParametersSchema.safeParse(properties)
  if (!parsed.success || !Array.isArray(required)) return undefined
  const names = Object.entries(parsed.data)
    .filter(([, parameter]) => parameter.default === undefined)
    .map(([name]) => name)
  const isSameRequired =
    names.length === required.length && names.every((name) => required.includes(name))
  return isSameRequired ? parsed.data : undefined
}

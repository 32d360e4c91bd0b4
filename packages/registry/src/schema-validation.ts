import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { OutputUnit } from '@cfworker/json-schema'
import { type AiSdkSchema, isAiSdkSchema, readAiSdkJsonSchema } from './ai-sdk-schema.ts'
import { JsonSchemaValidator } from './json-schema-validator.ts'
import { isPlainObject } from './plain-object.ts'
import { type SchemaOutcome, formatPath, maxIssues, maxMessageLength } from './schema-issue.ts'
import { ToolError } from './tool-error.ts'
import {
  type JsonSchema,
  type SchemaValue,
  type ToolSchema,
  isStandardSchema,
} from './tool-schema.ts'
import { validateWithAiSdk } from './validate-ai-sdk-schema.ts'

const validators = new WeakMap<object, JsonSchemaValidator>()

/** Keywords that only repeat what a deeper issue says. */
const wrappingKeywords: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'dependentSchemas',
  'contains',
  'if',
])

/** How much work one validation may be. */
export interface ValidationLimits {
  /**
   * Steps a JSON Schema may take: one for each subschema that a part of the value is held against, more for one with
   * long lists. A Standard Schema is not bounded. @default 1_000_000
   */
  readonly maxSteps?: number
}

/**
 * Checks a value against a schema and fills in defaults. The answer comes at once where the schema can, else as a
 * promise. Never changes the value that was passed.
 *
 * A JSON Schema is interpreted, on first use and without code generation; defaults are filled in along `properties`,
 * of `format` only those are checked whose check is quick, and a value that takes too many steps is not valid.
 *
 * @throws {ToolError} SCHEMA_INVALID when the schema itself fails, whatever the value.
 */
export function validateWithSchema<Schema_ extends ToolSchema>(
  schema: Schema_,
  value: unknown,
  { maxSteps = 1_000_000 }: ValidationLimits = {},
): SchemaOutcome<SchemaValue<Schema_>> | Promise<SchemaOutcome<SchemaValue<Schema_>>> {
  const outcome = isStandardSchema(schema)
    ? validateStandard(schema, value)
    : validateOther(schema, value, maxSteps)
  // The value has just been validated by the schema that the type is read from.
  return outcome as SchemaOutcome<SchemaValue<Schema_>>
}

function validateStandard(
  schema: StandardSchemaV1,
  value: unknown,
): SchemaOutcome | Promise<SchemaOutcome> {
  let result: StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>
  try {
    result = schema['~standard'].validate(value)
  } catch (cause) {
    throw schemaFailed(cause)
  }
  if (!('then' in result)) return standardOutcome(result)
  return result.then(standardOutcome, (cause: unknown) => {
    throw schemaFailed(cause)
  })
}

function standardOutcome(result: StandardSchemaV1.Result<unknown>): SchemaOutcome {
  if (result.issues === undefined) return { valid: true, value: result.value }
  return {
    valid: false,
    issues: result.issues.slice(0, maxIssues).map(({ path = [], message }) => ({
      path: formatPath(path.map((part) => (typeof part === 'object' ? part.key : part))),
      message: message.slice(0, maxMessageLength),
    })),
  }
}

function validateOther(
  schema: JsonSchema | AiSdkSchema,
  value: unknown,
  maxSteps: number,
): SchemaOutcome | Promise<SchemaOutcome> {
  if (!isAiSdkSchema(schema)) return validateJsonSchema(schema, value, maxSteps)
  const { validate } = schema
  // Its own check may say more than its JSON Schema, and fills in what that describes.
  if (typeof validate !== 'function')
    return validateJsonSchema(readAiSdkJsonSchema(schema), value, maxSteps)
  try {
    const outcome = validateWithAiSdk(validate, value)
    return outcome instanceof Promise ? outcome.catch(rejectSchema) : outcome
  } catch (cause) {
    throw schemaFailed(cause)
  }
}

function rejectSchema(cause: unknown): never {
  throw schemaFailed(cause)
}

function validateJsonSchema(schema: JsonSchema, value: unknown, maxSteps: number): SchemaOutcome {
  try {
    const filled = withDefaults(schema, value)
    const verdict = validatorFor(schema).check(filled, maxSteps)
    if (verdict.valid) return { valid: true, value: filled }
    return 'obstacle' in verdict
      ? { valid: false, issues: [{ path: '', message: verdict.obstacle }] }
      : { valid: false, issues: jsonSchemaIssues(verdict.errors) }
  } catch (cause) {
    throw schemaFailed(cause)
  }
}

function validatorFor(schema: JsonSchema): JsonSchemaValidator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validator = new JsonSchemaValidator(schema)
  validators.set(schema, validator)
  return validator
}

function jsonSchemaIssues(errors: readonly OutputUnit[]): { path: string; message: string }[] {
  const telling = errors.filter(({ keyword }) => !wrappingKeywords.has(keyword))
  return (telling.length > 0 ? telling : errors).slice(0, maxIssues).map((unit) => ({
    path: formatPath(
      unit.instanceLocation
        .split('/')
        .slice(1)
        .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')),
    ),
    message:
      unit.keyword === 'false' ? 'is not expected here' : unit.error.slice(0, maxMessageLength),
  }))
}

/** Fills in the defaults of missing properties, copying only what changes. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isPlainObject(schema) || !isPlainObject(schema['properties']) || !isPlainObject(value))
    return value
  let filled: Record<string, unknown> | undefined
  for (const [name, property] of Object.entries(schema['properties'])) {
    // Assigned, such a name would change the prototype of the copy.
    if (!isPlainObject(property) || name === '__proto__') continue
    const before = Object.hasOwn(value, name) ? value[name] : structuredClone(property['default'])
    const after = withDefaults(property, before)
    if (after === undefined || (Object.hasOwn(value, name) && after === value[name])) continue
    filled ??= { ...value }
    filled[name] = after
  }
  return filled ?? value
}

function schemaFailed(cause: unknown): ToolError {
  if (ToolError.is(cause, 'SCHEMA_INVALID')) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ToolError(
    'SCHEMA_INVALID',
    `The schema failed while it checked a value: ${reason.slice(0, maxMessageLength)}`,
    {
      cause,
    },
  )
}

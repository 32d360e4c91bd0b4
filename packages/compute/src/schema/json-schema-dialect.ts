import { errorOf } from '../language/compute-issue.ts'
import { quoteText } from '../text/quote-text.ts'

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>

/** What differs between the versions of JSON Schema. */
export interface JsonSchemaDialect {
  /** For `$schema`. */
  readonly uri: string
  /** The keyword that holds definitions. */
  readonly definitions: string
}

const dialects: ReadonlyMap<string, JsonSchemaDialect> = new Map([
  ['draft-2020-12', { uri: 'https://json-schema.org/draft/2020-12/schema', definitions: '$defs' }],
  ['draft-07', { uri: 'http://json-schema.org/draft-07/schema#', definitions: 'definitions' }],
])

/**
 * The dialect of a target.
 *
 * @throws {ComputeError} bad_argument for a target that is not known
 */
export function dialectOf({ target }: { readonly target: string }): JsonSchemaDialect {
  const dialect = dialects.get(target)
  if (dialect !== undefined) return dialect
  throw errorOf('options.target', {
    code: 'bad_argument',
    message: `there is no JSON Schema target ${quoteText(target)}`,
    hint: `Use one of ${[...dialects.keys()].join(', ')}.`,
  })
}

/** An object with these properties and no others; those of `optional` may be missing. */
export function objectSchema(properties: JsonSchema, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }
}

/** A schema that shares nothing with another, so that a framework may change it. */
export function copyOf(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema
}

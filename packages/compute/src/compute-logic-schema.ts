import type { ComputeIssue } from './compute-error.ts'
import { ComputeError } from './compute-error.ts'
import { errorOf } from './compute-issue.ts'
import { defaultLimits } from './compute-limits.ts'
import type { ComputeLogic } from './compute-logic.ts'
import { quoteText } from './quote-text.ts'
import { readProgram } from './read-program.ts'

/** What {@link computeLogicSchema} says about a value, in the form of Standard Schema. */
export type ComputeLogicResult =
  | { readonly value: ComputeLogic; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path: readonly (string | number)[]
      }[]
    }

/** The type of {@link computeLogicSchema}: a Standard Schema with JSON Schema. */
export interface ComputeLogicSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: ComputeLogic; readonly output: ComputeLogic } | undefined
    readonly validate: (value: unknown) => ComputeLogicResult
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

type JsonSchema = Record<string, unknown>

const namePattern = '^[A-Za-z_][A-Za-z0-9_]*$'
const name = (description: string): JsonSchema => ({
  type: 'string',
  pattern: namePattern,
  description,
})
const text = (description: string): JsonSchema => ({ type: 'string', description })

function stepSchema(op: string, description: string, properties: JsonSchema): JsonSchema {
  const required = Object.keys(properties).filter((key) => key !== 'else')
  return {
    type: 'object',
    description,
    properties: { op: { type: 'string', const: op }, ...properties },
    required: ['op', ...required],
    additionalProperties: false,
  }
}

function stepSchemas(reference: string): JsonSchema[] {
  const output = name('Variable that receives the result.')
  const steps = (description: string): JsonSchema => ({
    type: 'array',
    items: { $ref: reference },
    description,
  })
  return [
    stepSchema('math', 'Works out a number.', {
      expression: text('+ - * / % ( ) with numbers and variable names: weight_kg * 2.5 + 5'),
      output,
    }),
    stepSchema('lookup', 'Takes one field of an object or one item of a list.', {
      table: name('Variable that holds the object or list.'),
      key: text('The key itself, not a variable; for a list its index in digits.'),
      output,
    }),
    stepSchema('format', 'Makes a text.', {
      template: text('Text with {{variable}} placeholders.'),
      output,
    }),
    stepSchema('condition', 'Runs one of two lists of steps.', {
      if: text(
        'Boolean expression: a > 10 && status == "paid". Operators: < <= > >= == != && || !',
      ),
      then: steps('Steps for true.'),
      else: steps('Steps for false; may be left out.'),
    }),
    stepSchema('return', 'Ends the program with a value.', {
      value: name('Variable to return.'),
    }),
  ]
}

const dialects = new Map([
  ['draft-2020-12', { uri: 'https://json-schema.org/draft/2020-12/schema', definitions: '$defs' }],
  ['draft-07', { uri: 'http://json-schema.org/draft-07/schema#', definitions: 'definitions' }],
])

function toJsonSchema({ target }: { readonly target: string }): JsonSchema {
  const dialect = dialects.get(target)
  if (dialect === undefined) {
    throw errorOf('options.target', {
      code: 'bad_argument',
      message: `there is no JSON Schema target ${quoteText(target)}`,
      hint: `Use one of ${[...dialects.keys()].join(', ')}.`,
    })
  }
  const reference = `#/${dialect.definitions}/step`
  return {
    $schema: dialect.uri,
    type: 'object',
    description: 'A calculation: steps run in order until one returns.',
    properties: { steps: { type: 'array', items: { $ref: reference } } },
    required: ['steps'],
    additionalProperties: false,
    [dialect.definitions]: { step: { anyOf: stepSchemas(reference) } },
  }
}

/** Paths hold field names of the language and indexes only, so they can be taken apart. */
function pathKeys({ path }: ComputeIssue): (string | number)[] {
  return path
    .replaceAll(']', '')
    .split(/[.[]/)
    .filter((key) => key !== '')
    .map((key) => (Number.isInteger(Number(key)) ? Number(key) : key))
}

function validate(value: unknown): ComputeLogicResult {
  try {
    return { value: readProgram(value, { limits: defaultLimits, inputs: undefined }).logic }
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    return {
      issues: error.issues.map((issue) => ({
        message: `${issue.message}. ${issue.hint}`,
        path: pathKeys(issue),
      })),
    }
  }
}

/**
 * The language as a Standard Schema (version 1, with JSON Schema for the targets `draft-2020-12` and `draft-07`):
 * give it to any tool framework as the schema of a program. Validation is the complete check with the default
 * limits; the value it gives is a copy.
 */
export const computeLogicSchema: ComputeLogicSchema = {
  '~standard': {
    version: 1,
    vendor: 'toolcrib',
    validate,
    jsonSchema: { input: toJsonSchema, output: toJsonSchema },
  },
}

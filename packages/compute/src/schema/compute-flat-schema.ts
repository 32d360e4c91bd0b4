import { ComputeError } from '../language/compute-error.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'
import type { FieldKind } from '../read/step-fields.ts'
import { toComputeJsonSchema } from './compute-json-schema.ts'
import {
  declarationDescriptions,
  programChoices,
  programDescriptions,
} from './declaration-shapes.ts'
import type { FlatCompute } from './flat-compute.ts'
import { flatTypes } from './flat-declarations.ts'
import { flatStepFields } from './flat-fields.ts'
import { fromFlatCompute } from './from-flat-compute.ts'
import { issueKeys } from './issue-keys.ts'
import { copyOf, dialectOf, type JsonSchema, objectSchema } from './json-schema-dialect.ts'
import type { ComputeSchema, ComputeSchemaResult } from './standard-schema.ts'
import { stepDescriptions } from './step-descriptions.ts'

const string = (description = ''): JsonSchema => ({ type: 'string', description })
const oneOf = (choices: readonly string[], description = ''): JsonSchema => ({
  ...string(description),
  enum: [...choices],
})
const list = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  description,
  items,
})
const optionalNumber = (type: string, description = ''): JsonSchema => ({
  type: [type, 'null'],
  description,
})

function fieldSchema(kind: FieldKind, description: string): JsonSchema {
  switch (kind) {
    case 'boolean':
      return { type: 'boolean', description }
    case 'cases': {
      const when = string('Boolean expression: total > 100')
      return list(objectSchema({ when }), description)
    }
    case 'fields': {
      const name = string('Name of the field.')
      return list(objectSchema({ name, value: string('Expression.') }), description)
    }
    default:
      return string(kind === 'value' ? `${description} JSON text.` : description)
  }
}

function stepSchemas(): JsonSchema[] {
  return [...flatStepFields].map(([op, fields]) => {
    const { summary = '', fields: descriptions = {} } = stepDescriptions[op] ?? {}
    const own = fields.map(({ name, kind, mayBeEmpty }) => {
      const empty = kind === 'fields' ? '[] for none.' : 'Empty for none.'
      const description = `${descriptions[name]}${mayBeEmpty && kind !== 'boolean' ? ` ${empty}` : ''}`
      return [name, fieldSchema(kind, description)] as const
    })
    const properties = {
      id: string('Such as s1; every step has its own.'),
      in: string(
        'The list it belongs to: empty for the program itself, s1.then or s1.else of an earlier condition s1, ' +
          's1.cases[0] or s1.else of an earlier switch s1.',
      ),
      op: oneOf([op]),
      ...Object.fromEntries(own),
    }
    return { ...objectSchema(properties), description: summary }
  })
}

const say = (name: string): string => declarationDescriptions[name] ?? ''
const sayOfProgram = (name: string): string => programDescriptions[name] ?? ''

function declarationSchema(): JsonSchema {
  return objectSchema({
    path: string(
      'inputs.NAME or output; fields of an object follow as .field, items of an array as []: inputs.order.lines[].price. ' +
        'What something is inside of comes first.',
    ),
    type: oneOf(flatTypes),
    description: string(`${say('description')} Empty for none.`),
    min: optionalNumber('number', say('min')),
    max: optionalNumber('number', say('max')),
    enum: string(`${say('enum')} JSON text of an array. Empty for none.`),
    format: oneOf(['', 'date'], `${say('format')} Empty for none.`),
    maxLength: optionalNumber('integer', say('maxLength')),
    maxItems: optionalNumber('integer', say('maxItems')),
    default: string(`${say('default')} JSON text. Empty for none; for arguments only.`),
  })
}

/**
 * The schema is the same for each target: it has no keyword that differs between them, no reference, no recursion, no
 * optional property and no open object.
 */
function toFlatJsonSchema(options: { readonly target: string }): JsonSchema {
  dialectOf(options)
  const schema = objectSchema({
    description: string(sayOfProgram('description')),
    numbers: oneOf(programChoices.numbers, sayOfProgram('numbers')),
    rounding: oneOf(programChoices.rounding, sayOfProgram('rounding')),
    declarations: list(declarationSchema(), 'Arguments and output. [] where nothing is declared.'),
    tables: list(
      objectSchema({ name: string('Name.'), json: string('Object or array as JSON text.') }),
      'Constants. [] for none.',
    ),
    steps: list(
      { anyOf: stepSchemas() },
      `${sayOfProgram('steps')} Steps inside others follow them.`,
    ),
  })
  return copyOf(schema)
}

function validate(value: unknown): ComputeSchemaResult<ComputeLogic> {
  try {
    return { value: fromFlatCompute(value) }
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    const issues = error.issues.map(({ path, message, hint }) => ({
      message: `${message}. ${hint}`,
      path: issueKeys(value, path),
    }))
    return { issues }
  }
}

/**
 * A flat variant of the language for the strict structured output of model providers: no recursion, every property
 * required, no open object, steps with ids in the place of nesting, JSON text where any value may stand. A Standard
 * Schema whose input is the flat form and whose output is the program it stands for, completely checked.
 */
export const computeFlatSchema: ComputeSchema<FlatCompute, ComputeLogic> = {
  '~standard': {
    version: 1,
    vendor: 'toolcrib',
    validate,
    jsonSchema: { input: toFlatJsonSchema, output: toComputeJsonSchema },
  },
}

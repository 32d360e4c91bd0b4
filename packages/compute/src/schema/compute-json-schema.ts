import { stepFields, type FieldKind, type StepField } from '../read/step-fields.ts'
import {
  declarationDescriptions,
  declarationShapes,
  programChoices,
  programDescriptions,
} from './declaration-shapes.ts'
import { copyOf, dialectOf, type JsonSchema, objectSchema } from './json-schema-dialect.ts'
import { caseDescriptions, eitherFields, stepDescriptions } from './step-descriptions.ts'

const namePattern = '^[A-Za-z_][A-Za-z0-9_]*$'
const string: JsonSchema = { type: 'string' }
const count: JsonSchema = { type: 'integer', minimum: 0 }

/** Writes the parts of the schema. Definitions refer to each other, so the language may nest. */
class SchemaWriter {
  readonly #definitions: string

  constructor(definitions: string) {
    this.#definitions = definitions
  }

  /** The schema of a whole program. */
  program(): JsonSchema {
    const declaration = this.#refer('declaration')
    const properties = describeAll(
      {
        description: string,
        inputs: byName(this.#refer('input')),
        output: declaration,
        tables: byName({ type: ['object', 'array'] }),
        numbers: { enum: programChoices.numbers },
        rounding: { enum: programChoices.rounding },
        steps: this.#steps(),
      },
      programDescriptions,
    )
    const optional = Object.keys(properties).filter((name) => name !== 'steps')
    return {
      ...objectSchema(properties, optional),
      description: 'A calculation: steps run in order until one returns.',
    }
  }

  /** Everything that {@link program} refers to. */
  definitions(): JsonSchema {
    const operations = [...stepFields].flatMap(([op, fields]) =>
      variantsOf(op, fields).map((variant) => this.#step(op, variant)),
    )
    return {
      step: { anyOf: operations },
      declaration: { anyOf: this.#declarations([]) },
      input: { anyOf: this.#declarations(['default']) },
    }
  }

  #refer(name: string): JsonSchema {
    return { $ref: `#/${this.#definitions}/${name}` }
  }

  #steps(): JsonSchema {
    return { type: 'array', items: this.#refer('step') }
  }

  #step(op: string, fields: readonly StepField[]): JsonSchema {
    const { summary = '', fields: descriptions = {} } = stepDescriptions[op] ?? {}
    const properties = Object.fromEntries(fields.map(({ name, kind }) => [name, this.#field(kind)]))
    const optional = fields.flatMap((field) => (field.optional ? [field.name] : []))
    const all = { op: { type: 'string', const: op }, ...describeAll(properties, descriptions) }
    return { ...objectSchema(all, optional), description: summary }
  }

  #field(kind: FieldKind): JsonSchema {
    switch (kind) {
      case 'name':
        return { ...string, pattern: namePattern }
      case 'boolean':
        return { type: 'boolean' }
      case 'value':
        return {}
      case 'steps':
        return this.#steps()
      case 'cases': {
        const properties = { when: string, then: this.#steps() }
        const items = objectSchema(describeAll(properties, caseDescriptions.fields))
        return { type: 'array', minItems: 1, items }
      }
      case 'fields':
        return { type: 'object', minProperties: 1, additionalProperties: string }
      default:
        return string
    }
  }

  #declarations(more: readonly string[]): JsonSchema[] {
    const declaration = this.#refer('declaration')
    const fields: JsonSchema = {
      description: string,
      min: { type: 'number' },
      max: { type: 'number' },
      enum: {
        type: 'array',
        minItems: 1,
        items: { type: ['string', 'number', 'boolean', 'null'] },
      },
      format: { type: 'string', const: 'date' },
      maxLength: count,
      maxItems: count,
      items: declaration,
      fields: { type: 'object', additionalProperties: declaration },
      default: {},
    }
    return Object.entries(declarationShapes).map(([type, names]) => {
      const optional = ['description', ...names, ...more]
      const own = Object.fromEntries(optional.map((name) => [name, fields[name]]))
      const properties = describeAll(own, declarationDescriptions)
      return objectSchema({ type: { type: 'string', const: type }, ...properties }, optional)
    })
  }
}

const isPair = ({ name }: StepField): boolean => name === 'as' || name === 'by'

/**
 * The forms a step can have. Where it has one of two fields there is a form for each; the name of the item of a
 * `sort` is needed where something is worked out of it.
 */
function variantsOf(op: string, fields: readonly StepField[]): readonly (readonly StepField[])[] {
  const either = eitherFields[op]
  if (either !== undefined) {
    return either.map((chosen) =>
      fields
        .filter(({ name }) => name === chosen || !either.includes(name))
        .map((field) => (field.name === chosen ? { ...field, optional: false } : field)),
    )
  }
  if (op !== 'sort') return [fields]
  return [
    fields.filter(({ name }) => name !== 'by'),
    fields.map((field) => (isPair(field) ? { ...field, optional: false } : field)),
  ]
}

function byName(schema: JsonSchema): JsonSchema {
  return {
    type: 'object',
    patternProperties: { [namePattern]: schema },
    additionalProperties: false,
  }
}

/** Adds descriptions. A reference stands alone in draft-07, which reads nothing beside it. */
function describeAll(
  properties: JsonSchema,
  descriptions: Readonly<Record<string, string>>,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const known = schema as JsonSchema
      return [name, '$ref' in known ? known : { ...known, description: descriptions[name] }]
    }),
  )
}

/**
 * The JSON Schema of a program, written from the tables of the reader. It says what has which shape; names, types
 * and expressions are for the check.
 *
 * @throws {ComputeError} bad_argument for a target that is neither `draft-2020-12` nor `draft-07`
 */
export function toComputeJsonSchema(options: { readonly target: string }): JsonSchema {
  const { uri, definitions } = dialectOf(options)
  const writer = new SchemaWriter(definitions)
  return copyOf({ $schema: uri, ...writer.program(), [definitions]: writer.definitions() })
}

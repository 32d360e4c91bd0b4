import { type JsonSchema, type JsonValue, canonicalJson } from '@toolcrib/registry'

/** Deeper parts of a schema become `unknown`. */
const maxDepth = 20
/** Longer types, in characters, become `unknown`. */
const maxTypeLength = 32_768
const maxEnumValues = 200
const maxNodes = 2_000

interface Walk {
  readonly root: JsonSchema
  readonly isOpen: boolean
  nodes: number
  length: number
}

/** How a schema is read. */
export interface SchemaTypeOptions {
  /**
   * Whether objects may have properties that the schema does not name, unless it forbids them. A value that is made may
   * have them; of a value that is read, a name that is not there is rather a mistake.
   *
   * @default false
   */
  readonly isOpen?: boolean
}

/**
 * A JSON Schema as the declaration of a TypeScript type. The same schema always gives the same text, whatever the order of
 * its properties. What a type cannot say (ranges, patterns) is left out, and what is too deep, too large or unknown is
 * `unknown`. A schema with properties or items and no type is read as that of an object or a list.
 *
 * @param name of the type, such as `Input`
 */
export function schemaToTypeScript(
  schema: JsonSchema,
  name: string,
  { isOpen = false }: SchemaTypeOptions = {},
): string {
  const text = typeOf(schema, 0, { root: schema, isOpen, nodes: 0, length: 0 })
  return `type ${name} = ${text.length > maxTypeLength ? 'unknown' : text}`
}

function typeOf(schema: JsonValue | undefined, depth: number, walk: Walk): string {
  walk.nodes += 1
  if (schema === false) return 'never'
  const isTooMuch = walk.nodes > maxNodes || walk.length > maxTypeLength * 4
  if (!isObject(schema) || depth > maxDepth || isTooMuch) return 'unknown'
  const all = [
    referenceType(schema, depth, walk),
    valuesType(schema),
    kindType(schema, depth, walk),
    ...choiceTypes(schema, depth, walk),
  ].filter((text) => text !== undefined && text !== 'unknown')
  const whole = intersect(all as readonly string[])
  walk.length += whole.length
  return schema['nullable'] === true && whole !== 'unknown' ? unite([whole, 'null']) : whole
}

function referenceType(schema: Schema, depth: number, walk: Walk): string | undefined {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return undefined
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  const definitions = walk.root[group]
  if (!isObject(definitions) || !Object.hasOwn(definitions, name)) return 'unknown'
  return typeOf(definitions[name], depth + 1, walk)
}

function valuesType(schema: Schema): string | undefined {
  if ('const' in schema) return literalType(schema['const'])
  const values = schema['enum']
  if (!Array.isArray(values)) return undefined
  return values.length > maxEnumValues ? 'unknown' : unite(values.map(literalType))
}

/** A value as a type; objects and lists are compared by the schema alone. */
function literalType(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return JSON.stringify(value)
  return 'unknown'
}

function kindType(schema: Schema, depth: number, walk: Walk): string | undefined {
  const { type } = schema
  // Values say it more exactly than their kind.
  if ('const' in schema || Array.isArray(schema['enum'])) return undefined
  const kinds = Array.isArray(type) ? type : [type ?? guessKind(schema)]
  if (kinds[0] === undefined) return undefined
  return unite(
    kinds.map((kind) => {
      switch (kind) {
        case 'string':
        case 'number':
        case 'boolean':
        case 'null':
          return kind
        case 'integer':
          return 'number'
        case 'array':
          return arrayType(schema, depth, walk)
        case 'object':
          return objectType(schema, depth, walk)
        default:
          return 'unknown'
      }
    }),
  )
}

function guessKind(schema: Schema): string | undefined {
  if ('properties' in schema || 'required' in schema) return 'object'
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined
}

function arrayType(schema: Schema, depth: number, walk: Walk): string {
  const { items, minItems, prefixItems } = schema
  if (!Array.isArray(prefixItems)) {
    const item = typeOf(items, depth + 1, walk)
    return `readonly ${/^[\w"]+$/.test(item) ? item : `(${item})`}[]`
  }
  const least = typeof minItems === 'number' ? minItems : 0
  const parts = prefixItems.map((item, index) => {
    const text = typeOf(item, depth + 1, walk)
    return index < least ? text : `(${text})?`
  })
  if (items !== false) {
    const rest = typeOf(items, depth + 1, walk)
    parts.push(`...(${rest})[]`)
  }
  return `readonly [${parts.join(', ')}]`
}

function objectType(schema: Schema, depth: number, walk: Walk): string {
  const { additionalProperties, properties, required } = schema
  const names = isObject(properties) ? Object.keys(properties).toSorted() : []
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = names.map((name) => {
    const type = typeOf(isObject(properties) ? properties[name] : undefined, depth + 1, walk)
    return `readonly ${quoteName(name)}${needed.has(name) ? '' : '?'}: ${type}`
  })
  // Required properties of which nothing is said are there all the same.
  const known = new Set<unknown>(names)
  const others = [...needed]
    .filter((name): name is string => typeof name === 'string' && !known.has(name))
    .toSorted()
    .map((name) => `readonly ${quoteName(name)}: unknown`)
  const isNameless = names.length === 0 && needed.size === 0
  if (isNameless && additionalProperties === false) return '{ readonly [name: string]: never }'
  if (isNameless && isObject(additionalProperties))
    return `{ readonly [name: string]: ${typeOf(additionalProperties, depth + 1, walk)} }`
  const isOpen = isNameless || isObject(additionalProperties) || additionalProperties === true
  // Beside named properties an index signature has to fit them all.
  const index =
    isOpen || (walk.isOpen && additionalProperties !== false)
      ? ['readonly [name: string]: unknown']
      : []
  return `{ ${[...fields, ...others, ...index].join('; ')} }`
}

function choiceTypes(schema: Schema, depth: number, walk: Walk): readonly (string | undefined)[] {
  const branches = (keyword: string): readonly string[] | undefined => {
    const list = schema[keyword]
    return Array.isArray(list) ? list.map((each) => typeOf(each, depth + 1, walk)) : undefined
  }
  const any = branches('anyOf')
  const one = branches('oneOf')
  return [any && unite(any), one && unite(one), ...(branches('allOf') ?? [])]
}

function unite(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'never')
  if (known.length === 0) return 'never'
  if (known.includes('unknown')) return 'unknown'
  return known.map((type) => (type.includes(' & ') ? `(${type})` : type)).join(' | ')
}

function intersect(types: readonly string[]): string {
  const known = [...new Set(types)]
  if (known.length === 0) return 'unknown'
  if (known.includes('never')) return 'never'
  const [first = 'unknown'] = known
  if (known.length === 1) return first
  return known.map((type) => (type.includes(' | ') ? `(${type})` : type)).join(' & ')
}

function quoteName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoteText(name)
}

/** A text in ASCII alone, so that nothing in it can end a line, a comment or the quotes. */
function quoteText(text: string): string {
  return canonicalJson(text.toWellFormed()).replaceAll(
    /[^\x20-\x7E]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type Schema = { readonly [key: string]: JsonValue }

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

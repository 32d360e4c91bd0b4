import { canonicalJson } from './canonical-json.ts'
import {
  checkedFormats,
  isKnownKeyword,
  refusedKeywords,
  subschemaShape,
  valueRules,
} from './json-schema-keywords.ts'
import type { JsonValue } from './json-value.ts'
import { isPlainObject } from './plain-object.ts'
import { ToolError } from './tool-error.ts'
import type { JsonSchema } from './tool-schema.ts'

/** How much of a schema is accepted from somebody who is not trusted. */
export interface SchemaLimits {
  /** Subschemas, counted with every reference followed. @default 2_000 */
  readonly maxNodes?: number
  /** Nesting of subschemas, references followed. @default 40 */
  readonly maxDepth?: number
  /** Length of the schema's JSON text in characters. @default 65_536 */
  readonly maxLength?: number
}

/** Where in the schema the walk is. */
interface Place {
  readonly path: string
  readonly depth: number
  /** Defaults are filled in along the way from the top to here. */
  readonly takesDefault: boolean
}

interface Walk {
  readonly root: JsonSchema
  readonly maxNodes: number
  readonly maxDepth: number
  nodes: number
  textRules: number
}

/** Each of them goes through the whole text, and many can stand at one place. */
const maxTextRules = 100
const referenceForm = /^#\/(\$defs|definitions)\/([\w.-]+)$/

/**
 * Checks a JSON Schema that came from an agent, a file or another host, before it is stored or used: keywords are
 * known and hold what they must, references point at its own definitions and never in a circle, no regular expression
 * runs, defaults stand where they are filled in, size and depth are bounded.
 *
 * @throws {ToolError} SCHEMA_INVALID when it is not a JSON Schema.
 * @throws {ToolError} SCHEMA_UNSUPPORTED when it is one, and uses a feature or a size that is refused.
 */
export function assertStoredSchema(
  schema: unknown,
  limits: SchemaLimits = {},
): asserts schema is JsonSchema {
  const { maxNodes = 2_000, maxDepth = 40, maxLength = 65_536 } = limits
  if (!isPlainObject(schema))
    throw invalid('', `a schema must be an object, got ${describe(schema)}`)
  const length = jsonLength(schema)
  if (length > maxLength)
    throw unsupported('', `it has ${length} characters, at most ${maxLength} are accepted`)
  visit(
    schema,
    { path: '', depth: 0, takesDefault: true },
    { root: schema as JsonSchema, maxNodes, maxDepth, nodes: 0, textRules: 0 },
  )
}

function jsonLength(schema: unknown): number {
  try {
    return canonicalJson(schema as JsonValue).length
  } catch (cause) {
    const reason = ToolError.is(cause) ? cause.message : 'Reading it threw an error.'
    throw new ToolError('SCHEMA_INVALID', `The schema cannot be written as JSON. ${reason}`, {
      cause,
    })
  }
}

// References are followed at each use, so the count of nodes is the work that validation can cost: a chain of
// references that doubles at each step runs into the limit, and so does a circle.
function visit(schema: unknown, place: Place, walk: Walk): void {
  const { path, depth } = place
  walk.nodes += 1
  if (walk.nodes > walk.maxNodes)
    throw unsupported(path, `it has more than ${walk.maxNodes} parts, references followed`)
  if (typeof schema === 'boolean') return
  if (!isPlainObject(schema))
    throw invalid(path, `a schema must be an object or a boolean, got ${describe(schema)}`)
  if (depth > walk.maxDepth)
    throw unsupported(path, `it nests deeper than ${walk.maxDepth}, or refers to itself`)
  for (const [keyword, value] of Object.entries(schema)) {
    const below = { path: `${path}/${keyword}`, depth: depth + 1, takesDefault: false }
    checkKeyword(keyword, value, below.path)
    if (keyword === 'default' && (depth === 0 || !place.takesDefault))
      throw misplacedDefault(below.path)
    if (keyword === '$ref') visit(resolve(value, below.path, walk.root), below, walk)
    else visitSubschemas(keyword, value, { place: below, above: place, walk })
  }
  checkUniqueItems(schema, path)
  checkTextRules(schema, path, walk)
}

function checkKeyword(keyword: string, value: unknown, path: string): void {
  const reason = Object.hasOwn(refusedKeywords, keyword) ? refusedKeywords[keyword] : undefined
  if (reason !== undefined) throw unsupported(path, `${keyword} is not accepted: ${reason}`)
  if (!isKnownKeyword(keyword))
    throw unsupported(path, 'this keyword is not known and would check nothing; remove it')
  if (keyword === 'format' && !checkedFormats.has(value))
    throw unsupported(
      path,
      `the format ${describe(value)} is not checked here; use one of ${[...checkedFormats].join(', ')}, or remove it`,
    )
  const rule = Object.hasOwn(valueRules, keyword) ? valueRules[keyword] : undefined
  if (rule !== undefined && !rule[0](value))
    throw invalid(path, `must be ${rule[1]}, got ${describe(value)}`)
}

function misplacedDefault(path: string): ToolError {
  return unsupported(
    path,
    'a default is filled in only for a property, reached from the top by "properties" alone; move or remove it',
  )
}

function visitSubschemas(
  keyword: string,
  value: unknown,
  { place, above, walk }: { readonly place: Place; readonly above: Place; readonly walk: Walk },
): void {
  const { path, depth } = place
  const shape = subschemaShape(keyword)
  if (shape === undefined) return
  if (shape === 'one') return visit(value, place, walk)
  if (shape === 'list' && !Array.isArray(value))
    throw invalid(path, `must be a list of schemas, got ${describe(value)}`)
  if (shape === 'map' && !isPlainObject(value))
    throw invalid(path, `must be an object of schemas, got ${describe(value)}`)
  const takesDefault = keyword === 'properties' && above.takesDefault
  for (const [key, entry] of Object.entries(value as object)) {
    if (key === '__proto__') throw unsupported(path, 'a property must not be called "__proto__"')
    visit(entry, { path: `${path}/${key}`, depth: depth + 1, takesDefault }, walk)
  }
}

// `uniqueItems` compares every pair, so an unbounded list of values costs the square of its length.
function checkUniqueItems(schema: Record<string, unknown>, path: string): void {
  const { uniqueItems, maxItems } = schema
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= 100))
    throw unsupported(path, 'uniqueItems needs maxItems of at most 100 beside it')
}

function checkTextRules(
  { minLength, maxLength, format }: Record<string, unknown>,
  path: string,
  walk: Walk,
): void {
  if (minLength === undefined && maxLength === undefined && format === undefined) return
  walk.textRules += 1
  if (walk.textRules > maxTextRules)
    throw unsupported(
      path,
      `it has more than ${maxTextRules} parts with minLength, maxLength or format, references followed`,
    )
}

// Plain names only: the interpreter decodes pointers in ways of its own, and would follow another reference than the
// one that was checked here.
function resolve(reference: unknown, path: string, root: JsonSchema): unknown {
  const [, group = '', name = ''] =
    (typeof reference === 'string' ? referenceForm.exec(reference) : null) ?? []
  if (name === '')
    throw unsupported(
      path,
      `a reference must be "#/$defs/" and a name of letters, digits, "_", "." and "-", got ${describe(reference)}`,
    )
  const definitions: unknown = root[group]
  if (!isPlainObject(definitions) || !Object.hasOwn(definitions, name))
    throw invalid(path, `the reference ${describe(reference)} points at nothing`)
  return definitions[name]
}

function describe(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 80)
}

function shorten(path: string): string {
  return path.length > 200 ? `#${path.slice(0, 200)}…` : `#${path}`
}

function invalid(path: string, problem: string): ToolError {
  return new ToolError(
    'SCHEMA_INVALID',
    `The schema is not valid at ${shorten(path)}: ${problem}.`,
    {
      data: { path: shorten(path) },
    },
  )
}

function unsupported(path: string, problem: string): ToolError {
  return new ToolError(
    'SCHEMA_UNSUPPORTED',
    `The schema cannot be used, at ${shorten(path)}: ${problem}.`,
    {
      data: { path: shorten(path) },
    },
  )
}

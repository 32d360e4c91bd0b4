import { refusedKeywords, subschemaKeywords, valueRules } from './json-schema-keywords.ts'
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
}

interface Walk {
  readonly root: JsonSchema
  readonly maxNodes: number
  readonly maxDepth: number
  nodes: number
}

/**
 * Checks a JSON Schema that came from an agent, a file or another host, before it is stored or used: keywords hold what
 * they must, references point inside it and never in a circle, no regular expression runs, size and depth are bounded.
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
  let length: number
  try {
    length = JSON.stringify(schema).length
  } catch (cause) {
    throw new ToolError('SCHEMA_INVALID', 'The schema cannot be written as JSON.', { cause })
  }
  if (length > maxLength)
    throw unsupported('', `it has ${length} characters, at most ${maxLength} are accepted`)
  visit(
    schema,
    { path: '', depth: 0 },
    { root: schema as JsonSchema, maxNodes, maxDepth, nodes: 0 },
  )
}

// References are followed at each use, so the count of nodes is the work that validation can cost: a chain of
// references that doubles at each step runs into the limit, and so does a circle.
function visit(schema: unknown, place: Place, walk: Walk): void {
  const { path, depth } = place
  if (typeof schema === 'boolean') return
  if (!isPlainObject(schema))
    throw invalid(path, `a schema must be an object or a boolean, got ${describe(schema)}`)
  walk.nodes += 1
  if (walk.nodes > walk.maxNodes)
    throw unsupported(path, `it has more than ${walk.maxNodes} parts, references followed`)
  if (depth > walk.maxDepth)
    throw unsupported(path, `it nests deeper than ${walk.maxDepth}, or refers to itself`)
  for (const [keyword, value] of Object.entries(schema)) {
    const below = { path: `${path}/${keyword}`, depth: depth + 1 }
    checkKeyword(keyword, value, below.path)
    if (keyword === '$ref') visit(resolve(value, below.path, walk.root), below, walk)
    else visitSubschemas(subschemaShape(keyword), value, { place: below, walk })
  }
  checkUniqueItems(schema, path)
}

function checkKeyword(keyword: string, value: unknown, path: string): void {
  const reason = Object.hasOwn(refusedKeywords, keyword) ? refusedKeywords[keyword] : undefined
  if (reason !== undefined) throw unsupported(path, `${keyword} is not accepted: ${reason}`)
  const rule = Object.hasOwn(valueRules, keyword) ? valueRules[keyword] : undefined
  if (rule !== undefined && !rule[0](value))
    throw invalid(path, `must be ${rule[1]}, got ${describe(value)}`)
}

function subschemaShape(keyword: string): 'one' | 'list' | 'map' | undefined {
  return Object.hasOwn(subschemaKeywords, keyword) ? subschemaKeywords[keyword] : undefined
}

function visitSubschemas(
  shape: 'one' | 'list' | 'map' | undefined,
  value: unknown,
  { place, walk }: { readonly place: Place; readonly walk: Walk },
): void {
  const { path, depth } = place
  if (shape === undefined) return
  if (shape === 'one') return visit(value, place, walk)
  if (shape === 'list' && !Array.isArray(value))
    throw invalid(path, `must be a list of schemas, got ${describe(value)}`)
  if (shape === 'map' && !isPlainObject(value))
    throw invalid(path, `must be an object of schemas, got ${describe(value)}`)
  for (const [key, entry] of Object.entries(value as object)) {
    if (key === '__proto__') throw unsupported(path, 'a property must not be called "__proto__"')
    visit(entry, { path: `${path}/${key}`, depth: depth + 1 }, walk)
  }
}

// `uniqueItems` compares every pair, so an unbounded list of values costs the square of its length.
function checkUniqueItems(schema: Record<string, unknown>, path: string): void {
  const { uniqueItems, maxItems } = schema
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= 1_000))
    throw unsupported(path, 'uniqueItems needs maxItems of at most 1,000 beside it')
}

function resolve(reference: unknown, path: string, root: JsonSchema): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/'))
    throw unsupported(
      path,
      `a reference must point inside the schema, such as "#/$defs/name", got ${describe(reference)}`,
    )
  let target: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key))
      throw invalid(path, `the reference ${JSON.stringify(reference)} points at nothing`)
    target = (target as Record<string, unknown>)[key]
  }
  return target
}

function describe(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 80)
}

function invalid(path: string, problem: string): ToolError {
  return new ToolError('SCHEMA_INVALID', `The schema is not valid at #${path}: ${problem}.`, {
    data: { path: `#${path}` },
  })
}

function unsupported(path: string, problem: string): ToolError {
  return new ToolError(
    'SCHEMA_UNSUPPORTED',
    `The schema cannot be used, at #${path}: ${problem}.`,
    {
      data: { path: `#${path}` },
    },
  )
}

import type { JsonObject, JsonSchema, JsonValue } from '@toolcrib/registry'
import { isJsonObject } from './compute-inputs.ts'
import { numberCandidates } from './number-candidates.ts'
import type { ProgramHints, TableHint } from './program-hints.ts'

/** What candidates are made from. */
export interface CandidateContext {
  /** The whole schema, where references point into. */
  readonly root: JsonSchema
  readonly hints: ProgramHints
  /** Keys that the program looks up in this very value. */
  readonly table?: TableHint | undefined
  readonly depth: number
  /** At most this many for each value. */
  readonly maxCandidates: number
  /** How many values may still be looked at; a schema that refers to itself must not run for ever. */
  readonly budget: { left: number }
}

/** Deeper values are left out; a schema that demands them gets no generated input. */
const deepest = 8
/** Longer texts and lists are not made. */
const longest = 1_000

type Schema = JsonValue | undefined

/** Values that are worth trying for a schema, the most ordinary first. They need not fit; the caller checks. */
export function candidatesFor(schema: Schema, context: CandidateContext): readonly JsonValue[] {
  context.budget.left -= 1
  if (context.depth > deepest || context.budget.left < 0 || schema === false) return []
  const resolved = isJsonObject(schema) ? flatten(schema, context) : {}
  const fixed = fixedCandidates(resolved)
  if (fixed !== undefined) return fixed.slice(0, context.maxCandidates)
  const given = Object.hasOwn(resolved, 'default') ? [resolved['default'] as JsonValue] : []
  const typed = typesOf(resolved, context).map((type) => candidatesOfType(type, resolved, context))
  return [...given, ...interleave(typed)].slice(0, context.maxCandidates)
}

function fixedCandidates(schema: JsonObject): readonly JsonValue[] | undefined {
  const { const: constant, enum: choices } = schema
  if (constant !== undefined) return [constant]
  return Array.isArray(choices) ? (choices as readonly JsonValue[]) : undefined
}

/** Follows references and lays the parts of `allOf` and the first choice of `anyOf` and `oneOf` over each other. */
function flatten(schema: JsonObject, context: CandidateContext): JsonObject {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema
  const parts: JsonValue[] = []
  if (typeof $ref === 'string') parts.push(resolve($ref, context.root))
  if (Array.isArray(allOf)) parts.push(...(allOf as readonly JsonValue[]))
  for (const choices of [anyOf, oneOf]) {
    const [first] = Array.isArray(choices) ? (choices as readonly JsonValue[]) : []
    if (first !== undefined) parts.push(first)
  }
  let flat: JsonObject = own
  for (const part of parts.slice(0, 20)) {
    if (!isJsonObject(part) || context.depth > deepest) continue
    flat = merge(flat, flatten(part, { ...context, depth: context.depth + 1 }))
  }
  return flat
}

function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...base, ...over }
  const { properties: left, required: leftNames } = base
  const { properties: right, required: rightNames } = over
  if (isJsonObject(left) && isJsonObject(right)) merged['properties'] = { ...left, ...right }
  if (Array.isArray(leftNames) && Array.isArray(rightNames))
    merged['required'] = [
      ...(leftNames as readonly JsonValue[]),
      ...(rightNames as readonly JsonValue[]),
    ]
  return merged
}

function resolve(reference: string, root: JsonSchema): JsonValue {
  let target: JsonValue = root
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return {}
    target = (target as Record<string, JsonValue>)[key] ?? null
  }
  return target
}

function typesOf(schema: JsonObject, context: CandidateContext): readonly string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type))
    return (type as readonly JsonValue[]).filter((name) => typeof name === 'string')
  if (isJsonObject(schema['properties'])) return ['object']
  if (schema['items'] !== undefined) return ['array']
  if (context.table !== undefined && context.table.keys.size > 0) return ['object']
  return ['number', 'string', 'boolean', 'null', 'object', 'array']
}

/** The first of each list, then the second of each, and so on. */
function interleave(lists: readonly (readonly JsonValue[])[]): readonly JsonValue[] {
  const longestList = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longestList }, (_, index) => index).flatMap((index) =>
    lists.flatMap((list) => (index < list.length ? [list[index] as JsonValue] : [])),
  )
}

function candidatesOfType(
  type: string,
  schema: JsonObject,
  context: CandidateContext,
): readonly JsonValue[] {
  switch (type) {
    case 'number':
    case 'integer':
      return numberCandidates(schema, {
        isWhole: type === 'integer',
        hints: context.hints.numbers,
      })
    case 'string':
      return textCandidates(schema, context.hints.texts)
    case 'boolean':
      return [true, false]
    case 'array':
      return listCandidates(schema, context)
    case 'object':
      return objectCandidates(schema, context)
    default:
      return type === 'null' ? [null] : []
  }
}

function count(value: Schema, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

function textCandidates(schema: JsonObject, hints: readonly string[]): readonly JsonValue[] {
  const shortest = count(schema['minLength'], 0)
  if (shortest > longest) return []
  const ends = [shortest, Math.min(count(schema['maxLength'], shortest), longest)]
  const ordinary = 'text'.padEnd(shortest, 'x').slice(0, count(schema['maxLength'], Infinity))
  return [...new Set([ordinary, ...hints.slice(0, 3), ...ends.map((size) => 'x'.repeat(size))])]
}

function listCandidates(schema: JsonObject, context: CandidateContext): readonly JsonValue[] {
  const { table } = context
  const indexes = [...(table?.keys.keys() ?? [])].map(Number).filter(Number.isSafeInteger)
  const shortest = Math.max(count(schema['minItems'], 0), ...indexes.map((index) => index + 1))
  if (shortest > longest) return []
  const most = Math.min(count(schema['maxItems'], Math.max(shortest, 2)), longest)
  const prefix = Array.isArray(schema['prefixItems'])
    ? (schema['prefixItems'] as readonly JsonValue[])
    : []
  const below = { ...context, table: undefined, depth: context.depth + 1 }
  const itemCandidates = new Map<Schema, readonly JsonValue[]>()
  const item = (index: number): JsonValue | undefined => {
    const inner = table?.keys.get(String(index))
    const itemSchema =
      index < prefix.length ? prefix[index] : (schema['items'] ?? unnamedSchema(inner))
    if (inner !== undefined && inner.keys.size > 0)
      return candidatesFor(itemSchema, { ...below, table: inner })[0]
    const known = itemCandidates.get(itemSchema) ?? candidatesFor(itemSchema, below)
    itemCandidates.set(itemSchema, known)
    return known[schema['uniqueItems'] === true ? index : index % Math.max(known.length, 1)]
  }
  const sizes = [...new Set([Math.max(shortest, 1), shortest, most])].filter((size) => size <= most)
  return sizes
    .map((size) => Array.from({ length: size }, (_, index) => item(index)))
    .filter((list) => list.every((entry) => entry !== undefined))
}

/** The object with only what must be there, then objects with everything, each field trying its next value. */
function objectCandidates(schema: JsonObject, context: CandidateContext): readonly JsonObject[] {
  const { table } = context
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const requiredNames = Array.isArray(schema['required'])
    ? (schema['required'] as readonly JsonValue[])
    : []
  const names = new Set([
    ...Object.keys(properties),
    ...requiredNames.filter((name) => typeof name === 'string'),
    ...(schema['additionalProperties'] === false ? [] : (table?.keys.keys() ?? [])),
  ])
  const fields = [...names]
    .filter((name) => name !== '__proto__')
    .map((name) => ({
      name,
      isNeeded: requiredNames.includes(name) || table?.keys.has(name) === true,
      candidates: fieldCandidates(name, schema, context),
    }))
  const rows = Math.max(1, ...fields.map(({ candidates }) => candidates.length))
  const build = (wanted: typeof fields, row: number): JsonObject =>
    Object.fromEntries(
      wanted.flatMap(({ name, candidates }) => {
        const value = candidates[row % Math.max(candidates.length, 1)]
        return value === undefined ? [] : [[name, value]]
      }),
    )
  return [
    build(
      fields.filter(({ isNeeded }) => isNeeded),
      0,
    ),
    ...Array.from({ length: rows }, (_, row) => build(fields, row)),
  ]
}

function fieldCandidates(
  name: string,
  schema: JsonObject,
  context: CandidateContext,
): readonly JsonValue[] {
  const { properties, additionalProperties } = schema
  const table = context.depth === 0 ? context.hints.tables.get(name) : context.table?.keys.get(name)
  const named = isJsonObject(properties) && Object.hasOwn(properties, name)
  const others = isJsonObject(additionalProperties) ? additionalProperties : unnamedSchema(table)
  const below = { ...context, table, depth: context.depth + 1 }
  return candidatesFor(named ? properties[name] : others, below)
}

/** A value that only the program knows of: a table where it looks further, else a number, which most steps accept. */
function unnamedSchema(table: TableHint | undefined): JsonObject {
  return { type: table !== undefined && table.keys.size > 0 ? 'object' : 'number' }
}

import type { InputHint, InputHints } from '@toolcrib/compute/schema'
import type { JsonObject, JsonSchema, JsonValue } from '@toolcrib/registry'
import { isJsonObject } from '../compute-inputs.ts'
import { numberCandidates } from './number-candidates.ts'

/** What candidates are made from. */
export interface CandidateContext {
  /** The whole schema, where references point into. */
  readonly root: JsonSchema
  readonly hints: InputHints
  /** What the program says about this very value. */
  readonly hint?: InputHint | undefined
  readonly depth: number
  /** At most this many for each value. */
  readonly maxCandidates: number
  /** How many values may still be looked at; a schema that refers to itself must not run for ever. */
  readonly budget: { left: number }
}

/** Deeper values are left out; a schema that demands them gets no generated input. */
const deepest = 8
/** Tried for any text, and as a key where a program works its keys out. */
const ordinaryText = 'text'
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
  const hinted = unnamedType(context.hint)
  if (hinted === 'object' || hinted === 'array') return [hinted]
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
        hints: [...new Set([...(context.hint?.numbers ?? []), ...context.hints.numbers])],
      })
    case 'string':
      return textCandidates(schema, context)
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

const dates = ['2026-02-28', '2024-02-29', '2025-12-31']

function textCandidates(
  schema: JsonObject,
  { hint, hints }: CandidateContext,
): readonly JsonValue[] {
  if (schema['format'] === 'date' || hint?.isDate === true) return dates
  if (schema['format'] === 'date-time') return dates.map((date) => `${date}T12:30:00Z`)
  const shortest = count(schema['minLength'], 0)
  if (shortest > longest) return []
  const ends = [shortest, Math.min(count(schema['maxLength'], shortest), longest)]
  const ordinary = ordinaryText.padEnd(shortest, 'x').slice(0, count(schema['maxLength'], Infinity))
  const own = [...(hint?.strings ?? [])].slice(0, 4)
  const others = [...hints.strings].slice(0, 3)
  return [...new Set([...own, ordinary, ...others, ...ends.map((size) => 'x'.repeat(size))])]
}

function listCandidates(schema: JsonObject, context: CandidateContext): readonly JsonValue[] {
  const { hint } = context
  const indexes = [...(hint?.entries.keys() ?? [])].map(Number).filter(Number.isSafeInteger)
  const shortest = Math.max(count(schema['minItems'], 0), ...indexes.map((index) => index + 1))
  if (shortest > longest) return []
  const most = Math.min(count(schema['maxItems'], Math.max(shortest, 2)), longest)
  const prefix = Array.isArray(schema['prefixItems'])
    ? (schema['prefixItems'] as readonly JsonValue[])
    : []
  const itemCandidates = new Map<Schema, readonly JsonValue[]>()
  const item = (index: number): JsonValue | undefined => {
    const inner = hint?.entries.get(String(index))
    const below = { ...context, hint: inner ?? hint?.any, depth: context.depth + 1 }
    const itemSchema =
      index < prefix.length ? prefix[index] : (schema['items'] ?? { type: unnamedType(below.hint) })
    if (inner !== undefined) return candidatesFor(itemSchema, below)[0]
    const key = index < prefix.length ? itemSchema : schema['items']
    const known = itemCandidates.get(key) ?? candidatesFor(itemSchema, below)
    itemCandidates.set(key, known)
    return known[schema['uniqueItems'] === true ? index : index % Math.max(known.length, 1)]
  }
  const sizes = [...new Set([Math.max(shortest, 1), shortest, most])].filter((size) => size <= most)
  return sizes
    .map((size) => Array.from({ length: size }, (_, index) => item(index)))
    .filter((list) => list.every((entry) => entry !== undefined))
}

/** The object with only what must be there, then objects with everything, each field trying its next value. */
function objectCandidates(schema: JsonObject, context: CandidateContext): readonly JsonObject[] {
  const { hint } = context
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const requiredNames = Array.isArray(schema['required'])
    ? (schema['required'] as readonly JsonValue[])
    : []
  const names = new Set([
    ...Object.keys(properties),
    ...requiredNames.filter((name) => typeof name === 'string'),
    ...(schema['additionalProperties'] === false ? [] : keysOf(hint)),
  ])
  const fields = [...names]
    .filter((name) => name !== '__proto__')
    .map((name) => ({
      name,
      isNeeded: requiredNames.includes(name) || keysOf(hint).includes(name),
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
  const { hint: outer } = context
  const inner =
    context.depth === 0 ? context.hints.inputs.get(name) : (outer?.entries.get(name) ?? outer?.any)
  const named = isJsonObject(properties) && Object.hasOwn(properties, name)
  const others = isJsonObject(additionalProperties)
    ? additionalProperties
    : { type: unnamedType(inner) }
  const below = { ...context, hint: inner, depth: context.depth + 1 }
  return candidatesFor(named ? properties[name] : others, below)
}

/** The fields that the program reads; where it works the key out, one that an ordinary text finds. */
function keysOf(hint: InputHint | undefined): readonly string[] {
  if (hint === undefined) return []
  return hint.entries.size === 0 && hint.any !== undefined
    ? [ordinaryText]
    : [...hint.entries.keys()]
}

/** The type of a value that only the program knows of. Most steps accept a number. */
function unnamedType(hint: InputHint | undefined): string {
  if (hint === undefined) return 'number'
  const { types, entries, any, strings, isDate } = hint
  const isListed = [...entries.keys()].every((key) => Number.isSafeInteger(Number(key)))
  if (types.length === 1) return types[0] ?? 'number'
  if (entries.size > 0) return isListed && types.includes('array') ? 'array' : 'object'
  if (any !== undefined) return types.includes('object') ? 'object' : 'array'
  return isDate || strings.size > 0 ? 'string' : 'number'
}

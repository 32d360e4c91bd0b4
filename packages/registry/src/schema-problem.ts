import { isAiSdkSchema, readAiSdkJsonSchema } from './ai-sdk-schema.ts'
import { annotationKeywords, isSchemaKeyword } from './json-schema-keywords.ts'
import { isPlainObject } from './plain-object.ts'
import { isStandardSchema } from './tool-schema.ts'

/**
 * Tells what keeps something from being a schema that checks values; `undefined` when it is one. Foreign schemas look like
 * JSON Schemas, and would then check nothing without a word.
 */
export function describeSchemaProblem(schema: unknown): string | undefined {
  if (isStandardSchema(schema)) return undefined
  if (isAiSdkSchema(schema)) return describeReadProblem(() => readAiSdkJsonSchema(schema))
  if (!isPlainObject(schema)) return `got ${Array.isArray(schema) ? 'a list' : String(schema)}`
  return findForeignPart(schema, '', new Set()) ?? describeKeys(schema)
}

/** Schemas of libraries inside of a JSON Schema, functions and instances of classes: nothing that JSON could hold. */
function findForeignPart(value: unknown, path: string, seen: Set<unknown>): string | undefined {
  if (typeof value === 'function' || isStandardSchema(value) || isAiSdkSchema(value))
    return typeof value === 'function'
      ? `got an object with a function at ${path}; pass the JSON Schema itself`
      : `got an object with the schema of a library at ${path}; put it into z.object( … )`
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  if (!Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return `got an instance of ${nameOfClass(prototype)}${path === '' ? '' : ` at ${path}`}; convert it to JSON Schema`
  }
  for (const [key, entry] of Object.entries(value)) {
    const problem = findForeignPart(entry, path === '' ? key : `${path}.${key}`, seen)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** An object in which nothing would be checked is no schema, unless it says nothing else either. */
function describeKeys(schema: Record<string, unknown>): string | undefined {
  const keys = Object.keys(schema)
  const foreign = keys.filter((key) => !isSchemaKeyword(key))
  if (foreign.length === 0 || keys.some((key) => isChecking(key))) return undefined
  return `got an object that checks nothing: ${foreign.slice(0, 5).join(', ')} are no keywords of it`
}

function isChecking(keyword: string): boolean {
  return isSchemaKeyword(keyword) && !annotationKeywords.has(keyword) && !keyword.startsWith('x-')
}

function describeReadProblem(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return `and this one cannot be used: ${error instanceof Error ? error.message : String(error)}`
  }
}

function nameOfClass(prototype: unknown): string {
  const { constructor } = prototype as { readonly constructor?: unknown }
  return typeof constructor === 'function' && constructor.name !== ''
    ? constructor.name
    : 'a class without a name'
}

import type { JsonValue } from './json-value.ts'
import { ToolError } from './tool-error.ts'

/** How deep a value may nest before {@link canonicalJson} refuses it. */
export const maxCanonicalDepth = 200

/**
 * Writes a value as canonical JSON (RFC 8785, JSON Canonicalization Scheme): keys sorted by UTF-16 code units, no
 * spaces, numbers as ECMAScript writes them. Equal values give equal text, on every runtime.
 *
 * Stricter than `JSON.stringify`: whatever JSON would drop or change is refused, so that nothing escapes a hash. Only
 * negative zero is written as 0, as RFC 8785 says.
 *
 * @throws {ToolError} VALUE_NOT_JSON when the value holds `undefined`, a function, a symbol, a BigInt, NaN, Infinity, a lone
 * surrogate, a cycle, an object or a list that is not plain or has a hidden property, or nests deeper than 200.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, '$', 0)
}

function refuse(longPath: string, problem: string): never {
  const path = longPath.length > 200 ? `${longPath.slice(0, 200)}…` : longPath
  throw new ToolError('VALUE_NOT_JSON', `Value at ${path} cannot be canonical JSON: ${problem}.`, {
    data: { path },
  })
}

function writeText(text: string, path: string): string {
  if (!text.isWellFormed()) refuse(path, 'the text holds a lone surrogate')
  return JSON.stringify(text)
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > maxCanonicalDepth)
    refuse(path, `it nests deeper than ${maxCanonicalDepth}, or is cyclic`)
  switch (typeof value) {
    case 'string':
      return writeText(value, path)
    case 'number':
      if (!Number.isFinite(value)) refuse(path, `${value} is not a JSON number`)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? writeArray(value, path, depth) : writeObject(value, path, depth)
    default:
      return refuse(path, `${typeof value} is not a JSON type`)
  }
}

function writeArray(values: readonly unknown[], path: string, depth: number): string {
  const parts: string[] = []
  // An index loop, because `map` would skip holes, which are `undefined` and must be refused.
  for (let index = 0; index < values.length; index += 1)
    parts.push(write(values[index], `${path}[${index}]`, depth + 1))
  const isPlain = Object.getPrototypeOf(values) === Array.prototype
  if (!isPlain || Reflect.ownKeys(values).length !== values.length + 1)
    refuse(path, 'a list may have items only')
  return `[${parts.join(',')}]`
}

function writeObject(value: object, path: string, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    refuse(path, 'only plain objects are JSON objects')
  const entries = Object.entries(value)
  if (Reflect.ownKeys(value).length !== entries.length)
    refuse(path, 'it has a symbol key or a hidden property')
  const parts = entries
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, entry]) => `${writeText(key, path)}:${write(entry, `${path}.${key}`, depth + 1)}`)
  return `{${parts.join(',')}}`
}

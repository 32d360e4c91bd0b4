import { writeArray } from './sql-arrays.ts'
import { builtInToolError } from '../error-catalogue.ts'
import { isJsonType } from './sql-values.ts'
import type { WireParameter } from './sql-wire.ts'

/** Tells whether the types of the parameters must be known first: an array may be meant as one, or as JSON. */
export function needsParameterTypes(params: readonly unknown[]): boolean {
  return params.some((value) => Array.isArray(value))
}

/**
 * Writes parameters as the text that Postgres reads: objects as JSON, arrays as an array, or as JSON where the type asks
 * for it.
 *
 * @throws {ToolError} SQL_PARAMETER_INVALID when a text holds a NUL character, which Postgres cannot store.
 */
export function encodeParameters(
  params: readonly unknown[],
  types: readonly number[] = [],
): WireParameter[] {
  return params.map((value, index) => {
    const text = encodeParameter(value, types[index] ?? 0)
    if (!text?.includes('\0')) return text
    throw builtInToolError(
      'SQL_PARAMETER_INVALID',
      `params[${index}] holds a NUL character, which Postgres cannot store in text. Remove it, or store the bytes as bytea: encode them as hexadecimal and pass '\\x…'.`,
      { data: { parameter: index } },
    )
  })
}

function encodeParameter(value: unknown, type: number): WireParameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  if (Array.isArray(value) && !isJsonType(type)) return writeArray(value)
  return JSON.stringify(value)
}

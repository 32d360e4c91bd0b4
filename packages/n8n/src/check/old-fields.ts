import type { JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'

const types: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

/** Fields of a Set node in the form of version 1 (`{ string: [{ name, value }] }`) or 3 (`{ values: [{ name, stringValue }] }`), in that of 3.4. */
export function fieldsFromValues(given: JsonValue): JsonValue[] | undefined {
  if (!isObject(given)) return undefined
  const fields = Object.entries(given).flatMap(([group, list]): (JsonValue | undefined)[] => {
    if (!Array.isArray(list)) return [undefined]
    return (list as readonly JsonValue[]).map((entry) => readField(group, entry))
  })
  const read = fields.filter((field) => field !== undefined)
  return read.length > 0 && read.length === fields.length ? read : undefined
}

function readField(group: string, entry: JsonValue): JsonValue | undefined {
  if (!isObject(entry) || typeof entry['name'] !== 'string') return undefined
  const { name } = entry
  if (types.has(group)) return { name, value: entry['value'] ?? '', type: group }
  if (group !== 'values') return undefined
  const key = Object.keys(entry).find((each) => each.endsWith('Value'))
  return {
    name,
    value: (key === undefined ? '' : entry[key]) ?? '',
    type: key?.slice(0, -5) ?? 'string',
  }
}

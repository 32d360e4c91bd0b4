import type { JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

const known: ReadonlySet<string> = new Set(['id', 'name', 'type', 'value'])

/** What is not read of the fields of a Set node, which are `{ assignments: [{ name, value, type }] }`. */
export function strayAssignments(
  given: JsonValue,
  path: ParameterPath,
): readonly IgnoredParameter[] {
  if (!isObject(given)) return [notRead(given, path)]
  return Object.entries(given).flatMap(([name, list]): readonly IgnoredParameter[] => {
    const at = [...path, name]
    if (name !== 'assignments') return [notRead(list, at, 'unknown')]
    if (!Array.isArray(list)) return [notRead(list, at)]
    return (list as readonly JsonValue[]).flatMap((entry, index) => {
      if (!isObject(entry)) return [notRead(entry, [...at, index])]
      return Object.entries(entry).flatMap(([key, value]) =>
        known.has(key) ? [] : [notRead(value, [...at, index, key], 'unknown')],
      )
    })
  })
}

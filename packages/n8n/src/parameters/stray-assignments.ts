import type { JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import { strayKeys } from './closed-keys.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

/** What is not read of the fields of a Set node, which are `{ assignments: [{ name, value, type }] }`. */
export function strayAssignments(
  given: JsonValue,
  path: ParameterPath,
): readonly IgnoredParameter[] {
  if (!isObject(given)) return [notRead(given, path)]
  const { assignments } = given
  const at = [...path, 'assignments']
  const stray = strayKeys(given, ['assignments'], path)
  if (assignments === undefined) return stray
  if (!Array.isArray(assignments)) return [...stray, notRead(assignments, at)]
  const list = assignments as readonly JsonValue[]
  return [
    ...stray,
    ...list.flatMap((entry, index) =>
      isObject(entry)
        ? strayKeys(entry, ['id', 'name', 'type', 'value'], [...at, index])
        : [notRead(entry, [...at, index])],
    ),
  ]
}

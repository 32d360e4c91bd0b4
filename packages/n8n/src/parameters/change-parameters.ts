import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { ParameterPath } from './ignored-parameter.ts'

/** The parameters without what stands at some paths; an entry of a list becomes an empty object, so that others keep their places. */
export function withoutPaths(parameters: JsonObject, paths: readonly ParameterPath[]): JsonObject {
  let changed: JsonValue = parameters
  for (const path of paths) changed = changeAt(changed, path, undefined)
  return isObject(changed) ? changed : parameters
}

/** The parameters with a value at a path, whose objects are there. */
export function withValueAt(
  parameters: JsonObject,
  path: ParameterPath,
  value: JsonValue,
): JsonObject {
  const changed = changeAt(parameters, path, value)
  return isObject(changed) ? changed : parameters
}

function changeAt(
  within: JsonValue,
  [step, ...rest]: ParameterPath,
  value: JsonValue | undefined,
): JsonValue {
  if (step === undefined || typeof within !== 'object' || within === null) return within
  if (Array.isArray(within)) {
    const list = within as readonly JsonValue[]
    return list.map((entry, index) => {
      if (index !== step) return entry
      return rest.length === 0 ? (value ?? {}) : changeAt(entry, rest, value)
    })
  }
  const object = within as JsonObject
  if (rest.length > 0) {
    const inner = Object.hasOwn(object, step) ? object[step] : undefined
    return inner === undefined ? object : { ...object, [step]: changeAt(inner, rest, value) }
  }
  if (value !== undefined) return { ...object, [step]: value }
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step))
}

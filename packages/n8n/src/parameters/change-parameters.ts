import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { ParameterPath } from './ignored-parameter.ts'

/** What is to go: the steps that lead there; empty where everything goes. */
type Removal = Map<string | number, Removal>

/** The parameters without what stands at some paths; an entry of a list becomes an empty object, so that others keep their places. */
export function withoutPaths(parameters: JsonObject, paths: readonly ParameterPath[]): JsonObject {
  const removals: Removal = new Map()
  for (const path of paths) {
    let at = removals
    for (const step of path) {
      const next = at.get(step) ?? new Map()
      at.set(step, next)
      at = next
    }
  }
  const changed = remove(parameters, removals)
  return isObject(changed) ? changed : parameters
}

function remove(within: JsonValue, removals: Removal): JsonValue {
  if (typeof within !== 'object' || within === null) return within
  const inner = (step: string | number, value: JsonValue): JsonValue | undefined => {
    const own = removals.get(step)
    if (own === undefined) return value
    return own.size === 0 ? undefined : remove(value, own)
  }
  if (Array.isArray(within))
    return (within as readonly JsonValue[]).map((entry, index) => inner(index, entry) ?? {})
  const entries = Object.entries(within as JsonObject).flatMap(([key, value]) => {
    const kept = inner(key, value)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return Object.fromEntries(entries)
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

function changeAt(within: JsonValue, [step, ...rest]: ParameterPath, value: JsonValue): JsonValue {
  if (step === undefined || typeof within !== 'object' || within === null) return within
  if (Array.isArray(within)) {
    const list = within as readonly JsonValue[]
    return list.map((entry, index) => {
      if (index !== step) return entry
      return rest.length === 0 ? value : changeAt(entry, rest, value)
    })
  }
  const object = within as JsonObject
  if (rest.length > 0) {
    const inner = Object.hasOwn(object, step) ? object[step] : undefined
    return inner === undefined ? object : { ...object, [step]: changeAt(inner, rest, value) }
  }
  return { ...object, [step]: value }
}

import type { JsonObject } from '@toolcrib/registry'

/** Whether a value read from JSON is an object, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

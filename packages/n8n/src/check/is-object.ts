import type { JsonObject, JsonValue } from '@toolcrib/registry'

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

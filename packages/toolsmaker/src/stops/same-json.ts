import { type JsonValue, canonicalJson } from '@toolcrib/registry'

/** Tells whether two JSON values are the same, however their keys are ordered. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left as JsonValue) === canonicalJson(right as JsonValue)
}

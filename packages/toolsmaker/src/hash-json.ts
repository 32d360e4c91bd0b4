import { hash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@toolcrib/registry'

/** SHA-256 of a value's canonical JSON: what `contentHash` of the registry gives, without waiting. */
export function hashJson(value: JsonValue): string {
  return hash('sha256', canonicalJson(value), 'hex')
}

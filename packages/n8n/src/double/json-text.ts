import type { JsonValue } from '@toolcrib/registry'

/** A value of a request as text: strings as they are, `undefined` where nothing is, the rest as JSON. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'undefined'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

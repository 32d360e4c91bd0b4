import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { n8nError } from './error-catalogue.ts'
import { isObject } from './is-object.ts'

/** @throws {ToolError} N8N_RESPONSE_INVALID when it is no object, or a field is missing */
export function readEntity(
  what: string,
  json: JsonValue | undefined,
  fields: readonly string[] = [],
): JsonObject {
  const missing = isObject(json) ? fields.find((field) => isAbsent(json[field])) : ''
  if (isObject(json) && missing === undefined) return json
  const which = missing === '' ? 'is no object' : `has no "${missing}"`
  throw n8nError(
    'N8N_RESPONSE_INVALID',
    `n8n answered with a ${what} that ${which}. Check baseUrl, and that this release of n8n is supported.`,
    { data: { sent: true } },
  )
}

/** Ids are numbers in some releases. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The field with its text, or nothing where it is empty. */
export function textField<Field extends string>(
  field: Field,
  value: JsonValue | undefined,
): { readonly [name in Field]?: string } {
  const text = textOf(value)
  return text === '' ? {} : ({ [field]: text } as { [name in Field]: string })
}

export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}

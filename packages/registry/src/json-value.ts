/** Any value that JSON text can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object: text keys, JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

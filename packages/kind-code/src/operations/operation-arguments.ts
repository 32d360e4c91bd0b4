import { type JsonObject, type JsonValue, ToolError } from '@toolcrib/registry'

/** Reads the argument of a host operation. What the guest checked already is checked again: nothing of it is believed. */
export function readObject(operation: string, argument: JsonValue): JsonObject {
  if (typeof argument === 'object' && argument !== null && !isList(argument)) return argument
  throw wrongArgument(operation, 'its argument', 'an object')
}

/** @throws {ToolError} TOOL_FAILED when the field is no text. */
export function readText(operation: string, argument: JsonObject, field: string): string {
  const value = ownField(argument, field)
  if (typeof value === 'string') return value
  throw wrongArgument(operation, field, 'a text')
}

/** The same for a field that may be missing. */
export function readOptionalText(
  operation: string,
  argument: JsonObject,
  field: string,
): string | undefined {
  const value = ownField(argument, field)
  if (value === undefined || typeof value === 'string') return value
  throw wrongArgument(operation, field, 'a text')
}

/** The field, and nothing that is inherited. */
export function ownField(argument: JsonObject, field: string): JsonValue | undefined {
  return Object.hasOwn(argument, field) ? argument[field] : undefined
}

/** The error for an argument that cannot be used. */
export function wrongArgument(operation: string, field: string, wanted: string): ToolError {
  return new ToolError('TOOL_FAILED', `ctx.${operation}: ${field} must be ${wanted}.`, {
    data: { operation, field },
  })
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

import type { ToolError } from '@toolcrib/registry'
import { type N8nErrorCode, n8nError } from './error-catalogue.ts'

/** What is wrong with an option; the value is shown unless it is a secret. */
interface OptionProblem {
  readonly field: string
  readonly rule: string
  readonly value: unknown
  /** What to do. */
  readonly fix?: string
}

const maxShownLength = 80
/** The longest time that a timer can wait, in milliseconds. */
const maxDelayMs = 2_147_483_647

export function optionError({ field, rule, value, fix }: OptionProblem): ToolError<N8nErrorCode> {
  const advice = fix === undefined ? '' : ` ${fix}`
  const data = { field, rule, ...(fix === undefined ? {} : { fix }) }
  return n8nError('N8N_OPTION_INVALID', `${field}: must be ${rule}, not ${show(value)}.${advice}`, {
    data,
  })
}

function show(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value
    return JSON.stringify(text)
  }
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

/** @throws {ToolError} N8N_OPTION_INVALID */
export function assertWholeNumber(
  field: string,
  value: unknown,
  { from, to, unit = '' }: { readonly from: number; readonly to: number; readonly unit?: string },
): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to)
    throw optionError({ field, rule: `a whole number from ${from} to ${to}${unit}`, value })
}

/** @throws {ToolError} N8N_OPTION_INVALID */
export function assertDuration(field: string, value: unknown): void {
  assertWholeNumber(field, value, { from: 1, to: maxDelayMs, unit: ' (milliseconds)' })
}

/**
 * Ids stand in addresses, so that `..` or a `/` in one would lead to something else.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 */
export function assertId(field: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[\w-]{1,128}$/.test(value))
    throw optionError({ field, rule: 'an id: 1 to 128 letters, digits, "_" and "-"', value })
}

/** @throws {ToolError} N8N_OPTION_INVALID naming the first field that is not known */
export function assertKnownFields(
  what: string,
  value: unknown,
  known: readonly string[],
): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw optionError({ field: what, rule: 'an object', value })
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw optionError({
      field: `${what}.${unknown}`,
      rule: 'left out, since there is no such option',
      value: (value as Record<string, unknown>)[unknown],
      fix: `Known are ${known.join(', ')}.`,
    })
}

/** @throws {ToolError} N8N_OPTION_INVALID */
export function assertName(field: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 128)
    throw optionError({ field, rule: 'a text of 1 to 128 characters', value })
}

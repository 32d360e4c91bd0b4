import { errorOf } from './compute-issue.ts'
import { describeType, isPlainObject } from '../values/json-value.ts'

/** Bounds on a program and on what it may produce. Lengths are in UTF-16 units. */
export interface ComputeLimits {
  /** Size of the program as JSON in UTF-8. Default 262,144 (256 KB). */
  readonly maxProgramBytes: number
  /** Steps in the whole program, those of untaken branches included. Default 1,000. */
  readonly maxSteps: number
  /** Steps inside steps; brackets, signs, paths and `?:` inside an expression; levels of a returned value. Default 100, at most 250. */
  readonly maxNesting: number
  /** Length of one expression. Default 4,000. */
  readonly maxExpressionLength: number
  /** Distinct variable names in a program. Default 2,000. */
  readonly maxVariables: number
  /** Items of an array that is gone through, made or returned. Default 100,000. */
  readonly maxListLength: number
  /** Length of a text that is read, made or returned. Default 100,000. */
  readonly maxTextLength: number
  /** Values inside a returned list or object, at all levels together. Default 100,000. */
  readonly maxReturnedValues: number
  /** Work of one run: items times the size of what runs for each, and the length of texts. Default 1,000,000. */
  readonly maxRunUnits: number
}

/** What holds where a caller sets nothing. */
export const defaultLimits: ComputeLimits = {
  maxProgramBytes: 262_144,
  maxSteps: 1_000,
  maxNesting: 100,
  maxExpressionLength: 4_000,
  maxVariables: 2_000,
  maxListLength: 100_000,
  maxTextLength: 100_000,
  maxReturnedValues: 100_000,
  maxRunUnits: 1_000_000,
}

/** Nesting is walked by recursion, so it may not be raised to where the stack would decide. */
const highestNesting = 250

/** Fills in the defaults and refuses what is no limit. */
export function resolveLimits(given: Partial<ComputeLimits> | undefined): ComputeLimits {
  if (given === undefined) return defaultLimits
  if (!isPlainObject(given)) {
    throw errorOf('options.limits', {
      code: 'bad_argument',
      message: `the limits must be an object, got ${describeType(given)}`,
      hint: 'Pass an object such as { "maxSteps": 100 }, or leave it out.',
    })
  }
  const limits = { ...defaultLimits }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const path = `options.limits.${name}`
    if (!Object.hasOwn(defaultLimits, name)) {
      throw errorOf(path, {
        code: 'bad_argument',
        message: 'there is no such limit',
        hint: `Use one of ${Object.keys(defaultLimits).join(', ')}.`,
      })
    }
    const highest = name === 'maxNesting' ? highestNesting : Number.MAX_SAFE_INTEGER
    if (!Number.isSafeInteger(value) || value < 1 || value > highest) {
      throw errorOf(path, {
        code: 'bad_argument',
        message: `a limit must be a whole number from 1 to ${highest}, got ${typeof value === 'number' ? value : describeType(value)}`,
        hint: 'Give such a number, or leave the limit out to get its default.',
      })
    }
    limits[name as keyof ComputeLimits] = value
  }
  return limits
}

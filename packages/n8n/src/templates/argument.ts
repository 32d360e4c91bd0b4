import { z } from 'zod'
import { literal } from './expression.ts'

/** An argument of a call: its schema for callers, and the check that the workflow makes itself. */
export interface Argument {
  readonly schema: z.ZodType
  /** Code for whether the value in `value` is right. */
  readonly isRight: (value: string) => string
  /** Such as `a text of 1 to 64 characters`. */
  readonly rule: string
  readonly isOptional: boolean
}

/** By name. */
export type Arguments = Readonly<Record<string, Argument>>

export function textArgument(description: string, maxLength: number): Argument {
  return {
    schema: z.string().min(1).max(maxLength).describe(description),
    isRight: (value) =>
      `typeof ${value} === "string" && ${value}.trim() !== "" && ${value}.length <= ${maxLength}`,
    rule: `a text of 1 to ${maxLength} characters`,
    isOptional: false,
  }
}

export function phoneArgument(description: string): Argument {
  return {
    schema: z.string().min(8).max(16).describe(`${description} In E.164, such as +2348012345678.`),
    isRight: (value) =>
      String.raw`typeof ${value} === "string" && /^\+[1-9][0-9]{6,14}$/.test(${value})`,
    rule: 'a phone number in E.164, such as +2348012345678',
    isOptional: false,
  }
}

export function integerArgument(
  description: string,
  range: { readonly min: number; readonly max: number },
): Argument {
  const { min, max } = range
  return {
    schema: z.int().min(min).max(max).describe(description),
    isRight: (value) => `Number.isInteger(${value}) && ${value} >= ${min} && ${value} <= ${max}`,
    rule: `a whole number from ${min} to ${max}`,
    isOptional: false,
  }
}

export function instantArgument(description: string): Argument {
  return {
    schema: z.string().max(40).meta({ format: 'date-time', description }),
    isRight: (value) =>
      String.raw`typeof ${value} === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(${value}) && !Number.isNaN(Date.parse(${value}))`,
    rule: 'a date and time with its offset, such as 2026-01-31T09:00:00Z',
    isOptional: false,
  }
}

/** An amount of money. */
export function amountArgument(description: string): Argument {
  return {
    schema: z.number().gt(0).max(1e12).describe(description),
    isRight: (value) =>
      `typeof ${value} === "number" && Number.isFinite(${value}) && ${value} > 0 && ${value} <= 1000000000000`,
    rule: 'a number above 0 and up to 1000000000000',
    isOptional: false,
  }
}

export function currencyArgument(description: string): Argument {
  return {
    schema: z.string().min(3).max(3).describe(`${description} Three capitals, such as NGN.`),
    isRight: (value) => `typeof ${value} === "string" && /^[A-Z]{3}$/.test(${value})`,
    rule: 'three capitals, such as NGN',
    isOptional: false,
  }
}

/** A list of 1 to `max` objects of these fields. */
export function listArgument(description: string, fields: Arguments, max: number): Argument {
  const names = literal(Object.keys(fields))
  const checks = Object.entries(fields).map(([name, field]) => `(${field.isRight(`item.${name}`)})`)
  const rules = Object.entries(fields).map(([name, { rule }]) => `${name} (${rule})`)
  return {
    schema: z.array(argumentsSchema(fields)).min(1).max(max).describe(description),
    isRight: (value) =>
      `Array.isArray(${value}) && ${value}.length >= 1 && ${value}.length <= ${max} && ${value}.every((item) => item !== null && typeof item === "object" && Object.keys(item).every((key) => ${names}.includes(key)) && ${checks.join(' && ')})`,
    rule: `a list of 1 to ${max} objects with ${rules.join(' and ')}`,
    isOptional: false,
  }
}

export function optional(argument: Argument): Argument {
  return { ...argument, schema: argument.schema.optional(), isOptional: true }
}

/** The schema of a call's arguments; unknown ones are refused. */
export function argumentsSchema(given: Arguments): z.ZodType {
  return z.strictObject(
    Object.fromEntries(Object.entries(given).map(([name, argument]) => [name, argument.schema])),
  )
}

/** Code that lists, in sentences, what is wrong with the arguments in `value`. */
export function argumentProblems(given: Arguments, value: string): string {
  const names = literal(Object.keys(given))
  const checks = Object.entries(given).map(([name, { isRight, rule, isOptional }]) => {
    const field = `given.${name}`
    const wrong = `(${isRight(field)}) ? "" : ${literal(`${name} must be ${rule}.`)}`
    const missing = isOptional ? '""' : literal(`${name} is missing; it must be ${rule}.`)
    return `${field} === undefined ? ${missing} : ${wrong}`
  })
  const unknown = `Object.keys(given).filter((name) => !${names}.includes(name)).map((name) => "There is no argument " + name.slice(0, 60) + ".")`
  return `((given) => given === null || typeof given !== "object" || Array.isArray(given) ? ["The arguments must be a JSON object."] : [...${unknown}, ${checks.join(', ')}].filter((problem) => problem !== ""))(${value})`
}

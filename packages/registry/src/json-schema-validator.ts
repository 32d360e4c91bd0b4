import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { prepareSchema } from './prepare-schema.ts'
import type { JsonSchema } from './tool-schema.ts'

/** How much work the search for further issues may be, once one is found. */
const maxStepsForIssues = 10_000

class TooManySteps extends Error {}

/** What is wrong with a value, or that it could not be checked at all. */
export type JsonSchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly OutputUnit[] }
  | { readonly valid: false; readonly obstacle: string }

/** A JSON Schema made ready to check any number of values, each within a bounded number of steps. */
export class JsonSchemaValidator {
  readonly #first: Validator
  readonly #all: Validator
  #stepsLeft = 0

  constructor(schema: JsonSchema) {
    const prepared = prepareSchema(schema, (cost) => {
      this.#stepsLeft -= cost
      if (this.#stepsLeft < 0) throw new TooManySteps()
    }) as JsonSchema
    this.#first = new Validator(prepared, '2020-12', true)
    this.#all = new Validator(prepared, '2020-12', false)
  }

  /** Throws what the schema is to blame for; what the value is to blame for is the verdict. */
  check(value: unknown, maxSteps: number): JsonSchemaVerdict {
    this.#stepsLeft = maxSteps
    try {
      const { valid, errors } = this.#first.validate(value)
      return valid ? { valid } : { valid, errors: this.#moreErrors(value) ?? errors }
    } catch (cause) {
      return { valid: false, obstacle: obstacleOf(cause, maxSteps) }
    }
  }

  // Going on after the first error makes an error object for each wrong item of a list, so it is tried on small values only.
  #moreErrors(value: unknown): readonly OutputUnit[] | undefined {
    this.#stepsLeft = maxStepsForIssues
    try {
      return this.#all.validate(value).errors
    } catch {
      return undefined
    }
  }
}

function obstacleOf(cause: unknown, maxSteps: number): string {
  if (cause instanceof TooManySteps)
    return `takes more than ${maxSteps} steps to check against its schema; pass less`
  if (cause instanceof RangeError) return 'is too deep or too large to be checked; pass less'
  if (cause instanceof URIError) return 'has a property name that holds a lone surrogate'
  const [, type] = (cause instanceof Error && /^Instances of "(\w+)"/.exec(cause.message)) || []
  if (type === undefined) throw cause
  return `holds a value of type ${type}, which is not a JSON value`
}

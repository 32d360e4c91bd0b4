import type { ComputeLogic } from '../language/compute-logic.ts'
import { checkLogic } from './check-logic.ts'
import { toComputeJsonSchema } from './compute-json-schema.ts'
import { issueKeys } from './issue-keys.ts'
import type { ComputeSchema, ComputeSchemaResult } from './standard-schema.ts'

function validate(value: unknown): ComputeSchemaResult<ComputeLogic> {
  const { logic, errors } = checkLogic(value)
  if (logic !== undefined) return { value: logic }
  const issues = errors.map(({ path, message, hint }) => ({
    message: `${message}. ${hint}`,
    path: issueKeys(value, path),
  }))
  return { issues }
}

/**
 * The language as a Standard Schema (version 1, with JSON Schema for the targets `draft-2020-12` and `draft-07`):
 * give it to any tool framework as the schema of a program. Validation is the complete check with the default
 * limits; the value it gives is a copy.
 */
export const computeLogicSchema: ComputeSchema<ComputeLogic, ComputeLogic> = {
  '~standard': {
    version: 1,
    vendor: 'toolcrib',
    validate,
    jsonSchema: { input: toComputeJsonSchema, output: toComputeJsonSchema },
  },
}

import { type SchemaOutcome, type ToolDefinition, validateWithSchema } from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { inputInvalid, schemaFailed } from '../refusals.ts'

/** An input that matches its schema, defaults filled in, or why it does not. */
export type CheckedInput =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: CallProblem }

/** Checks an input against the tool's input schema; at once where the schema can. */
export function checkInput(
  tool: ToolDefinition,
  input: unknown,
): CheckedInput | Promise<CheckedInput> {
  try {
    const outcome = validateWithSchema(tool.inputSchema, input)
    return outcome instanceof Promise ? awaitOutcome(tool, outcome) : judge(tool, outcome)
  } catch (error) {
    return { problem: schemaFailed(tool, 'input', error) }
  }
}

async function awaitOutcome(
  tool: ToolDefinition,
  pending: Promise<SchemaOutcome>,
): Promise<CheckedInput> {
  try {
    return judge(tool, await pending)
  } catch (error) {
    return { problem: schemaFailed(tool, 'input', error) }
  }
}

function judge(tool: ToolDefinition, outcome: SchemaOutcome): CheckedInput {
  return outcome.valid ? outcome : { problem: inputInvalid(tool, outcome.issues) }
}

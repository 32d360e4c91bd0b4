import {
  type SchemaOutcome,
  type ToolDefinition,
  contentOutput,
  isContentOutput,
  validateWithSchema,
} from '@toolcrib/registry'
import type { CallProblem } from '../call-problem.ts'
import { outputInvalid, schemaFailed } from '../refusals.ts'

/** An output that matches its schema, or why it does not. */
export type CheckedOutput =
  | { readonly output: unknown; readonly problem?: undefined }
  | { readonly problem: CallProblem }

/**
 * Checks an output against the tool's output schema; of rich output the structured content is checked. What comes out of
 * validation is the output, so that callers get no more than the schema announces.
 */
export function checkOutput(
  tool: ToolDefinition,
  output: unknown,
): CheckedOutput | Promise<CheckedOutput> {
  try {
    if (tool.outputSchema === undefined) return { output }
    const value = isContentOutput(output) ? output.structuredContent : output
    const outcome = validateWithSchema(tool.outputSchema, value)
    if (!(outcome instanceof Promise)) return judge(tool, output, outcome)
    return outcome.then(
      (settled) => judge(tool, output, settled),
      (error: unknown) => ({ problem: schemaFailed(tool, 'output', error) }),
    )
  } catch (error) {
    return { problem: schemaFailed(tool, 'output', error) }
  }
}

function judge(tool: ToolDefinition, output: unknown, outcome: SchemaOutcome): CheckedOutput {
  if (!outcome.valid) return { problem: outputInvalid(tool, outcome.issues) }
  if (!isContentOutput(output)) return { output: outcome.value }
  return outcome.value === output.structuredContent
    ? { output }
    : { output: contentOutput(output.content, outcome.value) }
}

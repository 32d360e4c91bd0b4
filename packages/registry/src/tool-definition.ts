import type { ContentOutput } from './tool-content.ts'
import type { ToolContext } from './tool-context.ts'
import type { SchemaValue, ToolSchema } from './tool-schema.ts'
import type { ToolSource } from './tool-source.ts'

/** How much harm a call can do. */
export type ToolRisk = 'low' | 'medium' | 'high'

/** Hints for clients, with MCP's names and meanings. They are claims, not guarantees. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** What a tool is: a name, a description, schemas, limits and the function that does the work. */
export interface ToolDefinition<Input = unknown, Output = unknown> {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`; the key in the registry. */
  readonly name: string
  /** What the tool does and when to use it; models choose by it. At most 16,384 characters. */
  readonly description: string
  readonly inputSchema: ToolSchema<Input>
  readonly outputSchema?: ToolSchema
  /** How long one call may take, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number
  /**
   * Larger inputs, in bytes of UTF-8 JSON text, are refused. An invoker's own limit holds as well.
   *
   * @default the invoker's, usually 10_485_760; 1_048_576 for made tools
   */
  readonly maxInputBytes?: number
  /** Larger outputs, as UTF-8 JSON text, reach the caller only as a preview. @default 10_485_760 */
  readonly maxOutputBytes?: number
  /** How many calls of this tool may run at once. @default no limit of its own */
  readonly maxConcurrent?: number
  /** @default 'low' for a tool written by a developer, 'medium' for a made one */
  readonly risk?: ToolRisk
  readonly annotations?: ToolAnnotations
  /** Where the tool comes from. @default { type: 'built-in' } */
  readonly source?: ToolSource
  /** One line for people about a call with this input, for approvals and logs. */
  describeCall?(input: Input): string
  /**
   * Does the work. Must stop when `signal` aborts; a tool that does not is reported as possibly still running.
   *
   * An `async function*` gives its last value as output; those before it are progress.
   */
  execute(
    input: Input,
    signal: AbortSignal,
    context: ToolContext,
  ):
    | Promise<Output | ContentOutput>
    | Output
    | ContentOutput
    | AsyncGenerator<Output | ContentOutput, Output | ContentOutput | void>
}

/** What {@link defineTool} takes: a definition whose types follow from its schemas. */
export interface ToolSpecification<
  InputSchema extends ToolSchema,
  OutputSchema extends ToolSchema | undefined,
  Output,
> extends Omit<ToolDefinition<SchemaValue<InputSchema>, Output>, 'inputSchema' | 'outputSchema'> {
  readonly inputSchema: InputSchema
  readonly outputSchema?: OutputSchema
}

/**
 * Defines a tool; the types of input and output follow from the schemas.
 *
 * @example
 * const double = defineTool({
 *   name: 'double',
 *   description: 'Doubles a number',
 *   inputSchema: z.object({ value: z.number() }),
 *   execute: async ({ value }) => value * 2,
 * })
 */
export function defineTool<
  const InputSchema extends ToolSchema,
  const OutputSchema extends ToolSchema | undefined = undefined,
  Output extends (OutputSchema extends ToolSchema ? SchemaValue<OutputSchema> : unknown) =
    OutputSchema extends ToolSchema ? SchemaValue<OutputSchema> : unknown,
>(
  specification: ToolSpecification<InputSchema, OutputSchema, Output>,
): ToolDefinition<SchemaValue<InputSchema>, Output> {
  // The schema's value type is exactly what `SchemaValue` reads from it, which TypeScript cannot see here.
  return specification as unknown as ToolDefinition<SchemaValue<InputSchema>, Output>
}

import { formatIssues, formatPath, type JsonObject, type JsonValue } from '@toolcrib/registry'
import type { ToolBuildRequest, ToolExample } from '@toolcrib/toolsmaker'
import type { z } from 'zod'
import { type CustomTool, customToolSchema } from './custom-tool.ts'
import { outputSchemaOf } from './declared-output.ts'
import { factoryError } from './error-catalogue.ts'
import { inputsToSchema } from './tool-parameters.ts'

/** What a custom tool does not say of itself. */
export interface CustomToolRequestOptions {
  readonly examples?: readonly ToolExample[] | undefined
  readonly visibility?: 'owner' | 'shared'
  /** Recorded beside what the tool says of its origin. */
  readonly origin: JsonObject
}

/** What is wrong with a value, one entry for each field. */
export function describeZodIssues(
  issues: readonly z.core.$ZodIssue[],
  parent: readonly string[] = [],
): string {
  return formatIssues(
    issues
      .slice(0, 20)
      .map(({ path, message }) => ({ path: formatPath([...parent, ...path]), message })),
  )
}

/**
 * Reads a custom tool from a value of unknown origin.
 *
 * @throws {ToolError} CUSTOM_TOOL_INVALID naming every field that is wrong.
 */
export function readCustomTool(value: unknown): CustomTool {
  const parsed = customToolSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw factoryError('CUSTOM_TOOL_INVALID', describeZodIssues(parsed.error.issues))
}

/**
 * Turns a custom tool into a proposal.
 *
 * @throws {ToolError} CUSTOM_TOOL_UNSUPPORTED for a type that cannot be made here.
 */
export function customToolRequest(
  tool: CustomTool,
  { examples = [], visibility, origin }: CustomToolRequestOptions,
): ToolBuildRequest {
  const { name, description, type, logic, createdAt, createdBy, templateSource } = tool
  if (type !== 'compute' || logic === undefined)
    throw factoryError(
      'CUSTOM_TOOL_UNSUPPORTED',
      `Tools of type "${type}" cannot be made from a file; only "compute" can.`,
    )
  const definition = logic as unknown as JsonValue
  const outputSchema = outputSchemaOf(definition)
  return {
    kind: type,
    name,
    description,
    inputSchema: inputsToSchema(tool.parameters),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    definition,
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples,
    risk: tool.riskLevel,
    ...(visibility === undefined ? {} : { visibility }),
    provenance: {
      ...origin,
      createdAt,
      createdBy,
      ...(templateSource === undefined ? {} : { templateSource }),
    },
  }
}

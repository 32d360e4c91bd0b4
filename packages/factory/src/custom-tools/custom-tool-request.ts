import type { N8nWorkflow } from '@toolcrib/n8n'
import { describeWorkflow } from '@toolcrib/n8n/workflow'
import { formatIssues, formatPath, type JsonObject, type JsonValue } from '@toolcrib/registry'
import type { ToolBuildRequest, ToolExample } from '@toolcrib/toolsmaker'
import type { z } from 'zod'
import { type CustomTool, customToolSchema } from './custom-tool.ts'
import { outputSchemaOf } from './declared-output.ts'
import { factoryError } from '../error-catalogue.ts'
import { n8nRequest } from '@toolcrib/kind-n8n'
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

/** A tool of type `n8n` whose workflow is there. */
function n8nToolRequest(
  tool: CustomTool,
  workflow: N8nWorkflow,
  { origin, visibility }: CustomToolRequestOptions,
): ToolBuildRequest {
  const { n8nWorkflowId } = tool
  return n8nRequest({
    name: tool.name,
    description: tool.description,
    inputSchema: inputsToSchema(tool.parameters),
    definition: { workflow },
    hosts: describeWorkflow(workflow).hosts,
    risk: tool.riskLevel,
    ...(visibility === undefined ? {} : { visibility }),
    provenance: {
      ...provenanceOf(tool, origin),
      ...(n8nWorkflowId === undefined ? {} : { n8nWorkflowId }),
    },
  })
}

function provenanceOf(
  { createdAt, createdBy, templateSource }: CustomTool,
  origin: JsonObject,
): JsonObject {
  return {
    ...origin,
    createdAt,
    createdBy,
    ...(templateSource === undefined ? {} : { templateSource }),
  }
}

/**
 * Turns a custom tool into a proposal.
 *
 * @throws {ToolError} CUSTOM_TOOL_UNSUPPORTED for one that cannot be made here.
 */
export function customToolRequest(
  tool: CustomTool,
  options: CustomToolRequestOptions,
): ToolBuildRequest {
  const { name, description, type, logic, n8nWorkflowId, workflow } = tool
  const { examples = [], origin, visibility } = options
  if (type === 'n8n' && workflow !== undefined) return n8nToolRequest(tool, workflow, options)
  if (logic === undefined)
    throw factoryError(
      'CUSTOM_TOOL_UNSUPPORTED',
      `It names the workflow ${JSON.stringify(n8nWorkflowId)} of a server and does not hold it, so nobody can review it. ` +
        'Put the workflow itself into the file as "workflow", or load custom tools with readN8nWorkflow (see importN8nWorkflow), which proposes a copy.',
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
    provenance: provenanceOf(tool, origin),
  }
}

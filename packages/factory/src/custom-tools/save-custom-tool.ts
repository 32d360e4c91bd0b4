import { type Principal, assertOptions } from '@toolcrib/registry'
import type { BuildOutcome, ToolExample, Toolsmaker } from '@toolcrib/toolsmaker'
import type { CustomTool } from './custom-tool.ts'
import { customToolRequest, readCustomTool } from './custom-tool-request.ts'

/** On whose behalf a custom tool is saved. */
export interface SaveCustomToolOptions {
  readonly toolsmaker: Pick<Toolsmaker, 'forAgent'>
  /** Owns the tool from now on. What the tool itself says under `createdBy` is only recorded. */
  readonly principal: Principal
  readonly examples?: readonly ToolExample[]
  readonly signal?: AbortSignal
}

/**
 * Proposes a custom tool: it is checked, recorded as the next version, and put into use where the policy asks for no
 * person. The outcome says which.
 *
 * @throws {ToolError} CUSTOM_TOOL_INVALID or CUSTOM_TOOL_UNSUPPORTED when it cannot be proposed.
 * @throws {ToolError} whatever `buildTool` of the toolsmaker throws, such as TOOL_NAME_NOT_MEANINGFUL or TOOL_NOT_OWNED.
 */
export async function saveCustomTool(
  customTool: CustomTool,
  options: SaveCustomToolOptions,
): Promise<BuildOutcome> {
  assertOptions<SaveCustomToolOptions>('saveCustomTool', options, {
    toolsmaker: true,
    principal: true,
    examples: true,
    signal: true,
  })
  const { toolsmaker, principal, examples, signal } = options
  const tool = readCustomTool(customTool)
  const request = customToolRequest(tool, { examples, origin: { source: 'custom-tool' } })
  return toolsmaker.forAgent(principal).buildTool(request, signal === undefined ? {} : { signal })
}

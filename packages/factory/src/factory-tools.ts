import type { ToolDefinition } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { createComputeFactoryTool } from './create-compute-tool.ts'
import {
  type CreateDynamicToolOptions,
  createDynamicToolFactoryTool,
} from './create-dynamic-tool.ts'
import { createDeleteFactoryTool } from './delete-factory-tool.ts'
import { createListFactoryTool } from './list-custom-tools.ts'

/** What the factory tools work on. */
export interface FactoryToolsOptions {
  /** Only the agents' surface is used: nothing here can approve, activate, share or resume. */
  readonly toolsmaker: Pick<Toolsmaker, 'forAgent'>
  /** What `create_dynamic_tool` needs, where the toolsmaker has the kind `code`. @default that tool is not made */
  readonly code?: CreateDynamicToolOptions
}

/**
 * Makes the tools with which agents make tools: `toolFactory_createCompute`, `toolFactory_listCustomTools`,
 * `toolFactory_deleteCustomTool` and, for code, `create_dynamic_tool`. Register them like any tool. Each acts on behalf of the
 * principal of its call.
 */
export function createFactoryTools({
  code,
  toolsmaker,
}: FactoryToolsOptions): readonly ToolDefinition[] {
  // A toolsmaker that is handed over whole does not become reachable through the tools.
  const agents: Pick<Toolsmaker, 'forAgent'> = {
    forAgent: (principal) => toolsmaker.forAgent(principal),
  }
  return [
    createComputeFactoryTool(agents),
    createListFactoryTool(agents),
    createDeleteFactoryTool(agents),
    ...(code === undefined ? [] : [createDynamicToolFactoryTool(agents, code)]),
  ]
}

import type { ToolDefinition } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { createComputeFactoryTool } from './create-compute-tool.ts'
import { createDeleteFactoryTool } from './delete-factory-tool.ts'
import { createListFactoryTool } from './list-custom-tools.ts'

/** What the factory tools work on. */
export interface FactoryToolsOptions {
  /** Only the agents' surface is used: nothing here can approve, activate, share or resume. */
  readonly toolsmaker: Pick<Toolsmaker, 'forAgent'>
}

/**
 * Makes the tools with which agents make tools: `toolFactory_createCompute`, `toolFactory_listCustomTools` and
 * `toolFactory_deleteCustomTool`. Register them like any tool. Each acts on behalf of the principal of its call.
 */
export function createFactoryTools({ toolsmaker }: FactoryToolsOptions): readonly ToolDefinition[] {
  // A toolsmaker that is handed over whole does not become reachable through the tools.
  const agents: Pick<Toolsmaker, 'forAgent'> = {
    forAgent: (principal) => toolsmaker.forAgent(principal),
  }
  return [
    createComputeFactoryTool(agents),
    createListFactoryTool(agents),
    createDeleteFactoryTool(agents),
  ]
}

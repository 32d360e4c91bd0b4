import { type ToolDefinition, type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { createComputeFactoryTool } from './create-compute-tool.ts'
import {
  type CreateDynamicToolOptions,
  createDynamicToolFactoryTool,
} from './create-dynamic-tool.ts'
import { createDescriptionFactoryTool } from './n8n/create-description-tool.ts'
import { createTemplateFactoryTool } from './n8n/create-template-tool.ts'
import { createDeleteFactoryTool } from './delete-factory-tool.ts'
import { createListFactoryTool } from './list-custom-tools.ts'
import { readN8nFactoryOptions, type N8nFactoryOptions } from './n8n/n8n-factory-options.ts'

/** What the factory tools work on. */
export interface FactoryToolsOptions {
  /** Only the agents' surface is used: nothing here can approve, activate, share or resume. */
  readonly toolsmaker: Pick<Toolsmaker, 'forAgent'>
  /** What `create_dynamic_tool` needs, where the toolsmaker has the kind `code`. @default that tool is not made */
  readonly code?: CreateDynamicToolOptions
  /** What n8n tools need, where the toolsmaker has the kind `n8n`. @default those tools are not made */
  readonly n8n?: N8nFactoryOptions
}

const factoryToolsOptionNames: KnownOptions<FactoryToolsOptions> = {
  toolsmaker: true,
  code: { sandbox: true, describeReview: true },
  n8n: {
    kind: true,
    model: true,
    policy: { allow: true, deny: true, allowCode: true, allowSubWorkflows: true, hosts: true },
    catalogue: true,
    credentials: true,
    modelTimeoutMs: true,
    maxOutputTokens: true,
    maxConcurrentGenerations: true,
    healthTimeoutMs: true,
  } satisfies KnownOptions<N8nFactoryOptions>,
}

/**
 * Makes the tools with which agents make tools: `toolFactory_createCompute`, `toolFactory_listCustomTools`,
 * `toolFactory_deleteCustomTool`, for code `create_dynamic_tool`, for n8n `toolFactory_createFromTemplate` and, with a model,
 * `toolFactory_createFromDescription`. Register them like any tool. Each acts on behalf of the principal of its call.
 *
 * @throws {RangeError} when an option of `n8n` is out of range.
 */
export function createFactoryTools(options: FactoryToolsOptions): readonly ToolDefinition[] {
  assertOptions<FactoryToolsOptions>('createFactoryTools', options, factoryToolsOptionNames)
  const { code, n8n, toolsmaker } = options
  // A toolsmaker that is handed over whole does not become reachable through the tools.
  const agents: Pick<Toolsmaker, 'forAgent'> = {
    forAgent: (principal) => toolsmaker.forAgent(principal),
  }
  const codeTools = code === undefined ? [] : [createDynamicToolFactoryTool(agents, code)]
  if (n8n === undefined)
    return [
      createComputeFactoryTool(agents),
      createListFactoryTool(agents),
      createDeleteFactoryTool(agents),
      ...codeTools,
    ]
  const settings = readN8nFactoryOptions(n8n)
  const { healthTimeoutMs, keeper, model } = settings
  return [
    createComputeFactoryTool(agents),
    createListFactoryTool(agents, { keeper, timeoutMs: healthTimeoutMs }),
    createDeleteFactoryTool(agents, keeper),
    ...codeTools,
    createTemplateFactoryTool(agents, settings),
    ...(model === undefined ? [] : [createDescriptionFactoryTool(agents, { ...settings, model })]),
  ]
}

import {
  defineTool,
  principalKey,
  type RegistrySnapshot,
  type ToolDefinition,
} from '@toolcrib/registry'
import type { AgentToolsmaker, Toolsmaker, VersionSummary } from '@toolcrib/toolsmaker'
import { z } from 'zod'
import { isJsonObject } from '@toolcrib/kind-compute'
import { toolStatusSchema } from '../custom-tools/custom-tool-status.ts'
import type { N8nToolKeeper } from './n8n/n8n-factory-options.ts'
import { askHealth, listedHealthSchema } from './n8n/n8n-tool-health.ts'
import { newestVersion } from '../custom-tools/own-versions.ts'

const inputSchema = z.strictObject({
  type: z
    .string()
    .min(1)
    .max(32)
    .optional()
    .describe('Only tools of this type, such as "compute" or "n8n". Leave it out for all.'),
  limit: z.int().min(1).max(1_000).default(100).describe('At most this many tools.'),
})

const listedToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  type: z.string(),
  status: toolStatusSchema,
  version: z.number(),
  activeVersion: z.number().optional().describe('The version that a call runs now.'),
  riskLevel: z.enum(['low', 'medium', 'high']),
  visibility: z.enum(['owner', 'shared']),
  isYours: z.boolean(),
  contentHash: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  updatedAt: z.string().describe('When the status last changed.'),
  reason: z.string().optional().describe('Why it was rejected, waits, or cannot be called.'),
  templateSource: z.string().optional().describe('The template that it was made from.'),
  n8nWorkflowId: z.string().optional().describe('Its workflow in n8n, once it was put there.'),
  health: listedHealthSchema.optional().describe('How its workflow is in n8n now.'),
})

const outputSchema = z.object({
  tools: z.array(listedToolSchema),
  count: z.number().describe('How many there are, those beyond the limit included.'),
})

type ListedTool = z.infer<typeof listedToolSchema>

async function reasonOf(
  agent: AgentToolsmaker,
  { name, version, status, reason }: VersionSummary,
): Promise<string | undefined> {
  if (reason !== undefined) return reason
  if (status !== 'approval_required' && status !== 'rejected') return undefined
  const review = await agent.readReview(name, version)
  const reasons =
    status === 'approval_required'
      ? review?.waitsBecause
      : review?.checks.filter(({ pass }) => !pass).map(({ message }) => message)
  return reasons === undefined || reasons.length === 0 ? undefined : reasons.join(' ')
}

function templateOf(
  agent: AgentToolsmaker,
  { kind, name, version }: VersionSummary,
): string | undefined {
  if (kind !== 'n8n') return undefined
  const definition = agent.get(name, version)?.spec.definition
  const template = isJsonObject(definition) ? definition['template'] : undefined
  const slug = isJsonObject(template) ? template['slug'] : undefined
  return typeof slug === 'string' ? slug : undefined
}

interface Viewer {
  readonly agent: AgentToolsmaker
  /** What the agent can call now. */
  readonly callable: RegistrySnapshot
}

async function listedTool(
  { agent, callable }: Viewer,
  listed: VersionSummary,
): Promise<ListedTool> {
  const isYours = listed.owner === principalKey(agent.principal)
  const summary = isYours ? newestVersion(agent, listed) : listed
  const { name, description, kind, status, version, risk, visibility } = summary
  const { contentHash, createdAt, createdBy, updatedAt } = summary
  const source = callable.get(name)?.source
  const reason = await reasonOf(agent, summary)
  const templateSource = templateOf(agent, summary)
  return {
    name,
    description,
    type: kind,
    status,
    version,
    ...(source?.type === 'made' ? { activeVersion: source.version } : {}),
    riskLevel: risk,
    visibility,
    isYours,
    contentHash,
    createdAt,
    createdBy,
    updatedAt,
    ...(reason === undefined ? {} : { reason }),
    ...(templateSource === undefined ? {} : { templateSource }),
  }
}

/** Who knows how n8n tools are on their server. */
export interface ListHealthOptions {
  readonly keeper: N8nToolKeeper
  /** For all tools together, in milliseconds. */
  readonly timeoutMs: number
}

async function addHealth(
  tools: readonly ListedTool[],
  { keeper, timeoutMs }: ListHealthOptions,
  signal: AbortSignal,
): Promise<ListedTool[]> {
  const names = tools.filter(({ type }) => type === 'n8n').map(({ name }) => name)
  const known = await askHealth(names, { keeper, timeoutMs, signal })
  return tools.map((tool) => ({ ...tool, ...known.get(tool.name) }))
}

/** `toolFactory_listCustomTools`: the tools that whoever calls owns or shares. */
export function createListFactoryTool(
  toolsmaker: Pick<Toolsmaker, 'forAgent'>,
  health?: ListHealthOptions,
): ToolDefinition {
  return defineTool({
    name: 'toolFactory_listCustomTools',
    description:
      'Lists the made tools that you own, and those that are shared with you, with their status, version and dates, and why ' +
      'one was rejected or waits for a person. "activated" means callable now.',
    inputSchema,
    outputSchema,
    risk: 'low',
    annotations: {
      title: 'List made tools',
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    describeCall: ({ type }) =>
      type === undefined
        ? 'List all made tools'
        : `List the made tools of type ${JSON.stringify(type)}`,
    execute: async ({ type, limit }, signal, { principal }) => {
      const agent = toolsmaker.forAgent(principal)
      const found = agent.list().filter(({ kind }) => type === undefined || kind === type)
      const viewer = { agent, callable: agent.snapshotTools() }
      const tools: ListedTool[] = []
      for (const summary of found.slice(0, limit)) {
        signal.throwIfAborted()
        // oxlint-disable-next-line no-await-in-loop -- reviews are read from disk, a thousand at once would be too many
        tools.push(await listedTool(viewer, summary))
      }
      const shown = health === undefined ? tools : await addHealth(tools, health, signal)
      return { tools: shown, count: found.length }
    },
  })
}

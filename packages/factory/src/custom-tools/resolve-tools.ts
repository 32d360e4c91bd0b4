import {
  describeNameProblem,
  type Principal,
  type ToolRegistry,
  type ToolView,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import type { Toolsmaker, ToolStatus, VersionSummary } from '@toolcrib/toolsmaker'
import type { DynamicToolService } from '../dynamic-folder/dynamic-tool-service.ts'
import type { DynamicToolStatus } from '../dynamic-folder/dynamic-tool-status.ts'
import { nearestToolName } from '../tools/nearest-tool-name.ts'
import { ownVersions } from './own-versions.ts'

/** Why a tool of a list cannot be called. */
export type MissingToolProblem =
  /** No tool can have that name. */
  | 'name-invalid'
  | 'not-found'
  /** It belongs to somebody else and is not shared. */
  | 'not-visible'
  /** Its file is about to be read. */
  | 'loading'
  /** Its file failed to load. */
  | 'file-failed'
  /** It waits for a person, or is approved and not in use. */
  | 'waits'
  /** Its checks or a person turned it down, or nobody decided in time. */
  | 'rejected'
  /** It was taken out of use, for now or for ever. */
  | 'out-of-use'
  /** It is in use, and must not run at this moment. */
  | 'not-callable'

/** A tool of a list that cannot be called, and why. */
export interface MissingTool {
  readonly name: string
  readonly problem: MissingToolProblem
  /** For a person or a log. */
  readonly reason: string
  /** The name that may have been meant. */
  readonly nearestName?: string
}

/** What a list of names comes to. */
export interface ResolvedTools {
  /** In the order of the list, each once: what is known of it. An invoker runs it, by its name. */
  readonly tools: readonly ToolView[]
  readonly missing: readonly MissingTool[]
}

/** Where tools are looked for. */
export interface ResolveToolsOptions {
  /** Everything callable: built-in, made and mounted tools. */
  readonly registry: ToolRegistry
  /** Whose list it is. */
  readonly principal: Principal
  /** Tells why a made tool is not there. */
  readonly toolsmaker?: Pick<Toolsmaker, 'checkCallable' | 'forAgent'>
  /** Tells why the tool of a file is not there. */
  readonly dynamicTools?: Pick<DynamicToolService, 'list'>
}

const resolveToolsOptionNames: KnownOptions<ResolveToolsOptions> = {
  registry: true,
  principal: true,
  toolsmaker: true,
  dynamicTools: true,
}

/**
 * Looks up the tools that an agent is configured with, by the names under which they are registered: built-in and made ones, those of
 * files, those of MCP servers such as `mcp__github__search`. Each that is not there is named with the reason.
 */
export function resolveTools(
  names: readonly string[],
  options: ResolveToolsOptions,
): ResolvedTools {
  assertOptions<ResolveToolsOptions>('resolveTools', options, resolveToolsOptionNames)
  const { principal, registry, toolsmaker } = options
  const snapshot = registry.snapshot(principal)
  const files = options.dynamicTools?.list() ?? []
  const tools: ToolView[] = []
  const missing: MissingTool[] = []
  for (const name of new Set(names)) {
    const view = snapshot.get(name)
    const tool = view === undefined ? undefined : registry.get(name)
    const refusal = tool === undefined ? undefined : toolsmaker?.checkCallable(tool, principal)
    if (view !== undefined && refusal === undefined) tools.push(view)
    else if (refusal !== undefined)
      missing.push({ name, problem: 'not-callable', reason: refusal.message })
    else missing.push(explain(name, { options, files, known: snapshot.list() }))
  }
  return { tools, missing }
}

interface Lookup {
  readonly options: ResolveToolsOptions
  readonly files: readonly DynamicToolStatus[]
  readonly known: readonly { readonly name: string }[]
}

function explain(name: string, { files, known, options }: Lookup): MissingTool {
  const wrong = describeNameProblem(name)
  if (wrong !== undefined)
    return { name, problem: 'name-invalid', reason: `The name of a tool ${wrong}.` }
  const { principal, registry, toolsmaker } = options
  const agent = toolsmaker?.forAgent(principal)
  const [newest] = agent === undefined ? [] : ownVersions(agent, name)
  const file = files.find((entry) => entry.toolName === name && entry.agentId === principal.id)
  if (file !== undefined && principal.kind === 'agent' && file.status !== 'loaded')
    return explainFile(name, file)
  if (newest !== undefined) return { name, ...explainVersion(newest) }
  if (registry.has(name))
    return {
      name,
      problem: 'not-visible',
      reason: 'It belongs to another owner and is not shared. A person can share it.',
    }
  const own = agent?.list().map((summary) => summary.name) ?? []
  const nearestName = nearestToolName(name, [...known.map((tool) => tool.name), ...own])
  const hint =
    nearestName === undefined ? '' : ` The nearest name is ${JSON.stringify(nearestName)}.`
  return {
    name,
    problem: 'not-found',
    reason: `There is no tool of that name.${hint}${explainServer(name, known)}`,
    ...(nearestName === undefined ? {} : { nearestName }),
  }
}

/** Tools of MCP servers begin with the server's name. */
function explainServer(name: string, known: Lookup['known']): string {
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? []
  if (server === undefined) return ''
  return known.some((tool) => tool.name.startsWith(`mcp__${server}__`))
    ? ` The MCP server "${server}" has no such tool.`
    : ` No tool of an MCP server "${server}" is mounted.`
}

function explainFile(name: string, { file, reason, status }: DynamicToolStatus): MissingTool {
  return status === 'pending'
    ? { name, problem: 'loading', reason: `Its file ${file} is being loaded.` }
    : { name, problem: 'file-failed', reason: `Its file ${file} failed: ${reason ?? 'unknown'}` }
}

const problemOfStatus: Readonly<Record<ToolStatus, MissingToolProblem>> = {
  draft: 'waits',
  validated: 'waits',
  approval_required: 'waits',
  approved: 'waits',
  rejected: 'rejected',
  expired: 'rejected',
  deactivated: 'out-of-use',
  revoked: 'out-of-use',
  activated: 'not-callable',
}

const sentenceOfStatus: Readonly<Record<ToolStatus, string>> = {
  draft: 'is being checked',
  validated: 'is being checked',
  approval_required: 'waits for a person to approve it',
  approved: 'is approved and not in use; a person can activate it',
  rejected: 'was rejected',
  expired: 'expired: nobody decided in time, or its approval ran out',
  deactivated: 'was taken out of use; a person can activate it again',
  revoked: 'was revoked for ever',
  activated: 'is in use and cannot be called',
}

function explainVersion({
  reason,
  status,
  version,
}: VersionSummary): Pick<MissingTool, 'problem' | 'reason'> {
  const why = reason === undefined ? '' : ` (${reason})`
  return {
    problem: problemOfStatus[status],
    reason: `Version ${version} ${sentenceOfStatus[status]}${why}.`,
  }
}

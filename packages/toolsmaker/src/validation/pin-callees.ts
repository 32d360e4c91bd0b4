import {
  type Principal,
  type ToolDefinition,
  type ToolRegistry,
  type ToolRisk,
  isVisibleTo,
} from '@toolcrib/registry'
import type { PinnedCallee } from '../proposals/capability.ts'
import { compareRisk } from '../approvals/policy-judgement.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { ValidationCheck } from './validation-report.ts'

/** The content of a made tool that is in use; `undefined` for every other name. */
export type ContentInUse = (name: string) => ToolContent | undefined

/** Whether whoever proposes a tool may know that there is one of a name. */
export type IsVisible = (name: string) => boolean

/** What a principal may know of. A tool that it cannot see, it could not call either. */
export function visibilityFor(registry: ToolRegistry, principal: Principal): IsVisible {
  return (name) => {
    const tool = registry.get(name)
    return tool !== undefined && isVisibleTo(tool, principal)
  }
}

/** The tools that a proposal may call, each with the hash that it has now. One that is not there for its proposer has no hash. */
export function pinCallees(
  names: readonly string[],
  registry: ToolRegistry,
  isVisible: IsVisible,
): readonly PinnedCallee[] {
  return [...new Set(names)].toSorted().map((name) => {
    const source = isVisible(name) ? registry.get(name)?.source : undefined
    return { name, hash: source?.type === 'made' ? source.hash : null }
  })
}

/** A tool that a proposal reaches, and through which others. */
export interface ReachedTool {
  readonly name: string
  /** The names from the proposal to the tool, with both. */
  readonly path: readonly string[]
}

/** How many tools are looked at; more is not for people to follow. */
const maxReached = 1_000

/** Every tool that a proposal can reach, directly or through made tools, nearest first. */
export function findReached(
  content: Pick<ToolContent, 'name' | 'callees'>,
  contentInUse: ContentInUse,
): readonly ReachedTool[] {
  const seen = new Set([content.name])
  const reached: ReachedTool[] = []
  const add = (callees: readonly PinnedCallee[], path: readonly string[]): void => {
    for (const { name } of callees) {
      if (seen.has(name) || reached.length >= maxReached) continue
      seen.add(name)
      reached.push({ name, path: [...path, name] })
    }
  }
  add(content.callees, [content.name])
  // It grows while it is walked.
  for (const { name, path } of reached) add(contentInUse(name)?.callees ?? [], path)
  return reached
}

/** Checks that each callee is there, is not the tool itself, and that nothing that is reached is riskier than the tool. */
export function checkCallees(
  content: ToolContent,
  {
    contentInUse,
    isVisible,
    registry,
  }: {
    readonly contentInUse: ContentInUse
    readonly isVisible: IsVisible
    readonly registry: ToolRegistry
  },
): ValidationCheck {
  const missing = content.callees.flatMap(({ name }) => {
    if (name === content.name) return [`${name} cannot call itself`]
    return isVisible(name) ? [] : [`there is no tool ${JSON.stringify(name.slice(0, 100))}`]
  })
  const risky = findReached(content, contentInUse).flatMap(({ name, path }) => {
    const tool = registry.get(name)
    const risk = tool === undefined ? 'low' : toolRisk(tool)
    return compareRisk(risk, content.risk) > 0
      ? [
          `${name} has risk ${risk}, so risk must be ${risk} or higher, got ${content.risk} (${describeWay(path)})`,
        ]
      : []
  })
  const problems = [...missing, ...risky.slice(0, 5)]
  const none = content.callees.length === 0 ? 'it calls no tools' : 'each tool it calls is there'
  return {
    name: 'callees',
    pass: problems.length === 0,
    message: problems.length === 0 ? none : problems.join('; '),
  }
}

function toolRisk({ risk, source }: ToolDefinition): ToolRisk {
  return risk ?? (source?.type === 'made' ? 'medium' : 'low')
}

/** `a calls b, b calls shell`. */
function describeWay(path: readonly string[]): string {
  return path
    .slice(1)
    .map((name, index) => `${path[index]} calls ${name}`)
    .join(', ')
}

/** Tells which callee is no longer the one that was approved, or `undefined` when all are. */
export function describeChangedCallee(
  callees: readonly PinnedCallee[],
  registry: ToolRegistry,
): string | undefined {
  for (const { hash, name } of callees) {
    const tool = registry.get(name)
    if (tool === undefined) return `${name}, which it calls, is not there`
    const present = tool.source?.type === 'made' ? tool.source.hash : null
    if (present !== hash) return `${name}, which it calls, is not the version that was approved`
  }
  return undefined
}

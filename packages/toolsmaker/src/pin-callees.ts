import type { ToolRegistry } from '@toolcrib/registry'
import type { PinnedCallee } from './capability.ts'
import { compareRisk } from './policy-judgement.ts'
import type { ToolContent } from './tool-spec.ts'
import type { ValidationCheck } from './validation-report.ts'

/** The tools that a proposal may call, each with the hash that it has now. One that is not there has no hash. */
export function pinCallees(
  names: readonly string[],
  registry: ToolRegistry,
): readonly PinnedCallee[] {
  return [...new Set(names)].toSorted().map((name) => {
    const source = registry.get(name)?.source
    return { name, hash: source?.type === 'made' ? source.hash : null }
  })
}

/** Checks that each callee is there, is not the tool itself, and is not riskier than its caller. */
export function checkCallees(content: ToolContent, registry: ToolRegistry): ValidationCheck {
  const problems = content.callees.flatMap(({ name }) => {
    if (name === content.name) return [`${name} cannot call itself`]
    const tool = registry.get(name)
    if (tool === undefined) return [`there is no tool ${JSON.stringify(name.slice(0, 100))}`]
    const risk = tool.risk ?? (tool.source?.type === 'made' ? 'medium' : 'low')
    if (compareRisk(risk, content.risk) > 0)
      return [`${name} has risk ${risk}, so risk must be ${risk} or higher, got ${content.risk}`]
    return []
  })
  const none = content.callees.length === 0 ? 'it calls no tools' : 'each tool it calls is there'
  return {
    name: 'callees',
    pass: problems.length === 0,
    message: problems.length === 0 ? none : problems.join('; '),
  }
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

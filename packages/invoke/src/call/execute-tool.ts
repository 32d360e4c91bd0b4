import type { CallFacts } from './call-facts.ts'
import type { PolicyViolations } from './policy-violations.ts'
import { type ContextActions, createToolContext } from './tool-context.ts'

/** What a tool runs with. */
export interface ToolRun {
  /** Validated, defaults filled in. */
  readonly input: unknown
  readonly signal: AbortSignal
  readonly actions: ContextActions
  readonly violations: PolicyViolations | undefined
}

/** Lets a tool do its work, or whoever does it in its place; under the span of the call, where there is one. */
export function executeTool(facts: CallFacts, run: ToolRun): unknown {
  const { tool, span } = facts
  const { input, signal } = run
  const context = createToolContext(facts, run.actions, run.violations)
  const { execute } = facts.settings
  if (span === undefined && execute === undefined) return tool.execute(input, signal, context)
  const work = (): unknown =>
    execute === undefined
      ? tool.execute(input, signal, context)
      : execute({ tool, input, signal, context })
  return span === undefined ? work() : span.run(work)
}

import type { InvokeOptions, ToolContext, ToolProgress, ToolResult } from '@toolcrib/registry'
import type { CallFacts } from './call-facts.ts'
import type { PolicyViolations } from './policy-violations.ts'

/** What a tool may say about a call that it makes. */
export type NestedOptions = Pick<InvokeOptions, 'timeoutMs' | 'signal' | 'callerPolicy'>

/** What a tool can do to its call. */
export interface ContextActions {
  reportProgress(progress: ToolProgress): void
  invokeNested(toolName: string, input: unknown, options: NestedOptions): Promise<ToolResult>
}

/** What a tool is given. Its functions may be taken out of it and passed on. */
export function createToolContext(
  facts: CallFacts,
  actions: ContextActions,
  violations: PolicyViolations | undefined,
): ToolContext {
  const context: { -readonly [Key in keyof ToolContext]: ToolContext[Key] } = {
    callId: facts.callId,
    toolName: facts.toolName,
    namespace: facts.namespace,
    principal: facts.principal,
    deadline: facts.startedAt + facts.timeoutMs,
    logger: facts.settings.logger,
    reportProgress: (progress) => actions.reportProgress(progress),
    reportViolation: (error) => violations?.reportCaught(error),
    invoke: (name, input, options) => actions.invokeNested(name, input, options ?? {}),
  }
  if (facts.traceId !== undefined) context.traceId = facts.traceId
  if (facts.parentCallId !== undefined) context.parentCallId = facts.parentCallId
  if (facts.sessionId !== undefined) context.sessionId = facts.sessionId
  if (facts.callerPolicy !== undefined) {
    context.callerPolicy = facts.callerPolicy
    context.callerNames = facts.callers.map(({ name }) => name)
  }
  return context
}

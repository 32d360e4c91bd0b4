import type { ToolDefinition } from '@toolcrib/registry'
import type { CallFacts } from './call-facts.ts'
import type { CallProblem } from './call-problem.ts'
import { callCancelled, refusalOf, timedOutBefore, tooDeep } from './refusals.ts'

/** What can be told of a call before anything is looked at. */
export function findObstacle(facts: CallFacts, isAborted: boolean): CallProblem | undefined {
  const { depth, settings, timeoutMs, tool } = facts
  if (depth > settings.maxDepth) return tooDeep(tool, settings.maxDepth)
  if (isAborted) return callCancelled(tool, 'not run')
  return timeoutMs > 0 ? undefined : timedOutBefore(tool, timeoutMs)
}

/**
 * Why a tool may not run as things are now; `undefined` when it may. At once, where the check answers at once. The made tools
 * through which the call came must be callable still: one that was stopped while it runs starts nothing more.
 */
export function findRefusal(
  facts: CallFacts,
): CallProblem | undefined | Promise<CallProblem | undefined> {
  if (facts.settings.checkCallable === undefined) return undefined
  const { callers, tool } = facts
  return askFrom(facts, [...callers, tool], 0)
}

/** Asks for the tools of a way one after the other, and goes on later where one is answered later. */
function askFrom(
  facts: CallFacts,
  way: readonly ToolDefinition[],
  first: number,
): CallProblem | undefined | Promise<CallProblem | undefined> {
  for (let at = first; at < way.length; at += 1) {
    const asked = way[at]
    // Built-in callers are the host's own: nobody stops them while they run.
    if (asked === undefined || (at < way.length - 1 && asked.source?.type !== 'made')) continue
    try {
      const answer = facts.settings.checkCallable?.(asked, facts.principal, way.slice(0, at))
      if (answer !== undefined)
        return awaitRefusal(facts, answer).then((refusal) => refusal ?? askFrom(facts, way, at + 1))
    } catch (error) {
      return refusalOf(facts.tool, error, true)
    }
  }
  return undefined
}

async function awaitRefusal(
  { tool }: CallFacts,
  pending: unknown,
): Promise<CallProblem | undefined> {
  try {
    const answer = await pending
    return answer === undefined ? undefined : refusalOf(tool, answer, false)
  } catch (error) {
    return refusalOf(tool, error, true)
  }
}

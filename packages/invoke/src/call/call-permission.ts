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

/** Why a tool may not run as things are now; `undefined` when it may. At once, where the check answers at once. */
export function findRefusal(
  facts: CallFacts,
): CallProblem | undefined | Promise<CallProblem | undefined> {
  const { tool, principal, callers, settings } = facts
  if (settings.checkCallable === undefined) return undefined
  try {
    const answer = settings.checkCallable(tool, principal, callers)
    return answer === undefined ? undefined : awaitRefusal(facts, answer)
  } catch (error) {
    return refusalOf(tool, error, true)
  }
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

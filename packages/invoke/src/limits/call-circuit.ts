import type { ToolErrorCode } from '@toolcrib/registry'
import type { CallFacts } from '../call/call-facts.ts'

/** How many milliseconds the call's tool is still paused for its caller; `undefined` when it is not. */
export function circuitPauseMs(facts: CallFacts): number | undefined {
  const { breaker, monotonicNow } = facts.settings
  // No key is made while nothing has failed.
  if (breaker === undefined || breaker.isIdle) return undefined
  return breaker.remainingMs(facts.circuitKey, monotonicNow())
}

/** Takes note that the call goes on; `true` when it is the one that tries a tool that was paused. */
export function enterCircuit(facts: CallFacts): boolean {
  const { breaker } = facts.settings
  return breaker !== undefined && !breaker.isIdle && breaker.admit(facts.circuitKey)
}

/** Tells how the tool fared; no code means that it worked. */
export function judgeCircuit(
  facts: CallFacts,
  code: ToolErrorCode | undefined,
  isTrial: boolean,
): void {
  const { breaker, monotonicNow } = facts.settings
  if (breaker === undefined || (code === undefined && breaker.isIdle)) return
  if (code === undefined) breaker.succeed(facts.circuitKey)
  else if (code === 'TIMEOUT' || code === 'TOOL_FAILED')
    breaker.fail(facts.circuitKey, monotonicNow(), isTrial)
  // Nothing is known of the tool: another call may try.
  else if (isTrial) breaker.forgetTrial(facts.circuitKey)
}

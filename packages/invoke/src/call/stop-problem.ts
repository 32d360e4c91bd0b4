import type { ToolError } from '@toolcrib/registry'
import type { StopCause } from '../limits/stop-watch.ts'
import type { CallFacts } from './call-facts.ts'
import type { CallProblem } from './call-problem.ts'
import {
  callCancelled,
  callWithdrawn,
  logUnavailable,
  outputUncheckedInTime,
  timedOut,
  timedOutBefore,
  tooManyCalls,
} from './refusals.ts'

/** Where a call stood when it was stopped: `left running` and `ended` tell what its tool did then. */
export type StoppedAt =
  | 'before'
  | 'queued'
  | 'starting'
  | 'left running'
  | 'ended'
  | 'output unchecked'

const stateAt = {
  before: 'not run',
  queued: 'not run',
  starting: 'not run',
  'left running': 'running',
  ended: 'stopped',
  'output unchecked': 'stopped',
} as const

/** What a call that was stopped answers. `withdrawal`: why its tool may not run any more. */
export function stopProblem(
  { tool, timeoutMs }: CallFacts,
  {
    at,
    cause,
    withdrawal,
  }: {
    readonly at: StoppedAt
    readonly cause: StopCause
    readonly withdrawal?: ToolError | undefined
  },
): CallProblem {
  if (cause === 'timeout')
    return {
      before: () => timedOutBefore(tool, timeoutMs),
      queued: () => tooManyCalls(tool, true),
      starting: () => logUnavailable(tool),
      'left running': () => timedOut(tool, timeoutMs, true),
      ended: () => timedOut(tool, timeoutMs, false),
      'output unchecked': () => outputUncheckedInTime(tool, timeoutMs),
    }[at]()
  const state = stateAt[at]
  return withdrawal === undefined
    ? callCancelled(tool, state)
    : callWithdrawn(tool, withdrawal, state)
}

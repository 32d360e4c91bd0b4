import { type Principal, type ToolDefinition, ToolError } from '@toolcrib/registry'
import { describeChanged, holdChanged } from './hold-changed.ts'
import type { Grant } from '../approvals/judge-version.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { type VersionRecord, specOf } from '../lifecycle/version-record.ts'
import { waitForAbort } from '../wait-for-abort.ts'

/** Who calls a made tool. */
interface GuardedCall {
  readonly tool: ToolDefinition
  readonly signal: AbortSignal
  readonly principal: Principal
}

/** Lets a call of a made tool go on, or rejects; `undefined` where there is nothing to wait for. */
export type CallGuard = (call: GuardedCall) => Promise<void> | undefined

/** The longest that a refused call waits until its reason is on record, in milliseconds. */
const recordWaitMs = 2_000

/**
 * Gives what looks at what lives outside before a call of a version: each time where its risk is high, else where the last look
 * counts no longer. `undefined` where nothing lives outside.
 */
export function guardCalls(
  engine: LifecycleEngine,
  record: VersionRecord,
  { content }: Grant,
): CallGuard | undefined {
  if (!engine.inspections.covers(record.kind)) return undefined
  const spec = specOf(record, content)
  const look = async ({ principal, signal, tool }: GuardedCall): Promise<void> => {
    const outside = await engine.inspections.inspect(spec, { signal })
    // Looking may have taken long: it may have been stopped or replaced since.
    const refusal = engine.callables.check(tool, principal)
    if (refusal !== undefined && !engine.inspections.isHeld(spec)) throw refusal
    if (outside.state === 'changed') {
      // A call whose time is over is answered in any case.
      await Promise.race([
        holdChanged(engine, record, outside.reason),
        waitForAbort(signal, recordWaitMs),
      ])
      throw new ToolError(
        'TOOL_TAMPERED',
        `${describeChanged(outside.reason)}. It is out of use until a person activates it again.`,
      )
    }
    if (outside.state === 'unknown')
      throw new ToolError(
        'TOOL_UNVERIFIED',
        `whether what lives outside is what was approved could not be found out: ${outside.reason}. Nothing was started; call it again later.`,
      )
  }
  return (call) =>
    content.risk !== 'high' && engine.inspections.isFresh(spec) ? undefined : look(call)
}

import { type JsonValue, ToolError } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/**
 * Keeps a stop outside the store whose event could not be recorded: whoever can write the log must not be able to keep a person from
 * stopping what is in it. Gives the error that says so.
 */
export async function stopUnrecorded(
  engine: LifecycleEngine,
  cause: unknown,
  { event, record }: { readonly event: LifecycleEvent; readonly record?: VersionRecord },
): Promise<Error> {
  const eventHash = hashJson(event as unknown as JsonValue)
  engine.stops.add({ sequence: engine.state.sequence, eventHash }, record)
  let lasts = 'also after a restart'
  try {
    await engine.keepStops({ isChanged: true })
  } catch {
    lasts = 'in this process only, since it could not be kept outside the store either'
  }
  return unrecorded(cause, `It is stopped, ${lasts}, but not on record`)
}

/** The error of what holds although its event could not be written. */
export function unrecorded(cause: unknown, what: string): Error {
  return new ToolError(
    ToolError.is(cause) ? cause.code : 'STORE_WRITE_FAILED',
    `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  )
}

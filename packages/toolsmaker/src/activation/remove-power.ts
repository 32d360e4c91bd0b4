import type { Principal } from '@toolcrib/registry'
import { activeRecord, assertMayHappen } from './activate.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { recordExpiry } from '../approvals/expire.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { Actor } from '../lifecycle/lifecycle-event.ts'
import { retireVersion } from './retire-version.ts'
import { storeWriteError } from '../events/store-write-error.ts'
import type { RemovalOptions } from '../toolsmaker.ts'
import { stopUnrecorded, unrecorded } from '../stops/stop-unrecorded.ts'
import { showValue } from '../review/show-value.ts'

/** Who takes a power away, and why, after both were checked. */
export interface Removal {
  readonly actor: Actor
  readonly reason: string
}

/**
 * Checks who takes a power away and why.
 *
 * @throws {ToolError} REQUEST_INVALID when there is no reason, or it is too long.
 */
export function readRemoval(engine: LifecycleEngine, options: RemovalOptions): Removal {
  const { by = { kind: 'person', id: 'operator' } satisfies Principal, reason } = options
  return { actor: { kind: by.kind, id: by.id }, reason: readReason(engine, reason) }
}

/**
 * Checks a reason.
 *
 * @throws {ToolError} REQUEST_INVALID when it is empty or too long.
 */
export function readReason(engine: LifecycleEngine, reason: unknown): string {
  const { maxReasonLength } = engine.limits
  if (typeof reason === 'string' && reason.trim() !== '' && reason.length <= maxReasonLength)
    return reason.toWellFormed()
  throw toolsmakerError(
    'REQUEST_INVALID',
    `reason must be text of 1 to ${maxReasonLength} characters, got ${
      typeof reason === 'string' ? `${reason.length} characters` : typeof reason
    }. Say why; it goes on record.`,
    { data: { field: 'reason' } },
  )
}

interface Version {
  readonly name: string
  readonly version: number
}

/** Refuses a version that waits for a person. */
export async function rejectVersion(
  engine: LifecycleEngine,
  { name, version }: Version,
  { actor, reason }: Removal,
): Promise<void> {
  await recordExpiry(engine, engine.find(name, version))
  const record = engine.find(name, version)
  assertMayHappen('tool_rejected', record)
  await engine.record([{ ...engine.stamp(actor), type: 'tool_rejected', name, version, reason }])
}

/** Takes a proposal back. */
export async function withdrawVersion(
  engine: LifecycleEngine,
  { name, version }: Version,
  { actor, reason }: Removal,
): Promise<void> {
  assertMayHappen('tool_withdrawn', engine.find(name, version))
  await engine.record([{ ...engine.stamp(actor), type: 'tool_withdrawn', name, version, reason }])
}

/** Takes the version in use out of use; it can come back. Gives its number. */
export async function deactivateActive(
  engine: LifecycleEngine,
  name: string,
  { actor, reason }: Removal,
): Promise<number> {
  const record = activeRecord(engine, name)
  if (record === undefined) {
    // It may be out of use by a stop that was not kept outside the store yet.
    await engine.keepStops()
    throw toolsmakerError(
      'TRANSITION_REFUSED',
      `No version of a made tool ${showValue(name)} is in use, so there is nothing to take out of use.`,
    )
  }
  const { version } = record
  // Whoever asks for a stop means now, also where nothing can be written.
  engine.callables.remove(name)
  const frame = { ...engine.stamp(actor), name, version }
  const event = { ...frame, type: 'tool_deactivated', reason } as const
  try {
    await engine.record([event])
  } catch (error) {
    if (activeRecord(engine, name)?.version !== version) throw error
    throw await stopUnrecorded(engine, error, { event, record })
  } finally {
    await retireVersion(engine, record)
  }
  return version
}

/** Takes a version out of use for ever. It was stopped already when this runs. */
export async function revokeVersion(
  engine: LifecycleEngine,
  { name, version }: Version,
  { actor, reason }: Removal,
): Promise<void> {
  const record = engine.find(name, version)
  if (record.status === 'revoked') return
  assertMayHappen('tool_revoked', record)
  const { contentHash } = record
  try {
    // First where the store's writers cannot reach: a log that loses the event does not bring the version back.
    await engine.trust.recordRevocation({
      namespace: engine.namespace,
      name,
      version,
      contentHash,
    })
  } catch (error) {
    throw storeWriteError(
      error,
      'The version is stopped in this process, but the revocation could not be recorded',
    )
  }
  const wasActive = record.status === 'activated'
  if (wasActive) engine.callables.remove(name)
  const frame = { ...engine.stamp(actor), name, version }
  try {
    await engine.record([{ ...frame, type: 'tool_revoked', reason, contentHash }])
  } catch (error) {
    throw unrecorded(error, 'It is revoked for ever, but not on record')
  } finally {
    if (wasActive) await retireVersion(engine, record)
  }
}

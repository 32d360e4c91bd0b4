import type { ToolDefinition } from '@toolcrib/registry'
import { judgementBasis, putIntoUse } from './activate.ts'
import { noticeText } from '../lifecycle/apply-event.ts'
import { changedEvents, describeChanged } from './hold-changed.ts'
import { describeHold, heldEvent, isGoodEnough, repeatedEvents } from './hold-version.ts'
import { guardCalls } from './inspect-before-call.ts'
import { settleAndInspect } from './inspect-tools.ts'
import { isByHost } from '../approvals/approval-end.ts'
import type { Refusal } from '../approvals/judge-content.ts'
import { type Grant, judgeVersion } from '../approvals/judge-version.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { isVersionEvent } from '../lifecycle/lifecycle-state.ts'
import { createMadeTool } from './made-tool.ts'
import {
  type JudgedVersion,
  type RepeatedEvidence,
  needsTrial,
  repeatEvidence,
} from '../validation/repeat-evidence.ts'
import { retireVersion } from './retire-version.ts'
import { stopUnrecorded } from '../stops/stop-unrecorded.ts'
import type { OutsideState } from '../tool-kind.ts'
import type { LoadReport } from '../toolsmaker.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** How many versions are judged at once. */
const judgedAtOnce = 500

type Refused = LoadReport['refused'][number]

/**
 * Verifies every version that is on record as active, against the present trust, and makes the registry hold those that
 * are granted and no others. What is refused is named and recorded; it harms no other.
 */
export async function loadActiveTools(
  engine: LifecycleEngine,
  signal?: AbortSignal,
): Promise<LoadReport> {
  await engine.trust.refresh()
  const active = listActive(engine)
  const basis = judgementBasis(engine)
  const verified = { ...basis, verifiedUpTo: engine.verified.verifiedUpTo() }
  const judged: (Grant | Refusal)[] = []
  for (let from = 0; from < active.length; from += judgedAtOnce) {
    const slice = active.slice(from, from + judgedAtOnce)
    // oxlint-disable-next-line no-await-in-loop -- many at once: the signatures are checked on the thread pool
    const grants = await Promise.all(
      slice.map((record) => judgeSafely(record, mayRestOnCheckpoint(record) ? verified : basis)),
    )
    judged.push(...grants)
    signal?.throwIfAborted()
  }
  const repeated = await repeatEvidence(engine, findChanged(engine, active, judged), signal)
  const inUse = findUsable(engine, active, { judged, repeated })
  const outside = await settleAndInspect(engine, inUse, signal)
  const refused: Refused[] = []
  const events: LifecycleEvent[] = []
  const kept = new Set<string>()
  for (const [index, record] of active.entries()) {
    const grant = judged[index]
    if (grant === undefined) continue
    const again = repeated.get(record)
    events.push(...repeatedEvents(engine, record, again))
    const refusal = grant.ok
      ? (heldRefusal(engine, record, again) ??
        changedRefusal(engine, record, outside.get(record)) ??
        register(engine, record, grant))
      : grant
    if (refusal === undefined) kept.add(record.name)
    else {
      refused.push({
        name: record.name,
        version: record.version,
        code: refusal.code,
        reason: refusal.reason,
      })
      events.push(...noticeOf(engine, record, refusal))
    }
  }
  for (const name of engine.callables.names()) if (!kept.has(name)) engine.callables.remove(name)
  for (const entry of refused) engine.logger.warn(entry, 'A made tool was refused')
  await recordNotices(engine, events)
  // Remembered as verified is only a log in which all that is still active, and every signature on it, was found good.
  engine.verified.isClean =
    listActive(engine).every(({ name }) => kept.has(name)) &&
    judged.every((grant) => !grant.ok || grant.allSound)
  await rememberVerified(engine)
  return { registered: kept.size, refused }
}

/** Remembers where the log ends, and that it is verified up to here if it is. */
export async function rememberVerified(engine: LifecycleEngine): Promise<void> {
  try {
    await engine.verified.saveVerified(engine.state, engine.stops)
  } catch (error) {
    engine.logger.warn({ error }, 'The checkpoint of the event log could not be written')
  }
}

function listActive(engine: LifecycleEngine): readonly VersionRecord[] {
  const active: VersionRecord[] = []
  for (const tool of engine.state.tools.values()) {
    const record = tool.active === undefined ? undefined : tool.versions.get(tool.active)
    if (record !== undefined) active.push(record)
  }
  return active
}

/** Those that are granted, and whose kind may do something else with them than when they were tried. */
function findChanged(
  engine: LifecycleEngine,
  active: readonly VersionRecord[],
  judged: readonly (Grant | Refusal)[],
): readonly JudgedVersion[] {
  return active.flatMap((record, index) => {
    const grant = judged[index]
    return grant?.ok === true && needsTrial(engine, record)
      ? [{ record, content: grant.content }]
      : []
  })
}

/** Those that will be in use unless they were changed outside. */
function findUsable(
  engine: LifecycleEngine,
  active: readonly VersionRecord[],
  {
    judged,
    repeated,
  }: {
    readonly judged: readonly (Grant | Refusal)[]
    readonly repeated: ReadonlyMap<VersionRecord, RepeatedEvidence>
  },
): readonly JudgedVersion[] {
  return active.flatMap((record, index) => {
    const grant = judged[index]
    if (grant?.ok !== true || !engine.kinds.has(record.kind)) return []
    return heldRefusal(engine, record, repeated.get(record)) === undefined
      ? [{ record, content: grant.content }]
      : []
  })
}

/** What was changed outside is not used. What could not be looked at is: each call looks again. */
function changedRefusal(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
  outside: OutsideState | undefined,
): LoadRefusal | undefined {
  if (outside?.state === 'unknown') {
    const { reason } = outside
    engine.logger.warn({ name, version, reason }, 'A made tool could not be looked at outside')
  }
  return outside?.state === 'changed'
    ? {
        ok: false,
        code: 'TOOL_TAMPERED',
        reason: describeChanged(outside.reason),
        changed: outside.reason,
      }
    : undefined
}

function heldRefusal(
  engine: LifecycleEngine,
  record: VersionRecord,
  again: RepeatedEvidence | undefined,
): LoadRefusal | undefined {
  if (again === undefined || isGoodEnough(engine, record, again)) return undefined
  return { ok: false, code: 'TOOL_HELD', reason: describeHold(again), again }
}

/**
 * Whether what the trust remembers of the log may stand for the signatures of a version: only where they are the host's own, and
 * the version may touch nothing. A checkpoint is no person's signature, so for permissions that a person gave, or that a rule gave in
 * a person's place, the signature itself is looked at, at every start.
 */
function mayRestOnCheckpoint({ activation, content, decisions }: VersionRecord): boolean {
  if (content === undefined || !decisions.every(isByHost)) return false
  if (activation?.decision === undefined || !isByHost(activation.decision)) return false
  const { allowedDomains, allowedPaths, callees, capabilities, secrets } = content
  return [allowedDomains, allowedPaths, callees, capabilities, secrets].every(
    ({ length }) => length === 0,
  )
}

async function judgeSafely(
  record: VersionRecord,
  basis: Parameters<typeof judgeVersion>[1],
): Promise<Grant | Refusal> {
  try {
    return await judgeVersion(record, basis)
  } catch (error) {
    // A log that somebody else wrote may hold anything.
    const reason = `it cannot be read: ${error instanceof Error ? error.message : 'unknown'}`
    return { ok: false, code: 'TOOL_TAMPERED', reason }
  }
}

type LoadRefusal = Omit<Refusal, 'code'> & {
  readonly code: Refused['code']
  /** For a version that was tried once more. */
  readonly again?: RepeatedEvidence
  /** For a version that was changed outside: how. */
  readonly changed?: string
}

function register(
  engine: LifecycleEngine,
  record: VersionRecord,
  grant: Grant,
): LoadRefusal | undefined {
  const { contentHash: hash, kind: kindName, name, version } = record
  const kind = engine.kinds.get(kindName)
  if (kind === undefined)
    return { ok: false, code: 'POLICY_VIOLATION', reason: `there is no kind ${kindName} here` }
  if (engine.callables.isForeign(name))
    return {
      ok: false,
      code: 'TOOL_EXISTS',
      reason: 'the name belongs to a tool that was not made here',
    }
  const known = engine.callables.get(name)
  let tool: ToolDefinition
  try {
    tool = createMadeTool(record, grant, { kind, guard: guardCalls(engine, record, grant) })
    // The same version stays the same object, so that nothing that holds it is disturbed.
    const same =
      known !== undefined &&
      known.hash === hash &&
      known.version === version &&
      JSON.stringify(changeableParts(known.tool)) === JSON.stringify(changeableParts(tool))
    putIntoUse(engine, record, { grant, tool: same ? known.tool : tool })
    return undefined
  } catch (error) {
    const reason = `it cannot be registered: ${error instanceof Error ? error.message : 'unknown'}`
    return { ok: false, code: 'POLICY_VIOLATION', reason }
  }
}

/** What may differ between two activations of one version. */
function changeableParts(tool: ToolDefinition): readonly unknown[] {
  const { maxConcurrent, maxInputBytes, maxOutputBytes, source, timeoutMs } = tool
  return [source, timeoutMs, maxInputBytes, maxOutputBytes, maxConcurrent]
}

function noticeOf(
  engine: LifecycleEngine,
  record: VersionRecord,
  { again, changed, code, isStopped, reason }: LoadRefusal,
): readonly LifecycleEvent[] {
  if (changed !== undefined) return changedEvents(engine, record, changed)
  const { contentHash, name, version } = record
  const frame = { ...engine.stamp(engine.host), name, version }
  if (again?.outcome === 'different') return [heldEvent(engine, record, { ...again, reason })]
  const revocation = { namespace: engine.namespace, name, version, contentHash }
  if (engine.trust.isRevoked(revocation) && record.damage === undefined)
    return [
      {
        ...frame,
        type: 'tool_revoked',
        contentHash,
        reason: 'it is on the list of the revoked outside the store, and was active in the log',
      },
    ]
  if (isStopped === true) return [{ ...frame, type: 'tool_deactivated', reason }]
  if (code === 'TOOL_REVOKED') return [{ ...frame, type: 'tool_expired', what: 'approval' }]
  const type =
    code === 'TOOL_TAMPERED'
      ? 'tool_tampered'
      : code === 'TOOL_HELD'
        ? 'tool_activation_failed'
        : 'tool_policy_blocked'
  return record.notice === noticeText(type, reason) ? [] : [{ ...frame, type, reason }]
}

const endsUse: ReadonlySet<string> = new Set([
  'tool_revoked',
  'tool_expired',
  'tool_held',
  'tool_deactivated',
])

// Tools that hold must work even when what was refused cannot be recorded, on a full disk for instance.
async function recordNotices(
  engine: LifecycleEngine,
  events: readonly LifecycleEvent[],
): Promise<void> {
  try {
    await recordStops(engine, events)
    for (const event of events)
      if (endsUse.has(event.type) && isVersionEvent(event))
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as kinds expect
        await retireVersion(engine, engine.find(event.name, event.version))
  } catch (error) {
    engine.logger.error({ error }, 'What was refused could not be recorded')
  }
}

/** Puts stops on record with the notices; those that cannot be are kept outside the store. */
async function recordStops(
  engine: LifecycleEngine,
  events: readonly LifecycleEvent[],
): Promise<void> {
  try {
    await engine.record(events)
  } catch (error) {
    for (const event of events) {
      if (event.type !== 'tool_held') continue
      const record = engine.find(event.name, event.version)
      // oxlint-disable-next-line no-await-in-loop -- there are few
      if (record.status === 'activated') await stopUnrecorded(engine, error, { event, record })
    }
    throw error
  }
}

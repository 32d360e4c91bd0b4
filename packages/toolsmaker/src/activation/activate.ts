import { ToolError, type ToolDefinition } from '@toolcrib/registry'
import { askKind } from '../validation/ask-kind.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { tryBeforeUse } from './hold-version.ts'
import { type Grant, judgeVersion } from '../approvals/judge-version.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { Actor, LifecycleEvent, VersionEvent } from '../lifecycle/lifecycle-event.ts'
import { mayHappen } from '../lifecycle/lifecycle-transitions.ts'
import { guardCalls } from './inspect-before-call.ts'
import { compileTool, createMadeTool } from './made-tool.ts'
import { newFingerprint } from '../validation/repeat-evidence.ts'
import { isProposalKnown } from '../validation/report-attestation.ts'
import { retireVersion } from './retire-version.ts'
import { settleKinds } from './settle-kinds.ts'
import type { CompiledTool } from '../tool-kind.ts'
import { type VersionRecord, specOf, toSpec } from '../lifecycle/version-record.ts'

/**
 * Refuses an event that the state of a version does not allow.
 *
 * @throws {ToolError} TRANSITION_REFUSED.
 */
export function assertMayHappen(type: VersionEvent['type'], record: VersionRecord): void {
  if (mayHappen(type, record.status)) return
  const why = record.reason === undefined ? '' : ` (${record.reason})`
  throw toolsmakerError(
    'TRANSITION_REFUSED',
    `${type} is not possible: version ${record.version} of ${record.name} is ${record.status}${why}.`,
    { data: { name: record.name, version: record.version, status: record.status } },
  )
}

/** An activation that is about to be recorded. */
export interface PlannedActivation {
  /** The version as it will be on record, with the decision that activates it. */
  readonly record: VersionRecord
  readonly grant: Grant
  /** What is recorded before: approvals, for a decision that does both. */
  readonly before: readonly LifecycleEvent[]
  readonly activated: Extract<VersionEvent, { type: 'tool_activated' }>
  readonly actor: Actor
}

/**
 * Puts a version into use: try again where its kind changed, compile, deploy, record, register; in that order, so that nothing
 * is on record that does not work, and nothing is callable that is not on record. What failed is undone and recorded.
 *
 * @throws {ToolError} TOOL_HELD when its kind changed since it was tried, and it behaves differently now.
 * @throws {ToolError} ACTIVATION_FAILED when the kind cannot try, compile or deploy it, or the name is taken.
 */
export async function activateVersion(
  engine: LifecycleEngine,
  plan: PlannedActivation,
): Promise<void> {
  const { activated, actor, before, grant, record } = plan
  const { name, version } = record
  let tool: ToolDefinition
  let repeated: readonly LifecycleEvent[]
  try {
    repeated = await tryBeforeUse(engine, { record, content: grant.content, before })
    const compiled = compileTool(engine.kind(record.kind), specOf(record, grant.content))
    tool = await prepare(engine, plan, compiled)
  } catch (cause) {
    if (ToolError.is(cause, 'TOOL_HELD')) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    const failed = { ...engine.stamp(actor), type: 'tool_activation_failed', name, version, reason }
    await keepDownWhilePaused(engine)
    await engine.record([...before, failed as LifecycleEvent])
    throw toolsmakerError(
      'ACTIVATION_FAILED',
      `Version ${version} of ${name} could not be put into use: ${reason} The version in use before stays in use.`,
      { cause, data: { name, version } },
    )
  }
  const old = activeRecord(engine, name)
  const superseded: readonly LifecycleEvent[] =
    old === undefined
      ? []
      : [
          {
            ...engine.stamp(actor),
            type: 'tool_superseded',
            name,
            version: old.version,
            by: version,
          },
        ]
  let notKept: unknown
  try {
    await engine.record([...before, ...superseded, activated, ...repeated])
  } catch (error) {
    // What is on record is in use, whatever else could not be written.
    if (activeRecord(engine, name)?.version !== version) {
      await retireVersion(engine, record, callableRecord(engine, name))
      await keepDownWhilePaused(engine)
      throw error
    }
    notKept = error
  }
  // What was found before says nothing about what was put up now.
  engine.inspections.forget(record)
  putIntoUse(engine, record, { grant, tool })
  if (old !== undefined) await retireVersion(engine, old, record)
  await keepDownWhilePaused(engine)
  if (notKept !== undefined) throw notKept
}

/** What was put up to see that it can be, or put back, is not to run while all made tools are paused. */
async function keepDownWhilePaused(engine: LifecycleEngine): Promise<void> {
  if (engine.callables.isPaused) await settleKinds(engine, [])
}

async function prepare(
  engine: LifecycleEngine,
  { grant, record }: PlannedActivation,
  compiled: CompiledTool,
): Promise<ToolDefinition> {
  const kind = engine.kind(record.kind)
  if (engine.callables.isForeign(record.name))
    throw toolsmakerError(
      'TOOL_NAME_TAKEN',
      `The name "${record.name}" belongs to a tool that was not made here.`,
    )
  const guard = guardCalls(engine, record, grant)
  const tool = createMadeTool(record, grant, { kind, compiled, guard })
  if (kind.deploy === undefined) return tool
  const old = callableRecord(engine, record.name)
  const previous = old === undefined || old.kind !== record.kind ? undefined : toSpec(old)
  const question = { kind: record.kind, hook: 'deploy', timeoutMs: engine.kindTimeoutMs }
  try {
    await askKind(question, (options) =>
      kind.deploy?.(specOf(record, grant.content), {
        ...options,
        ...(previous === undefined ? {} : { previous }),
      }),
    )
  } catch (error) {
    // It may have got half way.
    await retireVersion(engine, record, old)
    throw error
  }
  return tool
}

/** The version in use whose signatures were verified; what only the log calls active is never put up again. */
function callableRecord(engine: LifecycleEngine, name: string): VersionRecord | undefined {
  const version = engine.callables.get(name)?.version
  return version === undefined ? undefined : engine.state.get(name, version)
}

/** The version in use, as the log has it. */
export function activeRecord(engine: LifecycleEngine, name: string): VersionRecord | undefined {
  const active = engine.state.tools.get(name)?.active
  return active === undefined ? undefined : engine.state.get(name, active)
}

/**
 * Verifies the version that is on record as active once more, and puts it into the registry or takes it out.
 */
export async function refreshActive(engine: LifecycleEngine, name: string): Promise<void> {
  const record = activeRecord(engine, name)
  if (record === undefined) return engine.callables.remove(name)
  const grant = await judgeVersion(record, judgementBasis(engine))
  if (!grant.ok) return engine.callables.remove(name)
  // One that was left out at the start, because it could not be tried again, stays out.
  const isLeftOut = engine.callables.get(name) === undefined
  if (isLeftOut && newFingerprint(engine, record) !== undefined) return undefined
  if (engine.inspections.changeOf(record) !== undefined) return undefined
  const guard = guardCalls(engine, record, grant)
  const tool = createMadeTool(record, grant, { kind: engine.kind(record.kind), guard })
  return putIntoUse(engine, record, { grant, tool })
}

/**
 * Puts a verified tool into the registry. A log that holds an unsound signature about it is never remembered as verified:
 * the signature must be refused again at each start.
 */
export function putIntoUse(
  engine: LifecycleEngine,
  record: VersionRecord,
  { grant, tool }: { readonly grant: Grant; readonly tool: ToolDefinition },
): void {
  if (!grant.allSound) engine.verified.isClean = false
  engine.callables.set(record.name, {
    tool,
    version: record.version,
    hash: record.contentHash,
    expiresAt: grant.expiresAt,
    sharedUntil: grant.sharedUntil,
    callees: grant.content.callees,
  })
}

/** What versions are judged against at this moment. */
export function judgementBasis(engine: LifecycleEngine): {
  readonly trust: LifecycleEngine['trust']
  readonly namespace: string
  readonly stops: LifecycleEngine['stops']
  readonly store: string
  readonly isProposalKnown: (record: VersionRecord) => Promise<boolean>
  readonly now: number
} {
  const { identity: store, namespace, stops, trust } = engine
  const known = (record: VersionRecord): Promise<boolean> => isProposalKnown(engine, record)
  return { trust, namespace, stops, store, isProposalKnown: known, now: engine.now() }
}

/**
 * Judges what a version would be with more decisions on record.
 *
 * @throws {ToolError} with the code of the refusal when it would not be callable.
 */
export async function assertGranted(
  engine: LifecycleEngine,
  record: VersionRecord,
  wanted: 'approved' | 'activated',
): Promise<Grant> {
  const judged = await judgeVersion(record, judgementBasis(engine), wanted)
  if (judged.ok) return judged
  throw new ToolError(
    judged.code,
    `Version ${record.version} of ${record.name} cannot be put into use: ${judged.reason}.`,
  )
}

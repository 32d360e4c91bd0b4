import {
  type PlannedActivation,
  activateVersion,
  assertGranted,
  assertMayHappen,
  judgementBasis,
  refreshActive,
} from '../activation/activate.ts'
import { applyEvent } from '../lifecycle/apply-event.ts'
import type { ToolRunLimits } from '../tool-spec.ts'
import { assertIntact } from './assert-intact.ts'
import { takeDecision } from './decide.ts'
import { hostStatement } from './prepare-statement.ts'
import { decisionId, readDecision, sealDecision } from './decision-schema.ts'
import { describeVersionProblem } from './decision-check.ts'
import type { DecisionStatement, OpenedDecision, VersionStatement } from './decision-statement.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { recordExpiry } from './expire.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { Actor, VersionEvent } from '../lifecycle/lifecycle-event.ts'
import { signDecision } from './sign-decision.ts'
import type { ActivationLimits, DecisionSource } from '../toolsmaker.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { describeUnattested } from '../review/read-report.ts'
import { assertFourEyes } from './four-eyes.ts'
import { whyNoRule } from './why-no-rule.ts'

/** Records a signed approval, and the activation where the decision is for both. */
export async function approveVersion(
  engine: LifecycleEngine,
  { name, version }: { readonly name: string; readonly version: number },
  source: DecisionSource,
): Promise<void> {
  await engine.trust.refresh()
  await recordExpiry(engine, engine.find(name, version))
  const record = engine.find(name, version)
  if (record.status === 'expired')
    throw toolsmakerError(
      'APPROVAL_EXPIRED',
      `Version ${version} of ${name} has expired: ${record.reason}. Have it proposed again.`,
    )
  assertMayHappen('tool_approval_given', record)
  const decision = await takeDecision(engine, source, {
    record,
    actions: ['approve', 'approve_and_activate'],
  })
  const { keyId } = decision
  const { approver } = decision.statement
  const { requiredApprovals } = engine.trust.policy()
  await assertFourEyes(record, { decision, given: record.decisions }, judgementBasis(engine))
  const actor: Actor = { kind: 'person', id: approver }
  const signed = sealDecision(decision)
  const frame = { ...engine.stamp(actor), name, version }
  if (record.status !== 'approval_required') {
    // A signature that is added later: it renews one that runs out, or replaces one that counts no longer.
    await engine.record([{ ...frame, type: 'tool_approval_given', decision: signed }])
    return refreshActive(engine, name)
  }
  const given = await soundApprovals(engine, record)
  if (given.some((other) => other.statement.approver === approver || other.keyId === keyId))
    throw toolsmakerError(
      'FOUR_EYES_REQUIRED',
      `"${approver}" has approved it already. ${requiredApprovals} different approvers must sign.`,
    )
  const people = new Set([...given.map(({ statement }) => statement.approver), approver])
  if (people.size < requiredApprovals)
    return engine.record([{ ...frame, type: 'tool_approval_given', decision: signed }])
  const approved: VersionEvent = {
    ...frame,
    type: 'tool_approved',
    approvalId: decisionId(decision),
    approvedBy: { people: [...people] },
    decision: signed,
  }
  if (decision.statement.action === 'approve') return engine.record([approved])
  await activateVersion(engine, await planActivation(engine, { record, approved, actor }))
}

/** The approvals on record that count together with one more: for the report that is read now, and not run out. */
async function soundApprovals(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<VersionRecord['decisions']> {
  const sound: OpenedDecision<VersionStatement>[] = []
  for (const decision of record.decisions) {
    const { expiresAt, reportHash } = decision.statement
    if (expiresAt !== null && expiresAt <= engine.now()) continue
    if (reportHash !== record.reportHash) continue
    // oxlint-disable-next-line no-await-in-loop -- there are at most ten
    const problem = await describeVersionProblem(decision, record, {
      actions: ['approve', 'approve_and_activate'],
      basis: judgementBasis(engine),
    })
    if (problem === undefined) sound.push(decision)
  }
  return sound
}

/** Plans the activation that comes with an approval. */
export async function planActivation(
  engine: LifecycleEngine,
  {
    record,
    approved,
    actor,
    earlier = [],
  }: {
    readonly record: VersionRecord
    readonly approved: Extract<VersionEvent, { type: 'tool_approved' }>
    readonly actor: Actor
    readonly earlier?: readonly VersionEvent[]
  },
): Promise<PlannedActivation> {
  const { name, version } = approved
  const { statement } = readDecision(approved.decision)
  const activated: PlannedActivation['activated'] = {
    ...engine.stamp(actor),
    type: 'tool_activated',
    name,
    version,
    approvalId: approved.approvalId,
    ...narrowedPart(record, statement),
  }
  const planned = foresee(engine, record, [approved, activated])
  const grant = await assertGranted(engine, planned, 'activated')
  return { record: planned, grant, before: [...earlier, approved], activated, actor }
}

/** What the log would say about a version after more events. */
function foresee(
  engine: LifecycleEngine,
  record: VersionRecord,
  events: readonly VersionEvent[],
): VersionRecord {
  const firstOfTool = engine.state.tools.get(record.name)?.everApproved !== true
  const place = { sequence: engine.state.sequence + 1, firstOfTool }
  return events.reduce<VersionRecord>(
    (before, event) => applyEvent(before, event, place) ?? before,
    record,
  )
}

/** Puts an approved version into use, by a person's signature or by the host's where a rule approved it. */
export async function activateApproved(
  engine: LifecycleEngine,
  { name, version }: { readonly name: string; readonly version: number },
  options: ActivationLimits & (DecisionSource | { readonly byRule: true }),
): Promise<void> {
  await engine.trust.refresh()
  await recordExpiry(engine, engine.find(name, version))
  const record = engine.find(name, version)
  assertMayHappen('tool_activated', record)
  assertIntact(engine, record)
  await assertGranted(engine, record, 'approved')
  const decision =
    'byRule' in options
      ? await decideByRule(engine, record)
      : await takeDecision(engine, options, {
          record,
          actions: ['activate'],
          limits: pickLimits(options),
        })
  const actor: Actor =
    'byRule' in options ? engine.host : { kind: 'person', id: decision.statement.approver }
  const activated: PlannedActivation['activated'] = {
    ...engine.stamp(actor),
    type: 'tool_activated',
    name,
    version,
    approvalId: record.approval?.approvalId ?? '',
    decision: sealDecision(decision),
    ...narrowedPart(record, decision.statement),
  }
  const planned = foresee(engine, record, [activated])
  const grant = await assertGranted(engine, planned, 'activated')
  await activateVersion(engine, { record: planned, grant, before: [], activated, actor })
}

/** The limits that a decision puts in force, where they are others than the version's own. */
function narrowedPart(
  { content }: VersionRecord,
  statement: DecisionStatement,
): { readonly limits?: ToolRunLimits } {
  const own: ToolRunLimits = content?.limits ?? {}
  const limits = 'limits' in statement ? statement.limits : {}
  const narrowed = Object.entries(limits).filter(
    ([field, value]) => own[field as keyof ToolRunLimits] !== value,
  )
  return narrowed.length === 0 ? {} : { limits: Object.fromEntries(narrowed) }
}

function pickLimits({
  maxInputBytes,
  maxOutputBytes,
  maxOutputChars,
  timeoutMs,
}: ActivationLimits): ActivationLimits {
  return {
    ...(maxInputBytes === undefined ? {} : { maxInputBytes }),
    ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
    ...(maxOutputChars === undefined ? {} : { maxOutputChars }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Has the host sign for a version that a rule approved. What a person approved or took out of use, only a person activates. */
async function decideByRule(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<OpenedDecision<VersionStatement>> {
  if (record.hold !== undefined)
    throw toolsmakerError(
      'TOOL_HELD',
      `Version ${record.version} of ${record.name} is held: ${record.reason}. A person must look at it and activate it. Pass a signed decision.`,
    )
  const why = record.content === undefined ? undefined : whyNoRule(engine, record.content)
  if (why !== undefined)
    throw toolsmakerError(
      'DECISION_INVALID',
      `No rule puts version ${record.version} of ${record.name} into use: ${why}. A person must activate it. Pass a signed decision.`,
    )
  const rule = record.decisions.find(({ statement }) => statement.rule !== undefined)?.statement
    .rule
  if (rule === undefined)
    throw toolsmakerError(
      'DECISION_INVALID',
      `Version ${record.version} of ${record.name} was approved by a person, so a person must activate it. Pass a signed decision.`,
    )
  const problem = await describeUnattested(engine, record)
  if (problem !== undefined)
    throw toolsmakerError(
      'REVIEW_CHANGED',
      `The host does not put version ${record.version} of ${record.name} into use by itself: of the report on record, ${problem}. Have it validated again.`,
    )
  const statement = hostStatement(engine, record, { action: 'activate', expiresAt: null, rule })
  const signed = await signDecision(statement, engine.trust.hostSigner())
  return readDecision(signed) as OpenedDecision<VersionStatement>
}

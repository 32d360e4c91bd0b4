import { describeNameProblem } from '@toolcrib/registry'
import type { LifecycleEvent, LifecycleEventType } from '../lifecycle/lifecycle-event.ts'

type Test = (value: unknown) => boolean
type Fields = Readonly<Record<string, Test>>

const isText: Test = (value) => typeof value === 'string'
const isObject: Test = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTextList: Test = (value) => Array.isArray(value) && value.every(isText)
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value)
const isPrincipal: Test = (value) => {
  if (!isObject(value)) return false
  const { kind, id } = value as { kind?: unknown; id?: unknown }
  return isText(kind) && isText(id)
}
const isDecision: Test = (value) => {
  if (!isObject(value)) return false
  const decision = value as Record<string, unknown>
  // Before version 2 of statements a decision stood there as such; it is read, and counts no longer.
  if (isObject(decision['statement'])) return isText(decision['signature'])
  return (
    isText(decision['payloadType']) &&
    isText(decision['payload']) &&
    Array.isArray(decision['signatures']) &&
    decision['signatures'].every(isObject)
  )
}
const isReport: Test = (value) => {
  if (!isObject(value)) return false
  const report = value as Record<string, unknown>
  return (
    Array.isArray(report['checks']) &&
    Array.isArray(report['evidence']) &&
    ['powers', 'steps', 'change', 'suspicions'].every((field) => isTextList(report[field]))
  )
}
const isRunList: Test = (value) => Array.isArray(value) && value.every(isObject)
const isContent: Test = (value) => {
  if (!isObject(value)) return false
  const content = value as Record<string, unknown>
  return (
    ['kind', 'name', 'description', 'risk', 'visibility', 'owner'].every((field) =>
      isText(content[field]),
    ) &&
    ['inputSchema', 'limits'].every((field) => isObject(content[field])) &&
    ['capabilities', 'allowedPaths', 'allowedDomains', 'secrets'].every((field) =>
      isTextList(content[field]),
    ) &&
    Array.isArray(content['examples']) &&
    Array.isArray(content['callees']) &&
    content['callees'].every(isObject) &&
    content['definition'] !== undefined
  )
}

const versionFields: Fields = {
  name: (value) => describeNameProblem(value) === undefined,
  version: (value) => isCount(value) && Number(value) >= 1,
}
const reason: Fields = { ...versionFields, reason: isText }
const decided: Fields = { ...versionFields, decision: isDecision }

const fieldsByType: Readonly<Record<LifecycleEventType, Fields>> = {
  tool_build_requested: { ...versionFields, kind: isText },
  tool_build_generated: { ...versionFields, contentHash: isText, content: isContent },
  tool_build_validated: {
    ...versionFields,
    report: isReport,
    reportHash: optional(isText),
    attestation: optional(isObject),
    fingerprint: optional(isText),
  },
  tool_validated_again: {
    ...versionFields,
    report: isReport,
    reportHash: isText,
    attestation: optional(isObject),
    fingerprint: optional(isText),
  },
  tool_build_rejected: {
    ...versionFields,
    reasons: isTextList,
    report: isReport,
    reportHash: optional(isText),
    attestation: optional(isObject),
  },
  tool_approval_required: { ...versionFields, reasons: isTextList, expiresAt: isCount },
  tool_approval_given: decided,
  tool_approved: { ...decided, approvalId: isText, approvedBy: isObject },
  tool_rejected: reason,
  tool_withdrawn: reason,
  tool_expired: { ...versionFields, what: isText },
  tool_activated: {
    ...versionFields,
    approvalId: isText,
    decision: optional(isDecision),
    limits: optional(isObject),
  },
  tool_superseded: { ...versionFields, by: isCount },
  tool_deactivated: reason,
  tool_revoked: { ...reason, contentHash: isText },
  tool_share_given: decided,
  tool_share_ended: versionFields,
  tool_shared: decided,
  tool_evidence_repeated: { ...versionFields, fingerprint: isText },
  tool_held: { ...reason, fingerprint: optional(isText), evidence: optional(isRunList) },
  tool_tampered: reason,
  tool_policy_blocked: {
    name: (value) => describeNameProblem(value) === undefined,
    // Tools that were not made here have none.
    version: optional((value) => isCount(value) && Number(value) >= 1),
    reason: isText,
    rule: optional(isText),
    tried: optional(isText),
    principal: optional(isPrincipal),
    callId: optional(isText),
    count: optional((value) => isCount(value) && Number(value) >= 1),
  },
  tool_activation_failed: reason,
  tools_paused: { reason: isText },
  tools_resumed: { decision: isDecision, confirmation: isDecision },
  event_log_upgraded: { from: isCount, format: isCount, expiresAt: isCount, knownUpTo: isCount },
  log_accepted: { decision: isDecision },
  event_log_started: { id: isText, format: isCount, hostKey: isText },
  audit_recovered: { bytes: isCount, keptAs: isText },
  projection_restored: { file: isText },
}

/** The same as lists: a start goes through them for each row of the log. */
const fieldsOf: ReadonlyMap<unknown, readonly (readonly [field: string, test: Test])[]> = new Map(
  Object.entries(fieldsByType).map(([type, fields]) => [type, Object.entries(fields)]),
)

/**
 * Tells whether a value read from a log has the form of an event. It says nothing about whether the event is true: the
 * chain and the signatures do.
 */
export function isLifecycleEvent(value: unknown): value is LifecycleEvent {
  if (!isObject(value)) return false
  const event = value as Record<string, unknown>
  const { type, at, actor } = event
  const fields = fieldsOf.get(type)
  if (fields === undefined) return false
  if (!isText(at) || !isObject(actor) || !isText((actor as { id?: unknown }).id)) return false
  for (const [field, test] of fields) if (!test(event[field])) return false
  return true
}

import { type JsonValue, type Principal, principalKey } from '@toolcrib/registry'
import { type PlannedActivation, activateVersion } from '../activation/activate.ts'
import { applyEvent } from '../lifecycle/apply-event.ts'
import { planActivation } from '../approvals/approve.ts'
import { whyNoRule } from '../approvals/why-no-rule.ts'
import { previousApproved } from '../review/previous-approved.ts'
import { parseBuildRequest } from './build-request-schema.ts'
import { hostStatement } from '../approvals/prepare-statement.ts'
import { decisionId, readDecision } from '../approvals/decision-schema.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { type DeferredBuildRequest, isDeferred } from './deferred-build-request.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { hashJson } from '../hash-json.ts'
import { riskOf } from '../validation/implied-risk.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { Actor, VersionEvent } from '../lifecycle/lifecycle-event.ts'
import { copyPlain } from '../plain-copy.ts'
import { contentInUse, otherNames } from './other-names.ts'
import { isLive, ownerOf } from './owner-of.ts'
import { pinCallees, visibilityFor } from '../validation/pin-callees.ts'
import { judgeByPolicy } from '../approvals/policy-judgement.ts'
import { signDecision } from '../approvals/sign-decision.ts'
import type { ToolBuildRequest } from './tool-build-request.ts'
import type { ToolContent } from '../tool-spec.ts'
import { validateProposal } from '../validation/validate-proposal.ts'
import { attestReport, isProposalKnown } from '../validation/report-attestation.ts'
import { hashReport } from '../validation/report-hash.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { type VersionRecord, specOf, toSpec } from '../lifecycle/version-record.ts'

/** Which version a proposal became, or which one it was already. */
export interface Proposed {
  readonly name: string
  readonly version: number
  readonly existing: boolean
}

/** Who proposes, and how long the proposer waits. */
export interface ProposeOptions {
  readonly principal: Principal
  readonly signal?: AbortSignal | undefined
  /** Why a person must decide, whatever the rules say. */
  readonly waitBecause?: string
}

/** Reads a request, and takes a copy of it, before anything is waited for. */
function readRequest(engine: LifecycleEngine, request: unknown): ToolBuildRequest {
  const copy = copyPlain(request, { what: 'build request', code: 'REQUEST_INVALID' })
  return parseBuildRequest(copy, engine.limits)
}

/** Reads a request that is there, before anything is waited for; one that has to be written first is left for its turn. */
export function readProposal(
  engine: LifecycleEngine,
  request: ToolBuildRequest | DeferredBuildRequest,
): ToolBuildRequest | DeferredBuildRequest {
  return isDeferred(request) ? request : readRequest(engine, request)
}

/**
 * Puts a proposal on record: checked, tried, and approved by rule or waiting for a person. What is on record already changes nothing,
 * so it counts for no quota and is answered at once.
 *
 * @throws {ToolError} OWNER_QUOTA_EXCEEDED before anything of it is written or checked
 */
export async function propose(
  engine: LifecycleEngine,
  request: ToolBuildRequest | DeferredBuildRequest,
  options: ProposeOptions,
): Promise<Proposed> {
  if (isDeferred(request)) return proposeDeferred(engine, request, options)
  const { principal, signal } = options
  const key = principalKey(principal)
  const owner = ownerOf(engine, request.name) ?? key
  const content = contentOf(engine, request, { owner, principal })
  const mayKnow = owner === key || principal.kind !== 'agent'
  const existing = mayKnow ? await findSame(engine, content) : undefined
  if (existing !== undefined) return existing
  const proposal = { principal, name: request.name, content }
  await engine.quotas.admit(proposal)
  const work = async (): Promise<Proposed> => {
    // It may have come on record while this waited for its turn.
    const same = mayKnow ? await findSame(engine, content) : undefined
    if (same !== undefined) return same
    const assertRoom = (): void => engine.quotas.assertRoom(proposal)
    assertRoom()
    return proposeNow(engine, request, { ...options, assertRoom })
  }
  return engine.turns.run(key, work, signal)
}

async function proposeDeferred(
  engine: LifecycleEngine,
  deferred: DeferredBuildRequest,
  options: ProposeOptions,
): Promise<Proposed> {
  const { principal, signal } = options
  const { name } = deferred
  const key = principalKey(principal)
  await engine.quotas.admit({ principal, name })
  const work = async (): Promise<Proposed> => {
    // Those before it may have used up what was left: then it is not even written.
    engine.quotas.assertRoom({ principal, name })
    const request = readRequest(engine, await deferred.write())
    const owner = ownerOf(engine, request.name) ?? key
    const content = contentOf(engine, request, { owner, principal })
    const proposal = { principal, name: request.name, content }
    const assertRoom = (): void => engine.quotas.assertRoom(proposal)
    assertRoom()
    return proposeNow(engine, request, { ...options, assertRoom })
  }
  return engine.turns.run(key, work, signal)
}

async function proposeNow(
  engine: LifecycleEngine,
  request: ToolBuildRequest,
  options: ProposeOptions & { readonly assertRoom: () => void },
): Promise<Proposed> {
  const kind = engine.kind(request.kind)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- it repeats only when the tool changed meanwhile
    const draft = await draftOf(engine, request, options.principal)
    if ('existing' in draft) return draft
    const { content, previous, record } = draft
    const proposal = deepFreeze({
      spec: specOf(record, content),
      ...(previous === undefined ? {} : { previous }),
    })
    const { fingerprint } = kind
    const { sequence } = engine.state
    // oxlint-disable-next-line no-await-in-loop -- as above
    const report = await validateProposal(proposal, {
      kind,
      registry: engine.registry,
      isVisible: visibilityFor(engine.registry, options.principal),
      contentInUse: (name) => contentInUse(engine, name),
      declaredRisk: request.risk,
      privateAddresses: engine.privateAddresses,
      // oxlint-disable-next-line no-await-in-loop -- as above
      otherNames: await otherNames(engine, request.name),
      kindTimeoutMs: engine.kindTimeoutMs,
      signal: options.signal,
    })
    // oxlint-disable-next-line no-await-in-loop -- as above
    const proposed = await engine.queue.run(async () => {
      await engine.begin()
      const now = await draftOf(engine, request, options.principal)
      if ('existing' in now) return now
      // What was checked and compared is no longer what would be recorded.
      if (now.record.contentHash !== record.contentHash) return undefined
      if (now.previous?.version !== previous?.version) return undefined
      // Another one of this owner may have come on record beside it.
      options.assertRoom()
      if (await hasNewTwin(engine, request.name, sequence)) return undefined
      await recordProposal(engine, now, { report, fingerprint, waitBecause: options.waitBecause })
      return { name: request.name, version: now.record.version, existing: false }
    }, options.signal)
    if (proposed !== undefined) return proposed
  }
}

interface Draft {
  readonly content: ToolContent
  readonly record: VersionRecord
  readonly previous?: NonNullable<ReturnType<typeof toSpec>>
  readonly events: readonly [VersionEvent, VersionEvent]
}

async function draftOf(
  engine: LifecycleEngine,
  request: ToolBuildRequest,
  principal: Principal,
): Promise<Draft | Proposed> {
  const { name } = request
  const tool = engine.state.tools.get(name)
  if (engine.callables.isForeign(name))
    throw toolsmakerError(
      'TOOL_NAME_TAKEN',
      `The name "${name}" belongs to a tool that was not made here. Choose another name.`,
    )
  const owner = ownerOf(engine, name)
  if (owner !== undefined && owner !== principalKey(principal) && principal.kind === 'agent')
    throw toolsmakerError(
      'TOOL_NOT_OWNED',
      `The tool "${name}" belongs to another owner, so you cannot propose a version of it. Choose another name.`,
    )
  const content = contentOf(engine, request, {
    owner: owner ?? principalKey(principal),
    principal,
  })
  const contentHash = hashJson(content as unknown as JsonValue)
  const same = await findSame(engine, content)
  if (same !== undefined) return same
  const versions = [...(tool?.versions.values() ?? [])]
  const version = Math.max(0, ...versions.map((record) => record.version)) + 1
  const actor: Actor = { kind: principal.kind, id: principal.id }
  const frame = { ...engine.stamp(actor), name, version }
  const events: Draft['events'] = [
    {
      ...frame,
      type: 'tool_build_requested',
      kind: request.kind,
      ...(request.provenance === undefined ? {} : { provenance: request.provenance }),
    },
    { ...frame, type: 'tool_build_generated', contentHash, content },
  ]
  const previous = await previousApproved(engine, { name, version })
  const previousSpec = previous === undefined ? undefined : toSpec(previous)
  const record = foldAll(events, engine.state.sequence)
  return {
    content,
    record,
    events,
    ...(previousSpec === undefined ? {} : { previous: previousSpec }),
  }
}

/**
 * The version that a content is already, whoever proposed it, where that was not turned down. With four eyes one that was never
 * proposed to this host is none: nobody could approve it.
 */
async function findSame(
  engine: LifecycleEngine,
  content: ToolContent,
): Promise<Proposed | undefined> {
  const { name } = content
  if (engine.callables.isForeign(name)) return undefined
  const { proposer: _other, ...rest } = content
  // There are few proposers of a tool, and there may be many versions.
  const hashes = new Map<string | undefined, string>()
  const hashAs = (proposer: string | undefined): string => {
    const known = hashes.get(proposer)
    if (known !== undefined) return known
    const same = { ...rest, ...(proposer === undefined ? {} : { proposer }) }
    const hash = hashJson(same as unknown as JsonValue)
    hashes.set(proposer, hash)
    return hash
  }
  const versions = [...(engine.state.tools.get(name)?.versions.values() ?? [])]
  const same = versions.findLast(
    (record) => isLive(record) && record.contentHash === hashAs(record.content?.proposer),
  )
  if (same === undefined) return undefined
  if (engine.trust.policy().fourEyes && !(await isProposalKnown(engine, same))) return undefined
  return { name, version: same.version, existing: true }
}

function foldAll(events: Draft['events'], sequence: number): VersionRecord {
  const [requested, generated] = events
  const place = { sequence: sequence + 1, firstOfTool: true }
  const record = applyEvent(applyEvent(undefined, requested, place), generated, place)
  // A request always begins a record.
  return record as VersionRecord
}

function contentOf(
  engine: LifecycleEngine,
  request: ToolBuildRequest,
  { owner, principal }: { readonly owner: string; readonly principal: Principal },
): ToolContent {
  const active = engine.callables.get(request.name)?.tool.source
  const present = active?.type === 'made' ? active.visibility : 'owner'
  const { callees, outputSchema, provenance: _notHashed, visibility = present, ...same } = request
  return deepFreeze({
    ...same,
    risk: riskOf(request.risk, request, engine.kinds.get(request.kind)),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    callees: pinCallees(callees, engine.registry, visibilityFor(engine.registry, principal)),
    visibility,
    owner,
    proposer: principalKey(principal),
  })
}

/** Whether a name like this one came up since its proposal was checked. */
async function hasNewTwin(engine: LifecycleEngine, name: string, since: number): Promise<boolean> {
  return [...(await engine.names.similarTo(name))].some(
    (other) => Number(engine.state.tools.get(other)?.sequences[0]) > since,
  )
}

async function recordProposal(
  engine: LifecycleEngine,
  draft: Draft,
  {
    report,
    fingerprint,
    waitBecause,
  }: {
    readonly report: ValidationReport
    readonly fingerprint: string | undefined
    readonly waitBecause: string | undefined
  },
): Promise<void> {
  await engine.trust.refresh()
  const { content, events, record } = draft
  const { name, version } = record
  const frame = { ...engine.stamp(engine.host), name, version }
  const reportHash = hashReport(report)
  // Requested, generated, and then the report.
  const sequence = engine.state.sequence + 3
  const attestation = await attestReport(engine, record, { reportHash, sequence, first: true })
  const reported = { report, reportHash, attestation }
  if (!report.pass) {
    const reasons = report.checks.filter(({ pass }) => !pass).map(reasonOf)
    return engine.record([
      ...events,
      { ...frame, type: 'tool_build_rejected', reasons, ...reported },
    ])
  }
  const validated: VersionEvent = {
    ...frame,
    type: 'tool_build_validated',
    ...reported,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
  const policy = engine.trust.policy()
  const facts = {
    newTool: engine.state.tools.get(name)?.everApproved !== true,
    suspicions: report.suspicions,
  }
  const { needsPerson } = engine.kind(content.kind)
  const reasons = [waitBecause, needsPerson, whyNoRule(engine, content)].filter(
    (reason) => reason !== undefined,
  )
  const judged =
    reasons.length === 0
      ? judgeByPolicy(policy, content, facts)
      : ({ rule: undefined, reasons } as const)
  if (judged.rule !== undefined) {
    const plan = await planByRule(engine, { draft, validated, rule: judged.rule.id })
    return activateOrReport(engine, plan)
  }
  await engine.record([
    ...events,
    validated,
    {
      ...frame,
      type: 'tool_approval_required',
      reasons: judged.reasons,
      expiresAt: engine.now() + policy.pendingExpiryMs,
    },
  ])
}

function reasonOf({ message, name }: { readonly name: string; readonly message: string }): string {
  return `${name}: ${message}`
}

async function planByRule(
  engine: LifecycleEngine,
  {
    draft,
    validated,
    rule,
  }: { readonly draft: Draft; readonly validated: VersionEvent; readonly rule: string },
): Promise<PlannedActivation> {
  const { events, record } = draft
  const { name, version } = record
  const { approvalExpiryMs } = engine.trust.policy()
  const signer = engine.trust.hostSigner()
  // Requested, generated, validated: the decision follows those.
  const basis = engine.state.sequence + 3
  const checked = applyEvent(record, validated, { sequence: basis, firstOfTool: true }) ?? record
  const decision = await signDecision(
    hostStatement(engine, checked, {
      action: 'approve_and_activate',
      expiresAt: approvalExpiryMs === null ? null : engine.now() + approvalExpiryMs,
      rule,
    }),
    signer,
  )
  const actor = engine.host
  const approved: Extract<VersionEvent, { type: 'tool_approved' }> = {
    ...engine.stamp(actor),
    type: 'tool_approved',
    name,
    version,
    approvalId: decisionId(readDecision(decision)),
    approvedBy: { rule, host: signer.publicKey },
    decision,
  }
  return planActivation(engine, {
    record: checked,
    approved,
    actor,
    earlier: [...events, validated],
  })
}

/** A proposal that a rule approved and that cannot be put into use is on record as approved, with the reason. */
async function activateOrReport(engine: LifecycleEngine, plan: PlannedActivation): Promise<void> {
  const { name, version } = plan.record
  try {
    await activateVersion(engine, plan)
  } catch (error) {
    if (engine.state.get(name, version) === undefined) throw error
    engine.logger.warn({ error, name, version }, 'A made tool was approved but not put into use')
  }
}

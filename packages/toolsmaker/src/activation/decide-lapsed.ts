import { planActivation } from '../approvals/approve.ts'
import { decisionId, readDecision } from '../approvals/decision-schema.ts'
import { judgeByPolicy } from '../approvals/policy-judgement.ts'
import { hostStatement } from '../approvals/prepare-statement.ts'
import { whyNoRule } from '../approvals/why-no-rule.ts'
import { signDecision } from '../approvals/sign-decision.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { hashReport } from '../validation/report-hash.ts'
import { validateAgain } from '../validation/validate-again.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { activateVersion } from './activate.ts'

/**
 * Checks and tries anew what was in use in an older form of the log, and has the policy decide: where a rule approves it, it is in use
 * again; else it goes on waiting for a person. One that cannot be tried waits as well.
 */
export async function decideLapsed(engine: LifecycleEngine, signal?: AbortSignal): Promise<void> {
  // The host signs nothing of a log that is not the one that it knows.
  if (engine.verified.problem !== undefined) return
  const lapsed = [...engine.state.tools.values()].flatMap(({ versions }) =>
    [...versions.values()].filter((record) => isUndecided(engine, record)),
  )
  for (const { name, version } of lapsed) {
    signal?.throwIfAborted()
    try {
      // oxlint-disable-next-line no-await-in-loop -- a kind tries one after the other
      const report = await validateAgain(engine, { name, version }, signal)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await engine.queue.run(() => decideByRule(engine, engine.find(name, version), report), signal)
    } catch (error) {
      engine.logger.warn({ error, name, version }, 'A custom tool of an older event log waits')
    }
  }
}

/** What was tried since waits for a person, and so does what somebody else may have said was in use. */
function isUndecided(
  { verified }: LifecycleEngine,
  { reportHash, revision, status, wasInUse }: VersionRecord,
): boolean {
  if (wasInUse !== true || verified.isDoubtful(revision)) return false
  return status === 'approval_required' && reportHash === undefined
}

async function decideByRule(
  engine: LifecycleEngine,
  record: VersionRecord,
  report: ValidationReport,
): Promise<void> {
  const { content, name, version } = record
  // A rule decides on the report that was made just now, as long as it is the one on record.
  if (content === undefined || !report.pass || record.reportHash !== hashReport(report)) return
  if (engine.kind(record.kind).needsPerson !== undefined) return
  if (whyNoRule(engine, content) !== undefined) return
  const newTool = engine.state.tools.get(name)?.everApproved !== true
  const policy = engine.trust.policy()
  const { rule } = judgeByPolicy(policy, content, { newTool, suspicions: report.suspicions })
  if (rule === undefined) return
  const { approvalExpiryMs } = policy
  const signer = engine.trust.hostSigner()
  const expiresAt = approvalExpiryMs === null ? null : engine.now() + approvalExpiryMs
  const decided = { action: 'approve_and_activate', expiresAt, rule: rule.id } as const
  const decision = await signDecision(hostStatement(engine, record, decided), signer)
  const actor = engine.host
  const plan = await planActivation(engine, {
    record,
    actor,
    approved: {
      ...engine.stamp(actor),
      type: 'tool_approved',
      name,
      version,
      approvalId: decisionId(readDecision(decision)),
      approvedBy: { rule: rule.id, host: signer.publicKey },
      decision,
    },
  })
  await activateVersion(engine, plan)
}

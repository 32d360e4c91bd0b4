import { assertMayHappen, judgementBasis, refreshActive } from '../activation/activate.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { DecisionSource } from '../toolsmaker.ts'
import { takeDecision } from './decide.ts'
import { sealDecision } from './decision-schema.ts'
import { assertFourEyes } from './four-eyes.ts'
import { judgeSharing } from './judge-version.ts'

/** Records a signature for sharing a version, and shares it with the one that makes them enough. */
export async function shareVersion(
  engine: LifecycleEngine,
  { name, version }: { readonly name: string; readonly version: number },
  source: DecisionSource,
): Promise<void> {
  await engine.trust.refresh()
  const record = engine.find(name, version)
  assertMayHappen('tool_shared', record)
  const decision = await takeDecision(engine, source, { record, actions: ['share'] })
  const basis = judgementBasis(engine)
  const given = record.shareDecisions ?? []
  await assertFourEyes(record, { decision, given }, basis)
  const { approver } = decision.statement
  const before = await judgeSharing(record, basis)
  // Once it is shared, a signature that is added renews one that runs out.
  const isTwice = before.sound.some(
    ({ keyId, statement }) =>
      (statement.expiresAt ?? Infinity) > basis.now &&
      (statement.approver === approver || keyId === decision.keyId),
  )
  if (isTwice && !before.path.ok)
    throw toolsmakerError(
      'FOUR_EYES_REQUIRED',
      `"${approver}" has signed it already. ${basis.trust.policy().requiredApprovals} different approvers must sign.`,
    )
  const after = await judgeSharing({ ...record, shareDecisions: [...given, decision] }, basis)
  await engine.record([
    {
      ...engine.stamp({ kind: 'person', id: approver }),
      type: after.path.ok ? 'tool_shared' : 'tool_share_given',
      name,
      version,
      decision: sealDecision(decision),
    },
  ])
  if (record.status === 'activated') await refreshActive(engine, name)
}

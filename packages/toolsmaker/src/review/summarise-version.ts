import { missingShares, recordedEnd } from '../approvals/approval-end.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { VersionSummary } from './version-summary.ts'

/** A version as a list shows it. */
export function summariseVersion(engine: LifecycleEngine, record: VersionRecord): VersionSummary {
  const { activation, approval, content, name, pendingExpiresAt, status, version } = record
  const entry = engine.callables.get(name)
  const callable = entry?.version === version
  const source = callable ? entry.tool.source : undefined
  const reason = reasonOf(record, callable)
  const end = recordedEnd(record, engine.trust)
  const missing = missingShares(record, { now: engine.now(), trust: engine.trust })
  const visibility =
    source?.type === 'made'
      ? source.visibility
      : missing === 0
        ? 'shared'
        : (content?.visibility ?? 'owner')
  return {
    name,
    version,
    kind: record.kind,
    description: content?.description ?? '',
    status,
    contentHash: record.contentHash,
    owner: content?.owner ?? `${record.createdBy.kind}:${record.createdBy.id}`,
    visibility,
    ...(missing === undefined || missing === 0 || visibility === 'shared'
      ? {}
      : { missingShares: missing }),
    risk: content?.risk ?? 'high',
    capabilities: content?.capabilities ?? [],
    createdAt: record.createdAt,
    createdBy: record.createdBy.id,
    updatedAt: record.updatedAt,
    callable,
    ...(reason === undefined ? {} : { reason }),
    ...(record.hold !== undefined && status === 'deactivated' ? { held: true } : {}),
    ...(approval === undefined
      ? {}
      : { approvalId: approval.approvalId, approvedBy: approval.approvedBy }),
    ...(end === undefined ? {} : { approvalExpiresAt: end }),
    ...(status === 'approval_required' && pendingExpiresAt !== undefined
      ? { pendingExpiresAt }
      : {}),
    ...(status === 'activated' && activation?.limits !== undefined
      ? { activeLimits: activation.limits }
      : {}),
  }
}

function reasonOf(record: VersionRecord, callable: boolean): string | undefined {
  if (callable) return undefined
  if (record.status === 'activated')
    return record.damage ?? record.notice ?? 'its signatures were not verified yet'
  if (record.status === 'approval_required') return record.waitsBecause?.join('; ')
  return record.reason ?? record.notice
}

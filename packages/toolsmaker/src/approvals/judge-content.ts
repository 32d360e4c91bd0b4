import type { JsonValue } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { StopList } from '../stops/stop-list.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { Trust } from '../trust/trust.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** Why a version must not be callable, with the code that a call gets. */
export interface Refusal {
  readonly ok: false
  readonly code: 'TOOL_TAMPERED' | 'TOOL_REVOKED' | 'POLICY_VIOLATION'
  readonly reason: string
  /** A stop that the log has lost keeps it out of use. */
  readonly isStopped?: true
}

/** What a version is judged against. */
export interface JudgementBasis {
  readonly trust: Trust
  readonly namespace: string
  /** Identity of the event log. */
  readonly store: string
  /** What is stopped, whatever the log says. */
  readonly stops: Pick<StopList, 'of'>
  /** Whether a version was proposed to this host, so that the proposer whom its content names is the one. */
  readonly isProposalKnown: (record: VersionRecord) => Promise<boolean>
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Up to which event of the log nothing needs to be verified again; see {@link VerifiedLog}. @default 0 */
  readonly verifiedUpTo?: number
}

/** A refusal because something is not what it should be. */
export function tampered(reason: string): Refusal {
  return { ok: false, code: 'TOOL_TAMPERED', reason }
}

/** The refusal of a revoked version. */
export const revoked: Refusal = {
  ok: false,
  code: 'TOOL_REVOKED',
  reason: 'the version was revoked',
}

/** Whether a version was revoked, in the log or where the log cannot forget it. */
export function isRevoked(
  { contentHash, name, status, version }: VersionRecord,
  { namespace, trust }: Pick<JudgementBasis, 'trust' | 'namespace'>,
): boolean {
  return status === 'revoked' || trust.isRevoked({ namespace, name, version, contentHash })
}

/** Whether the content of a record is what its hash says, and is not on the list of the revoked. */
export function judgeContent(
  record: VersionRecord,
  { trust, namespace }: Pick<JudgementBasis, 'trust' | 'namespace'>,
): { readonly ok: true; readonly content: ToolContent } | Refusal {
  const { content, contentHash, damage, kind, name } = record
  if (damage !== undefined) return tampered(damage)
  if (isRevoked(record, { namespace, trust })) return revoked
  if (content === undefined) return tampered('the log does not hold its content')
  let hash: string
  try {
    hash = hashJson(content as unknown as JsonValue)
  } catch {
    return tampered('its content is not JSON')
  }
  if (hash !== contentHash)
    return tampered(
      `its content has hash ${hash.slice(0, 12)}…, recorded is ${contentHash.slice(0, 12)}…`,
    )
  if (content.name !== name || content.kind !== kind)
    return tampered(`its content is that of ${content.kind} ${content.name}`)
  return { ok: true, content }
}

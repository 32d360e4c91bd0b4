import type { DecisionPlace, LogHead, Trust, VersionAction } from '@toolcrib/toolsmaker'
import type { OperationInput } from '../../operations/catalogue.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'
import type { ExpectedStatement } from './compare-statement.ts'

/** What a person wants to sign. */
export type WantedSignature = WantedAboutVersion | WantedAboutLog

/** A decision about one version. */
export interface WantedAboutVersion {
  readonly action: VersionAction
  /** What was shown to the person. */
  readonly reviewed: ReviewedVersion
  /** What it does, for the prompt, such as `approve and put into use`. */
  readonly verb: string
}

/** A decision about everything that one event log holds. */
export type WantedAboutLog =
  | { readonly action: 'resume'; readonly place: DecisionPlace; readonly verb: string }
  | {
      readonly action: 'accept_log'
      readonly place: Omit<DecisionPlace, 'lifts'>
      readonly known: LogHead | null
      readonly found: LogHead
      readonly verb: string
    }

/** How the host is asked for the statement. */
export function requestOf(
  wanted: WantedSignature,
  approver: string,
): OperationInput<'decisions.prepare'> {
  if (!('reviewed' in wanted)) return { action: wanted.action, approver }
  const { contentHash, name, reportHash, version } = wanted.reviewed.review
  const hashes = { contentHash, ...(reportHash === undefined ? {} : { reportHash }) }
  return { action: wanted.action, name, version, approver, ...hashes }
}

/** What the statement has to say, by what was asked for and shown, and by the trust of this user. */
export function expectedOf(
  wanted: WantedSignature,
  { id, trust }: { readonly id: string; readonly trust: Trust },
): ExpectedStatement {
  const frame = { action: wanted.action, approver: id, policyHash: trust.policyHash() }
  if (wanted.action === 'resume') return { ...frame, ...wanted.place, lastsMs: null }
  if (wanted.action === 'accept_log') {
    const { found, known, place } = wanted
    return { ...frame, ...place, known, found, lastsMs: null }
  }
  const { content, place, review } = wanted.reviewed
  const { contentHash, kind, name, reportHash, version } = review
  const approves = wanted.action === 'approve' || wanted.action === 'approve_and_activate'
  return {
    name,
    version,
    kind,
    contentHash,
    reportHash,
    ...frame,
    ...place,
    lifts: liftedBy(wanted),
    proposer: content.proposer ?? review.proposedBy,
    limits: content.limits,
    lastsMs: approves ? trust.policy().approvalExpiryMs : null,
  }
}

/** The event that stopped a version, where a decision about it ends that; `null` where there is none. */
export function liftedBy({ action, reviewed }: WantedAboutVersion): string | null {
  const activates = action === 'activate' || action === 'approve_and_activate'
  return activates ? reviewed.place.lifts : null
}

/** Which event log a decision is for. */
export function placeOf(wanted: WantedSignature): Pick<DecisionPlace, 'namespace' | 'store'> {
  return 'reviewed' in wanted ? wanted.reviewed.place : wanted.place
}

/** What is signed, in one line beside the prompt. */
export function describeWanted(wanted: WantedSignature): string {
  if (!('reviewed' in wanted)) return wanted.verb
  const { contentHash, name, version } = wanted.reviewed.review
  return `${wanted.verb} ${name} v${version} sha256 ${contentHash.slice(0, 16)}…`
}

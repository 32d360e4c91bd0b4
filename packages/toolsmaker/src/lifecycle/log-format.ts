import { toolsmakerError } from '../error-catalogue.ts'
import type { VersionRecord } from './version-record.ts'

/** The form in which event logs are kept by this release. Its number goes up whenever what stands there means something else. */
export const logFormat = 2

/**
 * Refuses a log that a newer release wrote.
 *
 * @throws {ToolError} STORE_INVALID.
 */
export function assertKnownFormat(format: number, namespace: string): void {
  if (format <= logFormat) return
  throw toolsmakerError(
    'STORE_INVALID',
    `The event log of namespace "${namespace}" is of form ${format}, which a newer release wrote; this one knows forms up to ${logFormat}. Open it with that release.`,
    { data: { format, known: logFormat } },
  )
}

/** Why a version of an older log waits. */
const waitsBecause = [
  'it was approved in the older form of statements, which names neither the store nor what was read, so it needs a new decision',
]

/**
 * A version as an older log is upgraded: what it is stays, and so does that it was rejected, revoked or taken out of use. Whatever
 * was granted in the older form has to be decided anew.
 */
export function lapse(
  record: VersionRecord,
  place: {
    readonly sequence: number
    readonly expiresAt: number
    /** Up to which event the host had remembered the log. */
    readonly knownUpTo: number
  },
): VersionRecord {
  const { status } = record
  if (status !== 'approved' && status !== 'activated' && status !== 'deactivated') return record
  const {
    activation: _activation,
    approval: _approval,
    shareDecisions: _shareDecisions,
    voided: _voided,
    ...kept
  } = record
  return {
    ...kept,
    status: 'approval_required',
    decisions: [],
    waitsBecause,
    pendingExpiresAt: place.expiresAt,
    revision: place.sequence,
    // What the host had not seen in use, no rule may decide: anybody may have written it.
    ...(status === 'activated' && record.revision <= place.knownUpTo ? { wasInUse: true } : {}),
  }
}

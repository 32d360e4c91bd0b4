import { ToolError } from '@toolcrib/registry'
import { describeReviewProblem } from '@toolcrib/toolsmaker'
import type { Host } from '../../host/host.ts'
import { hostError } from '../../host-error.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'
import type { CommandContext } from '../program/command-context.ts'
import type { VersionReference } from '../program/version-reference.ts'

/**
 * Asks for the review of a version, and makes sure that all of it follows from the content and report whose hashes are signed.
 *
 * @throws {ToolError} HOST_UNTRUSTED when it does not.
 */
export async function readReviewed(
  { signal }: CommandContext,
  host: Host,
  { name, version }: VersionReference,
): Promise<ReviewedVersion> {
  const reviewed = await host.call('approvals.show', { name, version }, signal)
  const { review } = reviewed
  // One that differs from what is on record cannot be signed, and is shown as it is, without its hash.
  const problem =
    review.name !== name || review.version !== version
      ? 'it is that of another version'
      : isChanged(review)
        ? undefined
        : describeReviewProblem(reviewed)
  if (problem === undefined) return reviewed
  throw hostError(
    'HOST_UNTRUSTED',
    `The review that the host gave is not to be believed: ${problem}. Nothing was signed.`,
  )
}

/** Whether a review is said to differ from what is on record, so that nothing of it can be signed. */
export function isChanged({ differs = [] }: ReviewedVersion['review']): boolean {
  return differs.length > 0
}

/**
 * Refuses to have a version signed whose review is not what is on record.
 *
 * @throws {ToolError} REVIEW_CHANGED.
 */
export function assertReviewHolds({ prefix }: CommandContext, { review }: ReviewedVersion): void {
  if (!isChanged(review)) return
  const { name, version } = review
  throw new ToolError<string>(
    'REVIEW_CHANGED',
    `${name} v${version} cannot be signed: what is on record about it is not what is true now. Have it validated again, and review it: ${prefix} approvals validate ${name}@${version}`,
  )
}

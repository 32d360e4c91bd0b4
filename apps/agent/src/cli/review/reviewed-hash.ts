import { ToolError } from '@toolcrib/registry'
import { hostError } from '../../host-error.ts'

/**
 * Makes sure that what is signed is what was reviewed: whoever does not see the review on a screen must say which hash it had, all of it.
 *
 * @throws {ToolError} USAGE when the hash is missing, DECISION_STALE when it is another one.
 */
export function assertReviewedHash(
  reference: string,
  {
    contentHash,
    expected,
    isReviewed,
  }: {
    readonly contentHash: string
    readonly expected: string | undefined
    /** Whether the person sees the review before signing, or need not. */
    readonly isReviewed: boolean
  },
): void {
  if (expected === undefined) {
    if (isReviewed) return
    throw hostError('USAGE', `Say which hash you reviewed: --hash ${contentHash}`)
  }
  // Whoever proposes chooses the contents: two that begin with the same digits are soon found.
  if (contentHash === expected.toLowerCase()) return
  throw new ToolError<string>(
    'DECISION_STALE',
    `${reference} has the hash ${contentHash}, not ${expected}. Review it again. (All 64 digits are needed.)`,
  )
}

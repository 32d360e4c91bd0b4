import type { JsonValue } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { ToolContent } from '../tool-spec.ts'
import { diffVersions } from './review-diff.ts'
import type { SigningReview } from './signing-review.ts'

/** In what a version differs from an earlier one, made from the two contents alone. */
export interface ContentComparison {
  /** SHA-256 of the earlier content, made here. */
  readonly contentHash: string
  /** Unified diffs of all that is signed: definition, schemas, settings, description. */
  readonly diff: string
}

/**
 * Compares a content with the one that the host hands over as the last approved version. Needs nothing of the host; that a version of
 * that hash was approved, it cannot tell. `undefined` where none was handed over.
 */
export function compareWithPrevious({
  content,
  previous,
}: Pick<SigningReview, 'content' | 'previous'>): ContentComparison | undefined {
  if (previous === undefined) return undefined
  const contentHash = hashJson(previous.content as unknown as JsonValue)
  const diff = diffVersions(asCompared(previous.content, contentHash), asCompared(content, ''))
  return { contentHash, diff }
}

/** Without sentences: those of the earlier version are only what the host says of it. */
function asCompared(
  content: ToolContent,
  contentHash: string,
): Parameters<typeof diffVersions>[number] {
  const label = contentHash === '' ? 'this version' : `sha256 ${contentHash.slice(0, 12)}…`
  return { label, content, powers: [], steps: [], source: undefined }
}

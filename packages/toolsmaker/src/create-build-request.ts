import type { ProposalLimits } from './proposal-limits.ts'
import type { ToolBuildRequest } from './tool-build-request.ts'
import type { ToolIntent } from './tool-intent.ts'

/** Turns an intent into a checked build request. Pure. */
export function createBuildRequestFromIntent(
  _intent: ToolIntent,
  _options: { readonly limits?: ProposalLimits } = {},
): ToolBuildRequest {
  throw new Error('not yet')
}

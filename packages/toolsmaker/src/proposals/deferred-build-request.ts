import type { ToolBuildRequest } from './tool-build-request.ts'

/**
 * A proposal whose writing is work itself, such as running an author's schema to read it. It is written in the turn of its owner,
 * once the quota was asked for and it counts as a proposal, whatever comes of it; so it counts also when it is on record already.
 */
export interface DeferredBuildRequest {
  /** Of the tool, for the quota of its versions. */
  readonly name: string
  /** Called once at most. What it throws is thrown to whoever proposes. */
  write(): Promise<ToolBuildRequest>
}

/** Tells one from a request that is there already, which is plain data. */
export function isDeferred(
  request: ToolBuildRequest | DeferredBuildRequest,
): request is DeferredBuildRequest {
  const { name, write } = (request ?? {}) as Partial<DeferredBuildRequest>
  return typeof name === 'string' && typeof write === 'function'
}

export { toolCapabilities } from '@toolcrib/policy'
export type { ToolCapability } from '@toolcrib/policy'

/** A tool that a made tool may call, as it was when the call was approved. */
export interface PinnedCallee {
  readonly name: string
  /** Content hash of the made version; `null` for a tool that was not made. */
  readonly hash: string | null
}

/** What a made tool may ask for beyond computing. */
export const toolCapabilities = ['fs_read', 'fs_write', 'http', 'secrets', 'tools'] as const

/** One power that a made tool may ask for. */
export type ToolCapability = (typeof toolCapabilities)[number]

/** A tool that a made tool may call, as it was when the call was approved. */
export interface PinnedCallee {
  readonly name: string
  /** Content hash of the made version; `null` for a tool that was not made. */
  readonly hash: string | null
}

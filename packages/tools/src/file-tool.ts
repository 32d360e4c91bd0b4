import type { ToolDefinition } from '@toolcrib/registry'
import type { FileGuard } from '@toolcrib/policy/files'

/** How the file tool works. */
export interface FileToolOptions {
  readonly guard: FileGuard
  /** @default 10_000 */
  readonly timeoutMs?: number
  /** The most that one read gives, in bytes; bigger files are read in ranges. @default 5_242_880 */
  readonly maxReadBytes?: number
}

export function createFileTool(_options: FileToolOptions): ToolDefinition {
  throw new Error('being built')
}

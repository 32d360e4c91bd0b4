import type { ToolDefinition } from '@toolcrib/registry'

/** How the shell tool works. */
export interface ShellToolOptions {
  /** Commands that may be run: names as they stand in the search path, or absolute paths. @default every command */
  readonly commands?: readonly string[]
  /** The working folder of calls that name none, and the only one in which commands may write inside a sandbox. */
  readonly workspace: string
  /** Folders that commands never see inside a sandbox: the host's own data. @default none */
  readonly hidden?: readonly string[]
  /** Whether commands reach the network; inside a sandbox only. @default 'none' */
  readonly network?: 'none' | 'host'
  /**
   * What keeps a command's processes together: 'bubblewrap' and 'namespace' (util-linux's unshare) end them for sure, and
   * hide the host's processes; 'process-group' cannot be sure. 'best' takes the first that works here. @default 'best'
   */
  readonly containment?: 'best' | 'bubblewrap' | 'namespace' | 'process-group'
  /** Variables of the host that commands may see. @default PATH, HOME (the workspace), LANG, LC_ALL, TZ, TERM */
  readonly environment?: readonly string[]
  /** @default 30_000 */
  readonly timeoutMs?: number
  /** Over stdout and stderr together, in bytes. @default 10_485_760 */
  readonly maxOutputBytes?: number
  /** How long a command may take to end after SIGTERM before it gets SIGKILL, in milliseconds. @default 1_000 */
  readonly killAfterMs?: number
}

export function createShellTool(_options: ShellToolOptions): ToolDefinition {
  throw new Error('being built')
}

import type { ToolResult } from '@toolcrib/registry'
import type { InvokerSettings } from '../invoker-settings.ts'
import type { ToolCall } from './tool-call.ts'
import type { NestedOptions } from './tool-context.ts'

/** Who runs calls. */
export interface CallHost {
  readonly settings: InvokerSettings
  /** Starts a call that the tool of another call makes. */
  invokeNested(
    parent: ToolCall,
    toolName: string,
    details: { readonly input: unknown; readonly options: NestedOptions },
  ): Promise<ToolResult>
  /** The call is over: reported, its tool not running, its rows written. */
  forget(call: ToolCall): void
}

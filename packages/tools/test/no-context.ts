import type { ToolContext } from '@toolcrib/registry'

/** Stands for callers that run a tool without an invoker. */
export const noContext: ToolContext = undefined as unknown as ToolContext

import type { ToolContext } from '@toolcrib/registry'

/** Stands for callers that run a tool without an invoker. */
export const [noContext]: readonly [ToolContext] = [] as unknown as readonly [ToolContext]

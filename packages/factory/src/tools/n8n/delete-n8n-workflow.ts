import type { RemovalOutcome } from '@toolcrib/n8n'
import type { N8nToolKeeper } from './n8n-factory-options.ts'

/** What became of the workflow of a tool that is out of use. */
export interface WorkflowDeletion {
  /** `absent`: there was none; `left`: something of it is, or may be, on the server still. */
  readonly workflow: 'deleted' | 'absent' | 'left'
  /** Such as `workflow Ab12 (not live)`. */
  readonly left: readonly string[]
  /** Why something is left. */
  readonly reason?: string
}

function describe({ left, reason, removed }: RemovalOutcome): WorkflowDeletion {
  const why = reason === undefined ? {} : { reason }
  if (left.length > 0) return { workflow: 'left', left, ...why }
  if (removed) return { workflow: 'deleted', left }
  // Nothing to remove has no reason; what could not be asked has one.
  if (reason === undefined) return { workflow: 'absent', left }
  return { workflow: 'left', left: ['the workflow, as far as is known'], reason }
}

/**
 * Deletes the workflow of a tool that is out of use. A server that is down or refuses is an outcome, not an error: what is
 * left is said, and can be tried again.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function deleteN8nWorkflow(
  toolName: string,
  keeper: N8nToolKeeper,
  signal: AbortSignal,
): Promise<WorkflowDeletion> {
  try {
    return describe(await keeper.removeFromServer(toolName, { signal }))
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return { workflow: 'left', left: ['the workflow, as far as is known'], reason }
  }
}

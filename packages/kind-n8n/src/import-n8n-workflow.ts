import type { N8nClient, N8nWorkflow } from '@toolcrib/n8n'

/** What of a client importing needs. */
export interface WorkflowReader {
  readonly workflows: Pick<N8nClient['workflows'], 'get'>
}

/**
 * Reads a workflow from n8n, to propose a copy of it as a tool. What belongs to the one on the server is left out: its
 * id, whether it is live, what it has stored, and pinned data. Nothing on the server is changed.
 *
 * @throws {ToolError} N8N_NOT_FOUND, N8N_UNREACHABLE and the other errors of the client.
 */
export async function importN8nWorkflow(
  client: WorkflowReader,
  id: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<N8nWorkflow> {
  const { connections, name, nodes, settings } = await client.workflows.get(id, options)
  return { name, nodes, connections, settings }
}

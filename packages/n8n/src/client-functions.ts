import type {
  ListExecutionsFilter,
  ListWorkflowsFilter,
  N8nCallOptions,
  N8nClient,
  N8nExecution,
  StoredWorkflow,
  WebhookAnswer,
} from './n8n-client.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { assertWholeNumber } from './option-check.ts'

/** How much a list may have. */
export interface ListOptions extends N8nCallOptions {
  /** Entries beyond are not fetched. @default 1_000 */
  readonly limit?: number
}

const defaultLimit = 1_000
const maxLimit = 1_000_000

/** {@link N8nWorkflows.create}. */
export async function createWorkflow(
  client: N8nClient,
  workflow: N8nWorkflow,
  options?: N8nCallOptions,
): Promise<StoredWorkflow> {
  return await client.workflows.create(workflow, options)
}

/** {@link N8nWorkflows.get}. */
export async function getWorkflow(
  client: N8nClient,
  id: string,
  options?: N8nCallOptions,
): Promise<StoredWorkflow> {
  return await client.workflows.get(id, options)
}

/** {@link N8nWorkflows.remove}. @returns whether it was there */
export async function deleteWorkflow(
  client: N8nClient,
  id: string,
  options?: N8nCallOptions,
): Promise<boolean> {
  return await client.workflows.remove(id, options)
}

/** {@link N8nWorkflows.setActive}. */
export async function setWorkflowActive(
  client: N8nClient,
  id: string,
  { active, ...options }: N8nCallOptions & { readonly active: boolean },
): Promise<StoredWorkflow> {
  return await client.workflows.setActive(id, active, options)
}

/** {@link N8nWorkflows.list} as an array. */
export async function listWorkflows(
  client: N8nClient,
  filter?: ListWorkflowsFilter,
  { limit, ...options }: ListOptions = {},
): Promise<readonly StoredWorkflow[]> {
  return await takeFirst(client.workflows.list(filter, options), limit)
}

/** {@link N8nExecutions.list} as an array, newest first. */
export async function getExecutions(
  client: N8nClient,
  filter?: ListExecutionsFilter,
  { limit, ...options }: ListOptions = {},
): Promise<readonly N8nExecution[]> {
  return await takeFirst(client.executions.list(filter, options), limit)
}

/** {@link N8nWebhooks.trigger}. */
export async function triggerWebhook(
  client: N8nClient,
  path: string,
  { body = null, ...options }: TriggerOptions = {},
): Promise<WebhookAnswer> {
  return await client.webhooks.trigger(path, body, options)
}

/** {@link N8nClient.ping}. */
export async function checkHealth(
  client: N8nClient,
  options?: N8nCallOptions,
): ReturnType<N8nClient['ping']> {
  return await client.ping(options)
}

/** What {@link triggerWebhook} sends. */
export type TriggerOptions = NonNullable<Parameters<N8nClient['webhooks']['trigger']>[2]> & {
  /** @default null */
  readonly body?: Parameters<N8nClient['webhooks']['trigger']>[1]
}

async function takeFirst<Entry>(
  entries: AsyncIterable<Entry>,
  limit: number = defaultLimit,
): Promise<readonly Entry[]> {
  assertWholeNumber('limit', limit, { from: 1, to: maxLimit })
  const taken: Entry[] = []
  for await (const entry of entries) {
    taken.push(entry)
    if (taken.length >= limit) break
  }
  return taken
}

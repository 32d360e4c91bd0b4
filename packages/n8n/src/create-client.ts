import { createApiRequests } from './api-requests.ts'
import { createCapabilityCheck } from './capabilities.ts'
import { readClientSettings } from './client-settings.ts'
import { createCredentialRequests } from './credential-requests.ts'
import { createExecutionRequests } from './execution-requests.ts'
import type { N8nClient, N8nClientOptions } from './n8n-client.ts'
import { createPing } from './ping.ts'
import { createTagRequests } from './tag-requests.ts'
import type { N8nTransport } from './transport.ts'
import { createWebhookRequests } from './webhook-requests.ts'
import { type ClientParts, createWorkflowRequests } from './workflow-requests.ts'

/**
 * Makes a client of one n8n server. Nothing is sent before the first call.
 *
 * @throws {ToolError} N8N_OPTION_INVALID naming the field, the rule, the value and what to do
 */
export function createN8nClient(
  options: N8nClientOptions & { readonly transport: N8nTransport },
): N8nClient {
  const settings = readClientSettings(options)
  const requests = createApiRequests(settings)
  const parts: ClientParts = { requests, capabilities: createCapabilityCheck(requests) }
  // Options and keys live in closures: what prints or serialises a client sees none of them.
  return Object.freeze<N8nClient>({
    baseUrl: settings.baseUrl,
    ping: createPing(parts, settings),
    capabilities: async (callOptions = {}) => await parts.capabilities(requests.start(callOptions)),
    workflows: createWorkflowRequests(parts),
    executions: createExecutionRequests(parts),
    credentials: createCredentialRequests(parts),
    tags: createTagRequests(parts),
    webhooks: createWebhookRequests(parts, settings),
    redact: (text) => requests.redaction.redactText(text),
  })
}

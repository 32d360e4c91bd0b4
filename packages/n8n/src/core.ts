export {
  checkHealth,
  createWorkflow,
  deleteWorkflow,
  getExecutions,
  getWorkflow,
  listWorkflows,
  setWorkflowActive,
  triggerWebhook,
} from './client-functions.ts'
export type { ListOptions, TriggerOptions } from './client-functions.ts'
export { createN8nClient } from './create-client.ts'
export { n8nErrorCatalogue } from './error-catalogue.ts'
export type { N8nErrorCode } from './error-catalogue.ts'
export type { N8nClient, N8nClientOptions } from './n8n-client.ts'
export type { N8nHttpRequest, N8nHttpResponse, N8nTransport } from './transport.ts'

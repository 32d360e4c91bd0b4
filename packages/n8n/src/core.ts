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
export { bindWorkflow, findWebhook } from './bind-workflow.ts'
export { canonicalWorkflow, hashWorkflow } from './canonical-workflow.ts'
export { deployFunction } from './deploy-function.ts'
export { executeWorkflow } from './execute-workflow.ts'
export { inspectFunction } from './inspect-function.ts'
export { retireFunction } from './retire-function.ts'
export { rollbackFunction } from './rollback-function.ts'
export { undoDeployment } from './undo-deployment.ts'
export { updateFunction } from './update-function.ts'
export { n8nErrorCatalogue } from './error-catalogue.ts'
export type { N8nErrorCode } from './error-catalogue.ts'
export type {
  ExecutionStatus,
  ListExecutionsFilter,
  ListWorkflowsFilter,
  N8nCallOptions,
  N8nCapabilities,
  N8nClient,
  N8nClientOptions,
  N8nCredentials,
  N8nExecution,
  N8nExecutions,
  N8nRetryOptions,
  N8nTags,
  N8nWebhooks,
  N8nWorkflows,
  PublishOptions,
  StoredWorkflow,
  UpdateWorkflowOptions,
  WebhookAnswer,
  WorkflowVersion,
} from './n8n-client.ts'
export type {
  DeployOptions,
  DeploymentProgress,
  ExecuteOptions,
  FunctionState,
  N8nFunction,
  RemovalOutcome,
  RetireFunctionOptions,
  RollbackFunctionOptions,
  UndoDeploymentOptions,
  UpdateFunctionOptions,
  WorkflowBinding,
  WorkflowOutcome,
} from './n8n-function.ts'
export type { N8nHttpRequest, N8nHttpResponse, N8nTransport } from './transport.ts'
export type {
  N8nConnections,
  N8nConnectionTarget,
  N8nCredentialReference,
  N8nNode,
  N8nWorkflow,
} from './n8n-workflow.ts'

export { createFileN8nDeployments } from './deployments/file-n8n-deployments.ts'
export { createMemoryN8nDeployments } from './deployments/memory-n8n-deployments.ts'
export type {
  BrokenN8nDeployment,
  N8nDeployment,
  N8nDeployments,
} from './deployments/n8n-deployments.ts'
export type { N8nToolHealth } from './deployments/n8n-health.ts'
export { n8nKindErrorCatalogue } from './error-catalogue.ts'
export type { N8nKindErrorCode } from './error-catalogue.ts'
export { importN8nWorkflow } from './import-n8n-workflow.ts'
export type { WorkflowReader } from './import-n8n-workflow.ts'
export type { N8nDefinition } from './n8n-definition.ts'
export { createN8nKind } from './n8n-kind.ts'
export type { N8nKind, N8nKindOptions, N8nLeftBehind } from './n8n-kind.ts'
export { n8nRequest, toDomain } from './n8n-request.ts'
export type { N8nToolParts } from './n8n-request.ts'

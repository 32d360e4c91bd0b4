export { createComputeKind } from './compute-kind.ts'
export type { ComputeKindOptions } from './compute-kind.ts'
export type { CreateDynamicToolOptions } from './create-dynamic-tool.ts'
export { customToolSchema } from './custom-tool.ts'
export type { CustomTool } from './custom-tool.ts'
export { deleteCustomTool } from './delete-custom-tool.ts'
export type { CustomToolDeletion, DeleteCustomToolOptions } from './delete-custom-tool.ts'
export { createDynamicToolService } from './dynamic-tool-service.ts'
export type {
  DynamicToolService,
  DynamicToolServiceOptions,
  LoadNowOptions,
} from './dynamic-tool-service.ts'
export type {
  DynamicToolChange,
  DynamicToolListener,
  DynamicToolStatus,
} from './dynamic-tool-status.ts'
export { factoryErrorCatalogue } from './error-catalogue.ts'
export type { FactoryErrorCode } from './error-catalogue.ts'
export { createFactoryTools } from './factory-tools.ts'
export type { FactoryToolsOptions } from './factory-tools.ts'
export type { N8nFactoryOptions, N8nToolKeeper, UsableCredential } from './n8n-factory-options.ts'
export type { ModelMessage, WorkflowModel } from './workflow-model.ts'
export { generateInputs } from './generate-inputs.ts'
export type { GenerateInputsOptions } from './generate-inputs.ts'
export { importN8nWorkflow } from './import-n8n-workflow.ts'
export type { WorkflowReader } from './import-n8n-workflow.ts'
export { customToolsPrincipal, loadCustomTools } from './load-custom-tools.ts'
export type { LoadCustomToolsOptions } from './load-custom-tools.ts'
export { createFileN8nDeployments } from './file-n8n-deployments.ts'
export { createMemoryN8nDeployments } from './memory-n8n-deployments.ts'
export type { BrokenN8nDeployment, N8nDeployment, N8nDeployments } from './n8n-deployments.ts'
export type { N8nDefinition } from './n8n-definition.ts'
export { createN8nKind } from './n8n-kind.ts'
export type { N8nKind, N8nKindOptions, N8nLeftBehind } from './n8n-kind.ts'
export type { N8nToolHealth } from './n8n-health.ts'
export { resolveTools } from './resolve-tools.ts'
export type {
  MissingTool,
  MissingToolProblem,
  ResolvedTools,
  ResolveToolsOptions,
} from './resolve-tools.ts'
export { saveCustomTool } from './save-custom-tool.ts'
export type { SaveCustomToolOptions } from './save-custom-tool.ts'
export {
  parametersToSchema,
  parameterTypes,
  schemaToParameters,
  toolParametersSchema,
} from './tool-parameters.ts'
export type { ParameterType, ToolParameter, ToolParameters } from './tool-parameters.ts'
export { toolFileRequest } from './tool-file-request.ts'
export type { ToolFileRequestOptions } from './tool-file-request.ts'

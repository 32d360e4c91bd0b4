export type { CreateDynamicToolOptions } from './tools/create-dynamic-tool.ts'
export { customToolSchema } from './custom-tools/custom-tool.ts'
export type { CustomTool } from './custom-tools/custom-tool.ts'
export { deleteCustomTool } from './custom-tools/delete-custom-tool.ts'
export type {
  CustomToolDeletion,
  DeleteCustomToolOptions,
} from './custom-tools/delete-custom-tool.ts'
export { createDynamicToolService } from './dynamic-folder/dynamic-tool-service.ts'
export type {
  DynamicToolService,
  DynamicToolServiceOptions,
  LoadNowOptions,
} from './dynamic-folder/dynamic-tool-service.ts'
export type {
  DynamicToolChange,
  DynamicToolListener,
  DynamicToolStatus,
} from './dynamic-folder/dynamic-tool-status.ts'
export { factoryErrorCatalogue } from './error-catalogue.ts'
export type { FactoryErrorCode } from './error-catalogue.ts'
export { createFactoryTools } from './tools/factory-tools.ts'
export type { FactoryToolsOptions } from './tools/factory-tools.ts'
export type {
  N8nFactoryOptions,
  N8nToolKeeper,
  UsableCredential,
} from './tools/n8n/n8n-factory-options.ts'
export type { ModelMessage, WorkflowModel } from './generation/workflow-model.ts'
export { customToolsPrincipal, loadCustomTools } from './custom-tools/load-custom-tools.ts'
export type { LoadCustomToolsOptions } from './custom-tools/load-custom-tools.ts'
export { resolveTools } from './custom-tools/resolve-tools.ts'
export type {
  MissingTool,
  MissingToolProblem,
  ResolvedTools,
  ResolveToolsOptions,
} from './custom-tools/resolve-tools.ts'
export { saveCustomTool } from './custom-tools/save-custom-tool.ts'
export type { SaveCustomToolOptions } from './custom-tools/save-custom-tool.ts'
export {
  parametersToSchema,
  parameterTypes,
  schemaToParameters,
  toolParametersSchema,
} from './custom-tools/tool-parameters.ts'
export type {
  ParameterType,
  ToolParameter,
  ToolParameters,
} from './custom-tools/tool-parameters.ts'
export { toolFileRequest } from './custom-tools/tool-file-request.ts'
export type { ToolFileRequestOptions } from './custom-tools/tool-file-request.ts'

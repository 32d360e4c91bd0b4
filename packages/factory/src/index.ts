export { createComputeKind } from './compute-kind.ts'
export type { ComputeKindOptions } from './compute-kind.ts'
export { customToolSchema } from './custom-tool.ts'
export type { CustomTool } from './custom-tool.ts'
export { deleteCustomTool } from './delete-custom-tool.ts'
export type { CustomToolDeletion, DeleteCustomToolOptions } from './delete-custom-tool.ts'
export { factoryErrorCatalogue } from './error-catalogue.ts'
export type { FactoryErrorCode } from './error-catalogue.ts'
export { createFactoryTools } from './factory-tools.ts'
export type { FactoryToolsOptions } from './factory-tools.ts'
export { generateInputs } from './generate-inputs.ts'
export type { GenerateInputsOptions } from './generate-inputs.ts'
export { customToolsPrincipal, loadCustomTools } from './load-custom-tools.ts'
export type { LoadCustomToolsOptions } from './load-custom-tools.ts'
export { saveCustomTool } from './save-custom-tool.ts'
export type { SaveCustomToolOptions } from './save-custom-tool.ts'
export {
  parametersToSchema,
  parameterTypes,
  schemaToParameters,
  toolParametersSchema,
} from './tool-parameters.ts'
export type { ParameterType, ToolParameter, ToolParameters } from './tool-parameters.ts'

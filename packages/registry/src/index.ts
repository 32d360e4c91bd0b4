export type { AiSdkSchema, AiSdkVerdict } from './ai-sdk-schema.ts'
export type {
  CallLog,
  CallLogWriter,
  LoggedError,
  LoggedToolCall,
  ToolCallCompletion,
  ToolCallEnd,
  ToolCallFailure,
  ToolCallLate,
  ToolCallPage,
  ToolCallQuery,
  ToolCallStart,
  ToolCallStatus,
  ToolStatistics,
} from './call-log.ts'
export { assertOptions, findOptionsProblem } from './assert-options.ts'
export type { KnownOptions, OptionNames, OptionsProblem } from './assert-options.ts'
export { canonicalJson, maxCanonicalDepth } from './canonical-json.ts'
export { contentHash, hashText } from './content-hash.ts'
export { isToolErrorCode, toolErrorCatalogue } from './error-catalogue.ts'
export type { ToolErrorCode } from './error-catalogue.ts'
export type { InvokeOptions, Invoker } from './invoker.ts'
export { assertStoredSchema } from './json-schema-check.ts'
export type { SchemaLimits } from './json-schema-check.ts'
export type { JsonObject, JsonValue } from './json-value.ts'
export { silentLogger } from './logger.ts'
export type { Logger } from './logger.ts'
export { localPrincipal, principalKey, toPrincipal } from './principal.ts'
export type { Principal } from './principal.ts'
export { RegistrySnapshot, isVisibleTo } from './registry-snapshot.ts'
export type { ToolListing } from './registry-snapshot.ts'
export { findNearestName } from './nearest-name.ts'
export { formatIssues, formatPath } from './schema-issue.ts'
export type { SchemaIssue, SchemaOutcome } from './schema-issue.ts'
export { validateWithSchema } from './schema-validation.ts'
export type { ValidationLimits } from './schema-validation.ts'
export { viewSchema } from './schema-view.ts'
export type { SchemaView } from './schema-view.ts'
export { contentOutput, isContentOutput } from './tool-content.ts'
export type { ContentBlock, ContentOutput } from './tool-content.ts'
export type { ToolContext } from './tool-context.ts'
export type { ToolProgress } from './tool-progress.ts'
export {
  assertToolDefinition,
  maxDescriptionLength,
  maxTimeoutMs,
} from './tool-definition-check.ts'
export { defineTool } from './tool-definition.ts'
export type {
  ToolAnnotations,
  ToolDefinition,
  ToolRisk,
  ToolSpecification,
} from './tool-definition.ts'
export { ToolError } from './tool-error.ts'
export type { ToolErrorOptions } from './tool-error.ts'
export { assertToolName, describeNameProblem, toolNamePattern } from './tool-name.ts'
export { ToolRegistry } from './tool-registry.ts'
export type { RegistryChange, RegistryListener, ToolRegistryOptions } from './tool-registry.ts'
export { resultContent } from './tool-result.ts'
export type { ToolFailure, ToolResult, ToolSuccess, ToolTruncatedSuccess } from './tool-result.ts'
export { viewTool } from './tool-view.ts'
export type { ToolView } from './tool-view.ts'
export { isStandardSchema } from './tool-schema.ts'
export type { JsonSchema, SchemaValue, ToolSchema } from './tool-schema.ts'
export type { MadeToolSource, ToolSource } from './tool-source.ts'

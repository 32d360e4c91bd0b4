export { codeDefinitionSchema } from './code-definition.ts'
export type { CodeDefinition, CodeLimits, PinnedModule } from './code-definition.ts'
export { createCodeKind } from './code-kind.ts'
export type { CodeKindOptions } from './code-kind.ts'
export { createCodePowers } from './operations/code-powers.ts'
export type {
  CodePowers,
  CodePowersOptions,
  GrantedPowers,
  PowersOfCall,
} from './operations/code-powers.ts'
export { evaluateSchemaSource } from './tool-file/evaluate-schema.ts'
export type { EvaluateSchemaOptions } from './tool-file/evaluate-schema.ts'
export { factoryEntry } from './tool-file/factory-form.ts'
export { guestModulesFingerprint } from './modules/guest-modules.ts'
export { inspectToolFile } from './tool-file/inspect-tool-file.ts'
export type { InspectToolFileOptions, InspectedToolFile } from './tool-file/inspect-tool-file.ts'
export type { ToolFileSettings } from './tool-file/inspect-tool-file-settings.ts'
export { pinModules, toFoundModule } from './modules/shared-modules.ts'
export type { FindModule, FoundModule } from './modules/shared-modules.ts'
export { problemInBody, renderToolModule } from './types/render-tool-module.ts'
export type { ToolModuleParts } from './types/render-tool-module.ts'
export { SourceSyntaxError } from './source/source-syntax-error.ts'
export { maxSourceLength, sourceRules } from './source/source-problem.ts'
export type { SourceProblem, SourceRule } from './source/source-problem.ts'
export { createTypeChecker } from './types/type-checker.ts'
export type {
  TypeChecker,
  TypeCheckerOptions,
  TypeCheckOutcome,
  TypeCheckSubject,
} from './types/type-checker.ts'

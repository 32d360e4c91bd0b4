export { codeDefinitionSchema } from './code-definition.ts'
export type { CodeDefinition, CodeLimits, PinnedModule } from './code-definition.ts'
export { createCodeKind } from './code-kind.ts'
export type { CodeKindOptions } from './code-kind.ts'
export { createCodePowers } from './code-powers.ts'
export type { CodePowers, CodePowersOptions, GrantedPowers, PowersOfCall } from './code-powers.ts'
export { evaluateSchemaSource } from './evaluate-schema.ts'
export type { EvaluateSchemaOptions } from './evaluate-schema.ts'
export { factoryEntry } from './factory-form.ts'
export { guestModulesFingerprint } from './guest-modules.ts'
export { inspectToolFile } from './inspect-tool-file.ts'
export type { InspectToolFileOptions, InspectedToolFile } from './inspect-tool-file.ts'
export type { ToolFileSettings } from './inspect-tool-file-settings.ts'
export { pinModules, toFoundModule } from './shared-modules.ts'
export type { FindModule, FoundModule } from './shared-modules.ts'
export { problemInBody, renderToolModule } from './render-tool-module.ts'
export type { ToolModuleParts } from './render-tool-module.ts'
export { SourceSyntaxError } from './source-syntax-error.ts'
export { maxSourceLength, sourceRules } from './source-problem.ts'
export type { SourceProblem, SourceRule } from './source-problem.ts'
export { createTypeChecker } from './type-checker.ts'
export type {
  TypeChecker,
  TypeCheckerOptions,
  TypeCheckOutcome,
  TypeCheckSubject,
} from './type-checker.ts'

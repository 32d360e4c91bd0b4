export { codeDefinitionSchema, maxSourceLength } from './code-definition.ts'
export type { CodeDefinition, CodeLimits, PinnedModule } from './code-definition.ts'
export { sourceRules } from './source-problem.ts'
export type { SourceProblem, SourceRule } from './source-problem.ts'

export type { ComputeOptions } from './check/inspect-program.ts'
export { checkCompute, type CompiledCompute, compileCompute } from './compile-compute.ts'
export type { GiveUpReason } from './engine/give-up.ts'
export { evaluateComputeDSL } from './evaluate-compute.ts'
export { evaluateMathExpression } from './evaluate-math-expression.ts'
export { ComputeError, type ComputeErrorCode, type ComputeIssue } from './language/compute-error.ts'
export type { ComputeLimits } from './language/compute-limits.ts'
export type {
  CheckStep,
  ComputeLogic,
  ComputeStep,
  ConditionStep,
  FoldStep,
  FormatStep,
  InputDeclaration,
  JsonValue,
  LookupStep,
  MathStep,
  ReturnStep,
  SetStep,
  SortStep,
  SwitchStep,
  ValueDeclaration,
} from './language/compute-logic.ts'
export type { ArgumentsOf, ResultOf } from './language/logic-types.ts'

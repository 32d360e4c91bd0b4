export {
  checkCompute,
  type CompiledCompute,
  compileCompute,
  type ComputeOptions,
} from './compile-compute.ts'
export { ComputeError, type ComputeErrorCode, type ComputeIssue } from './compute-error.ts'
export type { ComputeLimits } from './compute-limits.ts'
export {
  type ComputeLogicResult,
  type ComputeLogicSchema,
  computeLogicSchema,
} from './compute-logic-schema.ts'
export type {
  ComputeLogic,
  ComputeStep,
  ConditionStep,
  FormatStep,
  LookupStep,
  MathStep,
  ReturnStep,
} from './compute-logic.ts'
export { evaluateComputeDSL } from './evaluate-compute.ts'
export { evaluateMathExpression } from './evaluate-math-expression.ts'

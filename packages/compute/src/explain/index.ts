export { explainCompute } from './explain-compute.ts'
export type { ExplanationLine } from './explanation-line.ts'
export {
  type ComputeTrace,
  traceCompute,
  type TracedStep,
  type TraceOptions,
} from './trace-compute.ts'

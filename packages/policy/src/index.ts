export { describePolicy } from './describe-policy.ts'
export type { DescribePolicyOptions } from './describe-policy.ts'
export { diffPolicies } from './diff-policies.ts'
export type { PolicyChange, PolicyChangeKind } from './diff-policies.ts'
export { policyErrorCatalogue } from './error-catalogue.ts'
export type { PolicyErrorCode } from './error-catalogue.ts'
export { isPolicyWithin, narrowPolicies } from './narrow-policies.ts'
export { matchesAnyOrigin, matchesOrigin, parseOriginPattern } from './origin-pattern.ts'
export type { HostPattern, OriginPattern } from './origin-pattern.ts'
export { ToolPolicyViolation, policyRules } from './policy-violation.ts'
export type { PolicyRule, PolicyViolationData, PolicyViolationDetails } from './policy-violation.ts'
export { explainPrivateOrigin } from './private-origin.ts'
export { readToolPolicy } from './read-tool-policy.ts'
export { httpMethods, toolCapabilities, toolPolicySchema } from './tool-policy.ts'
export type {
  FilePolicy,
  HttpMethod,
  HttpPolicy,
  ToolCapability,
  ToolPolicy,
} from './tool-policy.ts'

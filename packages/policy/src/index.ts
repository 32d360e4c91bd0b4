export { describePolicy } from './policies/describe-policy.ts'
export type { DescribePolicyOptions } from './policies/describe-policy.ts'
export { diffPolicies } from './policies/diff-policies.ts'
export type { PolicyChange, PolicyChangeKind } from './policies/diff-policies.ts'
export { policyErrorCatalogue } from './error-catalogue.ts'
export type { PolicyErrorCode } from './error-catalogue.ts'
export { isPolicyWithin, narrowPolicies } from './policies/narrow-policies.ts'
export { matchesAnyOrigin, matchesOrigin, parseOriginPattern } from './policies/origin-pattern.ts'
export type { HostPattern, OriginPattern } from './policies/origin-pattern.ts'
export { ToolPolicyViolation, policyRules } from './policies/policy-violation.ts'
export type {
  PolicyRule,
  PolicyViolationData,
  PolicyViolationDetails,
} from './policies/policy-violation.ts'
export { explainPrivateOrigin } from './addresses/private-origin.ts'
export { readToolPolicy } from './policies/read-tool-policy.ts'
export { httpMethods, toolCapabilities, toolPolicySchema } from './policies/tool-policy.ts'
export type {
  FilePolicy,
  HttpMethod,
  HttpPolicy,
  ToolCapability,
  ToolPolicy,
} from './policies/tool-policy.ts'

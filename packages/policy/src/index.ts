export { policyErrorCatalogue } from './error-catalogue.ts'
export type { PolicyErrorCode } from './error-catalogue.ts'
export { ToolPolicyViolation, policyRules } from './policy-violation.ts'
export type { PolicyRule, PolicyViolationData, PolicyViolationDetails } from './policy-violation.ts'
export { httpMethods, toolCapabilities, toolPolicySchema } from './tool-policy.ts'
export type {
  FilePolicy,
  HttpMethod,
  HttpPolicy,
  ToolCapability,
  ToolPolicy,
} from './tool-policy.ts'

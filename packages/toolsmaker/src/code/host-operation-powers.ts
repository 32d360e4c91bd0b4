import { type PolicyRule, type ToolCapability, ToolPolicyViolation } from '@toolcrib/policy'

import { type HostOperationName, hostOperationPowers } from './host-operation-names.ts'

const ruleOfCapability: Readonly<Record<ToolCapability, PolicyRule>> = {
  fs_read: 'fs.path',
  fs_write: 'fs.path',
  http: 'http.domain',
  secrets: 'secret.unknown',
  tools: 'tools.callee',
}

/** What a capability is asked for with. */
const argumentOfCapability: Readonly<Record<ToolCapability, string>> = {
  fs_read: 'allowedPaths',
  fs_write: 'allowedPaths',
  http: 'allowedDomains',
  secrets: 'secrets',
  tools: 'callees',
}

/** Why a tool has not what it wants to use. */
export interface MissingPower {
  /** What the tool declares itself. */
  readonly declared: readonly ToolCapability[]
}

/** The refusal of an operation for which a call has no power at all. */
export function missingPower(
  operation: HostOperationName,
  { declared }: MissingPower,
): ToolPolicyViolation {
  const capabilities = hostOperationPowers[operation]
  const capability = capabilities[0] ?? 'tools'
  const isDeclared = capabilities.some((needed) => declared.includes(needed))
  return new ToolPolicyViolation({
    rule: ruleOfCapability[capability],
    tried: `use ctx.${operation}, for which this call has no power`,
    howToAsk: isDeclared
      ? `The tool has the capability "${capability}", but the operator or a tool that led to this call has not. Powers of a chain are what all of it may do.`
      : `Propose a new version with the capability "${capability}" and what it needs in ${argumentOfCapability[capability]}.`,
  })
}

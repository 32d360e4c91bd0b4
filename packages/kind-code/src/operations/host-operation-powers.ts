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
  /** What of that the operator allows. @default nothing */
  readonly allowed?: readonly ToolCapability[]
}

/** The refusal of an operation for which a call has no power at all. */
export function missingPower(
  operation: HostOperationName,
  { allowed = [], declared }: MissingPower,
): ToolPolicyViolation {
  const capabilities = hostOperationPowers[operation]
  const capability = capabilities[0] ?? 'tools'
  const isIn = (those: readonly ToolCapability[]): boolean =>
    capabilities.some((needed) => those.includes(needed))
  return new ToolPolicyViolation({
    rule: ruleOfCapability[capability],
    tried: `use ctx.${operation}, for which this call has no power`,
    howToAsk: advise(capability, { isAllowed: isIn(allowed), isDeclared: isIn(declared) }),
  })
}

function advise(
  capability: ToolCapability,
  { isAllowed, isDeclared }: { readonly isAllowed: boolean; readonly isDeclared: boolean },
): string {
  const argument = argumentOfCapability[capability]
  if (!isDeclared)
    return `Propose a new version with the capability "${capability}" and what it needs in ${argument}.`
  return isAllowed
    ? `The tool has the capability "${capability}", but one that led to this call has nothing of it in common: propose a new version of that one which names the same in ${argument}.`
    : `The tool has the capability "${capability}", but the operator's policy for code tools allows nothing of what it names in ${argument}: ask the operator to change that.`
}

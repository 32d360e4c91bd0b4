import type { ToolRisk } from '@toolcrib/registry'
import { compareRisk } from '../approvals/policy-judgement.ts'
import type { ImpliedRisk, ToolKind } from '../tool-kind.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { PolicyContent } from './tool-policy-of.ts'
import type { ValidationCheck } from './validation-report.ts'
import { findWidePowers } from './wide-powers.ts'

/** The powers that an author asks for, as far as they say how risky a tool is. */
type RiskyContent = Pick<PolicyContent, 'capabilities' | 'allowedDomains' | 'allowedPaths'> &
  Pick<ToolContent, 'definition'>

/** Capabilities with which something leaves the tool or is changed outside of it. */
const effects = ['fs_write', 'http', 'secrets'] as const

/** The least risk that a tool has because of what it asks for, whatever its author says; and why, in a few words. */
function impliedByPowers(content: RiskyContent): ImpliedRisk {
  const asked = effects.filter((capability) => content.capabilities.includes(capability))
  if (asked.length > 1) return { risk: 'high', why: `it asks for ${asked.join(' and ')} together` }
  if (content.capabilities.includes('fs_read') && asked[0] === 'http')
    return {
      risk: 'high',
      why: 'it asks for fs_read and http together, and so may send what it reads',
    }
  const [wide] = findWidePowers(content)
  if (wide !== undefined) return { risk: 'high', why: wide }
  const [one = content.capabilities.includes('tools') ? 'tools' : undefined] = asked
  return one === undefined
    ? { risk: 'low', why: 'it asks for nothing that changes or sends' }
    : { risk: 'medium', why: `it asks for ${one}` }
}

/** What its powers imply, or its definition where that is more: a workflow may reach what no capability names. */
function impliedRisk(
  content: RiskyContent,
  kind: Pick<ToolKind, 'impliedRisk'> | undefined,
): ImpliedRisk {
  const byPowers = impliedByPowers(content)
  const byKind = kind?.impliedRisk?.(content.definition)
  return byKind !== undefined && compareRisk(byKind.risk, byPowers.risk) > 0 ? byKind : byPowers
}

/** The risk that a proposal gets: never less than its powers and its definition imply. */
export function riskOf(
  declared: ToolRisk,
  content: RiskyContent,
  kind: Pick<ToolKind, 'impliedRisk'> | undefined,
): ToolRisk {
  const { risk } = impliedRisk(content, kind)
  return compareRisk(risk, declared) > 0 ? risk : declared
}

/** Says what risk a proposal got, and why. */
export function describeRisk(
  declared: ToolRisk,
  content: RiskyContent,
  kind: Pick<ToolKind, 'impliedRisk'>,
): ValidationCheck {
  const { risk, why } = impliedRisk(content, kind)
  const isRaised = compareRisk(risk, declared) > 0
  return {
    name: 'risk',
    pass: true,
    message: isRaised
      ? `raised from ${declared}, as its author said, to ${risk}: ${why}`
      : `${declared}, as its author said; its powers imply at least ${risk}: ${why}`,
  }
}

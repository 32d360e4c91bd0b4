import type { ToolRisk } from '@toolcrib/registry'
import { compareRisk } from '../approvals/policy-judgement.ts'
import type { PolicyContent } from './tool-policy-of.ts'
import type { ValidationCheck } from './validation-report.ts'
import { findWidePowers } from './wide-powers.ts'

/** The powers that an author asks for, as far as they say how risky a tool is. */
type RiskyContent = Pick<PolicyContent, 'capabilities' | 'allowedDomains' | 'allowedPaths'>

/** Capabilities with which something leaves the tool or is changed outside of it. */
const effects = ['fs_write', 'http', 'secrets'] as const

/** The least risk that a tool has because of what it asks for, whatever its author says; and why, in a few words. */
function impliedRisk(content: RiskyContent): {
  readonly risk: ToolRisk
  readonly why: string
} {
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

/** The risk that a proposal gets: never less than its powers imply. */
export function riskOf(declared: ToolRisk, content: RiskyContent): ToolRisk {
  const { risk } = impliedRisk(content)
  return compareRisk(risk, declared) > 0 ? risk : declared
}

/** Says what risk a proposal got, and why. */
export function describeRisk(declared: ToolRisk, content: RiskyContent): ValidationCheck {
  const { risk, why } = impliedRisk(content)
  const isRaised = compareRisk(risk, declared) > 0
  return {
    name: 'risk',
    pass: true,
    message: isRaised
      ? `raised from ${declared}, as its author said, to ${risk}: ${why}`
      : `${declared}, as its author said; its powers imply at least ${risk}: ${why}`,
  }
}

import { explainPrivateOrigin, toolPolicySchema } from '@toolcrib/policy'
import { toolPolicyOf } from './tool-policy-of.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { ValidationCheck } from './validation-report.ts'

type ArgumentField = 'allowedPaths' | 'allowedDomains' | 'secrets' | 'callees'

/** Which field of a tool's content becomes which part of its policy. */
const fieldOfCapability: Readonly<Record<string, ArgumentField>> = {
  fs_read: 'allowedPaths',
  fs_write: 'allowedPaths',
  http: 'allowedDomains',
  secrets: 'secrets',
  tools: 'callees',
}

/**
 * Checks that each capability comes with its arguments, no argument without its capability, and that they make a policy
 * which guards can hold and some request can pass.
 *
 * @param privateAddresses that an operator has opened for tools
 */
export function checkCapabilityArguments(
  content: ToolContent,
  privateAddresses: readonly string[],
): ValidationCheck {
  const problems = [
    ...pair(content, ['fs_read', 'fs_write'], 'allowedPaths'),
    ...pair(content, ['http'], 'allowedDomains'),
    ...pair(content, ['secrets'], 'secrets'),
    ...pair(content, ['tools'], 'callees'),
    ...describePolicyProblems(content),
    ...content.allowedDomains.flatMap((origin, index) => {
      const why = explainPrivateOrigin(origin, privateAddresses)
      return why === undefined
        ? []
        : [
            `allowedDomains[${index}]: ${why}, where no tool may go unless an operator opens that address for tools (privateAddresses)`,
          ]
    }),
  ]
  return {
    name: 'capability-arguments',
    pass: problems.length === 0,
    message: problems.length === 0 ? 'each capability has its arguments' : problems.join('; '),
  }
}

function pair(
  content: ToolContent,
  capabilities: readonly ToolContent['capabilities'][number][],
  field: ArgumentField,
): readonly string[] {
  const wanted = capabilities.filter((capability) => content.capabilities.includes(capability))
  const given = content[field].length > 0
  if (wanted.length > 0 && !given)
    return [`${wanted.join(' and ')} needs ${field}: name at least one`]
  if (wanted.length === 0 && given)
    return [`${field} is given without ${capabilities.join(' or ')}: remove it or ask for that`]
  return []
}

/** What the rules for policies have against the arguments, under the names that the author gave them. */
function describePolicyProblems(content: ToolContent): readonly string[] {
  const outcome = toolPolicySchema.safeParse(toolPolicyOf(content))
  if (outcome.success) return []
  const problems = outcome.error.issues.flatMap(({ message, path }) => {
    const [capability = '', , index, ...rest] = path.map(String)
    const field = fieldOfCapability[capability] ?? capability
    // That a list is empty was said already.
    if (index === undefined)
      return content[field as ArgumentField]?.length === 0 ? [] : [`${field}: ${message}`]
    return [`${field}[${index}]${rest.map((key) => `.${key}`).join('')}: ${message}`]
  })
  // Paths for reading and for writing are the same list.
  return [...new Set(problems)]
}

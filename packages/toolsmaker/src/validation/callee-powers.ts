import { type ToolPolicy, describePolicy, isPolicyWithin } from '@toolcrib/policy'
import type { ContentInUse, IsVisible } from './pin-callees.ts'
import { findReached } from './pin-callees.ts'
import { toolPolicyOf } from './tool-policy-of.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { ValidationCheck } from './validation-report.ts'

const maxFindings = 20

/**
 * Tells what made tools that a proposal reaches may do and it may not. That is no fault: a call has only the powers that all
 * on its way have. But whoever approves it should know which calls will be refused.
 */
export function describeCalleePowers(
  content: ToolContent,
  {
    contentInUse,
    isVisible,
  }: { readonly contentInUse: ContentInUse; readonly isVisible: IsVisible },
): readonly ValidationCheck[] {
  if (content.callees.length === 0) return []
  const own = toolPolicyOf(content)
  const findings = findReached(content, contentInUse).flatMap(({ name }) => {
    const callee = contentInUse(name)
    return callee === undefined || !isVisible(name)
      ? []
      : findBeyond(toolPolicyOf(callee), own).map(
          (power) => `${name} ${power}, which this tool may not: such calls will be refused`,
        )
  })
  const more = findings.length - maxFindings
  return [
    {
      name: 'callee-powers',
      pass: true,
      message:
        findings.length === 0
          ? 'no made tool that it reaches may do what it may not'
          : [...findings.slice(0, maxFindings), ...(more > 0 ? [`and ${more} more`] : [])].join(
              '; ',
            ),
    },
  ]
}

/** What one policy allows and another does not, in sentences, item by item. */
function findBeyond(policy: ToolPolicy, own: ToolPolicy): readonly string[] {
  try {
    return singlesOf(policy)
      .filter((single) => !isPolicyWithin(single, own))
      .flatMap((single) => describePolicy(single))
      .map((sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1))
  } catch {
    // The tool's own policy cannot be read, which its other checks say.
    return []
  }
}

/** A policy in parts with one item each. */
function singlesOf({ fs_read, fs_write, http, secrets, tools }: ToolPolicy): readonly ToolPolicy[] {
  return [
    ...(fs_read?.paths ?? []).map((path) => ({ fs_read: { paths: [path] } })),
    ...(fs_write?.paths ?? []).map((path) => ({ fs_write: { paths: [path] } })),
    ...(http?.origins ?? []).map((origin) => ({ http: { origins: [origin] } })),
    ...(secrets?.names ?? []).map((name) => ({ secrets: { names: [name] } })),
    ...(tools?.callees ?? []).map((callee) => ({ tools: { callees: [callee] } })),
  ]
}

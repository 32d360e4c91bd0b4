import { describePolicy } from '@toolcrib/policy'
import type { ToolContent } from '../tool-spec.ts'
import { toolPolicyOf } from './tool-policy-of.ts'

/** What a tool may touch, in the words that stand for a policy everywhere, and who may call it. */
export function describeCapabilities(content: ToolContent): readonly string[] {
  return [
    ...(content.capabilities.length === 0 ? [] : policySentences(content)),
    ...(content.visibility === 'shared'
      ? ['is seen and called by every agent of the namespace']
      : []),
  ]
}

function policySentences(content: ToolContent): readonly string[] {
  try {
    return describePolicy(toolPolicyOf(content)).map(
      (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1),
    )
  } catch {
    // A version that failed its checks, or a log that somebody else wrote: shown as it stands, for nothing runs from it.
    const policy = JSON.stringify(toolPolicyOf(content))
    return [`asks for powers that no guard can hold, so it gets none: ${policy}`]
  }
}

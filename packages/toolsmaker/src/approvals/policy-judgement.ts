import type { ToolRisk } from '@toolcrib/registry'
import type { ApprovalPolicy, ApprovalRule } from './approval-policy.ts'
import type { ToolContent } from '../tool-spec.ts'
import { findWidePowers } from '../validation/wide-powers.ts'

/** What a rule is judged on, beside the content. */
export interface JudgedFacts {
  /** No version of the tool was ever approved before. */
  readonly newTool: boolean
  readonly suspicions: readonly string[]
}

const riskOrder: Readonly<Record<ToolRisk, number>> = { low: 0, medium: 1, high: 2 }

/** Compares two risks: above 0 when the first is higher. */
export function compareRisk(left: ToolRisk, right: ToolRisk): number {
  return riskOrder[left] - riskOrder[right]
}

/** Tells why a rule does not cover a tool; empty when it does. */
export function whyRuleFails(
  rule: ApprovalRule,
  content: ToolContent,
  facts: JudgedFacts,
): readonly string[] {
  const reasons: string[] = []
  if (!rule.kinds.includes(content.kind)) reasons.push(`the kind is ${content.kind}`)
  const beyond = content.capabilities.filter((entry) => !rule.capabilities.includes(entry))
  if (beyond.length > 0) reasons.push(`it asks for ${beyond.join(', ')}`)
  if (compareRisk(content.risk, rule.maxRisk) > 0) reasons.push(`its risk is ${content.risk}`)
  if (rule.newToolsOnly && !facts.newTool) reasons.push('it changes a tool that was approved')
  if (content.visibility === 'shared' && rule.visibility === 'owner')
    reasons.push('it is for everybody, not for its owner alone')
  reasons.push(...findWidePowers(content))
  if (facts.suspicions.length > 0) reasons.push(`it is suspicious: ${facts.suspicions.join('; ')}`)
  return reasons
}

/** What the policy says about a proposal that passed its checks. */
export type PolicyJudgement =
  | { readonly rule: ApprovalRule; readonly reasons?: undefined }
  | { readonly rule?: undefined; readonly reasons: readonly string[] }

/** Finds the first rule that covers a tool; without one, says why a person must decide. */
export function judgeByPolicy(
  policy: ApprovalPolicy,
  content: ToolContent,
  facts: JudgedFacts,
): PolicyJudgement {
  const reasons = new Set<string>()
  for (const rule of policy.rules) {
    const failures = whyRuleFails(rule, content, facts)
    if (failures.length === 0) return { rule }
    for (const failure of failures) reasons.add(failure)
  }
  if (reasons.size === 0) reasons.add('the policy has no rules')
  return { reasons: [...reasons] }
}

import { formatPath } from '@toolcrib/registry'
import type { z } from 'zod'
import { showQuoted } from './describe-text.ts'
import { policyError } from '../error-catalogue.ts'
import { type ToolPolicy, toolPolicySchema } from './tool-policy.ts'

/** How many problems an error tells of; the rest is counted. */
const maxProblems = 10

/**
 * Reads a policy from data of any origin: nothing unknown, every path, origin, address and name well-formed, nothing twice.
 *
 * @throws {ToolError} POLICY_INVALID naming every field that is wrong, the rule and the value; `data.issues` has them one by one.
 */
export function readToolPolicy(value: unknown): ToolPolicy {
  const outcome = parse(value)
  if (outcome.success) return outcome.data
  const issues = outcome.error.issues.map((issue) => ({
    path: formatPath(issue.path),
    message: describeIssue(issue),
  }))
  const shown = issues
    .slice(0, maxProblems)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const more = issues.length > maxProblems ? ` (and ${issues.length - maxProblems} more)` : ''
  throw policyError('POLICY_INVALID', `The policy cannot be used. ${shown.join('; ')}${more}`, {
    data: { issues: issues.slice(0, maxProblems) },
  })
}

function parse(value: unknown): z.ZodSafeParseResult<ToolPolicy> {
  try {
    return toolPolicySchema.safeParse(value, { reportInput: true })
  } catch (cause) {
    throw policyError(
      'POLICY_INVALID',
      'The policy cannot be used. A property of it threw when it was read; give plain data.',
      { cause },
    )
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  // What our own rules say holds the value already.
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 5).map((key) => showQuoted(key.slice(0, 100)))
    return `does not know ${keys.join(', ')}; it may hold what the type ToolPolicy names`
  }
  const { input } = issue
  if (issue.code === 'invalid_type' && input === undefined) return `is required (${issue.expected})`
  const isShown =
    typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
  return isShown
    ? `${issue.message}, got ${showQuoted(String(input).slice(0, 100))}`
    : issue.message
}

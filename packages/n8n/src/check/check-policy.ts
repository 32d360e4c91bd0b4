import type { N8nNode } from '../n8n-workflow.ts'
import type { CheckContext } from './check-context.ts'
import {
  hasAdminCredential,
  holdsCode,
  isCodeType,
  isPowerfulType,
  isSubWorkflowNode,
} from './node-powers.ts'
import type { WorkflowProblemCode } from './problem-codes.ts'
import { quote } from './quote.ts'

/** Whether each node is one that workflows may have here. */
export function checkPolicy({ nodes, policy, problems, workflow }: CheckContext): void {
  const refuse = (
    code: WorkflowProblemCode,
    { node, place }: CheckContext['nodes'][number],
    reason: string,
  ): void =>
    problems.error({
      code,
      path: `${place}.type`,
      node: node.name,
      message: `${quote(node.name)} (${quote(node.type)}) ${reason}.`,
      fix: 'Use another node, or ask whoever runs this to allow it.',
    })
  for (const each of nodes) {
    const { node } = each
    const isNamed = policy.allow?.some(
      (pattern) => pattern.toLowerCase() === node.type.toLowerCase(),
    )
    if (matches(node, policy.deny)) refuse('node-not-allowed', each, 'is denied by the policy')
    else if (policy.allow !== undefined && !matches(node, policy.allow) && !isOnlyDrawn(node))
      refuse('node-not-allowed', each, 'is not on the list of allowed nodes')
    else if ((isPowerfulType(node.type) || hasAdminCredential(node)) && !isNamed)
      refuse('powerful-node', each, 'reaches the machine that n8n runs on, or n8n itself')
    else if ((isCodeType(node.type) || holdsCode(node)) && !policy.allowCode)
      refuse('code-not-allowed', each, 'runs code that stands in the workflow')
    else if (isSubWorkflowNode(node) && !policy.allowSubWorkflows)
      refuse('sub-workflow-not-allowed', each, 'runs another workflow, which is not checked')
  }
  const { errorWorkflow } = workflow.settings
  const isSet = errorWorkflow !== undefined && errorWorkflow !== null && errorWorkflow !== ''
  if (isSet && errorWorkflow !== 'DEFAULT' && !policy.allowSubWorkflows)
    problems.error({
      code: 'sub-workflow-not-allowed',
      path: 'settings.errorWorkflow',
      message: `settings.errorWorkflow runs the workflow ${quote(errorWorkflow)} after an error, which is not checked.`,
      fix: 'Leave errorWorkflow out.',
    })
}

function matches({ type }: N8nNode, patterns: readonly string[] = []): boolean {
  return patterns.some((pattern) => matchesPattern(type.toLowerCase(), pattern.toLowerCase()))
}

/** With `*` for any text. By hand, for a regular expression made of many stars could take for ever. */
function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  const end = text.length - last.length
  let from = first.length
  for (const part of rest) {
    const found = text.indexOf(part, from)
    if (found === -1 || found + part.length > end) return false
    from = found + part.length
  }
  return true
}

/** Notes on the canvas do nothing. */
function isOnlyDrawn({ type }: N8nNode): boolean {
  return type === 'n8n-nodes-base.stickyNote'
}

import { findWebhook } from './bind-workflow.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'

/** A shorter wait stays in the run (n8n-nodes-base, Wait). */
const longestInRunMs = 65_000
const unitMs: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}
const waitingTypes: ReadonlySet<string> = new Set([
  'n8n-nodes-base.form',
  '@n8n/n8n-nodes-langchain.chat',
  // Waits as long as the other workflow does.
  'n8n-nodes-base.executeWorkflow',
])
/** Operations that send something and wait for a reply; `dispatchAndWait` is that of GitHub. */
const waitingOperation = /^(?:=.*|sendAndWait|dispatchAndWait)$/s

/**
 * `mayWait` where a call may be answered before the workflow has run: in `lastNode` mode n8n answers a run that stops to wait
 * with what its last node gave by then, with status 200. Where that is not certain, it may.
 */
export function waitingOf(workflow: Pick<N8nWorkflow, 'nodes'>): { readonly mayWait?: true } {
  const isAnsweredAtStop = findWebhook(workflow).parameters['responseMode'] === 'lastNode'
  return isAnsweredAtStop && workflow.nodes.some((node) => mayStop(node)) ? { mayWait: true } : {}
}

function mayStop({ disabled, parameters, type }: N8nNode): boolean {
  if (disabled === true) return false
  const { amount, operation, resume = 'timeInterval', unit } = parameters
  if (type === 'n8n-nodes-base.wait') {
    const ms = typeof unit === 'string' ? Number(amount) * (unitMs[unit] ?? NaN) : NaN
    return resume !== 'timeInterval' || !(ms < longestInRunMs)
  }
  return (
    waitingTypes.has(type) ||
    // Their operation is a hidden parameter, and left out as a rule.
    type.endsWith('HitlTool') ||
    (typeof operation === 'string' && waitingOperation.test(operation))
  )
}

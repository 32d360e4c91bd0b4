import { checkConnections } from './check/check-connections.ts'
import { type CheckContext, createCheckContext } from './check/check-context.ts'
import { checkExpressions } from './check/check-expressions.ts'
import { checkNodeTypes } from './check/check-node-types.ts'
import { checkPolicy } from './check/check-policy.ts'
import { checkTriggers } from './check/check-triggers.ts'
import { checkWebhooks } from './check/check-webhooks.ts'
import { checkFields } from './check/check-fields.ts'
import { checkIgnored } from './check/check-ignored.ts'
import { checkHosts } from './check/check-hosts.ts'
import { checkParameters } from './check/check-parameters.ts'
import { checkCredentials } from './check/check-credentials.ts'
import { checkSchedules } from './check/check-schedules.ts'
import { checkSecrets } from './check/check-secrets.ts'
import { checkSettings } from './check/check-settings.ts'
import { ProblemList } from './check/problem-list.ts'
import { readJson } from './check/read-json.ts'
import { readWorkflow } from './check/read-workflow.ts'
import { nodeCatalogue } from './node-catalogue.ts'
import type { WorkflowCheck, WorkflowCheckOptions, WorkflowLimits } from './workflow-check.ts'

const defaultLimits: WorkflowLimits = {
  maxNodes: 500,
  maxCharacters: 2_000_000,
  maxValues: 100_000,
  maxDepth: 64,
}

const checks: readonly ((context: CheckContext) => void)[] = [
  checkNodeTypes,
  checkPolicy,
  checkSecrets,
  checkTriggers,
  checkConnections,
  checkWebhooks,
  checkSchedules,
  checkExpressions,
  checkParameters,
  checkFields,
  checkIgnored,
  checkCredentials,
  checkHosts,
  checkSettings,
]

/**
 * Checks a workflow before anything is sent to n8n: its shape, its nodes, what starts it, its connections, expressions and
 * schedules, and what it may do here. Repairs what can be repaired without guessing. Takes anything and never throws; the
 * same workflow always gives the same answer, also with its keys in another order.
 */
export function validateWorkflow(
  workflow: unknown,
  { catalogue = nodeCatalogue(), policy = {}, maxProblems = 50, limits }: WorkflowCheckOptions = {},
): WorkflowCheck {
  const problems = new ProblemList(maxProblems)
  const repairs: string[] = []
  const allLimits = { ...defaultLimits, ...limits }
  const json = readJson(workflow, allLimits, problems)
  const read =
    json === undefined
      ? undefined
      : readWorkflow(json, { catalogue, limits: allLimits, problems, repairs })
  if (read === undefined) return { ok: false, ...problems.report() }
  const context = createCheckContext(read, { catalogue, policy, problems })
  for (const check of checks) check(context)
  return problems.hasErrors
    ? { ok: false, ...problems.report() }
    : {
        ok: true,
        workflow: read.workflow,
        ...problems.report(),
        repairs: repairs.map((repair) => problems.clean(repair)),
      }
}

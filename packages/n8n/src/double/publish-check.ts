import type { JsonObject } from '@toolcrib/registry'
import { refuse } from './double-answer.ts'
import type {
  DoubleNode,
  DoubleState,
  DoubleWorkflow,
  DoubleWorkflowVersion,
} from './double-state.ts'
import { webhookNodes } from './webhook-nodes.ts'
import { textOf } from './json-text.ts'

const notTriggers = new Set(['n8n-nodes-base.manualTrigger', 'n8n-nodes-base.errorTrigger'])
/** Types that the double knows to exist; those of other packages are taken on trust. */
const unknownTypes = /^n8n-nodes-base\.(doesNotExist|unknown)/u

const isTrigger = (state: DoubleState, node: DoubleNode): boolean =>
  // 1.x has nothing to start where only other workflows start one.
  !(state.major === 1 && node['type'] === 'n8n-nodes-base.executeWorkflowTrigger') &&
  node['disabled'] !== true &&
  /(Trigger|\.webhook|\.formTrigger|\.cron)$/u.test(textOf(node['type'])) &&
  !notTriggers.has(textOf(node['type']))

/** Refuses what n8n refuses when a version goes live. It is far from a validation, and so is n8n's. */
export function checkPublishable(
  state: DoubleState,
  workflow: DoubleWorkflow,
  version: Pick<DoubleWorkflowVersion, 'nodes' | 'versionId'>,
): void {
  if (workflow.isArchived) refuse(400, 'Cannot activate an archived workflow.')
  for (const node of version.nodes) checkType(state, node)
  if (!version.nodes.some((node) => isTrigger(state, node)))
    refuse(
      400,
      state.major === 2
        ? 'Workflow cannot be activated because it has no trigger node. At least one trigger, webhook, or polling node is required.'
        : `Workflow "${workflow.name}" (ID: ${workflow.id}) has no node to start the workflow - at least one trigger, poller or webhook node is required`,
    )
  if (state.major === 2) checkConfiguration(version.nodes)
  checkConflicts(state, workflow, version)
}

function checkType(state: DoubleState, node: DoubleNode): void {
  const type = textOf(node['type'])
  const excluded = state.major === 2 && type === 'n8n-nodes-base.executeCommand'
  if (unknownTypes.test(type) || excluded) refuse(400, `Unrecognized node type: ${type}`)
  if (Number(node['typeVersion'] ?? 1) >= 99)
    refuse(
      400,
      state.major === 2
        ? `Node type "${type.split('.').at(-1) ?? type}" is not available in version ${textOf(node['typeVersion'])}. Available versions: 1, 2, 3, 3.1, 3.2, 3.3, 3.4, 3.5. Use the latest version 3.5.`
        : "Cannot read properties of undefined (reading 'execute')",
    )
}

/** Required parameters and credentials, for the two node types that tests use for it. */
function checkConfiguration(nodes: readonly DoubleNode[]): void {
  const issues = nodes.flatMap((node) => {
    const parameters: JsonObject = node.parameters ?? {}
    const found = [
      ...(node['type'] === 'n8n-nodes-base.slack' && node['credentials'] === undefined
        ? ['Missing required credential: slackApi']
        : []),
      ...(node['type'] === 'n8n-nodes-base.httpRequest' && (parameters['url'] ?? '') === ''
        ? ['Missing or invalid required parameters: url']
        : []),
    ]
    return found.length === 0
      ? []
      : [`Node "${textOf(node['name'])}":\n${found.map((line) => `  - ${line}`).join('\n')}`]
  })
  if (issues.length > 0)
    refuse(
      400,
      `Cannot publish workflow: ${String(issues.length)} node have configuration issues:\n\n${issues.join('\n\n')}`,
    )
}

function checkConflicts(
  state: DoubleState,
  workflow: DoubleWorkflow,
  version: Pick<DoubleWorkflowVersion, 'nodes'>,
): void {
  const wanted = webhookNodes(state, workflow, version)
  for (const other of state.workflows.values()) {
    if (other === workflow || !other.active) continue
    const live = other.versions.find((each) => each.versionId === other.activeVersionId)
    if (live === undefined) continue
    const taken = webhookNodes(state, other, live)
    if (
      wanted.some((one) => taken.some((two) => one.path === two.path && one.method === two.method))
    )
      refuse(
        state.major === 2 ? 409 : 400,
        state.major === 2
          ? 'There is a conflict with one of the webhooks.'
          : `The URL path that the "${wanted[0]?.name ?? ''}" node uses is already taken. Please change it to something else.`,
      )
  }
}

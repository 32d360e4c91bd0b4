import { refuse } from './double-answer.ts'
import {
  type DoubleNode,
  type DoubleState,
  type DoubleWorkflow,
  type DoubleWorkflowVersion,
  newId,
} from './double-state.ts'
import { checkPublishable } from './publish-check.ts'
import type { WorkflowBody } from './workflow-body.ts'
import { textOf } from './json-text.ts'

/** Node types that get an address of their own. */
const withWebhookId = /^n8n-nodes-base\.(webhook|wait|formTrigger)$/u

/** What the server puts into nodes: 2.x fills in ids and webhook ids, 1.x leaves them as they are. */
function completeNodes(state: DoubleState, nodes: readonly DoubleNode[]): readonly DoubleNode[] {
  if (state.major === 1) return nodes
  return nodes.map((node) => ({
    ...node,
    ...(node['id'] === undefined ? { id: crypto.randomUUID() } : {}),
    ...(node['webhookId'] === undefined && withWebhookId.test(textOf(node['type']))
      ? { webhookId: crypto.randomUUID() }
      : {}),
  }))
}

function addVersion(state: DoubleState, workflow: DoubleWorkflow): void {
  const at = state.timestamp()
  workflow.versions.push({
    versionId: workflow.versionId,
    nodes: workflow.nodes,
    connections: workflow.connections,
    name: null,
    description: null,
    createdAt: at,
    updatedAt: at,
    publishHistory: [],
  })
}

/** Keeps a new workflow. */
export function createWorkflow(state: DoubleState, body: WorkflowBody): DoubleWorkflow {
  const at = state.timestamp()
  const workflow: DoubleWorkflow = {
    id: newId(),
    name: body.name,
    description: null,
    active: false,
    activeVersionId: null,
    createdAt: at,
    updatedAt: at,
    isArchived: false,
    versionId: crypto.randomUUID(),
    versionCounter: 1,
    triggerCount: 0,
    nodes: completeNodes(state, body.nodes),
    connections: body.connections,
    settings: completeSettings(state, body),
    staticData: body.staticData,
    pinData: body.pinData,
    tagIds: [],
    versions: [],
    timeline: [],
  }
  addVersion(state, workflow)
  state.workflows.set(workflow.id, workflow)
  return workflow
}

/** 1.x writes its defaults into the settings. */
function completeSettings(state: DoubleState, body: WorkflowBody): DoubleWorkflow['settings'] {
  if (state.major === 2) return body.settings
  return { callerPolicy: 'workflowsFromSameOwner', availableInMCP: false, ...body.settings }
}

const same = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two)

/** Replaces a workflow. Only nodes and connections make a version; the rest is in force at once. */
export function replaceWorkflow(
  state: DoubleState,
  workflow: DoubleWorkflow,
  body: WorkflowBody,
): void {
  const nodes = completeNodes(state, body.nodes)
  const changed = !same(nodes, workflow.nodes) || !same(body.connections, workflow.connections)
  // What is left out of the settings stays as it was.
  const settings = { ...workflow.settings, ...completeSettings(state, body) }
  if (changed || !same(settings, workflow.settings)) workflow.versionCounter += 1
  workflow.name = body.name
  workflow.nodes = nodes
  workflow.connections = body.connections
  workflow.settings = settings
  workflow.staticData = body.staticData
  workflow.pinData = body.pinData
  if (body.description !== undefined) workflow.description = body.description
  workflow.updatedAt = state.timestamp()
  if (!changed) return
  workflow.versionId = crypto.randomUUID()
  addVersion(state, workflow)
}

/** Makes a version live: at once on 1.x, a little later on 2.x. */
export function publishVersion(
  state: DoubleState,
  workflow: DoubleWorkflow,
  change: {
    readonly versionId?: string | undefined
    readonly name?: string | undefined
    readonly description?: string | undefined
  } = {},
): void {
  // 1.x does not look at the version that it is asked for.
  const versionId = (state.major === 2 ? change.versionId : undefined) ?? workflow.versionId
  const version = workflow.versions.find((each) => each.versionId === versionId)
  if (version === undefined) return refuse(404, 'Version not found')
  checkPublishable(state, workflow, version)
  if (change.name !== undefined || change.description !== undefined) {
    version.name = change.name ?? version.name
    version.description = change.description ?? version.description
    version.updatedAt = state.timestamp()
  }
  noteEvent(state, workflow, 'deactivated')
  workflow.active = true
  workflow.activeVersionId = version.versionId
  noteEvent(state, workflow, 'activated')
  schedule(state, workflow, { versionId: version.versionId, delayMs: state.publishDelayMs })
  workflow.triggerCount = triggers(version)
}

/** Takes the live version down: at once on 1.x, a little later on 2.x. */
export function unpublishWorkflow(state: DoubleState, workflow: DoubleWorkflow): void {
  noteEvent(state, workflow, 'deactivated')
  if (workflow.active)
    schedule(state, workflow, { versionId: null, delayMs: state.unpublishDelayMs })
  workflow.active = false
  workflow.activeVersionId = null
}

/** Puts a workflow away, or takes it back; either makes a version. */
export function archiveWorkflow(
  state: DoubleState,
  workflow: DoubleWorkflow,
  isArchived: boolean,
): void {
  if (isArchived && workflow.active) unpublishWorkflow(state, workflow)
  workflow.isArchived = isArchived
  workflow.versionId = crypto.randomUUID()
  addVersion(state, workflow)
}

function schedule(
  state: DoubleState,
  workflow: DoubleWorkflow,
  { versionId, delayMs }: { readonly versionId: string | null; readonly delayMs: number },
): void {
  workflow.timeline.push({ at: state.now() + (state.major === 2 ? delayMs : 0), versionId })
}

function noteEvent(state: DoubleState, workflow: DoubleWorkflow, event: string): void {
  const live = liveVersion(workflow)
  if (live === undefined) return
  live.publishHistory.push({
    id: state.nextPublishEvent++,
    workflowId: workflow.id,
    versionId: live.versionId,
    event,
    userId: state.ownerId,
    createdAt: state.timestamp(),
  })
}

/** The version that is published, whether it answers already or not. */
function liveVersion(workflow: DoubleWorkflow): DoubleWorkflowVersion | undefined {
  return workflow.versions.find((each) => each.versionId === workflow.activeVersionId)
}

const triggers = (version: DoubleWorkflowVersion): number =>
  version.nodes.filter((node) => /(Trigger|\.webhook)$/u.test(textOf(node['type']))).length

import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { createDoubleServer } from './double-server.ts'
import { type DoubleState, type DoubleWorkflow, newId } from './double-state.ts'
import { endExecution } from './execution-data.ts'
import type {
  EditBehindTheBack,
  N8nDouble,
  N8nDoubleOptions,
  WorkflowInDouble,
} from './n8n-double.ts'
import { allScopes } from './public-api.ts'
import { noTrouble } from './trouble.ts'
import {
  archiveWorkflow,
  publishVersion,
  replaceWorkflow,
  unpublishWorkflow,
} from './workflow-changes.ts'

const n8nDoubleOptionNames: KnownOptions<N8nDoubleOptions> = {
  version: true,
  apiKey: true,
  scopes: true,
  keys: { apiKey: true, scopes: true },
  publishDelayMs: true,
  unpublishDelayMs: true,
  failedRemovals: true,
  now: true,
}

/**
 * Starts a double of an n8n server on a free port of 127.0.0.1. Close it after the test.
 *
 * It answers as recordings of the real releases do, and it runs no workflow: what one does is said with `onWebhook`.
 */
export async function createN8nDouble(options: N8nDoubleOptions = {}): Promise<N8nDouble> {
  assertOptions<N8nDoubleOptions>('createN8nDouble', options, n8nDoubleOptionNames)
  const { version = '2.41.1', scopes = allScopes } = options
  const { apiKey = `n8n_api_${crypto.randomUUID()}`, keys = [] } = options
  const now = options.now ?? (() => performance.now())
  const state: DoubleState = {
    version,
    major: version.startsWith('1.') ? 1 : 2,
    keys: new Map([
      [apiKey, scopes],
      ...keys.map((key): [string, readonly string[]] => [key.apiKey, key.scopes]),
    ]),
    publishDelayMs: options.publishDelayMs ?? 20,
    unpublishDelayMs: options.unpublishDelayMs ?? 20,
    failedRemovals: options.failedRemovals ?? 0,
    ownerId: crypto.randomUUID(),
    projectId: newId(),
    startedAt: new Date().toISOString(),
    workflows: new Map(),
    credentials: new Map(),
    tags: new Map(),
    executions: new Map(),
    behaviours: [],
    nextExecutionId: 1,
    nextPublishEvent: 1,
    now,
    timestamp: () => new Date().toISOString(),
  }
  const trouble = noTrouble()
  const server = await createDoubleServer(state, trouble)
  const find = (id: string): DoubleWorkflow => {
    const workflow = state.workflows.get(id)
    if (workflow === undefined) throw new Error(`the double has no workflow ${id}`)
    return workflow
  }
  const crashRuns = (): void => {
    for (const execution of state.executions.values())
      if (execution.status === 'running')
        endExecution(state, execution, { status: 'crashed', outputs: [] })
  }

  const double: N8nDouble = {
    version,
    baseUrl: server.baseUrl,
    apiKey,
    requests: server.requests,
    workflows: () => [...state.workflows.values()].map((workflow) => view(workflow)),
    credentials: () =>
      [...state.credentials.values()].map(({ id, name, type }) => ({ id, name, type })),
    executions: () =>
      [...state.executions.values()].map(({ id, workflowId, status, data }) => ({
        id,
        workflowId,
        status,
        data,
      })),
    onWebhook: (match, run) => {
      const entry = { match, run }
      state.behaviours.push(entry)
      return () => {
        const index = state.behaviours.indexOf(entry)
        if (index >= 0) state.behaviours.splice(index, 1)
      }
    },
    edit: (id, change) => {
      edit(state, find(id), change)
    },
    remove: (id) => state.workflows.delete(id),
    setActive: (id, active) => {
      if (active) publishVersion(state, find(id))
      else unpublishWorkflow(state, find(id))
    },
    down: async () => {
      crashRuns()
      await server.stop()
    },
    starting: (stage = 'page') => {
      trouble.stage = stage
    },
    up: async () => {
      Object.assign(trouble, { slowMs: 0, stage: undefined })
      trouble.failures.length = 0
      trouble.cuts.length = 0
      await server.start()
    },
    slow: (ms) => {
      trouble.slowMs = ms
    },
    failNext: (plan) => {
      trouble.failures.push({ plan, left: plan.times ?? 1 })
    },
    cutConnection: (plan = {}) => {
      trouble.cuts.push({ plan, left: plan.times ?? 1 })
    },
    close: () => server.stop(),
    [Symbol.asyncDispose]: () => server.stop(),
  }
  return double
}

function view(workflow: DoubleWorkflow): WorkflowInDouble {
  const { id, name, active, isArchived, versionId, activeVersionId } = workflow
  const { nodes, connections, settings } = workflow
  return {
    id,
    name,
    active,
    isArchived,
    versionId,
    activeVersionId,
    nodes,
    connections,
    settings,
    versions: workflow.versions.map((version) => ({
      versionId: version.versionId,
      name: version.name,
      nodes: version.nodes,
    })),
  }
}

function edit(state: DoubleState, workflow: DoubleWorkflow, change: EditBehindTheBack): void {
  replaceWorkflow(state, workflow, {
    name: change.name ?? workflow.name,
    nodes: change.nodes ?? workflow.nodes,
    connections: change.connections ?? workflow.connections,
    settings: change.settings ?? workflow.settings,
    staticData: change.staticData === undefined ? workflow.staticData : change.staticData,
    pinData: change.pinData === undefined ? workflow.pinData : change.pinData,
    description: undefined,
  })
  if (change.isArchived !== undefined) archiveWorkflow(state, workflow, change.isArchived)
  const live = change.publish ?? workflow.active
  if (live && workflow.activeVersionId !== workflow.versionId) publishVersion(state, workflow)
}

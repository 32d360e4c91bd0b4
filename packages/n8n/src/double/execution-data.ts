import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type {
  DoubleExecution,
  DoubleState,
  DoubleWorkflow,
  DoubleWorkflowVersion,
} from './double-state.ts'

/** How a run ended, for its record. */
export interface RunEnd {
  readonly status: DoubleExecution['status']
  /** By node, in the order in which they ran. */
  readonly outputs: readonly { readonly node: string; readonly items: readonly JsonValue[] }[]
  readonly error?: { readonly node: string; readonly message: string; readonly name: string }
}

/** Starts the record of a run. */
export function startExecution(
  state: DoubleState,
  workflow: DoubleWorkflow,
  version: DoubleWorkflowVersion,
): DoubleExecution {
  const at = state.timestamp()
  const execution: DoubleExecution = {
    id: String(state.nextExecutionId++),
    workflowId: workflow.id,
    workflowVersionId: version.versionId,
    status: 'running',
    mode: 'webhook',
    retryOf: null,
    retrySuccessId: null,
    createdAt: at,
    startedAt: at,
    stoppedAt: null,
    waitTill: null,
    data: {},
    workflowData: {
      id: workflow.id,
      name: workflow.name,
      ...(state.major === 1
        ? {
            active: workflow.active,
            activeVersionId: workflow.activeVersionId,
            isArchived: workflow.isArchived,
            createdAt: workflow.createdAt,
            updatedAt: workflow.updatedAt,
          }
        : {}),
      nodes: version.nodes,
      connections: version.connections,
      settings: workflow.settings,
      ...(state.major === 1 ? { staticData: {}, pinData: workflow.pinData } : {}),
    },
    customData: {},
  }
  state.executions.set(execution.id, execution)
  return execution
}

/** Ends the record of a run, and drops it where the workflow's settings say so. */
export function endExecution(state: DoubleState, execution: DoubleExecution, end: RunEnd): void {
  const settings = execution.workflowData['settings'] as JsonObject
  const key = end.status === 'success' ? 'saveDataSuccessExecution' : 'saveDataErrorExecution'
  if (end.status !== 'waiting' && settings[key] === 'none') {
    state.executions.delete(execution.id)
    return
  }
  execution.status = end.status
  // A crash leaves no time of its end behind before the server is up again.
  execution.stoppedAt = state.timestamp()
  if (end.status === 'waiting') execution.waitTill = '3000-01-01T00:00:00.000Z'
  execution.data = runData(state, end)
}

function runData(state: DoubleState, end: RunEnd): JsonObject {
  const startTime = Date.now()
  const runs: Record<string, JsonValue> = {}
  for (const [index, { node, items }] of end.outputs.entries())
    runs[node] = [
      {
        startTime,
        executionIndex: index,
        source: index === 0 ? [] : [source(state, end.outputs[index - 1]?.node ?? '')],
        hints: [],
        executionTime: 1,
        executionStatus: 'success',
        data: { main: [items.map((json) => ({ json, pairedItem: { item: 0 } }))] },
      },
    ]
  const error =
    end.error === undefined
      ? undefined
      : {
          level: 'info',
          shouldReport: false,
          description: null,
          tags: {},
          name: end.error.name,
          message: end.error.message,
          stack: `${end.error.name}: ${end.error.message}`,
        }
  if (end.error !== undefined && error !== undefined)
    runs[end.error.node] = [
      {
        startTime,
        executionIndex: end.outputs.length,
        source: [source(state, end.outputs.at(-1)?.node ?? '')],
        hints: [],
        executionTime: 1,
        executionStatus: 'error',
        error,
      },
    ]
  return {
    version: 1,
    startData: {},
    resultData: {
      ...(error === undefined ? {} : { error }),
      runData: runs,
      lastNodeExecuted: end.error?.node ?? end.outputs.at(-1)?.node ?? '',
    },
    executionData: {
      contextData: {},
      nodeExecutionStack: [],
      metadata: {},
      waitingExecution: {},
      waitingExecutionSource: {},
      runtimeData: { version: 1, establishedAt: startTime, source: 'webhook' },
    },
    ...(state.major === 2 ? { resumeToken: '0'.repeat(64) } : {}),
  }
}

const source = (state: DoubleState, previousNode: string): JsonObject =>
  state.major === 2 ? { previousNode, previousNodeOutput: 0, previousNodeRun: 0 } : { previousNode }

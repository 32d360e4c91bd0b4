import type { JsonObject } from '@toolcrib/registry'
import { answerJson, answerMessage, refuse } from './double-answer.ts'
import type { DoubleRequest, DoubleRoute } from './double-route.ts'
import { type DoubleExecution, type DoubleState } from './double-state.ts'
import { pageByLastId } from './paging.ts'

const statuses = {
  1: ['canceled', 'error', 'running', 'success', 'waiting'],
  2: ['canceled', 'crashed', 'error', 'new', 'running', 'success', 'unknown', 'waiting'],
}

function summary(execution: DoubleExecution): JsonObject {
  return {
    id: execution.id,
    finished: execution.status === 'success',
    mode: execution.mode,
    retryOf: execution.retryOf,
    retrySuccessId: execution.retrySuccessId,
    status: execution.status,
    startedAt: execution.startedAt,
    stoppedAt: execution.stoppedAt,
    workflowId: execution.workflowId,
    waitTill: execution.waitTill,
  }
}

const withData = (execution: DoubleExecution): JsonObject => ({
  data: execution.data,
  workflowData: execution.workflowData,
  customData: execution.customData,
})

function inList(state: DoubleState, execution: DoubleExecution, data: boolean): JsonObject {
  return {
    ...summary(execution),
    ...(state.major === 2 && data
      ? {
          storedAt: 'db',
          jsonSizeBytes: JSON.stringify(execution.data).length,
          workflowVersionId: execution.workflowVersionId,
        }
      : {}),
    ...(data ? withData(execution) : {}),
  }
}

function single(state: DoubleState, execution: DoubleExecution, data: boolean): JsonObject {
  return {
    ...summary(execution),
    createdAt: execution.createdAt,
    deletedAt: null,
    ...(state.major === 2
      ? {
          storedAt: 'db',
          tracingContext: null,
          deduplicationKey: null,
          jsonSizeBytes: JSON.stringify(execution.data).length,
          binaryDataSizeBytes: 0,
          workflowVersionId: execution.workflowVersionId,
          usedPrivateCredentials: false,
        }
      : {}),
    ...(data ? withData(execution) : {}),
  }
}

function find(
  { state, parameters }: DoubleRequest,
  missing: string = 'Not Found',
): DoubleExecution {
  const id = parameters['id'] ?? ''
  if (!/^\d+$/u.test(id))
    refuse(
      400,
      state.major === 2
        ? 'request/params/executionId must be a positive integer'
        : 'request/params/id must be number',
    )
  return state.executions.get(id) ?? refuse(404, missing)
}

/** Executions of the public API. */
export const executionRoutes: readonly DoubleRoute[] = [
  {
    method: 'GET',
    path: '/executions',
    scope: 'execution:list',
    query: ['workflowId', 'status', 'includeData', 'limit', 'cursor', 'projectId'],
    answer: ({ state, query }) => {
      const status = query.get('status')
      if (status !== null && !statuses[state.major].includes(status))
        refuse(
          400,
          state.major === 2
            ? `request/query/status Invalid enum value. Expected ${statuses[2].map((each) => `'${each}'`).join(' | ')}, received '${status}'`
            : `request/query/status must be equal to one of the allowed values: ${statuses[1].join(', ')}`,
        )
      const workflowId = query.get('workflowId')
      const found = [...state.executions.values()]
        .filter(
          (execution) =>
            // 1.x does not list those that wait, not even when asked for them.
            (state.major === 2 || execution.status !== 'waiting') &&
            (workflowId === null || execution.workflowId === workflowId) &&
            (status === null ? execution.status !== 'running' : execution.status === status),
        )
        .toSorted((one, two) => Number(two.id) - Number(one.id))
      const page = pageByLastId(state, query, found)
      const data = query.get('includeData') === 'true'
      return answerJson(200, {
        data: page.data.map((execution) => inList(state, execution, data)),
        nextCursor: page.nextCursor,
      })
    },
  },
  {
    method: 'GET',
    path: '/executions/:id',
    scope: 'execution:read',
    query: ['includeData'],
    answer: (request) =>
      answerJson(
        200,
        single(request.state, find(request), request.query.get('includeData') === 'true'),
      ),
  },
  {
    method: 'DELETE',
    path: '/executions/:id',
    scope: 'execution:delete',
    answer: (request) => {
      const execution = find(request)
      request.state.executions.delete(execution.id)
      return answerJson(200, single(request.state, execution, false))
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/retry',
    scope: 'execution:retry',
    answer: (request) => {
      const { state } = request
      const { status } = find(request)
      if (status === 'success')
        refuse(state.major === 2 ? 409 : 400, 'The execution succeeded, so it cannot be retried.')
      return answerMessage(501, 'the double does not run an execution again')
    },
  },
  {
    method: 'POST',
    path: '/executions/:id/stop',
    scope: 'execution:stop',
    only: 2,
    answer: (request) => {
      const execution = find(request, 'Failed to find execution to stop')
      if (execution.status !== 'running' && execution.status !== 'waiting')
        refuse(
          409,
          `Only running or waiting executions can be stopped and ${execution.id} is currently ${execution.status}`,
        )
      execution.status = 'canceled'
      execution.stoppedAt = request.state.timestamp()
      execution.waitTill = null
      const { mode, startedAt, stoppedAt, status } = execution
      return answerJson(200, { mode, startedAt, stoppedAt, finished: false, status })
    },
  },
]

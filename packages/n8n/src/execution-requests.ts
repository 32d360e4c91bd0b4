import { type JsonValue, ToolError } from '@toolcrib/registry'
import { readEntity, textField, textOf } from './entity.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { ExecutionStatus, N8nExecution, N8nExecutions } from './n8n-client.ts'
import { assertDuration, assertId, optionError } from './option-check.ts'
import { assertPageSize, listPages } from './pages.ts'
import type { ClientParts } from './workflow-requests.ts'

const statuses = [
  'new',
  'running',
  'waiting',
  'success',
  'error',
  'crashed',
  'canceled',
  'unknown',
] as const satisfies readonly ExecutionStatus[]

const defaultPollMs = 250

export function createExecutionRequests({ requests }: ClientParts): N8nExecutions {
  const read = async (
    id: string,
    includeData: boolean,
    deadline: ReturnType<typeof requests.start>,
  ): Promise<N8nExecution> => {
    const path = `/executions/${id}`
    const query = { includeData: includeData ? true : undefined }
    return toExecution(await requests.call({ method: 'GET', path, query }, deadline))
  }

  return {
    list: ({ workflowId, status, includeData, pageSize } = {}, options = {}) => {
      assertPageSize(pageSize)
      if (workflowId !== undefined) assertId('workflowId', workflowId)
      if (status !== undefined && !statuses.includes(status))
        throw optionError({ field: 'status', rule: `one of ${statuses.join(', ')}`, value: status })
      const query = { workflowId, status, includeData: includeData === true ? true : undefined }
      return listPages(
        requests,
        { path: '/executions', query, pageSize, read: toExecution },
        options,
      )
    },
    get: async (id, options = {}) => {
      assertId('id', id)
      return await read(id, options.includeData === true, requests.start(options))
    },
    waitFor: async (id, options = {}) => {
      assertId('id', id)
      const { pollMs = defaultPollMs, includeData = false } = options
      assertDuration('pollMs', pollMs)
      const deadline = requests.start(options)
      for (;;) {
        // Its data can be large, so it is fetched once only.
        const execution = await read(id, false, deadline)
        if (execution.status !== 'new' && execution.status !== 'running')
          return includeData ? await read(id, true, deadline) : execution
        if (deadline.remaining() <= pollMs)
          throw n8nError(
            'N8N_TIMEOUT',
            `Execution ${id} is still ${execution.status} after ${deadline.timeoutMs} ms. Wait longer, or stop it.`,
            { data: { executionId: id, status: execution.status, timeoutMs: deadline.timeoutMs } },
          )
        await requests.pause(pollMs, deadline)
      }
    },
    stop: async (id, options = {}) => {
      assertId('id', id)
      const deadline = requests.start(options)
      try {
        await requests.call({ method: 'POST', path: `/executions/${id}/stop` }, deadline)
        return true
      } catch (error) {
        if (ToolError.is(error, 'N8N_CONFLICT')) return false
        throw error
      }
    },
  }
}

function toExecution(json: JsonValue | undefined): N8nExecution {
  const entity = readEntity('execution', json, ['id', 'workflowId'])
  const { status, customData, data } = entity
  return {
    id: textOf(entity['id']),
    workflowId: textOf(entity['workflowId']),
    ...textField('workflowVersionId', entity['workflowVersionId']),
    status: statuses.find((known) => known === status) ?? 'unknown',
    mode: textOf(entity['mode']),
    ...textField('startedAt', entity['startedAt']),
    ...textField('stoppedAt', entity['stoppedAt']),
    ...(isObject(customData) ? { customData } : {}),
    ...(isObject(data) ? { data } : {}),
  }
}

import type { ToolError } from '@toolcrib/registry'
import type { ApiRequests } from './api-requests.ts'
import type { Deadline } from './deadline.ts'
import { n8nError } from './error-catalogue.ts'
import type {
  ListWorkflowsFilter,
  N8nCapabilities,
  N8nWorkflows,
  PublishOptions,
  StoredWorkflow,
} from './n8n-client.ts'
import { assertId, optionError } from './option-check.ts'
import { assertPageSize, listPages } from './pages.ts'
import { toSentWorkflow, toStoredWorkflow, toWorkflowVersion } from './stored-workflow.ts'
import { removeWorkflow } from './workflow-removal.ts'

/** What the parts of a client share. */
export interface ClientParts {
  readonly requests: ApiRequests
  readonly capabilities: (deadline: Deadline) => Promise<N8nCapabilities>
}

export function createWorkflowRequests({ requests, capabilities }: ClientParts): N8nWorkflows {
  const majorOf = async (deadline: Deadline): Promise<1 | 2> => (await capabilities(deadline)).major

  const publish = async (id: string, options: PublishOptions = {}): Promise<StoredWorkflow> => {
    assertId('id', id)
    const { versionId, name, description } = options
    if (versionId !== undefined) assertId('versionId', versionId)
    const deadline = requests.start(options)
    const { major, publish: hasPublish } = await capabilities(deadline)
    if (!hasPublish && versionId !== undefined)
      throw unsupported('publish a version of its own', 'Leave out versionId.')
    const body = {
      ...(versionId === undefined ? {} : { versionId }),
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    }
    const json = await requests.call(
      hasPublish
        ? { method: 'POST', path: `/workflows/${id}/publish`, body }
        : { method: 'POST', path: `/workflows/${id}/activate` },
      deadline,
    )
    return toStoredWorkflow(json, major)
  }

  const unpublish: N8nWorkflows['unpublish'] = async (id, options = {}) => {
    assertId('id', id)
    const deadline = requests.start(options)
    const { major, publish: hasPublish } = await capabilities(deadline)
    const verb = hasPublish ? 'unpublish' : 'deactivate'
    const json = await requests.call({ method: 'POST', path: `/workflows/${id}/${verb}` }, deadline)
    return toStoredWorkflow(json, major)
  }

  const assertHistory = async (deadline: Deadline): Promise<void> => {
    if (!(await capabilities(deadline)).history)
      throw unsupported(
        'give versions of workflows',
        'Keep the older workflow yourself, and update with it.',
      )
  }

  return {
    create: async (workflow, options = {}) => {
      const deadline = requests.start(options)
      // Before anything goes out, not after the server was asked what it can.
      toSentWorkflow(workflow, { major: 2 })
      const major = await majorOf(deadline)
      const body = toSentWorkflow(workflow, { major })
      const json = await requests.call({ method: 'POST', path: '/workflows', body }, deadline)
      return toStoredWorkflow(json, major)
    },
    get: async (id, options = {}) => {
      assertId('id', id)
      const deadline = requests.start(options)
      const major = await majorOf(deadline)
      return toStoredWorkflow(
        await requests.call({ method: 'GET', path: `/workflows/${id}` }, deadline),
        major,
      )
    },
    list: (filter = {}, options = {}) => {
      assertPageSize(filter.pageSize)
      return listWorkflows(filter, options)
    },
    update: async (id, workflow, options = {}) => {
      assertId('id', id)
      const { mode = 'draft' } = options
      if (mode !== 'draft' && mode !== 'live')
        throw optionError({ field: 'mode', rule: '"draft" or "live"', value: mode })
      const deadline = requests.start(options)
      toSentWorkflow(workflow, { major: 2 })
      const { major, publish: hasPublish } = await capabilities(deadline)
      if (!hasPublish && mode === 'draft')
        throw unsupported(
          'save a draft: what is saved is live at once where the workflow is active',
          'Use mode "live".',
        )
      const path = `/workflows/${id}`
      const current = await requests.call({ method: 'GET', path }, deadline)
      const stored = toStoredWorkflow(current, major)
      const body = toSentWorkflow(workflow, { major, stored })
      const query = mode === 'draft' ? { publishIfActive: false } : {}
      return toStoredWorkflow(
        await requests.call({ method: 'PUT', path, query, body }, deadline),
        major,
      )
    },
    remove: async (id, options = {}) => {
      assertId('id', id)
      return await removeWorkflow(requests, id, requests.start(options))
    },
    publish,
    unpublish,
    setActive: async (id, active, options = {}) => {
      if (typeof active !== 'boolean')
        throw optionError({ field: 'active', rule: 'true or false', value: active })
      return await (active ? publish(id, options) : unpublish(id, options))
    },
    history: async (id, options = {}) => {
      assertId('id', id)
      const { signal } = options
      const deadline = requests.start(options)
      await assertHistory(deadline)
      const versions = []
      const listing = { path: `/workflows/${id}/history`, read: toWorkflowVersion }
      for await (const version of listPages(requests, listing, { deadline, signal }))
        versions.push(version)
      return versions
    },
    version: async (id, versionId, options = {}) => {
      assertId('id', id)
      assertId('versionId', versionId)
      const deadline = requests.start(options)
      await assertHistory(deadline)
      const path = `/workflows/${id}/versions/${versionId}`
      return toWorkflowVersion(await requests.call({ method: 'GET', path }, deadline))
    },
    rollback: async (id, versionId, options = {}) => {
      assertId('versionId', versionId)
      await assertHistory(requests.start(options))
      return await publish(id, { ...options, versionId })
    },
  }

  async function* listWorkflows(
    { active, name, tags, projectId, pageSize }: ListWorkflowsFilter,
    options: PublishOptions,
  ): AsyncGenerator<StoredWorkflow, void, undefined> {
    const major = await majorOf(requests.start(options))
    const query = { active, name, tags: tags?.join(','), projectId }
    yield* listPages(
      requests,
      { path: '/workflows', query, pageSize, read: (entry) => toStoredWorkflow(entry, major) },
      options,
    )
  }
}

function unsupported(what: string, fix: string): ToolError<'N8N_UNSUPPORTED'> {
  return n8nError('N8N_UNSUPPORTED', `n8n 1.x cannot ${what}. ${fix}`, {
    data: { major: 1 },
  }) as ToolError<'N8N_UNSUPPORTED'>
}

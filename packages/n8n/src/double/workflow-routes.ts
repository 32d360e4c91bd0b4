import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { answerJson, answerMessage, refuse } from './double-answer.ts'
import type { DoubleRequest, DoubleRoute } from './double-route.ts'
import type { DoubleState, DoubleWorkflow } from './double-state.ts'
import { pageByOffset } from './paging.ts'
import { readWorkflowBody } from './workflow-body.ts'
import {
  archiveWorkflow,
  createWorkflow,
  publishVersion,
  replaceWorkflow,
  unpublishWorkflow,
} from './workflow-changes.ts'
import { tagEntity, versionEntity, workflowEntity } from './workflow-entity.ts'
import { isSettling } from './webhook-nodes.ts'
import { textOf } from './json-text.ts'

function find({ state, parameters }: DoubleRequest, action?: string): DoubleWorkflow {
  const workflow = state.workflows.get(parameters['id'] ?? '')
  if (workflow !== undefined) return workflow
  return refuse(
    404,
    action === undefined || state.major === 1
      ? 'Not Found'
      : `You do not have permission to ${action} this workflow. Ask the owner to share it with you.`,
  )
}

const text = (body: JsonValue, key: string): string | undefined => {
  const value = (body as JsonObject | null)?.[key]
  return typeof value === 'string' ? value : undefined
}

/** Lists leave some of it out. */
function listed(state: DoubleState, workflow: DoubleWorkflow): JsonObject {
  const entity = workflowEntity(state, workflow, ['tags', 'shared', 'activeVersion'])
  const { description: _1, sourceWorkflowId: _2, versionCounter: _3, ...rest } = entity
  return rest
}

function withoutPinned(entity: JsonObject, query: URLSearchParams): JsonObject {
  if (query.get('excludePinnedData') !== 'true') return entity
  const { pinData: _left, ...rest } = entity
  return rest
}

const publish: DoubleRoute['answer'] = (request) => {
  const workflow = find(request, 'activate')
  const { state, body } = request
  const wasLive = workflow.active
  publishVersion(state, workflow, {
    versionId: text(body, 'versionId'),
    name: text(body, 'name'),
    description: text(body, 'description'),
  })
  return answerJson(
    200,
    workflowEntity(state, workflow, [
      'activeVersion',
      'publishHistory',
      ...(state.major === 1 && wasLive ? (['shared'] as const) : []),
    ]),
  )
}

const unpublish: DoubleRoute['answer'] = (request) => {
  const workflow = find(request, 'deactivate')
  unpublishWorkflow(request.state, workflow)
  return answerJson(200, workflowEntity(request.state, workflow, ['shared', 'activeVersion']))
}

const archive =
  (isArchived: boolean): DoubleRoute['answer'] =>
  (request) => {
    const workflow = request.state.workflows.get(request.parameters['id'] ?? '')
    if (workflow === undefined) return refuse(404, 'Workflow not found')
    archiveWorkflow(request.state, workflow, isArchived)
    return answerJson(200, workflowEntity(request.state, workflow, ['shared', 'activeVersion']))
  }

/** Workflows of the public API. */
export const workflowRoutes: readonly DoubleRoute[] = [
  {
    method: 'POST',
    path: '/workflows',
    scope: 'workflow:create',
    needsBody: true,
    answer: ({ state, body }) => {
      const workflow = createWorkflow(
        state,
        readWorkflowBody(body, { major: state.major, update: false }),
      )
      return answerJson(
        200,
        workflowEntity(
          state,
          workflow,
          state.major === 2 ? ['tags', 'shared', 'activeVersion', 'parentFolder'] : [],
        ),
      )
    },
  },
  {
    method: 'GET',
    path: '/workflows',
    scope: 'workflow:list',
    query: ['active', 'tags', 'name', 'projectId', 'excludePinnedData', 'limit', 'cursor'],
    answer: (request) => {
      const { state, query } = request
      const active = query.get('active')
      if (active !== null && active !== 'true' && active !== 'false')
        refuse(
          400,
          state.major === 2
            ? `request/query/active Invalid enum value. Expected 'true' | 'false', received '${active}'`
            : 'request/query/active must be boolean',
        )
      const name = query.get('name')?.toLowerCase()
      const tags = query.get('tags')?.split(',')
      const found = [...state.workflows.values()].filter(
        (workflow) =>
          (active === null || workflow.active === (active === 'true')) &&
          (name === undefined || workflow.name.toLowerCase().includes(name)) &&
          (tags === undefined ||
            tags.every((tag) => workflow.tagIds.some((id) => state.tags.get(id)?.name === tag))),
      )
      // Random ids, and their order is the list's: callers must not rely on any.
      const inOrder = found.toSorted((one, two) => (one.id < two.id ? -1 : 1))
      return pageByOffset(
        state,
        query,
        inOrder.map((workflow) => withoutPinned(listed(state, workflow), query)),
      )
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id',
    scope: 'workflow:read',
    query: ['excludePinnedData'],
    answer: (request) => {
      const entity = workflowEntity(request.state, find(request), [
        'tags',
        'shared',
        'activeVersion',
        'publishHistory',
      ])
      return answerJson(200, withoutPinned(entity, request.query))
    },
  },
  {
    method: 'PUT',
    path: '/workflows/:id',
    scope: 'workflow:update',
    query: [],
    answer: (request) => {
      const { state, query } = request
      const body = readWorkflowBody(request.body, { major: state.major, update: true })
      const workflow = find(request, 'update')
      if (state.major === 2 && workflow.isArchived)
        refuse(400, 'Cannot update an archived workflow.')
      const wasActive = workflow.active
      replaceWorkflow(state, workflow, body)
      const live = wasActive && query.get('publishIfActive') !== 'false'
      if (live && workflow.activeVersionId !== workflow.versionId)
        try {
          publishVersion(state, workflow)
        } catch (error) {
          // 2.x keeps the draft and the live version; 1.x keeps the draft, and nothing is live.
          if (state.major === 1) unpublishWorkflow(state, workflow)
          throw error
        }
      return answerJson(
        200,
        workflowEntity(
          state,
          workflow,
          state.major === 2
            ? ['tags', 'activeVersion', ...(live ? (['publishHistory'] as const) : [])]
            : ['tags'],
        ),
      )
    },
  },
  {
    method: 'DELETE',
    path: '/workflows/:id',
    scope: 'workflow:delete',
    answer: (request) => {
      const { state } = request
      const workflow = find(request)
      if (state.major === 2 && workflow.active)
        refuse(409, 'Cannot delete a published workflow. Unpublish it before deleting.')
      if (state.major === 2 && isSettling(state, workflow) && state.failedRemovals > 0) {
        state.failedRemovals -= 1
        refuse(500, 'Internal server error')
      }
      if (state.major === 2 && isSettling(state, workflow))
        refuse(409, 'Workflow is still being unpublished. Please try again in a few moments.')
      state.workflows.delete(workflow.id)
      return answerJson(200, workflowEntity(state, workflow, ['shared']))
    },
  },
  { method: 'POST', path: '/workflows/:id/activate', scope: 'workflow:activate', answer: publish },
  {
    method: 'POST',
    path: '/workflows/:id/publish',
    scope: 'workflow:activate',
    only: 2,
    answer: publish,
  },
  {
    method: 'POST',
    path: '/workflows/:id/deactivate',
    scope: 'workflow:deactivate',
    answer: unpublish,
  },
  {
    method: 'POST',
    path: '/workflows/:id/unpublish',
    scope: 'workflow:deactivate',
    only: 2,
    answer: unpublish,
  },
  {
    method: 'POST',
    path: '/workflows/:id/archive',
    scope: 'workflow:delete',
    only: 2,
    answer: archive(true),
  },
  {
    method: 'POST',
    path: '/workflows/:id/unarchive',
    scope: 'workflow:delete',
    only: 2,
    answer: archive(false),
  },
  {
    method: 'GET',
    path: '/workflows/:id/history',
    scope: 'workflow:read',
    only: 2,
    answer: (request) => {
      const { state } = request
      const workflow = find(request)
      const newestFirst = workflow.versions.toReversed().map((version) => {
        const {
          nodes: _nodes,
          connections: _connections,
          nodeGroups: _groups,
          ...entry
        } = versionEntity(state, workflow, version)
        return entry
      })
      return pageByOffset(state, request.query, newestFirst)
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/versions/:versionId',
    scope: 'workflow:read',
    only: 2,
    answer: (request) => answerVersion(request),
  },
  {
    method: 'GET',
    path: '/workflows/:id/tags',
    scope: 'workflowTags:list',
    answer: (request) =>
      answerJson(
        200,
        find(request).tagIds.flatMap((id) => tagEntity(request.state, id)),
      ),
  },
  {
    method: 'PUT',
    path: '/workflows/:id/tags',
    scope: 'workflowTags:update',
    answer: (request) => {
      const { state } = request
      const workflow = find(request)
      const ids = (request.body as readonly JsonObject[]).map((each) => textOf(each['id']))
      if (ids.some((id) => !state.tags.has(id))) return answerMessage(404, 'Some tags not found')
      workflow.tagIds = ids
      return answerJson(
        200,
        ids.flatMap((id) => tagEntity(state, id)),
      )
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/:versionId',
    scope: 'workflow:read',
    query: [],
    answer: (request) => answerVersion(request),
  },
]

function answerVersion(request: DoubleRequest): ReturnType<typeof answerJson> {
  const workflow = request.state.workflows.get(request.parameters['id'] ?? '')
  const version = workflow?.versions.find(
    (each) => each.versionId === request.parameters['versionId'],
  )
  if (workflow === undefined || version === undefined) return refuse(404, 'Version not found')
  return answerJson(200, versionEntity(request.state, workflow, version))
}

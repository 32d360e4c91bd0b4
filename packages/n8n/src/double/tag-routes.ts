import type { JsonObject } from '@toolcrib/registry'
import { answerJson, refuse } from './double-answer.ts'
import type { DoubleRequest, DoubleRoute } from './double-route.ts'
import { type DoubleTag, newId } from './double-state.ts'
import { pageByOffset } from './paging.ts'
import { tagEntity } from './workflow-entity.ts'

function find({ state, parameters }: DoubleRequest): DoubleTag {
  return state.tags.get(parameters['id'] ?? '') ?? refuse(404, 'Not Found')
}

/** Tags of the public API. */
export const tagRoutes: readonly DoubleRoute[] = [
  {
    method: 'POST',
    path: '/tags',
    scope: 'tag:create',
    answer: ({ state, body }) => {
      const name = (body as JsonObject | null)?.['name']
      if (typeof name !== 'string')
        return refuse(400, "request/body must have required property 'name'")
      // That is what n8n says of a name of more than 24 characters, too.
      if (name.length > 24 || [...state.tags.values()].some((tag) => tag.name === name))
        refuse(409, 'Tag already exists')
      const at = state.timestamp()
      const id = newId()
      state.tags.set(id, { id, name, createdAt: at, updatedAt: at })
      return answerJson(201, tagEntity(state, id)[0])
    },
  },
  {
    method: 'GET',
    path: '/tags',
    scope: 'tag:list',
    query: ['limit', 'cursor'],
    answer: ({ state, query }) =>
      pageByOffset(
        state,
        query,
        [...state.tags.keys()].flatMap((id) => tagEntity(state, id)),
      ),
  },
  {
    method: 'GET',
    path: '/tags/:id',
    scope: 'tag:read',
    answer: (request) => answerJson(200, tagEntity(request.state, find(request).id)[0]),
  },
  {
    method: 'DELETE',
    path: '/tags/:id',
    scope: 'tag:delete',
    answer: (request) => {
      const { state } = request
      const [entity] = tagEntity(state, find(request).id)
      state.tags.delete(request.parameters['id'] ?? '')
      for (const workflow of state.workflows.values())
        workflow.tagIds = workflow.tagIds.filter((id) => id !== request.parameters['id'])
      return answerJson(200, entity)
    },
  },
]

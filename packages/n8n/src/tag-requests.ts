import { type JsonValue, ToolError } from '@toolcrib/registry'
import type { Deadline } from './deadline.ts'
import { readEntity, textOf } from './entity.ts'
import type { N8nCallOptions, N8nTags } from './n8n-client.ts'
import { assertId, optionError } from './option-check.ts'
import { listPages } from './pages.ts'
import { removeOnce } from './workflow-removal.ts'
import type { ClientParts } from './workflow-requests.ts'

type Tag = { readonly id: string; readonly name: string }

const maxNameLength = 24
const listing = { path: '/tags', read: toTag } as const

export function createTagRequests({ requests }: ClientParts): N8nTags {
  const list = (options: N8nCallOptions = {}): AsyncIterable<Tag> =>
    listPages(requests, listing, options)

  const find = async (deadline: Deadline): Promise<ReadonlyMap<string, string>> => {
    const ids = new Map<string, string>()
    const { signal } = deadline
    for await (const { id, name } of listPages(requests, listing, { deadline, signal }))
      ids.set(name, id)
    return ids
  }

  return {
    list,
    remove: async (id, options = {}) => {
      assertId('id', id)
      return await removeOnce(requests, `/tags/${id}`, requests.start(options))
    },
    setOn: async (workflowId, names, options = {}) => {
      assertId('workflowId', workflowId)
      assertNames(names)
      const deadline = requests.start(options)
      const known = names.length === 0 ? new Map<string, string>() : await find(deadline)
      const ids: string[] = []
      for (const name of new Set(names)) ids.push(known.get(name) ?? (await create(name)))
      const path = `/workflows/${workflowId}/tags`
      const body = ids.map((id) => ({ id }))
      await requests.call({ method: 'PUT', path, body }, deadline)

      async function create(name: string): Promise<string> {
        try {
          const json = await requests.call(
            { method: 'POST', path: '/tags', body: { name } },
            deadline,
          )
          return toTag(json).id
        } catch (error) {
          if (!ToolError.is(error, 'N8N_CONFLICT')) throw error
          // Somebody else made it in the meantime.
          const id = (await find(deadline)).get(name)
          if (id === undefined) throw error
          return id
        }
      }
    },
  }
}

function assertNames(names: readonly string[]): void {
  if (!Array.isArray(names))
    throw optionError({ field: 'names', rule: 'an array of texts', value: names })
  for (const [index, name] of (names as readonly unknown[]).entries())
    if (
      typeof name !== 'string' ||
      name.trim() !== name ||
      name === '' ||
      name.length > maxNameLength
    )
      throw optionError({
        field: `names[${index}]`,
        rule: `a text of 1 to ${maxNameLength} characters without spaces around it`,
        value: name,
      })
}

function toTag(json: JsonValue | undefined): Tag {
  const { id, name } = readEntity('tag', json, ['id', 'name'])
  return { id: textOf(id), name: textOf(name) }
}

import type { JsonValue } from '@toolcrib/registry'
import { readEntity, textOf } from './entity.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCallOptions, N8nCredentials } from './n8n-client.ts'
import type { N8nCredentialReference } from './n8n-workflow.ts'
import { assertId, assertName, optionError } from './option-check.ts'
import { listPages } from './pages.ts'
import { removeOnce } from './workflow-removal.ts'
import type { ClientParts } from './workflow-requests.ts'

export function createCredentialRequests({ requests, capabilities }: ClientParts): N8nCredentials {
  return {
    create: async ({ name, type, data }, options = {}) => {
      assertName('credential.name', name)
      assertId('credential.type', type)
      if (!isObject(data))
        throw optionError({ field: 'credential.data', rule: 'an object', value: data })
      const call = {
        method: 'POST',
        path: '/credentials',
        body: { name, type, data },
        secrets: textsIn(data),
      } as const
      const json = await requests.call(call, requests.start(options))
      const entity = readEntity('credential', json, ['id', 'name'])
      return { id: textOf(entity['id']), name: textOf(entity['name']) }
    },
    remove: async (id, options = {}) => {
      assertId('id', id)
      return await removeOnce(requests, `/credentials/${id}`, requests.start(options))
    },
    list: (options = {}) => listCredentials(options),
    schema: async (type, options = {}) => {
      assertId('type', type)
      const path = `/credentials/schema/${type}`
      const json = await requests.call({ method: 'GET', path }, requests.start(options))
      return readEntity('schema', json)
    },
  }

  async function* listCredentials(
    options: N8nCallOptions,
  ): AsyncGenerator<ListedCredential, void, undefined> {
    if (!(await capabilities(requests.start(options))).listCredentials)
      throw n8nError(
        'N8N_UNSUPPORTED',
        'n8n 1.x cannot list credentials. Keep the ids of those you make.',
        { data: { major: 1 } },
      )
    yield* listPages(requests, { path: '/credentials', read: toCredential }, options)
  }
}

type ListedCredential = N8nCredentialReference & { readonly type: string }

function toCredential(json: JsonValue): ListedCredential {
  const { id, name, type } = readEntity('credential', json, ['id', 'name', 'type'])
  return { id: textOf(id), name: textOf(name), type: textOf(type) }
}

/** n8n quotes what it refuses, so that an error could show a value. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value as Record<string, JsonValue>).flatMap(textsIn)
}

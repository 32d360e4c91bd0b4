import { describe, expect, test } from 'vitest'
import {
  clientOf,
  collect,
  failureOf,
  onRelease,
  sampleWorkflow,
  storedSample,
} from '../test/client-fixtures.ts'
import type { ArrivedRequest, ScriptedAnswer } from '../test/scripted-server.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'

const conflict = (message: string): ScriptedAnswer => ({ status: 409, json: { message } })
const missing: ScriptedAnswer = { status: 404, json: { message: 'Not Found' } }
const failsInside: ScriptedAnswer = { status: 500, json: { message: 'Internal server error' } }
const live = 'Cannot delete a published workflow. Unpublish it before deleting.'
const busy = 'Workflow is still being unpublished. Please try again in a few moments.'

/** Method and path of each request after the questions for the release. */
function asked(requests: readonly ArrivedRequest[]): string[] {
  return requests
    .filter(({ path }) => !/discover|limit=1$|\/-\/publish/.test(path))
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
}

describe('create', () => {
  test('sends only what n8n takes', async () => {
    await using part = await clientOf(onRelease(2, () => ({ json: storedSample() })))
    const given = {
      ...storedSample({ staticData: { a: 1 }, pinData: { Webhook: [] }, active: true }),
      nodes: [{ ...sampleWorkflow.nodes[0], extra: 1, notes: 'kept', issues: {} }],
      settings: { executionOrder: 'v1', timezone: 'UTC', foo: 1 },
    }
    await part.client.workflows.create(given as unknown as N8nWorkflow)
    expect(JSON.parse(part.server.requests.at(-1)?.body ?? '')).toEqual({
      name: 'sum',
      nodes: [{ ...sampleWorkflow.nodes[0], notes: 'kept' }],
      connections: {},
      settings: { executionOrder: 'v1', timezone: 'UTC' },
      staticData: { a: 1 },
      pinData: { Webhook: [] },
    })
  })

  test('leaves out on 1.x what only 2.x takes', async () => {
    await using part = await clientOf(onRelease(1, () => ({ json: storedSample() })))
    const settings = { executionOrder: 'v1', binaryMode: 'separate', availableInMCP: true }
    await part.client.workflows.create({ ...sampleWorkflow, settings, pinData: {} })
    const sent = JSON.parse(part.server.requests.at(-1)?.body ?? '') as N8nWorkflow
    expect(sent.settings).toEqual({ executionOrder: 'v1', availableInMCP: true })
    expect(sent).not.toHaveProperty('pinData')
  })

  test('gives what the server has, without its owner', async () => {
    const answer = storedSample({
      active: true,
      activeVersionId: 'v1',
      staticData: { a: 1 },
      pinData: { Webhook: [] },
      tags: [{ id: 't1', name: 'crm', createdAt: 'x' }],
      activeVersion: { versionId: 'v1', nodes: [], connections: {}, authors: 'Ann' },
    })
    await using part = await clientOf(onRelease(2, () => ({ json: answer })))
    expect(await part.client.workflows.get('w1')).toEqual({
      id: 'w1',
      ...sampleWorkflow,
      active: true,
      isArchived: false,
      versionId: 'v1',
      activeVersionId: 'v1',
      activeVersion: { versionId: 'v1', nodes: [], connections: {} },
      staticData: { a: 1 },
      pinData: { Webhook: [] },
      tags: [{ id: 't1', name: 'crm' }],
      createdAt: '2026-11-22T11:00:00.000Z',
      updatedAt: '2026-11-22T11:00:00.000Z',
    })
  })

  test('gives no versions on 1.x, which has ids of them and nothing that takes them', async () => {
    await using part = await clientOf(
      onRelease(1, () => ({ json: storedSample({ active: true, activeVersionId: 'v1' }) })),
    )
    const stored = await part.client.workflows.get('w1')
    expect(Object.keys(stored)).not.toContain('versionId')
    expect(Object.keys(stored)).not.toContain('activeVersionId')
  })

  test.each<[string, object]>([
    ['workflow.name', { name: '' }],
    ['workflow.name', { name: 'x'.repeat(129) }],
    ['workflow.name', { name: undefined }],
    ['workflow.nodes', { nodes: {} }],
    ['workflow.nodes[0]', { nodes: [null] }],
    ['workflow.connections', { connections: [] }],
    ['workflow.settings', { settings: undefined }],
  ])('names %s before anything is sent', async (field, more) => {
    await using part = await clientOf(onRelease(2, () => ({ json: storedSample() })))
    const given = { ...sampleWorkflow, ...more } as N8nWorkflow
    for (const call of [
      () => part.client.workflows.create(given),
      () => part.client.workflows.update('w1', given),
    ])
      expect(await failureOf(call())).toMatchObject({ code: 'N8N_OPTION_INVALID', data: { field } })
    expect(part.server.requests).toEqual([])
  })

  test('never takes an answer without an id for success', async () => {
    for (const answer of [{}, { ...storedSample({ id: undefined }) }, [], null, 'x']) {
      await using part = await clientOf(onRelease(2, () => ({ json: answer })))
      const error = await failureOf(part.client.workflows.create(sampleWorkflow))
      expect(error).toMatchObject({ code: 'N8N_RESPONSE_INVALID', data: { sent: true } })
    }
  })
})

describe('list', () => {
  const page = (ids: readonly string[], nextCursor: string | null): ScriptedAnswer => ({
    json: { data: ids.map((id) => storedSample({ id })), nextCursor },
  })

  test('goes on to the end and repeats its filters on each page', async () => {
    const pages = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]
    await using part = await clientOf(onRelease(2, (_request, index) => pages[index] ?? {}))
    const filter = { active: true, name: 'a b&c', tags: ['x', 'y'], projectId: 'p1', pageSize: 2 }
    const ids: string[] = []
    for await (const { id } of part.client.workflows.list(filter)) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    const queries = part.server.requests
      .slice(1)
      .map(({ path }) => Object.fromEntries(new URL(path, 'http://x').searchParams))
    const same = { active: 'true', name: 'a b&c', tags: 'x,y', projectId: 'p1', limit: '2' }
    expect(queries).toEqual([same, { ...same, cursor: 'c1' }, { ...same, cursor: 'c2' }])
  })

  test('asks for the next page when it is needed', async () => {
    await using part = await clientOf(onRelease(2, () => page(['a', 'b'], 'c1')))
    for await (const workflow of part.client.workflows.list()) if (workflow.id === 'a') break
    expect(part.server.requests).toHaveLength(2)
  })

  test('ends with an error when a cursor comes again', async () => {
    const cursors = ['c1', 'c2', 'c1', 'c3']
    await using part = await clientOf(
      onRelease(2, (_request, index) => page(['a'], cursors[index] ?? null)),
    )
    expect(await failureOf(collect(part.client.workflows.list()))).toMatchObject({
      code: 'N8N_RESPONSE_INVALID',
    })
    expect(part.server.requests).toHaveLength(4)
  })

  test('is no success where there is no list', async () => {
    await using part = await clientOf(onRelease(2, () => ({ json: { nextCursor: null } })))
    const error = await failureOf(collect(part.client.workflows.list()))
    expect(error.code).toBe('N8N_RESPONSE_INVALID')
  })

  test.each([0, 251, 1.5])(
    'refuses %s for a page, since n8n would change it without a word',
    async (pageSize) => {
      await using part = await clientOf(onRelease(2, () => page([], null)))
      expect(() => part.client.workflows.list({ pageSize })).toThrow(
        expect.objectContaining({ code: 'N8N_OPTION_INVALID' }),
      )
      expect(() => part.client.executions.list({ pageSize })).toThrow(
        expect.objectContaining({ code: 'N8N_OPTION_INVALID' }),
      )
    },
  )

  test('stops between entries when it is aborted', async () => {
    await using part = await clientOf(onRelease(2, () => page(['a', 'b'], null)))
    const controller = new AbortController()
    const seen: string[] = []
    const all = async (): Promise<void> => {
      for await (const { id } of part.client.workflows.list({}, { signal: controller.signal })) {
        seen.push(id)
        controller.abort(new Error('enough'))
      }
    }
    await expect(all()).rejects.toThrow('enough')
    expect(seen).toEqual(['a'])
  })
})

describe('update', () => {
  test('saves a draft unless told otherwise', async () => {
    await using part = await clientOf(onRelease(2, () => ({ json: storedSample() })))
    await part.client.workflows.update('w1', sampleWorkflow)
    await part.client.workflows.update('w1', sampleWorkflow, { mode: 'live' })
    expect(asked(part.server.requests)).toEqual([
      'GET /workflows/w1',
      'PUT /workflows/w1?publishIfActive=false',
      'GET /workflows/w1',
      'PUT /workflows/w1',
    ])
  })

  test('takes back settings and pins that are stored and not wanted any more', async () => {
    const stored = storedSample({
      settings: {
        executionOrder: 'v1',
        errorWorkflow: 'x',
        executionTimeout: 30,
        callerPolicy: 'any',
        timezone: 'UTC',
        unknown: 1,
      },
      pinData: { Webhook: [] },
      staticData: { a: 1 },
    })
    for (const [major, errorWorkflow] of [
      [2, 'DEFAULT'],
      [1, ''],
    ] as const) {
      await using part = await clientOf(onRelease(major, () => ({ json: stored })))
      await part.client.workflows.update(
        'w1',
        { ...sampleWorkflow, settings: { timezone: 'Africa/Lagos' } },
        { mode: 'live' },
      )
      expect(JSON.parse(part.server.requests.at(-1)?.body ?? '')).toEqual({
        ...sampleWorkflow,
        settings: {
          errorWorkflow,
          executionTimeout: -1,
          callerPolicy: 'workflowsFromSameOwner',
          timezone: 'Africa/Lagos',
          executionOrder: 'v0',
        },
        ...(major === 2 ? { pinData: null } : {}),
      })
    }
  })

  test('clears static data only when told', async () => {
    await using part = await clientOf(
      onRelease(2, () => ({ json: storedSample({ staticData: { a: 1 } }) })),
    )
    await part.client.workflows.update('w1', { ...sampleWorkflow, staticData: null })
    expect(JSON.parse(part.server.requests.at(-1)?.body ?? '')).toMatchObject({ staticData: null })
  })

  test('what it got can be sent back', async () => {
    await using part = await clientOf(onRelease(2, () => ({ json: storedSample() })))
    await part.client.workflows.update('w1', await part.client.workflows.get('w1'))
    expect(JSON.parse(part.server.requests.at(-1)?.body ?? '')).toEqual(sampleWorkflow)
  })

  test('has no drafts on 1.x and changes nothing there', async () => {
    await using part = await clientOf(onRelease(1, () => ({ json: storedSample() })))
    const error = await failureOf(part.client.workflows.update('w1', sampleWorkflow))
    expect(error).toMatchObject({
      code: 'N8N_UNSUPPORTED',
      message: expect.stringContaining('mode "live"'),
    })
    expect(asked(part.server.requests)).toEqual([])
  })

  test('refuses another mode', async () => {
    await using part = await clientOf(() => ({}))
    const error = await failureOf(
      part.client.workflows.update('w1', sampleWorkflow, { mode: 'x' as 'live' }),
    )
    expect(error.data['field']).toBe('mode')
  })
})

describe('publish and unpublish', () => {
  test('use what the release has', async () => {
    await using part = await clientOf(
      onRelease(2, () => ({ json: storedSample({ active: true }) })),
    )
    await part.client.workflows.publish('w1', {
      versionId: 'v1',
      name: 'v2 approved',
      description: 'd',
    })
    expect(JSON.parse(part.server.requests.at(-1)?.body ?? '')).toEqual({
      versionId: 'v1',
      name: 'v2 approved',
      description: 'd',
    })
    await part.client.workflows.unpublish('w1')
    await part.client.workflows.setActive('w1', true)
    await part.client.workflows.setActive('w1', false)
    await part.client.workflows.rollback('w1', 'v0')
    expect(
      asked(part.server.requests).map((line) => line.replace('POST /workflows/w1/', '')),
    ).toEqual(['publish', 'unpublish', 'publish', 'unpublish', 'publish'])
  })

  test('use the older names on 1.x, without versions', async () => {
    await using part = await clientOf(
      onRelease(1, () => ({ json: storedSample({ active: true }) })),
    )
    await part.client.workflows.publish('w1', { name: 'only for history' })
    await part.client.workflows.unpublish('w1')
    expect(asked(part.server.requests)).toEqual([
      'POST /workflows/w1/activate',
      'POST /workflows/w1/deactivate',
    ])
    for (const call of [
      () => part.client.workflows.publish('w1', { versionId: 'v1' }),
      () => part.client.workflows.rollback('w1', 'v1'),
      () => part.client.workflows.history('w1'),
      () => part.client.workflows.version('w1', 'v1'),
    ])
      expect((await failureOf(call())).code).toBe('N8N_UNSUPPORTED')
    expect(asked(part.server.requests)).toHaveLength(2)
  })

  test('refuse to be active as a text', async () => {
    await using part = await clientOf(() => ({}))
    const error = await failureOf(
      part.client.workflows.setActive('w1', 'false' as unknown as boolean),
    )
    expect(error.data['field']).toBe('active')
  })
})

test('history gives every page, a version its nodes', async () => {
  const pages: ScriptedAnswer[] = [
    {
      json: {
        data: [{ versionId: 'v2', name: 'two', description: null, createdAt: 'b' }],
        nextCursor: 'c',
      },
    },
    { json: { data: [{ versionId: 'v1', name: null, createdAt: 'a' }], nextCursor: null } },
    { json: { versionId: 'v1', nodes: [], connections: {}, createdAt: 'a' } },
  ]
  await using part = await clientOf(onRelease(2, (_request, index) => pages[index] ?? {}))
  expect(await part.client.workflows.history('w1')).toEqual([
    { versionId: 'v2', name: 'two', createdAt: 'b' },
    { versionId: 'v1', createdAt: 'a' },
  ])
  expect(await part.client.workflows.version('w1', 'v1')).toEqual({
    versionId: 'v1',
    nodes: [],
    connections: {},
    createdAt: 'a',
  })
})

describe('remove', () => {
  test('takes a live one down, waits, and deletes it', async () => {
    const answers = [
      conflict(live),
      { json: storedSample() },
      conflict(busy),
      conflict(busy),
      { json: storedSample() },
    ]
    await using part = await clientOf((_request, index) => answers[index] ?? {})
    expect(await part.client.workflows.remove('w1')).toBe(true)
    expect(asked(part.server.requests)).toEqual([
      'DELETE /workflows/w1',
      'POST /workflows/w1/unpublish',
      'DELETE /workflows/w1',
      'DELETE /workflows/w1',
      'DELETE /workflows/w1',
    ])
    expect(part.pauses).toEqual([100, 200])
  })

  test('says when there was none', async () => {
    await using part = await clientOf(() => missing)
    expect(await part.client.workflows.remove('w1')).toBe(false)
    expect(await part.client.credentials.remove('c1')).toBe(false)
    expect(await part.client.tags.remove('t1')).toBe(false)
  })

  test('says when somebody else was faster', async () => {
    const answers = [conflict(live), missing]
    await using part = await clientOf((_request, index) => answers[index] ?? {})
    expect(await part.client.workflows.remove('w1')).toBe(false)
  })

  test('knows its own doing when the answer was lost', async () => {
    const answers: ScriptedAnswer[] = [{ raw: (response) => response.destroy() }, missing]
    await using part = await clientOf((_request, index) => answers[index] ?? {})
    expect(await part.client.workflows.remove('w1')).toBe(true)
  })

  test('gives up at its deadline with what n8n said last', async () => {
    let time = 0
    await using part = await clientOf(() => conflict(busy), {
      now: () => time,
      sleep: async (ms) => {
        await Promise.resolve()
        time += ms
      },
    })
    const error = await failureOf(part.client.workflows.remove('w1', { timeoutMs: 3_000 }))
    expect(error).toMatchObject({
      code: 'N8N_CONFLICT',
      message: expect.stringContaining('still being unpublished'),
    })
    expect(time).toBeLessThanOrEqual(3_000)
    expect(time).toBeGreaterThan(2_000)
  })

  test.each([
    ['with its own words', failsInside],
    ['with a page', { status: 500, text: '<html>Error</html>' }],
  ] satisfies [string, ScriptedAnswer][])(
    'tries again where n8n fails inside while it takes it down, %s',
    async (_how, inside) => {
      const answers = [
        conflict(live),
        { json: storedSample() },
        inside,
        conflict(busy),
        inside,
        { json: storedSample() },
      ]
      await using part = await clientOf((_request, index) => answers[index] ?? {})
      expect(await part.client.workflows.remove('w1')).toBe(true)
      expect(asked(part.server.requests).slice(2)).toEqual(Array(4).fill('DELETE /workflows/w1'))
      expect(part.pauses).toEqual([200, 100, 400])
    },
  )

  test('unpublishes again where that failed inside', async () => {
    const answers = [conflict(live), failsInside, conflict(live), { json: storedSample() }]
    await using part = await clientOf((_request, index) => answers[index] ?? { json: {} })
    expect(await part.client.workflows.remove('w1')).toBe(true)
    expect(asked(part.server.requests)).toEqual([
      'DELETE /workflows/w1',
      'POST /workflows/w1/unpublish',
      'DELETE /workflows/w1',
      'POST /workflows/w1/unpublish',
      'DELETE /workflows/w1',
    ])
  })

  test('counts as its own doing what is gone after it failed inside', async () => {
    const answers = [failsInside, missing]
    await using part = await clientOf((_request, index) => answers[index] ?? {})
    expect(await part.client.workflows.remove('w1')).toBe(true)
  })

  test('says what n8n said where it fails inside every time', async () => {
    await using part = await clientOf(() => failsInside)
    expect(await failureOf(part.client.workflows.remove('w1'))).toMatchObject({
      message: expect.stringContaining('Internal server error'),
      data: { status: 500 },
    })
    expect(part.server.requests).toHaveLength(5)
  })

  test('ends when it is aborted', async () => {
    const controller = new AbortController()
    await using part = await clientOf(() => conflict(busy), {
      sleep: async (_ms, signal) => {
        await Promise.resolve()
        controller.abort(new Error('enough'))
        signal?.throwIfAborted()
      },
    })
    await expect(part.client.workflows.remove('w1', { signal: controller.signal })).rejects.toThrow(
      'enough',
    )
  })
})

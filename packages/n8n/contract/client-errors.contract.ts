import { describe, expect, test } from 'vitest'
import { createN8nClient } from '../src/index.ts'
import {
  apiKey,
  baseUrl,
  client,
  failureOf,
  leaveNothing,
  make,
  raw,
  sumWorkflow,
  untilRegistered,
} from './client-setup.ts'

leaveNothing()

describe('what is wrong', () => {
  test('a wrong key is found at once, and not shown', async () => {
    const wrong = createN8nClient({ baseUrl, apiKey: 'not-the-key-at-all' })
    expect((await wrong.ping()).ready).toBe(true)
    for (const call of [
      () => wrong.capabilities(),
      () => wrong.workflows.create(sumWorkflow('wrong key')),
      () => wrong.executions.get('1'),
    ])
      expect(await failureOf(call())).toMatchObject({
        code: 'N8N_UNAUTHORIZED',
        message: expect.not.stringContaining('not-the-key'),
      })
  })

  test('ids that are not there', async () => {
    const id = 'nosuchworkflow12'
    for (const call of [
      () => client.workflows.get(id),
      () => client.workflows.update(id, sumWorkflow('x'), { mode: 'live' }),
      () => client.workflows.publish(id),
      () => client.workflows.unpublish(id),
      () => client.tags.setOn(id, []),
      () => client.executions.get('999999999'),
      () => client.credentials.schema('noSuchType'),
    ])
      expect((await failureOf(call())).code).toBe('N8N_NOT_FOUND')
    expect(await client.workflows.remove(id)).toBe(false)
  })

  test('a workflow that publishing refuses', async () => {
    const id = await make({ ...sumWorkflow('no trigger'), nodes: [], connections: {} })
    const error = await failureOf(client.workflows.publish(id))
    expect(error.code).toBe('N8N_REQUEST_REFUSED')
    expect(error.data['status']).toBe(400)
  })

  test('a webhook path that a live workflow has', async () => {
    const workflow = sumWorkflow('path')
    const first = await make(workflow)
    const second = await make(workflow)
    await client.workflows.publish(first)
    await untilRegistered(workflow.path, true)
    expect((await failureOf(client.workflows.publish(second))).code).toMatch(
      /N8N_(CONFLICT|REQUEST_REFUSED)/,
    )
  })

  test('a body of 17 MB, which the client stops, and n8n where the client may send it', async () => {
    const workflow = { ...sumWorkflow('large'), staticData: { large: 'x'.repeat(17 * 1_048_576) } }
    expect(await failureOf(client.workflows.create(workflow))).toMatchObject({
      code: 'N8N_REQUEST_TOO_LARGE',
      data: { sent: false },
    })
    const generous = createN8nClient({ baseUrl, apiKey, maxRequestBytes: 32 * 1_048_576 })
    expect((await failureOf(generous.workflows.create(workflow))).code).toBe(
      'N8N_REQUEST_TOO_LARGE',
    )
  })

  test('what is no JSON, which only another client would send', async () => {
    expect(await raw('POST', '/api/v1/workflows', '{bad')).toMatchObject({
      status: 500,
      body: expect.stringContaining('<html'),
    })
  })

  test('an answer that is larger than allowed', async () => {
    await make(sumWorkflow('small answers'))
    const small = createN8nClient({ baseUrl, apiKey, maxResponseBytes: 100 })
    expect((await failureOf(small.credentials.schema('jwtAuth'))).code).toBe(
      'N8N_RESPONSE_TOO_LARGE',
    )
  })

  test('a place where n8n is not', async () => {
    const editor = createN8nClient({ baseUrl: `${baseUrl}/home/workflows`, apiKey })
    expect((await failureOf(editor.capabilities())).code).toMatch(/N8N_(RESPONSE_INVALID|STARTING)/)
    expect((await editor.ping()).ready).toBe(false)
    const nowhere = createN8nClient({
      baseUrl: 'http://127.0.0.1:9',
      apiKey,
      retry: { retries: 0 },
    })
    expect(await failureOf(nowhere.capabilities())).toMatchObject({
      code: 'N8N_UNREACHABLE',
      data: { sent: false },
    })
  })
})

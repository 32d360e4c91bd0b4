import { describe, expect, it } from 'vitest'
import { createN8nClient, executeWorkflow, type N8nWorkflow } from '../src/index.ts'
import {
  addition,
  node,
  respondingWorkflow,
  setNode,
  webhook,
  workflowOf,
} from '../test/function-workflows.ts'
import { client, deploy, retireAllAfterEach, server } from './function-setup.ts'

retireAllAfterEach()

const waiting = (amount: number): N8nWorkflow => {
  const wait = node('Pause', 'wait@1.1', { resume: 'timeInterval', amount, unit: 'seconds' })
  return workflowOf([
    { ...wait, webhookId: crypto.randomUUID() },
    setNode('Result', '{ "done": true }', 440),
  ])
}

async function outcomeOf(workflow: N8nWorkflow, args = {}): ReturnType<typeof executeWorkflow> {
  return await executeWorkflow(client, await deploy(workflow), args)
}

describe(`calls on n8n ${server.version}`, () => {
  it('says which node failed and why, with the execution', async () => {
    const outcome = await outcomeOf(
      workflowOf([node('Check', 'stopAndError', { errorMessage: 'No cheese left' })]),
    )
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'N8N_EXECUTION_FAILED', node: 'Check', message: 'No cheese left' },
      executionId: expect.stringMatching(/^\d+$/),
    })
  })

  it('names the node that fails before a Respond node, and what it said', async () => {
    const stop = node('Check', 'stopAndError', { errorMessage: 'No cheese left' })
    expect(await outcomeOf(respondingWorkflow([stop]), {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_EXECUTION_FAILED', node: 'Check', message: 'No cheese left' },
      executionId: expect.stringMatching(/^\d+$/),
    })
    const throwing = node('Work', 'code@2', { jsCode: 'throw new Error("out of milk")' })
    expect(await outcomeOf(respondingWorkflow([throwing]), {})).toMatchObject({
      error: {
        code: 'N8N_EXECUTION_FAILED',
        node: 'Work',
        message: expect.stringContaining('out of milk'),
      },
    })
  })

  it('tells a run that ends before a Respond node from one that failed', async () => {
    const none = node('Nothing', 'code@2', { jsCode: 'return []' })
    expect(await outcomeOf(respondingWorkflow([none]), {})).toMatchObject({
      error: {
        code: 'N8N_RESULT_INVALID',
        message: expect.stringContaining('Its last node was "Nothing"'),
      },
      executionId: expect.stringMatching(/^\d+$/),
    })
  })

  it('says that the time limit of a workflow ended it before a Respond node', async () => {
    const slow = node('Work', 'code@2', {
      jsCode: 'await new Promise((resolve) => setTimeout(resolve, 20000)); return []',
    })
    const settings = { executionOrder: 'v1', executionTimeout: 1 } as const
    expect(await outcomeOf(respondingWorkflow([slow], { settings }), {})).toMatchObject({
      error: {
        code: 'N8N_EXECUTION_FAILED',
        message: expect.stringContaining('executionTimeout'),
      },
    })
  })

  it('finds the failure of each call among others at the same time', async () => {
    const fail = node('Check', 'stopAndError', { errorMessage: '={{ "bad " + $json.body.n }}' })
    const fn = await deploy(workflowOf([fail]))
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => executeWorkflow(client, fn, { n }, { lookupTimeoutMs: 10_000 })),
    )
    expect(outcomes.map((outcome) => !outcome.ok && outcome.error.message)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `bad ${n}`),
    )
  })

  it('knows a workflow that stops to wait from one that answers', async () => {
    const wait = {
      ...node('Approval', 'wait@1.1', { resume: 'webhook' }),
      webhookId: crypto.randomUUID(),
    }
    expect(await outcomeOf(workflowOf([wait]))).toMatchObject({
      ok: false,
      error: { code: 'N8N_EXECUTION_WAITS' },
      mayStillBeRunning: true,
    })
  })

  it('takes nothing for the result that a node gave before the run stopped to wait', async () => {
    const early = setNode('Early', '{ "version": 1 }')
    const wait = {
      ...node('Pause', 'wait@1.1', { amount: 70, unit: 'seconds' }),
      webhookId: crypto.randomUUID(),
    }
    const outcome = await outcomeOf(workflowOf([early, wait, setNode('Result', '{}')]))
    expect(outcome).toMatchObject({ ok: false, mayStillBeRunning: true })
  })

  it('refuses what only gives the request back, with its token', async () => {
    const outcome = await outcomeOf(workflowOf([]))
    expect(outcome).toMatchObject({ ok: false, error: { code: 'N8N_RESULT_INVALID' } })
    expect(JSON.stringify(outcome)).not.toContain('eyJ')
  })

  it('takes the token out of a result that holds it', async () => {
    const outcome = await outcomeOf(
      workflowOf([setNode('Leak', '={{ { "sent": $json.headers } }}')]),
    )
    expect(outcome).toMatchObject({
      ok: true,
      result: { sent: { authorization: 'Bearer [redacted]' } },
    })
  })

  it('refuses an empty answer, no items, and text that is no JSON', async () => {
    const silent = { ...webhook, parameters: { ...webhook.parameters, responseData: 'noData' } }
    expect(await outcomeOf(workflowOf([silent, setNode('Result', '{}')]))).toMatchObject({
      error: { code: 'N8N_RESULT_INVALID' },
    })
    const filter = node('Nothing', 'filter@2.2', {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
        combinator: 'and',
        conditions: [
          {
            id: 'c',
            leftValue: '={{ false }}',
            rightValue: true,
            operator: { type: 'boolean', operation: 'true', singleValue: true },
          },
        ],
      },
      options: {},
    })
    expect(await outcomeOf(workflowOf([filter]))).toMatchObject({
      error: { code: 'N8N_RESULT_INVALID' },
    })
    const responding = {
      ...webhook,
      parameters: { ...webhook.parameters, responseMode: 'responseNode' },
    }
    const text = node('Respond', 'respondToWebhook@1.4', {
      respondWith: 'text',
      responseBody: 'all well',
      options: {},
    })
    expect(await outcomeOf(workflowOf([responding, text]))).toMatchObject({
      error: { code: 'N8N_RESULT_INVALID' },
    })
    await expect(deploy(workflowOf([responding, setNode('Result', '{}')]))).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      message: expect.stringContaining('No Respond to Webhook node'),
    })
  })

  it('unwraps the envelope of a result and of an error, whatever the status', async () => {
    const responding = {
      ...webhook,
      parameters: { ...webhook.parameters, responseMode: 'responseNode' },
    }
    const respond = node('Respond', 'respondToWebhook@1.4', {
      respondWith: 'json',
      responseBody:
        '={{ JSON.stringify($json.body.bad ? { ok: false, error: { code: "NO_STOCK", message: "Sold out", node: "Stock" }, executionId: $execution.id } : { ok: true, result: [1], executionId: $execution.id }) }}',
      options: { responseCode: '={{ $json.body.bad ? 422 : 200 }}' },
    })
    const fn = await deploy(workflowOf([responding, respond]))
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: [1],
      executionId: expect.any(String),
    })
    expect(await executeWorkflow(client, fn, { bad: true })).toMatchObject({
      ok: false,
      error: {
        code: 'N8N_EXECUTION_FAILED',
        message: 'Sold out',
        node: 'Stock',
        details: { code: 'NO_STOCK' },
      },
    })
  })

  it('says that the own time limit of a workflow ended it', async () => {
    const slow = { ...waiting(20), settings: { executionOrder: 'v1', executionTimeout: 1 } }
    expect(await outcomeOf(slow)).toMatchObject({
      ok: false,
      error: { code: 'N8N_EXECUTION_FAILED', message: expect.stringContaining('executionTimeout') },
    })
  })

  it('recovers the result of a call that it gave up too early', async () => {
    const fn = await deploy(waiting(2))
    const outcome = await executeWorkflow(
      client,
      fn,
      {},
      { timeoutMs: 500, lookupTimeoutMs: 15_000 },
    )
    expect(outcome).toMatchObject({
      ok: true,
      result: { done: true },
      executionId: expect.any(String),
    })
  })

  it('says that a call it gave up may still be running', async () => {
    const fn = await deploy(waiting(4))
    const outcome = await executeWorkflow(
      client,
      fn,
      {},
      { timeoutMs: 500, lookupTimeoutMs: 1_500 },
    )
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'N8N_TIMEOUT' },
      mayStillBeRunning: true,
    })
  })

  it('gives the reason of an abort back', async () => {
    const fn = await deploy(waiting(2))
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 300)
    await expect(executeWorkflow(client, fn, {}, { signal: controller.signal })).rejects.toBe(
      reason,
    )
  })

  it('is refused with a wrong secret, and says so without it', async () => {
    const fn = await deploy(addition)
    const outcome = await executeWorkflow(client, { ...fn, secret: 'f'.repeat(64) }, { a: 1, b: 1 })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'N8N_CALL_REFUSED' } })
    expect(await executeWorkflow(client, fn.workflowId, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_CALL_REFUSED' },
    })
  })

  it('is callable by id where the webhook asks for nothing', async () => {
    const fn = await deploy(addition, { auth: 'none' })
    expect(await executeWorkflow(client, fn.workflowId, { a: 1, b: 1 })).toMatchObject({
      ok: true,
      result: { sum: 2 },
    })
  })

  it('says that the credential of the webhook is gone', async () => {
    const fn = await deploy(addition)
    await client.credentials.remove(fn.binding.credential?.id ?? '')
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_CALL_REFUSED', message: expect.stringContaining('credential') },
    })
  })

  it('answers 40 calls at once, each with its own result', async () => {
    const fn = await deploy(addition)
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, a) => executeWorkflow(client, fn, { a, b: 1 })),
    )
    expect(outcomes.map((outcome) => outcome.ok && outcome.result)).toEqual(
      Array.from({ length: 40 }, (_, a) => ({ sum: a + 1 })),
    )
  })

  it('brings a result of 10 MB, and says when one is larger than the client takes', async () => {
    const fn = await deploy(
      workflowOf([setNode('Result', '={{ { "text": "x".repeat(10_000_000) } }}')]),
    )
    const outcome = await executeWorkflow(client, fn, {})
    expect(outcome.ok && (outcome.result as { text: string }).text.length).toBe(10_000_000)
    const small = createN8nClient({
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      maxResponseBytes: 1_000_000,
    })
    expect(await executeWorkflow(small, fn, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_RESPONSE_TOO_LARGE' },
    })
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@toolcrib/registry'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { startDouble } from '../test/function-double.ts'
import {
  addition,
  node,
  respondingWorkflow,
  setNode,
  webhook,
  workflowOf,
} from '../test/function-workflows.ts'
import { createN8nClient } from './got-client.ts'
import { deployFunction } from './deploy-function.ts'
import { executeWorkflow } from './execute-workflow.ts'
import type { N8nClient } from './n8n-client.ts'
import type { N8nFunction } from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import type { N8nDouble, WebhookCall, WorkflowBehaviour } from './testing.ts'
import { updateFunction } from './update-function.ts'

const doubles: N8nDouble[] = []

interface Setup {
  readonly double: N8nDouble
  readonly client: N8nClient
  readonly fn: N8nFunction
}

async function start(
  behaviour?: WorkflowBehaviour,
  version: '2.41.1' | '1.123.81' = '2.41.1',
  workflow = addition,
): Promise<Setup> {
  const { double, client } = await startDouble({ version })
  doubles.push(double)
  if (behaviour !== undefined) double.onWebhook('FUNCTION test', behaviour)
  return { double, client, fn: await deployFunction(client, workflow) }
}

function callsIn(double: N8nDouble): readonly N8nDouble['requests'][number][] {
  return double.requests.filter(
    ({ method, path, headers }) =>
      method === 'POST' &&
      path.startsWith('/webhook/') &&
      headers['x-toolcrib-call-id'] !== undefined,
  )
}

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.close()))
})

describe('executeWorkflow', () => {
  it('sends a token for a minute, the call id and the idempotency key', async () => {
    const { double, client, fn } = await start(({ body }) => ({ result: body }))
    const outcome = await executeWorkflow(
      client,
      fn,
      { a: 1 },
      { callId: 'call-1', idempotencyKey: 'order-7' },
    )
    expect(outcome).toMatchObject({ ok: true, result: { a: 1 }, ms: expect.any(Number) })
    const { headers = {} } = callsIn(double)[0] ?? {}
    expect(headers).toMatchObject({ 'x-toolcrib-call-id': 'call-1', 'idempotency-key': 'order-7' })
    const claims = decodeJwt((headers['authorization'] ?? '').replace('Bearer ', ''))
    expect(claims).toMatchObject({ aud: fn.workflowId, jti: 'call-1' })
    expect((claims.exp ?? 0) - Date.now() / 1_000).toBeLessThanOrEqual(60)
  })

  it.each(['2.41.1', '1.123.81'] as const)(
    'names the node that failed and its message on n8n %s',
    async (version) => {
      const { client, fn } = await start(
        () => ({ fails: { node: 'Result', message: 'No cheese' } }),
        version,
      )
      expect(await executeWorkflow(client, fn, {})).toMatchObject({
        ok: false,
        error: { code: 'N8N_EXECUTION_FAILED', node: 'Result', message: 'No cheese' },
        executionId: expect.any(String),
      })
    },
  )

  it('tells the failures of calls at the same time apart', async () => {
    const { client, fn } = await start(({ body }) => ({
      fails: { node: 'Result', message: `bad ${(body as { n: number }).n}` },
    }))
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => executeWorkflow(client, fn, { n })))
    expect(outcomes.map((outcome) => !outcome.ok && outcome.error.message)).toEqual([
      'bad 1',
      'bad 2',
      'bad 3',
      'bad 4',
    ])
  })

  it('says that it failed where nobody kept why', async () => {
    const { double, client, fn } = await start(() => ({
      fails: { node: 'Result', message: 'No cheese' },
    }))
    double.failNext({ path: '/executions', times: 99, status: 403, body: { message: 'Forbidden' } })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_EXECUTION_FAILED', message: 'A node of the workflow failed.' },
    })
  })

  it.each(['2.41.1', '1.123.81'] as const)(
    'says that a workflow waits on n8n %s',
    async (version) => {
      const { client, fn } = await start(() => ({ waits: true }), version)
      expect(await executeWorkflow(client, fn, {}, { lookupTimeoutMs: 200 })).toMatchObject({
        ok: false,
        error: { code: 'N8N_EXECUTION_WAITS' },
        mayStillBeRunning: true,
      })
    },
  )

  it('says that its own time limit ended it, or that it gave nothing', async () => {
    const timesOut = await start(() => ({ timesOut: true }))
    expect(await executeWorkflow(timesOut.client, timesOut.fn, {})).toMatchObject({
      error: { code: 'N8N_EXECUTION_FAILED', message: expect.stringContaining('executionTimeout') },
    })
    const empty = await start(() => ({ items: [] }))
    expect(await executeWorkflow(empty.client, empty.fn, {})).toMatchObject({
      error: { code: 'N8N_RESULT_INVALID' },
    })
  })

  describe.each(['2.41.1', '1.123.81'] as const)(
    'with a Respond node that is not reached on n8n %s',
    (version) => {
      const run = (behaviour: WorkflowBehaviour): Promise<Setup> =>
        start(behaviour, version, respondingWorkflow([setNode('Look up', '{}')]))

      it('names the node that failed before it, and its message', async () => {
        const { client, fn } = await run(() => ({
          fails: { node: 'Look up', message: 'No cheese' },
        }))
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          ok: false,
          error: { code: 'N8N_EXECUTION_FAILED', node: 'Look up', message: 'No cheese' },
          executionId: expect.any(String),
        })
      })

      it('says where a run without items ended', async () => {
        const { client, fn } = await run(() => ({ items: [] }))
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          ok: false,
          error: {
            code: 'N8N_RESULT_INVALID',
            message: expect.stringMatching(/answered with nothing.*last node/),
          },
          executionId: expect.any(String),
        })
      })

      it('says that the time limit of the workflow ended it', async () => {
        const { client, fn } = await run(() => ({ timesOut: true }))
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          error: {
            code: 'N8N_EXECUTION_FAILED',
            message: expect.stringContaining('executionTimeout'),
          },
          executionId: expect.any(String),
        })
      })

      it('names the node that failed after an answer without a result', async () => {
        const { client, fn } = await run(() => ({
          responds: { body: '', thenFails: { node: 'Look up', message: 'No cheese' } },
        }))
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          error: { code: 'N8N_EXECUTION_FAILED', node: 'Look up', message: 'No cheese' },
        })
      })

      it('leaves open what happened where nobody kept the execution', async () => {
        const { double, client, fn } = await run(() => ({ responds: { body: '' } }))
        const body = { message: 'Forbidden' }
        double.failNext({ path: '/executions', times: 99, status: 403, body })
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          ok: false,
          error: {
            code: 'N8N_RESULT_INVALID',
            message: expect.stringMatching(/a node failed before it could answer, or its result/),
          },
        })
      })
    },
  )

  describe('tells what the workflow itself answered', () => {
    const answering = (status: number, more: JsonObject = {}): N8nWorkflow => {
      const workflow = respondingWorkflow([])
      const nodes = workflow.nodes.map((each) =>
        each.name === 'Respond'
          ? {
              ...each,
              parameters: { ...each.parameters, ...more, options: { responseCode: status } },
            }
          : each,
      )
      return { ...workflow, nodes }
    }

    it.each([
      [403, 'Not for you'],
      [401, 'Who are you?'],
      [404, 'No such order'],
      [413, 'Order too large'],
      [429, 'CRM limit'],
      [500, 'broken'],
      [503, '{"message":"CRM is down","code":"CRM_DOWN"}'],
      [500, '{"message":"Error in workflow"}'],
    ])('with status %i and %j', async (status, body) => {
      const contentType = body.startsWith('{') ? 'application/json' : 'text/plain'
      const { client, fn } = await start(
        () => ({ responds: { status, body, contentType } }),
        '2.41.1',
        answering(status),
      )
      const text = body.startsWith('{') ? (JSON.parse(body) as { message: string }).message : body
      expect(await executeWorkflow(client, fn, {})).toMatchObject({
        ok: false,
        error: {
          code: 'N8N_EXECUTION_FAILED',
          message: `The workflow answered with status ${status}: ${text}`,
          ...(body.startsWith('{') && { details: JSON.parse(body) as object }),
        },
        executionId: expect.any(String),
      })
    })

    it.each([
      [200, 'n8n is starting up. Please wait', 'N8N_RESULT_INVALID'],
      [503, '<p>n8n is starting up</p>', 'N8N_EXECUTION_FAILED'],
      [503, '{"message":"Database is not ready!"}', 'N8N_EXECUTION_FAILED'],
      [
        404,
        '{"code":404,"message":"The requested webhook \\"POST x\\" is not registered."}',
        'N8N_EXECUTION_FAILED',
      ],
      [404, '{"message":"Could not find workflow with id 7"}', 'N8N_EXECUTION_FAILED'],
      [500, '{"code":0,"message":"Unused Respond to Webhook node found"}', 'N8N_EXECUTION_FAILED'],
    ])(
      'in the words of another n8n, with status %i and %j, and sends it once',
      async (status, body, code) => {
        const contentType = body.startsWith('{') ? 'application/json' : 'text/plain'
        const { double, client, fn } = await start(
          () => ({ responds: { status, body, contentType } }),
          '2.41.1',
          answering(status),
        )
        const outcome = await executeWorkflow(client, fn, {}, { retryUnsentMs: 3_000 })
        expect(outcome).toMatchObject({
          ok: false,
          error: { code },
          executionId: expect.any(String),
        })
        expect(callsIn(double)).toHaveLength(1)
      },
    )

    it('although a node fails after it', async () => {
      const body = JSON.stringify({ ok: false, error: { message: 'Card declined', code: 'E42' } })
      const { client, fn } = await start(
        () => ({
          responds: { status: 422, body, thenFails: { node: 'Respond', message: 'No cheese' } },
        }),
        '2.41.1',
        answering(422),
      )
      expect(await executeWorkflow(client, fn, {})).toMatchObject({
        error: {
          code: 'N8N_EXECUTION_FAILED',
          message: 'Card declined',
          details: { code: 'E42' },
        },
        executionId: expect.any(String),
      })
    })

    it('and does not say that nothing ran where nobody kept the run', async () => {
      const body = 'n8n is starting up'
      const workflow = { ...answering(503), settings: { saveDataSuccessExecution: 'none' } }
      const { double, client, fn } = await start(
        () => ({ responds: { status: 503, body, contentType: 'text/plain' } }),
        '2.41.1',
        workflow,
      )
      const limits = { retryUnsentMs: 3_000, lookupTimeoutMs: 200 }
      expect(await executeWorkflow(client, fn, {}, limits)).toMatchObject({
        error: {
          code: 'N8N_STARTING',
          message: expect.stringMatching(/^The answer says.*not known/),
        },
        mayStillBeRunning: true,
      })
      expect(callsIn(double)).toHaveLength(1)
    })

    it.each([
      [429, 'slow down', 'N8N_REQUEST_REFUSED'],
      [429, { message: 'API rate limit exceeded' }, 'N8N_REQUEST_REFUSED'],
      [401, { message: 'Unauthorized' }, 'N8N_CALL_REFUSED'],
      [403, { message: 'Forbidden' }, 'N8N_CALL_REFUSED'],
      [413, { message: 'Too large' }, 'N8N_REQUEST_TOO_LARGE'],
      [404, { message: 'no Route matched with those values' }, 'N8N_RESPONSE_INVALID'],
      [500, { message: 'Internal server error' }, 'N8N_OUTCOME_UNKNOWN'],
      [503, { ok: false, error: 'name resolution failed' }, 'N8N_OUTCOME_UNKNOWN'],
    ])('but not what something before n8n answered: %i with %j', async (status, body, code) => {
      const { double, client, fn } = await start()
      double.failNext({ path: '/webhook/', status, body })
      const outcome = await executeWorkflow(client, fn, {}, { lookupTimeoutMs: 200 })
      expect(outcome).toMatchObject({ error: { code }, mayStillBeRunning: true })
      expect(outcome).not.toHaveProperty('executionId')
    })

    it('and a result in the words of n8n is a result', async () => {
      const result = { message: 'Workflow was started' }
      const { client, fn } = await start(() => ({ result }))
      expect(await executeWorkflow(client, fn, {})).toMatchObject({ ok: true, result })
    })
  })

  describe('with the request in its result', () => {
    const requestOf = ({ headers, body }: WebhookCall): JsonObject => {
      const address = { webhookUrl: 'http://n8n.example/webhook/x', executionMode: 'production' }
      return { headers, params: {}, query: {}, body, ...address }
    }

    it.each(['2.41.1', '1.123.81'] as const)('gives it on n8n %s', async (version) => {
      const { client, fn } = await start(
        (call) => ({ result: { ...requestOf(call), sum: 2 } }),
        version,
      )
      const outcome = await executeWorkflow(client, fn, { a: 1 })
      expect(outcome).toMatchObject({ ok: true, result: { sum: 2, body: { a: 1 } } })
      expect(JSON.stringify(outcome)).not.toMatch(/eyJ[\w-]+\./)
    })

    it('says so where there is nothing else in it, in time or looked up later', async () => {
      const inTime = await start((call) => ({ result: requestOf(call) }))
      const late = await start((call) => ({ cuts: true, result: requestOf(call) }))
      for (const { client, fn } of [inTime, late])
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          error: {
            code: 'N8N_RESULT_INVALID',
            message: expect.stringContaining('only the request'),
          },
        })
    })
  })

  describe.each(['2.41.1', '1.123.81'] as const)(
    'with a node that may stop the run to wait, on n8n %s',
    (version) => {
      const pausing = workflowOf([
        setNode('Early', '{ "v": 1 }'),
        {
          ...node('Pause', 'wait@1.1', { amount: 70, unit: 'seconds' }),
          webhookId: 'pause',
        },
        setNode('Result', '{ "v": 2 }'),
      ])

      it('takes nothing for the result that was given before the wait', async () => {
        const { client, fn } = await start(
          () => ({ waits: true, result: { v: 1 } }),
          version,
          pausing,
        )
        const next = await updateFunction(client, fn, pausing)
        for (const each of [fn, next]) expect(each).toMatchObject({ mayWait: true })
        // 1.x lists no execution that waits.
        const code = version === '2.41.1' ? 'N8N_EXECUTION_WAITS' : 'N8N_OUTCOME_UNKNOWN'
        const outcome = await executeWorkflow(client, next, {}, { lookupTimeoutMs: 500 })
        expect(outcome).toMatchObject({ ok: false, error: { code }, mayStillBeRunning: true })
      })

      it('gives the result of a run that did not wait', async () => {
        const { client, fn } = await start(() => ({ result: { v: 2 } }), version, pausing)
        expect(await executeWorkflow(client, fn, {})).toMatchObject({ ok: true, result: { v: 2 } })
      })
    },
  )

  it('leaves open whether a call ran that is refused without a record of it', async () => {
    const workflow = { ...respondingWorkflow([]), settings: { saveDataSuccessExecution: 'none' } }
    const responds = { status: 403, body: 'invalid token', contentType: 'text/plain' }
    const { client, fn } = await start(() => ({ responds }), '2.41.1', workflow)
    expect(await executeWorkflow(client, fn, {}, { lookupTimeoutMs: 200 })).toMatchObject({
      error: { message: expect.stringContaining('Whether the workflow ran is not known') },
      mayStillBeRunning: true,
    })
  })

  it('recovers no result that the webhook answers with as a failure', async () => {
    const options = { responseCode: { values: { responseCode: 409 } } }
    const failing = { ...webhook, parameters: { ...webhook.parameters, options } }
    const workflow = workflowOf([failing, setNode('Result', '{ "v": 1 }')])
    const { client, fn } = await start(() => ({ cuts: true, result: { v: 1 } }), '2.41.1', workflow)
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_OUTCOME_UNKNOWN' },
    })
  })

  it('recovers the result of a call whose connection broke, and never sends it again', async () => {
    const { double, client, fn } = await start(() => ({ cuts: true, result: { sum: 5 } }))
    const outcome = await executeWorkflow(client, fn, {}, { retryUnsentMs: 5_000 })
    expect(outcome).toMatchObject({ ok: true, result: { sum: 5 }, executionId: expect.any(String) })
    expect(callsIn(double)).toHaveLength(1)
  })

  it('unwraps and scrubs what it recovers', async () => {
    const { client, fn } = await start(({ headers }) => ({
      cuts: true,
      result: { ok: false, error: { message: `leaks ${headers['authorization']}` } },
    }))
    const outcome = await executeWorkflow(client, fn, {})
    expect(outcome).toMatchObject({ ok: false, error: { message: 'leaks Bearer [redacted]' } })
  })

  it('says that the outcome is unknown where the call is on no record', async () => {
    const { double, client, fn } = await start(() => ({ result: 1 }))
    double.cutConnection({ method: 'POST', path: '/webhook/', when: 'before' })
    expect(
      await executeWorkflow(client, fn, {}, { lookupTimeoutMs: 200, retryUnsentMs: 2_000 }),
    ).toMatchObject({
      ok: false,
      error: { code: 'N8N_OUTCOME_UNKNOWN' },
      mayStillBeRunning: true,
    })
    expect(callsIn(double)).toHaveLength(1)
  })

  it('says that a call it gave up may still be running, or what became of it', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client, fn } = await start(async () => {
      await released
      return { result: { late: true } }
    })
    const running = await executeWorkflow(client, fn, {}, { timeoutMs: 100, lookupTimeoutMs: 200 })
    expect(running).toMatchObject({
      ok: false,
      error: { code: 'N8N_TIMEOUT' },
      mayStillBeRunning: true,
    })
    const late = executeWorkflow(client, fn, {}, { timeoutMs: 100, lookupTimeoutMs: 5_000 })
    setTimeout(release, 300)
    expect(await late).toMatchObject({ ok: true, result: { late: true } })
  })

  it('does not look up what lookupTimeoutMs forbids', async () => {
    const { double, client, fn } = await start(() => ({
      fails: { node: 'Result', message: 'No cheese' },
    }))
    const outcome = await executeWorkflow(client, fn, {}, { lookupTimeoutMs: 0 })
    expect(outcome).toMatchObject({
      error: { code: 'N8N_EXECUTION_FAILED', message: 'A node of the workflow failed.' },
    })
    expect(double.requests.some(({ path }) => path.includes('/executions'))).toBe(false)
  })

  it('tries again what n8n cannot have run, if it may, and only then', async () => {
    const { double, client, fn } = await start(() => ({ result: 1 }))
    double.starting('routes')
    expect(await executeWorkflow(client, fn, {})).toMatchObject({ error: { code: 'N8N_STARTING' } })
    expect(callsIn(double)).toHaveLength(1)
    setTimeout(() => void double.up(), 250)
    expect(await executeWorkflow(client, fn, {}, { retryUnsentMs: 10_000 })).toMatchObject({
      ok: true,
      result: 1,
    })
    await double.down()
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: false,
      error: { code: 'N8N_UNREACHABLE' },
    })
    setTimeout(() => void double.up(), 250)
    expect(await executeWorkflow(client, fn, {}, { retryUnsentMs: 10_000 })).toMatchObject({
      ok: true,
      result: 1,
    })
  })

  it('is refused with a wrong secret, and not callable where it was unpublished', async () => {
    const { double, client, fn } = await start()
    const refused = await executeWorkflow(client, { ...fn, secret: 'f'.repeat(64) }, {})
    expect(refused).toMatchObject({ error: { code: 'N8N_CALL_REFUSED' } })
    double.setActive(fn.workflowId, false)
    await expect
      .poll(async () => await executeWorkflow(client, fn, {}))
      .toMatchObject({ error: { code: 'N8N_NOT_CALLABLE' } })
  })

  it('calls by id only what asks for nothing', async () => {
    const { double, client, fn } = await start()
    expect(await executeWorkflow(client, fn.workflowId, {})).toMatchObject({
      error: { code: 'N8N_CALL_REFUSED' },
    })
    expect(callsIn(double)).toHaveLength(0)
    const open = await deployFunction(client, addition, { auth: 'none', name: 'FUNCTION open' })
    double.onWebhook('FUNCTION open', ({ headers }) => ({
      result: { token: headers['authorization'] ?? null },
    }))
    expect(await executeWorkflow(client, open.workflowId, {})).toMatchObject({
      ok: true,
      result: { token: null },
    })
    expect(await executeWorkflow(client, 'Nobody', {})).toMatchObject({
      error: { code: 'N8N_NOT_FOUND' },
    })
    double.setActive(open.workflowId, false)
    expect(await executeWorkflow(client, open.workflowId, {})).toMatchObject({
      error: { code: 'N8N_NOT_CALLABLE' },
    })
  })

  it('hands no token, secret or path out, whatever a workflow says', async () => {
    const workflow = respondingWorkflow([])
    const saying = workflow.nodes.map((each) =>
      each.name === 'Respond'
        ? { ...each, parameters: { ...each.parameters, options: { responseCode: 500 } } }
        : each,
    )
    const { client, fn } = await start(
      ({ headers, path }) => ({
        responds: {
          status: 500,
          body: JSON.stringify({
            ok: false,
            error: { message: `${headers['authorization']} ${path}`, path },
          }),
        },
      }),
      '2.41.1',
      { ...workflow, nodes: saying },
    )
    const text = JSON.stringify(await executeWorkflow(client, fn, {}))
    expect(text).toContain('[redacted]')
    expect(text).not.toContain(fn.binding.path)
    expect(text).not.toMatch(/eyJ[\w-]+\./)
  })

  it('hands no path out in a result either', async () => {
    const { client, fn } = await start(({ path }) => ({
      result: { webhookUrl: `http://n8n.example/webhook/${path}`, sum: 3 },
    }))
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: { webhookUrl: 'http://n8n.example/webhook/[path]', sum: 3 },
    })
  })

  it('gives the reason of an abort back, before and during a call', async () => {
    const { client, fn } = await start(async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1_000)
      })
      return { result: 1 }
    })
    const reason = new Error('enough')
    await expect(
      executeWorkflow(client, fn, {}, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    await expect(executeWorkflow(client, fn, {}, { signal: controller.signal })).rejects.toBe(
      reason,
    )
  })

  it.each([
    ['args', { args: [] }],
    ['callId', { options: { callId: 'a b' } }],
    ['callId', { options: { callId: 'x'.repeat(201) } }],
    ['idempotencyKey', { options: { idempotencyKey: '' } }],
    ['lookupTimeoutMs', { options: { lookupTimeoutMs: -1 } }],
    ['retryUnsentMs', { options: { retryUnsentMs: 0.5 } }],
    ['timeoutMs', { options: { timeoutMs: 0 } }],
  ])(
    'refuses a wrong %s',
    async (field, { args = {}, options = {} }: { args?: unknown; options?: object }) => {
      const client = createN8nClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'secret-key' })
      await expect(executeWorkflow(client, 'W1', args as never, options)).rejects.toMatchObject({
        code: 'N8N_OPTION_INVALID',
        message: expect.stringContaining(field),
      })
    },
  )

  it('does not follow a redirect with its token', async () => {
    const seen: string[] = []
    const elsewhere = createServer((request, response) => {
      seen.push(request.url ?? '')
      response
        .writeHead(307, {
          location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/other`,
        })
        .end()
    })
    await new Promise<void>((resolve) => {
      elsewhere.listen(0, '127.0.0.1', resolve)
    })
    const { fn } = await start()
    const client = createN8nClient({
      baseUrl: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
      apiKey: 'secret-key',
    })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      error: { code: 'N8N_RESPONSE_INVALID' },
    })
    // Whether it ran is looked up; nothing goes where the redirect leads.
    expect(seen.filter((url) => !url.startsWith('/api/'))).toEqual([`/webhook/${fn.binding.path}`])
    elsewhere.close()
  })
})

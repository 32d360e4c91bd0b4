import { setTimeout as wait } from 'node:timers/promises'
import { ToolError } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type N8nClient,
  type N8nFunction,
  type N8nNode,
  type N8nTransport,
  type N8nWorkflow,
  type WorkflowOutcome,
  createN8nClient,
  deployFunction,
  executeWorkflow,
  retireFunction,
} from '../src/index.ts'
import { callIdHeader } from '../src/execution-lookup.ts'
import { breaking } from './breaking-transport.ts'
import { type CallCounter, startCallCounter } from './call-counter.ts'
import { readRealServer } from './real-server.ts'
import { type StartedServer, startServer } from './start-server.ts'
import { type WireCounter, startWireCounter } from './wire-counter.ts'

/** Of the release under test, but another server: it is killed here. */
const { version, major } = readRealServer()
const name = 'double trouble'

let server: StartedServer
let counter: CallCounter
let wire: WireCounter
let client: N8nClient
let counted: N8nFunction
let webhookPath: string

const node = (kind: string, typeVersion: number, parameters: N8nNode['parameters']): N8nNode => ({
  id: kind,
  name: kind,
  type: `n8n-nodes-base.${kind}`,
  typeVersion,
  position: [0, 0],
  parameters,
})

function workflow(last: N8nNode): N8nWorkflow {
  const hook = node('webhook', 2.1, {
    httpMethod: 'POST',
    path: '',
    responseMode: 'lastNode',
    options: {},
  })
  return {
    name,
    nodes: [hook, last],
    connections: { webhook: { main: [[{ node: last.name, type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  }
}

const countedWorkflow = (): N8nWorkflow =>
  workflow(
    node('httpRequest', 4.2, {
      method: 'POST',
      url: `=${counter.baseUrl}/call/{{ $json.headers["x-toolcrib-call-id"] }}`,
      sendHeaders: true,
      headerParameters: {
        parameters: [
          {
            name: 'Idempotency-Key',
            value: "={{ $('webhook').first().json.headers['idempotency-key'] }}",
          },
        ],
      },
      options: { timeout: 200_000 },
    }),
  )

const code = (jsCode: string): N8nWorkflow => workflow(node('code', 2, { jsCode }))

const left = async (): Promise<string[]> => {
  const found: string[] = []
  for await (const each of client.workflows.list({ name })) found.push(`workflow ${each.id}`)
  if (major === 2)
    for await (const each of client.credentials.list()) found.push(`credential ${each.name}`)
  return found
}

/** By call id, the ids of its executions, once those of all that are asked for are there: n8n writes them after the answer. */
async function readExecutions(
  callIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const header = new RegExp(`"${callIdHeader}":"([^"]+)"`)
  const read = async (): Promise<readonly string[]> => {
    found.clear()
    const options = { workflowId: counted.workflowId, includeData: true, pageSize: 50 }
    for await (const { id, data } of client.executions.list(options)) {
      const callId = header.exec(JSON.stringify(data) ?? '')?.[1]
      if (callId !== undefined) found.set(callId, [...(found.get(callId) ?? []), id])
    }
    return callIds.filter((callId) => !found.has(callId))
  }
  await expect.poll(read, { timeout: 180_000, interval: 500 }).toEqual([])
  return found
}

const codeOf = (outcome: WorkflowOutcome): string => (outcome.ok ? 'ok' : outcome.error.code)

async function codeFrom(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'ok'
  } catch (error) {
    return ToolError.is(error) ? error.code : String(error)
  }
}

beforeAll(async () => {
  ;[server, counter] = await Promise.all([startServer({ version }), startCallCounter()])
  wire = await startWireCounter(server.baseUrl)
  client = createN8nClient({ baseUrl: server.baseUrl, apiKey: server.apiKey })
  counted = await deployFunction(client, countedWorkflow())
  webhookPath = counted.binding.path
}, 400_000)

afterAll(async () => {
  await server.stop()
  await counter[Symbol.asyncDispose]()
  await wire[Symbol.asyncDispose]()
})

describe('calls at once and calls that break', () => {
  test('50 calls at once each get their own result, and none runs twice', async () => {
    counter.take(100)
    const ids = Array.from({ length: 50 }, (_, index) => `at-once-${String(index)}`)
    const outcomes = await Promise.all(
      ids.map((callId) => executeWorkflow(client, counted, {}, { callId, timeoutMs: 200_000 })),
    )
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.result : outcome.error))).toEqual(
      ids.map((id) => ({ id })),
    )
    expect(ids.map((id) => counter.counts.get(id))).toEqual(ids.map(() => 1))
  }, 400_000)

  test('a call that a killed server had in hand is not taken for a success, and not made again', async () => {
    counter.take(60_000)
    const callId = 'killed'
    const call = executeWorkflow(client, counted, {}, { callId, lookupTimeoutMs: 500 })
    await expect.poll(() => counter.counts.get(callId), { timeout: 180_000 }).toBe(1)
    await server.kill()
    const outcome = await call
    expect(codeOf(outcome)).toBe('N8N_OUTCOME_UNKNOWN')
    await server.restart()
    counter.take(0)
    await expect
      .poll(async () => codeOf(await executeWorkflow(client, counted, {})), { timeout: 90_000 })
      .toBe('ok')
    expect(counter.counts.get(callId)).toBe(1)
    const statuses: string[] = []
    for await (const { status } of client.executions.list({ workflowId: counted.workflowId }))
      statuses.push(status)
    expect(statuses).toContain('crashed')
  }, 400_000)

  test('a call that is looked up after the restart is known to have crashed', async () => {
    counter.take(60_000)
    const callId = 'killed-and-looked-up'
    const call = executeWorkflow(client, counted, {}, { callId, lookupTimeoutMs: 90_000 })
    await expect.poll(() => counter.counts.get(callId), { timeout: 180_000 }).toBe(1)
    await server.kill()
    await server.restart()
    const outcome = await call
    counter.take(0)
    expect(['N8N_EXECUTION_FAILED', 'N8N_OUTCOME_UNKNOWN']).toContain(codeOf(outcome))
    expect(counter.counts.get(callId)).toBe(1)
  }, 400_000)

  test('a call that a server finishes before it ends is a success', async () => {
    counter.take(2_000)
    const callId = 'terminated'
    const call = executeWorkflow(client, counted, {}, { callId })
    await expect.poll(() => counter.counts.get(callId), { timeout: 180_000 }).toBe(1)
    const ended = server.terminate()
    expect(await call).toMatchObject({ ok: true, result: { id: callId } })
    await ended
    counter.take(0)
    await server.restart()
    expect(counter.counts.get(callId)).toBe(1)
  }, 400_000)

  test('through a restart each call is sent once and has a typed outcome; what runs twice, n8n ran again by itself as it started', async () => {
    const wired = createN8nClient({ baseUrl: wire.baseUrl, apiKey: server.apiKey })
    const outcomes = new Map<string, WorkflowOutcome>()
    const callers = 3
    const isOver = { value: false }
    const callUntilOver = async (caller: number): Promise<void> => {
      for (let count = 0; !isOver.value; count += 1) {
        const callId = `through-${String(caller)}-${String(count)}`
        const idempotencyKey = `key-of-${callId}`
        const options = { callId, idempotencyKey, timeoutMs: 10_000, lookupTimeoutMs: 200 }
        outcomes.set(callId, await executeWorkflow(wired, counted, {}, options))
        await wait(50)
      }
    }
    const calls = Promise.all(Array.from({ length: callers }, (_, caller) => callUntilOver(caller)))
    await wait(500)
    await server.restart({ untilReady: false })
    const bootedAt = Date.now()
    await server.waitUntilReady()
    const isServed = (): boolean => [...outcomes.values()].slice(-callers).every(({ ok }) => ok)
    await expect.poll(isServed, { timeout: 90_000 }).toBe(true)
    isOver.value = true
    await calls
    const codes = new Set([...outcomes.values()].map(codeOf))
    const known = new Set([
      'N8N_UNREACHABLE',
      'N8N_STARTING',
      'N8N_NOT_CALLABLE',
      'N8N_OUTCOME_UNKNOWN',
      'N8N_EXECUTION_FAILED',
      'N8N_TIMEOUT',
    ])
    expect(
      [...outcomes.values()]
        .filter((each) => !each.ok && !known.has(codeOf(each)))
        .map((each) => [codeOf(each), JSON.stringify(each)]),
    ).toEqual([])
    expect(codes.size).toBeGreaterThan(1)

    const runs = (callId: string): number => counter.counts.get(callId) ?? 0
    const ran = [...outcomes.keys()].filter((callId) => runs(callId) > 0)
    const runTwice = ran.filter((callId) => runs(callId) > 1)
    const executions = await readExecutions(
      ran.filter((id) => outcomes.get(id)?.ok === true || runTwice.includes(id)),
    )
    const startedAtBoot = await server.startedAtBoot()
    for (const [callId, outcome] of outcomes) {
      const sends = wire.sends.get(callId)?.length ?? 0
      expect(sends, `sends of ${callId}`).toBeLessThanOrEqual(1)
      if (runs(callId) > 0) {
        expect(sends, `sends of ${callId}`).toBe(1)
        // In both runs, if there were two.
        expect([...(counter.keys.get(callId) ?? [])]).toEqual([`key-of-${callId}`])
      }
      if (outcome.ok) expect(outcome.result).toEqual({ id: callId })
      expect(executions.get(callId)?.length ?? 0, `executions of ${callId}`).toBeLessThanOrEqual(1)
    }
    for (const callId of runTwice) {
      const [sentAt = 0] = wire.sends.get(callId) ?? []
      const ids = executions.get(callId) ?? []
      expect({
        callId,
        runs: runs(callId),
        executions: ids.length,
        isSentInStart: sentAt >= bootedAt,
        isStartedByItself: ids.every((id) => startedAtBoot.has(id)),
      }).toEqual({ callId, runs: 2, executions: 1, isSentInStart: true, isStartedByItself: true })
    }
  }, 400_000)
})

describe('a server that cannot be worked with', () => {
  test('a wrong key, and a key of too few scopes', async () => {
    const wrong = createN8nClient({ baseUrl: server.baseUrl, apiKey: 'a-key-that-is-not-one' })
    expect(await codeFrom(wrong.workflows.get('nothing'))).toBe('N8N_UNAUTHORIZED')
    expect(await codeFrom(deployFunction(wrong, countedWorkflow()))).toBe('N8N_DEPLOY_FAILED')
    const limited = createN8nClient({ baseUrl: server.baseUrl, apiKey: server.limitedApiKey })
    // Without a licence, every key of 1.x may do everything.
    expect(await codeFrom(limited.workflows.get('nothing'))).toBe(
      major === 2 ? 'N8N_FORBIDDEN' : 'N8N_NOT_FOUND',
    )
    if (major === 2)
      expect(await codeFrom(deployFunction(limited, countedWorkflow()))).toBe('N8N_DEPLOY_FAILED')
  })

  test('a workflow that was taken down, and one that was deleted', async () => {
    const fn = await deployFunction(client, code('return [{ json: { a: 1 } }]'))
    await client.workflows.unpublish(fn.workflowId)
    await expect
      .poll(async () => codeOf(await executeWorkflow(client, fn, {})), { timeout: 15_000 })
      .toBe('N8N_NOT_CALLABLE')
    expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect(codeOf(await executeWorkflow(client, fn, {}))).toBe('N8N_NOT_CALLABLE')
  })

  test('more than the client sends, and more than the server takes', async () => {
    const args = { text: 'x'.repeat(20_000_000) }
    expect(codeOf(await executeWorkflow(client, counted, args))).toBe('N8N_REQUEST_TOO_LARGE')
    const generous = createN8nClient({
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      maxRequestBytes: 32 * 1024 * 1024,
    })
    const callId = 'too-large'
    const outcome = await executeWorkflow(generous, counted, args, { callId })
    expect(['N8N_REQUEST_TOO_LARGE', 'N8N_EXECUTION_FAILED', 'N8N_OUTCOME_UNKNOWN']).toContain(
      codeOf(outcome),
    )
    expect(counter.counts.get(callId)).toBeUndefined()
    expect(await codeFrom(generous.workflows.create(code(`// ${'x'.repeat(17_000_000)}`)))).toBe(
      'N8N_REQUEST_TOO_LARGE',
    )
  })

  test('a workflow that waits, one that gives nothing, and one that fails', async () => {
    const waits = await deployFunction(
      client,
      workflow({
        ...node('wait', 1.1, { resume: 'webhook', options: {} }),
        webhookId: crypto.randomUUID(),
      }),
    )
    const nothing = await deployFunction(client, code('return []'))
    const fails = await deployFunction(client, code('throw new Error("no such order")'))
    const waited = codeOf(await executeWorkflow(client, waits, {}))
    const none = codeOf(await executeWorkflow(client, nothing, {}))
    const failed = await executeWorkflow(client, fails, {})
    for (const fn of [waits, nothing, fails])
      expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect(waited).toBe('N8N_EXECUTION_WAITS')
    expect(none).toBe('N8N_RESULT_INVALID')
    expect(failed).toMatchObject({
      ok: false,
      error: {
        code: 'N8N_EXECUTION_FAILED',
        node: 'code',
        message: expect.stringContaining('no such order'),
      },
    })
  })
})

describe('a deployment that breaks', () => {
  test.each(['before', 'after'] as const)(
    'at any step, %s it is sent, leaves nothing behind',
    async (when) => {
      const before = await left()
      const whole = breaking(0, when)
      const deployWith = (transport: N8nTransport): Promise<N8nFunction> =>
        deployFunction(
          createN8nClient({
            baseUrl: server.baseUrl,
            apiKey: server.apiKey,
            transport,
            retry: { pauseMs: 20 },
          }),
          countedWorkflow(),
        )
      await retireFunction(client, await deployWith(whole.transport))
      expect(whole.count()).toBeGreaterThan(4)
      for (let at = 1; at <= whole.count(); at++) {
        try {
          const fn = await deployWith(breaking(at, when).transport)
          // Its readiness check may go on after a lost answer; then it is deployed.
          expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
        } catch (error) {
          // 1.x lists no credentials, so one whose creation was not answered can only be named.
          const isUnseen = major === 1 && when === 'after' && at === 1
          const { data } = error as { readonly data?: unknown }
          expect(
            ToolError.is(error) && error.code,
            `step ${String(at)}: ${String(error)} ${JSON.stringify(data)}`,
          ).toBe(isUnseen ? 'N8N_CLEANUP_INCOMPLETE' : 'N8N_DEPLOY_FAILED')
        }
        expect(await left(), `after step ${String(at)}`).toEqual(before)
      }
    },
    180_000,
  )

  test('a server that is down, and one that starts', async () => {
    await server.kill()
    expect(await codeFrom(client.workflows.get(counted.workflowId, { timeoutMs: 2_000 }))).toBe(
      'N8N_UNREACHABLE',
    )
    expect(await client.ping({ timeoutMs: 2_000 })).toMatchObject({ ready: false })
    expect(codeOf(await executeWorkflow(client, counted, {}))).toBe('N8N_UNREACHABLE')
    await server.restart({ untilReady: false })
    const codes = new Set<string>()
    // A busy machine takes minutes to start one.
    const deadline = Date.now() + 300_000
    while (Date.now() < deadline) {
      const got = await codeFrom(client.workflows.get(counted.workflowId, { timeoutMs: 1_000 }))
      codes.add(got)
      if (got === 'ok') break
      await wait(50)
    }
    expect([...codes].toSorted()).toEqual(expect.arrayContaining(['N8N_UNREACHABLE', 'ok']))
    const known = new Set(['N8N_UNREACHABLE', 'N8N_STARTING', 'N8N_TIMEOUT', 'ok'])
    expect([...codes].filter((each) => !known.has(each))).toEqual([])
    await server.waitUntilReady()
    expect(await retireFunction(client, counted)).toEqual({ removed: true, left: [] })
    expect(await left()).toEqual([])
    expect(await client.webhooks.isRegistered(webhookPath)).toBe(false)
  }, 400_000)
})

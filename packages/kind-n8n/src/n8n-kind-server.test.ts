import { createN8nClient, type N8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble } from '@toolcrib/n8n/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type N8nHost, type N8nHostOptions, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow } from '../test/n8n-workflows.ts'

const name = 'add_two_numbers'
const numbers = { a: 2, b: 3 }
let double: N8nDouble
let client: N8nClient
let host: N8nHost | undefined

afterEach(async () => {
  await double.up()
  await host?.close()
  host = undefined
  await double.close()
})

/** Adds as the workflow says: the double runs none. */
function addOn(server: N8nDouble): void {
  server.onWebhook(
    () => true,
    ({ body, workflow }) => {
      const { a, b } = body as { a: number; b: number }
      const text = JSON.stringify(
        server
          .workflows()
          .find(({ id }) => id === workflow.id)
          ?.versions.find(({ versionId }) => versionId === workflow.versionId)?.nodes ??
          server.workflows().find(({ id }) => id === workflow.id)?.nodes,
      )
      const plus = Number(/body\.b \+ (\d+)/.exec(text)?.[1] ?? 0)
      return { result: { sum: a + b + plus } }
    },
  )
}

async function open(options: Partial<N8nHostOptions> = {}): Promise<N8nHost> {
  host = await openN8nHost({ client, ...options })
  return host
}

const workflowNow = (): ReturnType<N8nDouble['workflows']>[number] | undefined =>
  double.workflows()[0]
const liveCount = (): number => double.workflows().filter(({ active }) => active).length

describe.each(['2.41.1', '1.123.81'] as const)('on n8n %s', (version) => {
  beforeEach(async () => {
    double = await createN8nDouble({ version, publishDelayMs: 5, unpublishDelayMs: 5 })
    client = createN8nClient({
      baseUrl: double.baseUrl,
      apiKey: double.apiKey,
      retry: { retries: 0 },
      timeoutMs: 2_000,
    })
    addOn(double)
  })

  test('nothing reaches n8n before a person has signed; then one workflow is live and callable', async () => {
    const { call, kind, propose, signer, toolsmaker } = await open()
    await propose(adderRequest(adderWorkflow()))
    await toolsmaker.approveTool(name, 1, { signer })
    expect(double.requests).toEqual([])
    await toolsmaker.activateToolVersion(name, 1, { signer })
    expect(workflowNow()).toMatchObject({ name: `toolcrib/${name}`, active: true })
    expect(double.credentials()).toHaveLength(1)
    expect(await call(name, numbers)).toMatchObject({ success: true, output: { sum: 5 } })
    expect(await kind.health(name)).toMatchObject({
      isReachable: true,
      isPublished: true,
      state: 'intact',
      workflowId: workflowNow()?.id,
      lastRun: { status: 'success' },
    })
    expect(await kind.listLeftBehind()).toEqual([])
  })

  test('the call id of the log is the one that n8n gets', async () => {
    const { call, make } = await open()
    await make(adderRequest(adderWorkflow()))
    const { callId } = await call(name, numbers)
    expect(double.requests.some(({ headers }) => headers['x-toolcrib-call-id'] === callId)).toBe(
      true,
    )
  })

  test('versions share one workflow, and going back is no new one where n8n keeps them', async () => {
    const { call, make, signer, toolsmaker } = await open()
    await make(adderRequest(adderWorkflow()))
    const first = workflowNow()
    await make(adderRequest(adderWorkflow({ plus: 10 })))
    expect(await call(name, numbers)).toMatchObject({ output: { sum: 15 } })
    await toolsmaker.rollbackTool(name, { signer })
    expect(await call(name, numbers)).toMatchObject({ output: { sum: 5 } })
    expect(double.workflows()).toHaveLength(1)
    if (version === '2.41.1') expect(workflowNow()?.activeVersionId).toBe(first?.activeVersionId)
    expect(double.credentials()).toHaveLength(1)
  })

  test('taking out of use unpublishes and keeps the workflow; putting into use brings it back', async () => {
    const { call, kind, make, signer, toolsmaker } = await open()
    await make(adderRequest(adderWorkflow()))
    const { id } = workflowNow() ?? {}
    await toolsmaker.deactivateTool(name, { reason: 'enough' })
    expect(workflowNow()).toMatchObject({ id, active: false })
    expect(await kind.health(name)).toMatchObject({
      isPublished: false,
      state: 'unknown',
      reason: 'The tool is out of use, or all made tools are paused.',
    })
    await toolsmaker.activateToolVersion(name, 1, { signer })
    expect(workflowNow()).toMatchObject({ id, active: true })
    expect(await call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  })

  test('deleting removes workflow and credential, and only of a tool that is out of use', async () => {
    const { kind, make, toolsmaker } = await open()
    await make(adderRequest(adderWorkflow()))
    expect(await kind.removeFromServer(name)).toMatchObject({
      removed: false,
      left: [expect.stringContaining('(in use)') as string],
    })
    expect(liveCount()).toBe(1)
    await toolsmaker.deactivateTool(name, { reason: 'enough' })
    expect(await kind.removeFromServer(name)).toEqual({ removed: true, left: [] })
    expect([double.workflows(), double.credentials()]).toEqual([[], []])
    expect(await kind.removeFromServer(name)).toEqual({ removed: false, left: [] })
    expect(await kind.health(name)).toMatchObject({ state: 'absent', isReachable: true })
  })

  test.each<[string, (id: string) => void, RegExp]>([
    ['unpublished', (id) => double.setActive(id, false), /was unpublished/],
    ['archived', (id) => double.edit(id, { isArchived: true }), /was archived/],
    ['deleted', (id) => double.remove(id), /was deleted/],
    ['renamed', (id) => double.edit(id, { name: 'mine' }), /was changed: name/],
    [
      'given pinned data',
      (id) => double.edit(id, { pinData: { Call: [{ json: {} }] } }),
      /pinData/,
    ],
    [
      'given data to remember',
      (id) => double.edit(id, { staticData: { global: { x: 1 } } }),
      /staticData/,
    ],
    [
      'given another setting',
      (id) => double.edit(id, { settings: { executionOrder: 'v0' } }),
      /settings/,
    ],
    ['emptied of connections', (id) => double.edit(id, { connections: {} }), /connections/],
  ])(
    'what was %s is refused before the call, held, and put there anew by a signature',
    async (...[, change, said]) => {
      const { call, history, make, signer, toolsmaker } = await open()
      await make(adderRequest(adderWorkflow()))
      expect(await call(name, numbers)).toMatchObject({ success: true })
      const runs = double.executions().length
      change(workflowNow()?.id ?? '')
      const result = await call(name, numbers)
      expect(result).toMatchObject({ errorCode: 'TOOL_TAMPERED' })
      expect(result.success ? '' : result.error).toMatch(said)
      expect(double.executions()).toHaveLength(runs)
      await toolsmaker.expirePending()
      expect((await history(name)).slice(-2)).toEqual(['tool_tampered', 'tool_held'])
      expect(liveCount()).toBe(0)
      await toolsmaker.activateToolVersion(name, 1, { signer })
      expect(await call(name, numbers)).toMatchObject({ output: { sum: 5 } })
      expect([double.workflows().length, double.credentials().length]).toEqual([1, 1])
    },
  )

  test('what was changed while the host was down is found at its start', async () => {
    const first = await open()
    await first.make(adderRequest(adderWorkflow()))
    await first.stop()
    double.edit(workflowNow()?.id ?? '', { name: 'mine' })
    host = await first.restart()
    expect(host.registry.has(name)).toBe(false)
    expect(host.toolsmaker.listVersions(name)[0]).toMatchObject({
      status: 'deactivated',
      held: true,
      reason: expect.stringContaining('was changed: name') as string,
    })
    expect(liveCount()).toBe(0)
    double.edit(workflowNow()?.id ?? '', { name: `toolcrib/${name}` })
    double.setActive(workflowNow()?.id ?? '', true)
    host = await host.restart()
    expect(host.registry.has(name)).toBe(false)
  })

  test('a server that is down keeps no host from starting, and no call runs until it is back', async () => {
    const first = await open()
    await first.make(adderRequest(adderWorkflow()))
    await double.down()
    host = await first.restart()
    expect(host.registry.has(name)).toBe(true)
    expect(await host.call(name, numbers)).toMatchObject({ errorCode: 'TOOL_UNVERIFIED' })
    expect(await host.kind.health(name)).toMatchObject({ isReachable: false, state: 'unknown' })
    await double.up()
    await expect
      .poll(async () => host?.call(name, numbers), { timeout: 5_000 })
      .toMatchObject({ success: true })
    expect(await host.history(name)).not.toContain('tool_tampered')
  })

  test('a version that n8n refuses leaves the one before callable, says n8n’s reason, and nothing behind', async () => {
    const { call, history, make, toolsmaker } = await open()
    await make(adderRequest(adderWorkflow()))
    const path = version === '2.41.1' ? '/publish' : '/workflows/'
    const method = version === '2.41.1' ? 'POST' : 'PUT'
    double.failNext({
      method,
      path,
      status: 400,
      body: { message: 'Node "Sum" is not to our liking' },
    })
    await expect(make(adderRequest(adderWorkflow({ plus: 10 })))).rejects.toMatchObject({
      code: 'ACTIVATION_FAILED',
      message: expect.stringContaining('is not to our liking') as string,
    })
    expect((await history(name)).at(-1)).toBe('tool_activation_failed')
    expect(await call(name, numbers)).toMatchObject({ output: { sum: 5 } })
    expect(toolsmaker.activeVersions()).toEqual({ [name]: 1 })
    expect([double.workflows().length, liveCount(), double.credentials().length]).toEqual([1, 1, 1])
    await make(adderRequest(adderWorkflow({ plus: 20 })))
    expect(await call(name, numbers)).toMatchObject({ output: { sum: 25 } })
  })

  test('a first version that n8n refuses leaves nothing at all', async () => {
    const { kind, make } = await open()
    double.failNext({
      method: 'POST',
      path: /\/(publish|activate)/,
      status: 400,
      body: { message: 'not to our liking' },
    })
    await expect(make(adderRequest(adderWorkflow()))).rejects.toMatchObject({
      code: 'ACTIVATION_FAILED',
    })
    expect([double.workflows(), double.credentials()]).toEqual([[], []])
    expect(await kind.listLeftBehind()).toEqual([])
    expect(await kind.health(name)).toMatchObject({ state: 'absent' })
  })

  test('a tool that is taken out of use while n8n is down is said to be left behind, and taken down later', async () => {
    const opened = await open({ kindOptions: { clearAgainMs: 0 } })
    const { call, complaints, kind, make, toolsmaker } = opened
    await make(adderRequest(adderWorkflow()))
    await make(adderRequest(adderWorkflow({ plus: 7 }), { name: 'add_and_seven' }))
    await double.down()
    await toolsmaker.deactivateTool(name, { reason: 'enough' })
    expect(complaints.at(-1)?.message).toMatch(/could not be removed/)
    expect(await kind.listLeftBehind()).toMatchObject([
      { toolName: name, reason: expect.stringContaining('may still be live') as string },
    ])
    expect(await call('add_and_seven', numbers)).toMatchObject({ errorCode: 'TOOL_UNVERIFIED' })
    await double.up()
    // The next look at any tool finds the server back.
    await expect
      .poll(async () => call('add_and_seven', numbers), { timeout: 5_000 })
      .toMatchObject({ success: true })
    await expect.poll(() => kind.listLeftBehind(), { timeout: 5_000 }).toEqual([])
    expect(
      double
        .workflows()
        .filter(({ active }) => active)
        .map((each) => each.name),
    ).toEqual(['toolcrib/add_and_seven'])
  })

  test('what was left behind is taken down at the next start too', async () => {
    const first = await open()
    await first.make(adderRequest(adderWorkflow()))
    await double.down()
    await first.toolsmaker.deactivateTool(name, { reason: 'enough' })
    await double.up()
    host = await first.restart()
    expect(liveCount()).toBe(0)
    expect(await host.kind.listLeftBehind()).toEqual([])
  })

  test('deleting while n8n is down says what is left, and is finished at the next start', async () => {
    const first = await open()
    await first.make(adderRequest(adderWorkflow()))
    await first.toolsmaker.deactivateTool(name, { reason: 'enough' })
    await double.down()
    const outcome = await first.kind.removeFromServer(name)
    expect(outcome.removed).toBe(false)
    expect(outcome.left.join()).toMatch(/workflow/)
    await double.up()
    host = await first.restart()
    expect([double.workflows(), double.credentials()]).toEqual([[], []])
    expect(await host.kind.listLeftBehind()).toEqual([])
  })
})

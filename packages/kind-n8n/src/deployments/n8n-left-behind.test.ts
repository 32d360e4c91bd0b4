import { createN8nClient, type N8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble } from '@toolcrib/n8n/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type N8nHost, openN8nHost } from '../../test/n8n-host.ts'
import { adderRequest, adderWorkflow } from '../../test/n8n-workflows.ts'
import type { N8nDeployments } from './n8n-deployments.ts'

const names = ['add_first', 'add_second', 'add_third'] as const
const numbers = { a: 2, b: 3 }
let double: N8nDouble
let client: N8nClient
let host: N8nHost | undefined

beforeEach(async () => {
  double = await createN8nDouble({ publishDelayMs: 1, unpublishDelayMs: 1 })
  double.onWebhook(
    () => true,
    () => ({ result: { sum: 5 } }),
  )
  client = createN8nClient({
    baseUrl: double.baseUrl,
    apiKey: double.apiKey,
    retry: { retries: 0 },
    timeoutMs: 2_000,
  })
})

afterEach(async () => {
  await double.up()
  await host?.close()
  host = undefined
  await double.close()
})

const liveNames = (): readonly string[] =>
  double
    .workflows()
    .filter(({ active }) => active)
    .map(({ name }) => name.replace('toolcrib/', ''))
    .toSorted()

async function openWithThree(): Promise<N8nHost> {
  const opened = await openN8nHost({ client, kindOptions: { clearAgainMs: 0 } })
  host = opened
  for (const [plus, name] of names.entries())
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does it
    await opened.make(adderRequest(adderWorkflow({ plus }), { name }))
  return opened
}

describe('what was left behind', () => {
  test('is taken down though another tool went out of use without trouble since', async () => {
    const { call, kind, toolsmaker } = await openWithThree()
    double.failNext({ path: /\/unpublish/, status: 500, body: { message: 'not now' } })
    await toolsmaker.deactivateTool(names[0], { reason: 'enough' })
    await toolsmaker.deactivateTool(names[1], { reason: 'enough' })
    expect(liveNames()).toEqual([names[0], names[2]])
    expect(await call(names[2], numbers)).toMatchObject({ success: true })
    await expect.poll(liveNames, { timeout: 5_000 }).toEqual([names[2]])
    await expect.poll(() => kind.listLeftBehind(), { timeout: 5_000 }).toEqual([])
  })

  test('of a deletion that failed is removed once n8n is back, without a new start', async () => {
    const { call, kind, toolsmaker } = await openWithThree()
    await toolsmaker.deactivateTool(names[0], { reason: 'enough' })
    await double.down()
    expect(await kind.removeFromServer(names[0])).toMatchObject({ removed: false })
    await double.up()
    await expect
      .poll(async () => call(names[2], numbers), { timeout: 5_000 })
      .toMatchObject({ success: true })
    await expect.poll(() => double.workflows().length, { timeout: 5_000 }).toBe(2)
    await expect.poll(() => kind.listLeftBehind(), { timeout: 5_000 }).toEqual([])
  })
})

describe('a full disk', () => {
  /** From the given write on, for as long as it is full. */
  function fillable(): {
    readonly wrap: (deployments: N8nDeployments) => N8nDeployments
    fullFrom: number
    writes: number
  } {
    const disk = {
      fullFrom: Number.POSITIVE_INFINITY,
      writes: 0,
      wrap: (deployments: N8nDeployments): N8nDeployments => ({
        read: (toolName) => deployments.read(toolName),
        list: () => deployments.list(),
        listBroken: async () => (await deployments.listBroken?.()) ?? [],
        remove: (toolName) => deployments.remove(toolName),
        write: async (deployment) => {
          disk.writes += 1
          if (disk.writes >= disk.fullFrom)
            throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
          await deployments.write(deployment)
        },
      }),
    }
    return disk
  }

  test.each([1, 2, 3, 4])('from write %i on leaves nothing of a first version', async (write) => {
    const disk = fillable()
    const opened = await openN8nHost({ client, wrapDeployments: disk.wrap })
    host = opened
    disk.fullFrom = write
    await expect(opened.make(adderRequest(adderWorkflow()))).rejects.toMatchObject({
      code: 'ACTIVATION_FAILED',
    })
    expect([double.workflows(), double.credentials()]).toEqual([[], []])
    disk.fullFrom = Number.POSITIVE_INFINITY
    await opened.make(adderRequest(adderWorkflow({ plus: 1 })))
    expect(await opened.call('add_two_numbers', numbers)).toMatchObject({ success: true })
    expect([double.workflows().length, double.credentials().length]).toEqual([1, 1])
    expect(await opened.kind.listLeftBehind()).toEqual([])
  })

  test.each([1, 2])(
    'from write %i on of an update leaves one version live, or says so',
    async (write) => {
      const disk = fillable()
      const opened = await openN8nHost({ client, wrapDeployments: disk.wrap })
      host = opened
      await opened.make(adderRequest(adderWorkflow()))
      disk.fullFrom = disk.writes + write
      await expect(opened.make(adderRequest(adderWorkflow({ plus: 7 })))).rejects.toMatchObject({
        code: 'ACTIVATION_FAILED',
      })
      const during = await opened.call('add_two_numbers', numbers)
      if (write === 1) expect(during).toMatchObject({ success: true })
      else expect(during).toMatchObject({ success: false })
      disk.fullFrom = Number.POSITIVE_INFINITY
      await expect
        .poll(async () => opened.call('add_two_numbers', numbers), { timeout: 5_000 })
        .toMatchObject({ success: true })
      expect([double.workflows().length, double.credentials().length]).toEqual([1, 1])
    },
  )
})

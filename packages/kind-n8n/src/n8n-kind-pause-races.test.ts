import { createN8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble, type N8nDoubleOptions } from '@toolcrib/n8n/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type N8nHost, type N8nHostOptions, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow } from '../test/n8n-workflows.ts'
import type { N8nDeployments } from './deployments/n8n-deployments.ts'

const reason = 'an alarm'
let double: N8nDouble
let host: N8nHost

afterEach(async () => {
  await double.up()
  await host.close()
  await double.close()
})

/** Opens a host with so many tools on a server; gives their names. */
async function open(
  count: number,
  options: Partial<N8nHostOptions> = {},
  doubleOptions: N8nDoubleOptions = {},
): Promise<readonly string[]> {
  double = await createN8nDouble({ publishDelayMs: 1, unpublishDelayMs: 1, ...doubleOptions })
  double.onWebhook(
    () => true,
    () => ({ result: { sum: 5 } }),
  )
  const client = createN8nClient({
    baseUrl: double.baseUrl,
    apiKey: double.apiKey,
    retry: { retries: 0 },
    timeoutMs: 2_000,
  })
  host = await openN8nHost({ client, ...options })
  const names = Array.from({ length: count }, (_, index) => `add_${'abcdefghijkl'[index]}_more`)
  for (const [plus, name] of names.entries())
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a person does it
    await host.make(adderRequest(adderWorkflow({ plus }), { name }))
  return names
}

/** Deployments as they are, some of it changed. */
const wrap = (deployments: N8nDeployments, changes: Partial<N8nDeployments>): N8nDeployments => ({
  read: (toolName) => deployments.read(toolName),
  write: (deployment) => deployments.write(deployment),
  remove: (toolName) => deployments.remove(toolName),
  list: () => deployments.list(),
  listBroken: async () => (await deployments.listBroken?.()) ?? [],
  ...changes,
})

const liveNames = (): readonly string[] =>
  double
    .workflows()
    .filter(({ active }) => active)
    .map(({ name }) => name.replace('toolcrib/', ''))
    .toSorted()

const resume = (): Promise<void> => host.toolsmaker.resumeTools({ signer: host.signer })

describe('more tools than are taken down at once', () => {
  test('are all down in the end, though none falls silent in time', async () => {
    await open(12, {}, { unpublishDelayMs: 60_000 })
    host = await host.restart({ kindTimeoutMs: 700 })
    await host.toolsmaker.pauseTools({ reason })
    await expect
      .poll(
        async () => {
          await host.toolsmaker.inspectTools()
          return liveNames()
        },
        { timeout: 10_000, interval: 100 },
      )
      .toEqual([])
  })

  test('are all up in the end, though n8n hung when the pause was over', async () => {
    const names = await open(12)
    await host.toolsmaker.pauseTools({ reason })
    host = await host.restart({ kindTimeoutMs: 500 })
    double.slow(1_000)
    await resume()
    double.slow(0)
    await expect
      .poll(
        async () => {
          await host.toolsmaker.inspectTools()
          return liveNames()
        },
        { timeout: 10_000, interval: 100 },
      )
      .toEqual(names)
  })
})

test('what somebody publishes during a pause is taken down again', async () => {
  await open(1)
  const publish = (): void => {
    for (const { id } of double.workflows()) double.setActive(id, true)
  }
  await host.toolsmaker.pauseTools({ reason })
  for (const again of [
    () => host.toolsmaker.inspectTools(),
    () => host.toolsmaker.pauseTools({ reason }),
    async () => {
      host = await host.restart()
    },
  ]) {
    publish()
    expect(liveNames()).toHaveLength(1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await again()
    expect(liveNames()).toEqual([])
  }
})

test('a folder that cannot be written keeps no workflow running, and no tool down for ever', async () => {
  const disk = { isFull: false }
  const names = await open(1, {
    wrapDeployments: (deployments) =>
      wrap(deployments, {
        write: async (deployment) => {
          if (disk.isFull) throw new Error('disk full')
          await deployments.write(deployment)
        },
      }),
  })
  disk.isFull = true
  await host.toolsmaker.pauseTools({ reason })
  expect(liveNames()).toEqual([])
  disk.isFull = false
  await resume()
  expect(liveNames()).toEqual(names)
  expect(await host.toolsmaker.inspectTools()).toMatchObject([{ state: 'intact' }])
})

test('a look that comes late does not put up what could not be taken down', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const gate = { isShut: false }
  await open(1, {
    wrapDeployments: (deployments) =>
      wrap(deployments, {
        read: async (toolName) => {
          if (gate.isShut) {
            gate.isShut = false
            await promise
          }
          return deployments.read(toolName)
        },
      }),
  })
  // As a resume that found nobody leaves it: to be put up.
  await host.toolsmaker.pauseTools({ reason })
  await double.down()
  await resume()
  gate.isShut = true
  const looking = host.toolsmaker.inspectTools()
  await expect.poll(() => gate.isShut).toBe(false)
  await host.toolsmaker.pauseTools({ reason })
  await double.up()
  resolve()
  await looking
  expect(liveNames()).toEqual([])
})

test('an update that fails during a pause leaves the version before, once the pause is over', async () => {
  const [name = ''] = await open(2)
  await host.toolsmaker.pauseTools({ reason })
  double.failNext({ method: 'POST', path: '/publish', status: 400, body: { message: 'no' } })
  await expect(host.make(adderRequest(adderWorkflow({ plus: 7 }), { name }))).rejects.toMatchObject(
    { code: 'ACTIVATION_FAILED' },
  )
  expect(liveNames()).toEqual([])
  await resume()
  expect(await host.toolsmaker.inspectTools()).toMatchObject([
    { version: 1, state: 'intact' },
    { version: 1, state: 'intact' },
  ])
})

test('pauses and their ends in quick succession leave what the last one says', async () => {
  const names = await open(4, { kindOptions: { clearAgainMs: 0 } })
  await double.down()
  await host.toolsmaker.pauseTools({ reason })
  await double.up()
  await resume()
  await Promise.all([
    host.toolsmaker.inspectTools(),
    host.toolsmaker.pauseTools({ reason }),
    host.toolsmaker.inspectTools(),
    resume(),
    host.toolsmaker.inspectTools(),
  ])
  await host.toolsmaker.inspectTools()
  expect(liveNames()).toEqual(names)
  for (const name of names)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await host.history(name)).not.toContain('tool_tampered')
})

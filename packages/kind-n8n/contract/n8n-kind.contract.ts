import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type N8nWorkflow, type StoredWorkflow, createN8nClient } from '@toolcrib/n8n'
import { nodeCatalogue } from '@toolcrib/n8n/workflow'
import type { JsonObject } from '@toolcrib/registry'
import { generateKeyPair } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @boundaries-ignore what the contract job starts is shared by its tests
import { readRealServer } from '../../n8n/contract/real-server.ts'
import { type N8nHost, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow, requestNode } from '../test/n8n-workflows.ts'

const server = readRealServer()
const client = createN8nClient({ baseUrl: server.baseUrl, apiKey: server.apiKey })
// Two runs beside each other must not find each other's workflows.
const namePrefix = `kind-contract-${process.pid}`
const catalogue = nodeCatalogue(server.version)
// A node that the check takes for one of n8n's, so that it is n8n that refuses it.
const kindOptions = {
  namePrefix,
  catalogue: {
    ...catalogue,
    nodes: { ...catalogue.nodes, 'n8n-nodes-base.noSuchNode': { versions: [1] } },
  },
}
let host: N8nHost

beforeAll(async () => {
  host = await openN8nHost({ client, kindOptions })
})
afterAll(async () => {
  await removeAll(host)
  await host.close()
  const left = await listLeft(namePrefix)
  if (left.length > 0) throw new Error(`Left on the server: ${left.join(', ')}`)
})

/** Takes down all tools of a host, and their workflows. */
async function removeAll({ kind, toolsmaker }: N8nHost): Promise<void> {
  for (const name of Object.keys(toolsmaker.activeVersions()))
    await toolsmaker.deactivateTool(name, { reason: 'The test is over.' })
  for (const name of new Set(toolsmaker.listVersions().map((version) => version.name)))
    expect(await kind.removeFromServer(name)).toMatchObject({ left: [] })
}

/** What of these tests is on the server. Credentials cannot be listed on 1.x. */
async function listLeft(name: string): Promise<string[]> {
  const left: string[] = []
  for await (const workflow of client.workflows.list({ name })) left.push(`workflow ${workflow.id}`)
  if (server.major === 1) return left
  const known = new Set<string>()
  for await (const { nodes } of client.workflows.list())
    for (const { credentials = {} } of nodes)
      for (const { id } of Object.values(credentials)) known.add(id)
  for (const id of ours)
    for await (const credential of client.credentials.list())
      if (credential.id === id && !known.has(id)) left.push(`credential ${id}`)
  return left
}

/** Credentials that were seen in workflows of these tests. */
const ours = new Set<string>()

async function storedOf(name: string, on = host): Promise<StoredWorkflow> {
  const id = (await on.deployments.read(name))?.function?.workflowId ?? ''
  const stored = await client.workflows.get(id)
  for (const { credentials = {} } of stored.nodes)
    for (const credential of Object.values(credentials)) ours.add(credential.id)
  return stored
}

/** What a person in n8n's editor would save and publish. */
async function edit(name: string, change: (workflow: N8nWorkflow) => N8nWorkflow): Promise<void> {
  const stored = await storedOf(name)
  await client.workflows.update(stored.id, change(stored), { mode: 'live' })
}

const numbers = { a: 2, b: 3 }

test('a tool that a person approved is callable within moments, and gives what its arguments ask for', async () => {
  const durations: number[] = []
  for (let round = 0; round < 10; round += 1) {
    const name = `add_of_round_${'abcdefghij'[round]}`
    const version = await host.propose(adderRequest(adderWorkflow(), { name }))
    await host.toolsmaker.approveTool(name, version, { signer: host.signer })
    const began = performance.now()
    await host.toolsmaker.activateToolVersion(name, version, { signer: host.signer })
    expect(await host.call(name, numbers)).toMatchObject({ success: true, output: { sum: 5 } })
    durations.push(performance.now() - began)
  }
  durations.sort((left, right) => left - right)
  // oxlint-disable-next-line no-console -- the measure that this test is for
  console.info(
    `n8n ${server.version}: activated and called: p50 ${Math.round(durations[4] ?? 0)} ms, slowest ${Math.round(durations[9] ?? 0)} ms`,
  )
  // Five times what is promised, for machines that are busy.
  expect(durations[4]).toBeLessThan(7_500)
  const calls: number[] = []
  for (let round = 0; round < 10; round += 1) {
    const result = await host.call('add_of_round_a', { a: round, b: 1 })
    expect(result).toMatchObject({ output: { sum: round + 1 } })
    calls.push(result.durationMs)
  }
  calls.sort((left, right) => left - right)
  // oxlint-disable-next-line no-console -- as above
  console.info(`n8n ${server.version}: inspected and called: p50 ${Math.round(calls[4] ?? 0)} ms`)
  expect(await host.call('add_of_round_a', { a: 'x', b: 1 })).toMatchObject({
    errorCode: 'INPUT_INVALID',
  })
  expect(await host.kind.health('add_of_round_a')).toMatchObject({
    isReachable: true,
    isPublished: true,
    state: 'intact',
    lastRun: { status: 'success' },
  })
}, 180_000)

describe('what somebody changes on the server', () => {
  const name = 'add_under_attack'
  const workflow = adderWorkflow({
    between: [
      {
        id: 'pass',
        name: 'Pass',
        type: 'n8n-nodes-base.noOp',
        typeVersion: 1,
        position: [220, 0],
        parameters: {},
      },
    ],
  })

  beforeAll(async () => {
    await host.make(adderRequest(workflow, { name }))
  })

  const onNode =
    (node: string, more: JsonObject) =>
    (edited: N8nWorkflow): N8nWorkflow => ({
      ...edited,
      nodes: edited.nodes.map((each) => (each.name === node ? { ...each, ...more } : each)),
    })
  const webhookWith =
    (more: JsonObject) =>
    (edited: N8nWorkflow): N8nWorkflow => ({
      ...edited,
      nodes: edited.nodes.map((each) =>
        each.name === 'Call' ? { ...each, parameters: { ...each.parameters, ...more } } : each,
      ),
    })

  test.each<[string, (edited: N8nWorkflow) => N8nWorkflow, RegExp]>([
    [
      'a parameter',
      onNode('Sum', {
        parameters: { mode: 'raw', jsonOutput: '={{ { "sum": 666 } }}', options: {} },
      }),
      /node "Sum" parameters\.jsonOutput/,
    ],
    ['the version of a node', onNode('Sum', { typeVersion: 3.3 }), /node "Sum" typeVersion/],
    ['where a node stands', onNode('Sum', { position: [0, 900] }), /node "Sum" position/],
    [
      'what a node does on errors',
      onNode('Pass', { onError: 'continueRegularOutput' }),
      /node "Pass" onError/,
    ],
    ['whether a node runs', onNode('Pass', { disabled: true }), /node "Pass" disabled/],
    [
      'whether a node tries again',
      onNode('Pass', { retryOnFail: true }),
      /node "Pass" retryOnFail/,
    ],
    ['the notes of a node', onNode('Pass', { notes: 'all is well' }), /node "Pass" notes/],
    [
      'the address of the webhook',
      webhookWith({ path: `kind-${process.pid}-other` }),
      /parameters\.path/,
    ],
    [
      'who may call the webhook',
      webhookWith({ authentication: 'none' }),
      /parameters\.authentication/,
    ],
    [
      'a node more',
      (edited) => ({
        ...edited,
        nodes: [...edited.nodes, requestNode('https://evil.example.com/')],
      }),
      /node "Ask" added/,
    ],
    [
      'a node less',
      (edited) => ({
        ...edited,
        nodes: edited.nodes.filter((each) => each.name !== 'Pass'),
        connections: { Call: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] } },
      }),
      /node "Pass" removed/,
    ],
    [
      'where a node leads',
      (edited) => ({
        ...edited,
        connections: { Call: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] } },
      }),
      /connections of "Call"/,
    ],
    [
      'a setting',
      (edited) => ({ ...edited, settings: { ...edited.settings, executionTimeout: 77 } }),
      /settings\.executionTimeout/,
    ],
    ['the name', (edited) => ({ ...edited, name: `${namePrefix}/renamed` }), /name/],
  ])(
    'is caught before the next call: %s',
    async (...[, change, said]) => {
      expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
      const before = (await host.history(name)).length
      await edit(name, change)
      const result = await host.call(name, numbers)
      expect(result).toMatchObject({ success: false, errorCode: 'TOOL_TAMPERED' })
      expect(result.success ? '' : result.error).toMatch(said)
      await host.toolsmaker.expirePending()
      expect((await host.history(name)).slice(before)).toEqual(['tool_tampered', 'tool_held'])
      expect((await storedOf(name)).active).toBe(false)
      expect(await host.call(name, numbers)).toMatchObject({ errorCode: 'TOOL_NOT_FOUND' })
      // With a person's signature the approved content is put there anew.
      await host.toolsmaker.activateToolVersion(name, 1, { signer: host.signer })
      expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
    },
    90_000,
  )

  test('is caught at the start, whatever is changed back later', async () => {
    await client.workflows.unpublish((await storedOf(name)).id)
    host = await host.restart()
    expect(host.registry.has(name)).toBe(false)
    expect(host.toolsmaker.listVersions(name)[0]?.reason).toMatch(/was unpublished/)
    await client.workflows.publish((await storedOf(name)).id)
    host = await host.restart()
    expect(host.registry.has(name)).toBe(false)
    await host.toolsmaker.activateToolVersion(name, 1, { signer: host.signer })
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  }, 90_000)

  test('is caught when the workflow is gone, and another one takes its place', async () => {
    const old = await storedOf(name)
    await client.workflows.remove(old.id)
    expect(await host.call(name, numbers)).toMatchObject({ errorCode: 'TOOL_TAMPERED' })
    await host.toolsmaker.activateToolVersion(name, 1, { signer: host.signer })
    expect((await storedOf(name)).id).not.toBe(old.id)
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  }, 90_000)

  test('and publishes nothing of is no change: a draft does not run', async () => {
    if (server.major === 1) return
    const stored = await storedOf(name)
    await client.workflows.update(
      stored.id,
      onNode('Sum', {
        parameters: { mode: 'raw', jsonOutput: '={{ { "sum": 1 } }}', options: {} },
      })(stored),
      { mode: 'draft' },
    )
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  })
})

describe('versions', () => {
  const name = 'add_in_versions'

  test('take each other’s place on one workflow, and an older one comes back as it was', async () => {
    await host.make(adderRequest(adderWorkflow(), { name }))
    const first = await storedOf(name)
    await host.make(adderRequest(adderWorkflow({ plus: 10 }), { name }))
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 15 } })
    const second = await storedOf(name)
    expect(second.id).toBe(first.id)
    await host.toolsmaker.rollbackTool(name, { signer: host.signer })
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
    const back = await storedOf(name)
    expect(back.id).toBe(first.id)
    // n8n 1.x keeps no versions: the same content is saved once more.
    expect(back.activeVersionId).toBe(first.activeVersionId)
    if (server.major === 2) expect(back.activeVersionId).toBeDefined()
    await host.toolsmaker.rollbackTool(name, { signer: host.signer })
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 15 } })
  }, 90_000)

  test('that n8n refuses leave the one before callable, say why, and leave nothing behind', async () => {
    const before = await listLeft(namePrefix)
    const unknown = {
      ...requestNode('x'),
      name: 'Unknown',
      type: 'n8n-nodes-base.noSuchNode',
      typeVersion: 1,
      parameters: {},
    }
    const active = host.toolsmaker.activeVersions()[name]
    const refused = adderRequest(adderWorkflow({ between: [unknown], plus: 100 }), { name })
    await expect(host.make(refused)).rejects.toMatchObject({
      code: 'ACTIVATION_FAILED',
      message: expect.stringMatching(/noSuchNode/) as string,
    })
    expect((await host.history(name)).at(-1)).toBe('tool_activation_failed')
    expect(host.toolsmaker.activeVersions()[name]).toBe(active)
    expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 15 } })
    expect(await listLeft(namePrefix)).toEqual(before)
    const first = adderRequest(adderWorkflow({ between: [unknown] }), { name: 'add_never_live' })
    await expect(host.make(first)).rejects.toMatchObject({ code: 'ACTIVATION_FAILED' })
    expect(await listLeft(namePrefix)).toEqual(before)
    expect(await host.kind.listLeftBehind()).toEqual([])
  }, 90_000)

  test('that are taken out of use are not live, and are deleted when that is asked for', async () => {
    const { id } = await storedOf(name)
    await host.toolsmaker.deactivateTool(name, { reason: 'enough' })
    expect(await client.workflows.get(id)).toMatchObject({ active: false })
    expect(await host.kind.removeFromServer(name)).toEqual({ removed: true, left: [] })
    await expect(client.workflows.get(id)).rejects.toMatchObject({ code: 'N8N_NOT_FOUND' })
  }, 90_000)
})

test('a tool that also runs by itself stays what was approved while n8n keeps notes of its runs', async () => {
  const name = 'add_every_second'
  await host.make(adderRequest(adderWorkflow({ schedule: '* * * * * *' }), { name }))
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  expect(await host.kind.health(name)).toMatchObject({ state: 'intact' })
  await host.toolsmaker.deactivateTool(name, { reason: 'enough' })
}, 90_000)

test('a pause stops what n8n starts by itself, and the end of it puts up what was approved', async () => {
  const name = 'add_while_not_paused'
  await host.make(adderRequest(adderWorkflow({ schedule: '* * * * * *' }), { name }))
  const { id } = await storedOf(name)
  const countRuns = async (): Promise<number> => {
    let count = 0
    for await (const _ of client.executions.list({ workflowId: id })) count += 1
    return count
  }
  await expect.poll(countRuns, { timeout: 180_000 }).toBeGreaterThan(0)
  await host.toolsmaker.pauseTools({ reason: 'an alarm' })
  expect(await client.workflows.get(id)).toMatchObject({ active: false })
  // What was started at the last moment may still be written down.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const before = await countRuns()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(await countRuns()).toBe(before)
  await host.toolsmaker.resumeTools({ signer: host.signer })
  expect(await host.call(name, numbers)).toMatchObject({ output: { sum: 5 } })
  await expect.poll(countRuns, { timeout: 180_000 }).toBeGreaterThan(before + 1)
  expect(await host.history(name)).not.toContain('tool_tampered')
  await host.toolsmaker.deactivateTool(name, { reason: 'enough' })
}, 90_000)

test('a host that is killed at any request of an activation leaves nothing that its next start does not clear', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'n8n-killed-'))
  const prefix = `${namePrefix}-killed`
  const keys = generateKeyPair()
  const child = join(import.meta.dirname, '../test/n8n-killed-child.ts')
  const run = async (killAt: number, plus: number): Promise<boolean> => {
    const parts = [directory, JSON.stringify(keys), server.baseUrl, server.apiKey, prefix]
    try {
      await promisify(execFile)(process.execPath, [
        '--conditions=@toolcrib/source',
        child,
        ...parts,
        String(killAt),
        String(plus),
      ])
      return true
    } catch (error) {
      if ((error as { signal?: unknown }).signal !== 'SIGKILL') throw error
      return false
    }
  }
  const open = (): Promise<N8nHost> =>
    openN8nHost({ client, directory, keys, kindOptions: { namePrefix: prefix } })
  const name = 'add_while_killed'
  try {
    // The first version: whatever was created is gone after the next start.
    for (const killAt of [1, 2, 3, 4, 5]) {
      expect(await run(killAt, killAt)).toBe(false)
      const next = await open()
      const left = await next.kind.listLeftBehind()
      const isRegistered = next.registry.has(name)
      if (left.length > 0) await next.kind.removeFromServer(name)
      await next.stop()
      expect([killAt, await listLeft(prefix), isRegistered]).toEqual([killAt, [], false])
      if (left.length === 0) continue
      // n8n 1.x cannot list credentials, so one of which not even the id came back is named for a person.
      const id = await readFile(join(directory, 'last-credential'), 'utf8')
      await client.credentials.remove(id)
      expect([server.major, left[0]?.reason]).toEqual([1, expect.stringContaining('credential "')])
    }
    expect(await run(0, 10)).toBe(true)
    // A further version: the one that the record has in use is live after the next start.
    for (const killAt of [2, 3, 4, 5, 6]) {
      expect(await run(killAt, 10 + killAt)).toBe(false)
      const next = await open()
      const result = await next.call(name, numbers)
      const history = await next.history(name)
      await next.stop()
      expect(result).toMatchObject({ success: true, output: { sum: 15 } })
      expect(await listLeft(prefix)).toHaveLength(1)
      expect(history).not.toContain('tool_tampered')
    }
  } finally {
    const last = await open()
    await removeAll(last)
    await last.close()
  }
  expect(await listLeft(prefix)).toEqual([])
  await rm(directory, { recursive: true, force: true })
}, 300_000)

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type N8nDouble, createN8nDouble } from '@toolcrib/n8n/testing'
import type { Principal } from '@toolcrib/registry'
import { createApprover } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ServedHost, serveHost } from '../src/host/serve-host.ts'
import { neededScopes } from '../src/tools/n8n/n8n-report.ts'
import { runCommand } from './command-in-process.ts'
import { type CommandOutcome, makeTemporaryFolder } from './run-toolcrib.ts'

const agent: Principal = { kind: 'agent', id: 'ada' }
const passphrase = 'correct horse battery'
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
const trust = join(data, 'trust')
let fake: N8nDouble
let host: ServedHost
let count = 0
let tool = ''

const run = (...parameters: string[]): Promise<CommandOutcome> =>
  runCommand(folder.path, [...parameters, '--data', data])

const sign = (...parameters: string[]): Promise<CommandOutcome> =>
  runCommand(folder.path, [...parameters, '--passphrase-stdin', '--data', data], {
    input: `${passphrase}\n`,
  })

const hashOf = (version = 1): string =>
  host.kernel.toolsmaker.listVersions(tool)[version - 1]?.contentHash ?? ''

const approve = (...more: string[]): Promise<CommandOutcome> =>
  sign('approvals', 'approve', `${tool}@1`, '--hash', hashOf(), ...more)

const setPolicy = (policy: object): void => {
  writeFileSync(join(trust, 'policy.json'), JSON.stringify(policy), { mode: 0o600 })
}

beforeAll(async () => {
  mkdirSync(trust, { recursive: true, mode: 0o700 })
  for (const id of ['alice', 'bob'])
    // oxlint-disable-next-line no-await-in-loop -- both are written to one file
    await createApprover(trust, { id, passphrase })
  fake = await createN8nDouble({ scopes: neededScopes })
  const keyFile = join(folder.path, 'n8n-key')
  writeFileSync(keyFile, `${fake.apiKey}\n`, { mode: 0o600 })
  const settings = { n8n: { baseUrl: fake.baseUrl, apiKey: { file: keyFile } } }
  writeFileSync(join(trust, 'tool-settings.json'), JSON.stringify(settings), { mode: 0o600 })
  host = await serveHost({ data, environment: {} })
})
beforeEach(async () => {
  setPolicy({})
  count += 1
  tool = `tell_order_status_${['one', 'two', 'three', 'four', 'five'][count - 1] ?? ''}`
  const proposed = await host.kernel.invoker.invoke(
    'toolFactory_createFromTemplate',
    {
      template: 'order-status-notify',
      tool_name: tool,
      tool_description: 'Tells a customer on WhatsApp how far an order is',
      customizations: { messagingBaseUrl: 'https://wa.example.com' },
    },
    { principal: agent },
  )
  if (!proposed.success) throw new Error(proposed.error)
})
afterAll(async () => {
  await host.close()
  await fake.close()
  folder.remove()
})

test('an approval whose activation failed is told as that, however often, with the command that helps', async () => {
  const taken = { method: 'POST', path: /\/workflows$/, status: 403, times: 1_000 } as const
  fake.failNext({ ...taken, body: { message: 'Forbidden' } })
  const first = await approve('--approver', 'alice')
  expect(first.stderr).toMatch(/ACTIVATION_FAILED/)
  expect(first.stderr).toContain(`approved and not in use`)
  expect(first.stderr).toContain(`activate ${tool}@1`)
  expect(first.exitCode).toBe(1)
  for (const approver of ['alice', 'bob']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const again = await approve('--approver', approver)
    expect(again.stdout).not.toMatch(/✔|in use\.$/m)
    expect(again.stdout).toContain('approved and not in use')
    expect(again.stdout).toContain(`activate ${tool}@1`)
    expect(again.exitCode).toBe(1)
  }
  expect(fake.workflows()).toEqual([])
  await fake.up()
  const activated = await sign('activate', `${tool}@1`, '--hash', hashOf(), '--approver', 'alice')
  expect(activated.stdout).toContain(`✔ ${tool} v1 is approved and in use.`)
  expect(activated.exitCode).toBe(0)
  expect(fake.workflows()).toMatchObject([{ active: true }])
})

test('an approval without activation says so, and how to put the version into use', async () => {
  const approved = await approve('--approver', 'alice', '--no-activate')
  expect(approved.stdout).toContain('approved and not in use')
  expect(approved.stdout).toContain(`activate ${tool}@1`)
  expect(approved.exitCode).toBe(0)
})

test('one signature of two is told as that', async () => {
  setPolicy({ requiredApprovals: 2 })
  const first = await approve('--approver', 'alice')
  expect(first.stdout).not.toMatch(/✔|in use/)
  expect(first.stdout).toMatch(/waits for more approvers/)
  expect(first.exitCode).toBe(3)
  const second = await approve('--approver', 'bob')
  expect(second.stdout).toContain(`✔ ${tool} v1 is approved and in use.`)
  expect(second.exitCode).toBe(0)
})

test('one signature of two for sharing is told as that', async () => {
  setPolicy({ requiredApprovals: 2 })
  await approve('--approver', 'alice')
  await approve('--approver', 'bob')
  const share = (approver: string): Promise<CommandOutcome> =>
    sign('approvals', 'share', `${tool}@1`, '--hash', hashOf(), '--approver', approver)
  const first = await share('alice')
  expect(first.stdout).not.toMatch(/✔/)
  expect(first.stdout).toMatch(/stays with its owner until 1 more approver has signed/)
  expect(first.exitCode).toBe(3)
  const again = await share('alice')
  expect(again.stderr).toMatch(/FOUR_EYES_REQUIRED/)
  expect(again.exitCode).toBe(4)
  const second = await share('bob')
  expect(second.stdout).toContain(`✔ Every agent may call ${tool} v1.`)
  expect(second.exitCode).toBe(0)
})

test('while all made tools are stopped, what is approved is not said to run', async () => {
  expect((await run('pause', '--reason', 'looking into it')).exitCode).toBe(0)
  const approved = await approve('--approver', 'alice')
  expect(approved.stdout).not.toMatch(/✔/)
  expect(approved.stdout).toMatch(/resume/)
  expect((await sign('resume', '--approver', 'alice')).exitCode).toBe(0)
})

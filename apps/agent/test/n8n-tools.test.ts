import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type N8nDouble, createN8nDouble } from '@toolcrib/n8n/testing'
import type { Principal, ToolResult } from '@toolcrib/registry'
import { type ApprovalSigner, createApprover, unlockSigner } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ServedHost, serveHost } from '../src/host/serve-host.ts'
import { neededScopes } from '../src/tools/n8n/n8n-report.ts'
import { runInProcess } from './command-in-process.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

const agent: Principal = { kind: 'agent', id: 'ada' }
const passphrase = 'correct horse battery'
const tool = 'tell_order_status'
const order = { orderId: 'A1', phone: '+2348012345678', status: 'sent' }

// Tests run one after the other on one data folder, for a host takes a second to start.
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
const keyFile = join(folder.path, 'n8n-key')
let double: N8nDouble
let host: ServedHost | undefined
let signer: ApprovalSigner

/** Starts a host, or starts it again. */
async function start(n8n: object = {}): Promise<void> {
  await host?.close()
  host = undefined
  // Everything is opened for tools that can be, so that only what is tried here stands in their way.
  const http = {
    origins: ['http://127.0.0.1:*', 'http://localhost:*'],
    privateAddresses: ['127.0.0.0/8', '::1'],
  }
  const settings = {
    n8n: { baseUrl: double.baseUrl, apiKey: { file: keyFile }, inspectEveryMs: 100, ...n8n },
    policy: { http, fs_read: { paths: [folder.path] } },
  }
  writeFileSync(join(data, 'trust/tool-settings.json'), JSON.stringify(settings), { mode: 0o600 })
  host = await serveHost({ data, environment: {} })
}

function running(): ServedHost['kernel'] {
  if (host === undefined) throw new Error('no host runs')
  return host.kernel
}

const call = (name: string, input: unknown): Promise<ToolResult> =>
  running().invoker.invoke(name, input, { principal: agent })

async function output(name: string, input: unknown): Promise<Record<string, unknown>> {
  const result = await call(name, input)
  if (!result.success) throw new Error(`${result.errorCode}: ${result.error}`)
  return result.output as Record<string, unknown>
}

const printed = async (...parameters: string[]): Promise<string> =>
  (await runInProcess(data, parameters)).stdout

const propose = (messagingBaseUrl = 'https://wa.example.com'): Promise<Record<string, unknown>> =>
  output('toolFactory_createFromTemplate', {
    template: 'order-status-notify',
    tool_name: tool,
    tool_description: 'Tells a customer on WhatsApp how far an order is',
    customizations: { messagingBaseUrl },
  })

async function approve(name: string, version = 1): Promise<void> {
  const { toolsmaker } = running()
  await toolsmaker.approveTool(name, version, { signer })
  await toolsmaker.activateToolVersion(name, version, { signer })
}

/** Where the version that is live sends what it sends. */
const liveUrl = (): string | undefined => {
  const [workflow] = double.workflows()
  const live = workflow?.versions.find(({ versionId }) => versionId === workflow.activeVersionId)
  const node = live?.nodes.find(({ type }) => type === 'n8n-nodes-base.httpRequest')
  return (node?.['parameters'] as { url?: string } | undefined)?.url
}

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

beforeAll(async () => {
  const trust = join(data, 'trust')
  mkdirSync(trust, { recursive: true, mode: 0o700 })
  await createApprover(trust, { id: 'alice', passphrase })
  signer = await unlockSigner(trust, { id: 'alice', passphrase })
  // The scopes that the doctor asks for are enough for everything here.
  double = await createN8nDouble({ scopes: neededScopes })
  double.onWebhook(
    () => true,
    ({ body }) => ({
      result: {
        ok: true,
        result: { orderId: (body as { orderId: string }).orderId, messageId: double.apiKey },
      },
    }),
  )
  writeFileSync(keyFile, `${double.apiKey}\n`, { mode: 0o600 })
  await start()
})
afterAll(async () => {
  await host?.close()
  await double.close()
  folder.remove()
})

describe('a tool from a template', () => {
  test('is shown in words, and nothing of it reaches n8n before a person has approved it', async () => {
    expect(await propose()).toMatchObject({ success: true, status: 'approval_required' })
    const shown = await printed('approvals', 'show', `${tool}@1`)
    expect(shown).toContain('Starts when it is called as a tool (POST)')
    expect(shown).toContain('Sends POST to https://wa.example.com/messages')
    expect(shown).toMatch(/It may[^]*https:\/\/wa\.example\.com[^]*It does/)
    const whole = await printed('approvals', 'show', `${tool}@1`, '--source')
    expect(whole).toContain('"type": "n8n-nodes-base.respondToWebhook"')
    // The host asks which line of n8n it is, and nothing else.
    expect(double.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/discover',
    ])
    expect(double.workflows()).toEqual([])
  })

  test('is called with arguments once it is approved; keys are taken out of what it gives', async () => {
    await approve(tool)
    expect(double.workflows()).toMatchObject([{ active: true }])
    expect(await output(tool, order)).toEqual({
      orderId: 'A1',
      messageId: expect.stringMatching(/redacted/i),
    })
    expect(await printed('tools', 'n8n')).toMatch(/tell_order_status +\w+ +yes +intact/)
  })

  test('has its secrets in the trust folder alone, private, where no tool reads them', async () => {
    const kept = join(data, 'trust/n8n')
    expect(statSync(kept).mode & 0o077).toBe(0)
    const secrets = running().n8n?.listSecrets() ?? []
    expect(secrets.length).toBeGreaterThan(1)
    for (const path of [...filesIn(kept), keyFile]) {
      expect(statSync(path).mode & 0o077).toBe(0)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await call('file', { operation: 'read', path })).toMatchObject({
        errorCode: 'POLICY_VIOLATION',
      })
    }
    const elsewhere = filesIn(data).filter((path) => !path.startsWith(kept))
    const texts = [
      ...elsewhere.map((path) => readFileSync(path, 'latin1')),
      await printed('log', '--json'),
      await printed('approvals', 'show', `${tool}@1`, '--json'),
      await printed('tools', 'n8n', '--json'),
    ]
    for (const secret of secrets)
      for (const text of texts) expect(text.includes(secret)).toBe(false)
  })

  test('that somebody edits in n8n is held within a moment, and every command says so', async () => {
    const [workflow] = double.workflows()
    const nodes = (workflow?.nodes ?? []).map((node) => {
      const parameters = node['parameters'] as Record<string, string>
      return 'url' in parameters
        ? { ...node, parameters: { ...parameters, url: 'https://evil.example/' } }
        : node
    })
    double.edit(workflow?.id ?? '', { nodes })
    const gone = (): void => expect(running().registry.has(tool)).toBe(false)
    await vi.waitFor(gone, { timeout: 10_000 })
    expect(await call(tool, order)).toMatchObject({ errorCode: 'TOOL_NOT_FOUND' })
    expect(await printed('audit', 'list', '--tool', tool)).toContain('tool_tampered')
    const doctor = await printed('doctor')
    expect(doctor).toMatch(/✘ tell_order_status v1 is approved and does not run/)
    expect(doctor).toContain('The workflow on the server was changed: node')
    expect(doctor).toMatch(/✔ n8n 2\.x at .* is ready/)
    await running().toolsmaker.activateToolVersion(tool, 1, { signer })
    expect(liveUrl()).toBe('https://wa.example.com/messages')
    expect(await output(tool, order)).toMatchObject({ orderId: 'A1' })
  })

  test('goes back to an older version', async () => {
    await propose('https://other.example.com')
    const shown = await printed('approvals', 'show', `${tool}@2`)
    // Rows end where a terminal does.
    expect(shown.replaceAll(/\n +/g, ' ')).toContain(
      'parameters.url was "https://wa.example.com/messages" and is "https://other.example.com/messages"',
    )
    await approve(tool, 2)
    expect(liveUrl()).toBe('https://other.example.com/messages')
    await running().toolsmaker.rollbackTool(tool, { toVersion: 1, signer })
    expect(liveUrl()).toBe('https://wa.example.com/messages')
    expect(await output(tool, order)).toMatchObject({ orderId: 'A1' })
    expect(double.workflows()).toHaveLength(1)
  })
})

describe('the admin paths of n8n', () => {
  const paths = [
    '/api/v1/workflows',
    '/rest/login',
    '/API/v1/workflows',
    '//api/v1/workflows',
    '/%61pi/v1/workflows',
    '/webhook/../api/v1/workflows',
    '/webhook/%2e%2e/api/v1/workflows',
    '/mcp-server/http',
    '/mcp/x',
    '/types/nodes.json',
    '/push',
  ]

  test('are out of reach of the http tool, under every name and spelling; webhooks are not', async () => {
    const { port } = new URL(double.baseUrl)
    const headers = { 'x-attack': 'yes' }
    for (const name of ['127.0.0.1', 'localhost', '127.1', '0x7f000001'])
      for (const path of paths)
        expect(
          // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the message names the attempt
          await call('http', { url: `http://${name}:${port}${path}`, headers }),
          `${name}${path}`,
        ).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
    const url = `${double.baseUrl}/webhook/none`
    expect(await call('http', { url, headers })).not.toMatchObject({
      errorCode: 'POLICY_VIOLATION',
    })
    const arrived = double.requests.filter((request) => 'x-attack' in request.headers)
    expect(arrived.map(({ path }) => path)).toEqual(['/webhook/none'])
  })

  test('are out of reach of a code tool that a person approved for the host', async () => {
    const name = 'list_workflows'
    const { status } = await running()
      .toolsmaker.forAgent(agent)
      .buildToolFromIntent({
        name,
        purpose: 'Lists what runs on the automation server of the shop',
        inputs: { type: 'object' },
        kind: 'code',
        definition: {
          language: 'typescript',
          form: 'function',
          source: `export default async (input, ctx) => (await ctx.http.get('${double.baseUrl}/api/v1/workflows')).status`,
        },
        capabilities: ['http'],
        allowedDomains: [double.baseUrl],
        examples: [
          {
            input: {},
            expected: 200,
            fixtures: [{ operation: 'http.request', result: { status: 200, json: {} } }],
          },
        ],
      } as never)
    expect(status).toBe('approval_required')
    await approve(name)
    expect(await call(name, {})).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  })
})

describe('an n8n that is down', () => {
  test('keeps no host from starting, is said, and works again when it is back', async () => {
    await double.down()
    await start()
    expect(running().registry.has(tool)).toBe(true)
    expect(await call(tool, order)).toMatchObject({ success: false })
    expect(await printed('tools', 'n8n')).toMatch(
      /not ready[^]*tell_order_status +\w+ +\? +unknown/,
    )
    await double.up()
    expect(await output(tool, order)).toMatchObject({ orderId: 'A1' })
    expect(double.workflows()).toHaveLength(1)
  })

  test('keeps no host from starting when it hangs, either', async () => {
    double.slow(600_000)
    const startedAt = performance.now()
    await start()
    // Ten times what it takes; without a limit it is a minute.
    expect(performance.now() - startedAt).toBeLessThan(50_000)
    expect(running().registry.has(tool)).toBe(true)
    await double.down()
    await double.up()
  })

  test('is told of a pause as soon as it is back, and the command says what may still run there', async () => {
    const isLive = (): boolean => double.workflows().some(({ active }) => active)
    expect(isLive()).toBe(true)
    await double.down()
    const shown = await printed('pause', '--reason', 'an alarm')
    expect(shown).toMatch(/All made tools are stopped/)
    expect(shown).toMatch(new RegExp(`${tool} may still run on n8n .*tried again`))
    await double.up()
    // Without another command: the host looks again by itself.
    await expect.poll(isLive, { timeout: 10_000 }).toBe(false)
    expect(await printed('pause', '--reason', 'an alarm')).not.toMatch(/may still/)
    await running().toolsmaker.resumeTools({ signer })
    expect(await call(tool, order)).toMatchObject({ success: true })
  })

  test('activates nothing, and leaves nothing behind', async () => {
    await propose('https://third.example.com')
    await double.down()
    await expect(approve(tool, 3)).rejects.toMatchObject({ code: 'ACTIVATION_FAILED' })
    await double.up()
    expect(running().toolsmaker.activeVersions()).toMatchObject({ [tool]: 1 })
    expect(liveUrl()).toBe('https://wa.example.com/messages')
  })
})

test('a tool is deleted with its workflow and credential, when that is asked for', async () => {
  const deletion = { tool_name: tool, delete_n8n_workflow: true }
  expect(await output('toolFactory_deleteCustomTool', deletion)).toMatchObject({
    success: true,
    n8nWorkflow: 'deleted',
  })
  expect(double.workflows()).toEqual([])
  expect(double.credentials()).toEqual([])
})

test('while n8n tools are off, for want of a key, the rest works and the admin paths stay denied', async () => {
  await start({ apiKey: { environment: 'N8N_KEY' } })
  expect(running().registry.has('toolFactory_createFromTemplate')).toBe(false)
  expect(running().registry.has('file')).toBe(true)
  expect(await printed('tools', 'n8n')).toMatch(/off: .*"N8N_KEY" is not set/)
  expect(await call('http', { url: `${double.baseUrl}/api/v1/workflows` })).toMatchObject({
    errorCode: 'POLICY_VIOLATION',
  })
})

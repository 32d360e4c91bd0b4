import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canSandbox } from './run-toolcrib.ts'
import { TestHost } from './test-host.ts'

interface Call {
  readonly toolName: string
  readonly status: string
  readonly inputText: string
  readonly error?: { readonly code: string }
}

/** Where no sandbox works, the tests below hold the shell tool to refusing every command. */
const sandboxWorks = canSandbox()

describe('without settings', () => {
  const host = new TestHost()
  beforeAll(() => host.start())
  afterAll(async () => {
    await host.stop()
    host.folder.remove()
  })

  test('start says which tools there are and where the workspace is, once', () => {
    expect(host.started).toMatch(/built-in tools: file, http, sql {3}\(off: shell\)/)
    expect(host.started.split(host.workspace)).toHaveLength(2)
    expect(statSync(host.workspace).mode & 0o777).toBe(0o700)
  })

  test('tools policy says in plain words what they may do, and as data', async () => {
    const { stdout } = await host.run('tools', 'policy')
    expect(stdout).toMatch(/✔ file .*on by default/)
    expect(stdout).toMatch(/○ shell .*"shell": \{ "enabled": true \}/)
    expect(stdout).toContain(host.workspace)
    expect(stdout).toMatch(/SQL in an embedded database of its own/)
    const standing = await host.ask<{ workspace: string; tools: object[]; policy: object }>(
      'tools',
      'policy',
    )
    expect(standing).toMatchObject({
      workspace: host.workspace,
      policy: { fs_read: { paths: [host.workspace] } },
    })
  })

  test('tools list shows the risk of each', async () => {
    const tools = await host.ask<{ name: string; risk: string; source: string }[]>('tools', 'list')
    const builtIn = tools.filter(({ name }) => ['file', 'http', 'shell', 'sql'].includes(name))
    expect(builtIn.map(({ name }) => name).toSorted()).toEqual(['file', 'http', 'sql'])
    for (const { risk, source } of builtIn) {
      expect(risk).toMatch(/^(medium|high)$/)
      expect(source).toBe('built-in')
    }
  })

  test('files in the workspace and SQL work through tools call, a row before and a row after', async () => {
    const listed = await host.call('file', { operation: 'list', path: '.' })
    expect(JSON.parse(listed.stdout)).toEqual({ operation: 'list', path: '.', result: [] })
    await host.output('file', { operation: 'write', path: 'a/b.txt', content: 'hello' })
    expect(readFileSync(join(host.workspace, 'a/b.txt'), 'utf8')).toBe('hello')
    expect(await host.output('sql', { query: 'select 1 as test' })).toMatchObject({
      rowCount: 1,
      rows: [{ test: 1 }],
    })
    await host.output('sql', { query: 'create table tool_test (id int)' })
    await host.output('sql', { query: 'drop table tool_test' })
    const { calls } = await host.ask<{ calls: Call[] }>('log', '--since', '1h')
    const count = (tool: string): number =>
      calls.filter(({ toolName, status }) => toolName === tool && status === 'completed').length
    expect({ file: count('file'), sql: count('sql') }).toEqual({ file: 2, sql: 3 })
  })

  test("the agent's SQL does not see the host's tables", async () => {
    const { rows } = await host.output('sql', {
      query: `select count(*)::int as tables from information_schema.tables where table_schema = 'toolcrib'`,
    })
    expect(rows).toEqual([{ tables: 0 }])
  })

  test('the shell is off, and the message says how to switch it on', async () => {
    const { stdout, stderr: message, exitCode } = await host.call('shell', { command: 'id' })
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 })
    expect(message).toMatch(/TOOL_OFF/)
    expect(message).toContain(join(host.data, 'trust/tool-settings.json'))
    expect(message).toContain('"shell": { "enabled": true }')
    expect(message).toMatch(/Next: toolcrib tools policy/)
  })

  test.each([
    ['the key of the host', 'trust/host-key.json'],
    ['the settings to be', 'trust/tool-settings.json'],
    ['the record', 'store/audit.jsonl'],
    ['the log of calls', 'database'],
    ['the database of the sql tool', 'agent-database'],
    ["the host's log", 'host.log'],
    ['the socket', 'host.sock'],
    ['the lock', '.lock.sqlite'],
  ])('%s can neither be read, written, moved, copied nor listed', async (_what, place) => {
    const absolute = join(host.data, place)
    for (const input of [
      { operation: 'read', path: absolute },
      { operation: 'read', path: `../${place}` },
      { operation: 'stat', path: absolute },
      { operation: 'list', path: absolute },
      { operation: 'write', path: absolute, content: '{}' },
      { operation: 'append', path: absolute, content: '{}' },
      { operation: 'delete', path: absolute },
      { operation: 'move', path: absolute, to: 'taken' },
      { operation: 'copy', path: absolute, to: 'taken' },
    ])
      expect(await host.brokenRule('file', input), JSON.stringify(input)).toMatch(/^fs\./)
  })

  test('a link from the workspace to the trust folder leads nowhere', async () => {
    symlinkSync(join(host.data, 'trust'), join(host.workspace, 'link'))
    symlinkSync(join(host.data, 'trust/host-key.json'), join(host.workspace, 'key'))
    for (const input of [
      { operation: 'read', path: 'link/host-key.json' },
      { operation: 'read', path: 'key' },
      { operation: 'list', path: 'link' },
      { operation: 'write', path: 'link/approvers.json', content: '[]' },
      { operation: 'write', path: 'key', content: '[]' },
      { operation: 'move', path: 'link/host-key.json', to: 'taken' },
    ])
      expect(await host.brokenRule('file', input), JSON.stringify(input)).toBe('fs.symlink')
  })

  test('the environment of the host is no file for tools', async () => {
    for (const path of ['/proc/self/environ', `/proc/${host.pid}/environ`])
      expect(await host.brokenRule('file', { operation: 'read', path })).toBe('fs.path')
  })

  test('this machine and its network are out of reach over HTTP', async () => {
    for (const url of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/'])
      expect(await host.brokenRule('http', { url }), url).toBe('http.address')
  })

  test('a violation says the rule, what was tried and how to ask, and is on record with tool and person', async () => {
    const input = { operation: 'read', path: '/etc/hostname' }
    const { stdout, stderr: message, exitCode } = await host.call('file', input)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 })
    expect(message).toMatch(/read "\/etc\/hostname"/)
    expect(message).toMatch(/rule fs\.path/)
    expect(message).toMatch(/operator/)
    expect(message).toMatch(/Next: toolcrib tools policy/)
    const { calls } = await host.ask<{ calls: Call[] }>(
      'log',
      '--tool',
      'file',
      '--status',
      'failed',
    )
    expect(calls[0]).toMatchObject({ error: { code: 'POLICY_VIOLATION' } })
    await expect.poll(() => JSON.stringify(host.violations())).toMatch(/"fs\.path"/)
    const text = JSON.stringify(host.violations())
    expect(text).toMatch(/"file"/)
    expect(text).toMatch(/"person"/)
    const listed = await host.run('audit', 'list', '--type', 'tool_policy_blocked')
    expect(listed.stdout).toMatch(/tool_policy_blocked +file +person:\S+ +Refused: read "/)
    expect((await host.run('audit', 'list', '--tool', 'sql')).stdout).not.toMatch(/Refused: read/)
    expect((await host.run('audit', 'list', '--limit', '0')).exitCode).toBe(2)
    expect((await host.run('audit', 'verify')).exitCode).toBe(0)
  })

  test('doctor says how the tools stand', async () => {
    const { stdout, exitCode } = await host.run('doctor')
    expect(stdout).toMatch(/Built-in tools that are on: file, http, sql/)
    expect(stdout).toMatch(/The shell tool is off/)
    expect(exitCode, stdout).toBe(0)
  })

  test('a command that names another workspace than the running host has is refused', async () => {
    mkdirSync(join(host.folder.path, 'elsewhere'))
    const outcome = await host.run('tools', 'list', '--workspace', 'elsewhere')
    expect(outcome.stderr).toMatch(/HOST_DIFFERS/)
    expect((await host.run('tools', 'list', '--workspace', host.workspace)).exitCode).toBe(0)
  })
})

describe('with a shell, a secret and a server of this machine', () => {
  const secret = 'sk-live-0123456789abcdef'
  const host = new TestHost()
  const requests: IncomingMessage[] = []
  let server: Server
  let origin: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request)
      response.end(`you sent ${request.headers['authorization']}`)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    host.writeSettings({
      policy: {
        fs_read: { paths: ['.'] },
        fs_write: { paths: ['.'] },
        http: { origins: [origin], privateAddresses: ['127.0.0.1'] },
      },
      shell: { enabled: true },
      sql: { readOnly: true },
      secrets: {
        TOKEN: { environment: 'SERVICE_TOKEN', hosts: [origin] },
        MISSING: { environment: 'NOT_THERE', hosts: [origin] },
      },
    })
    await host.start({ SERVICE_TOKEN: secret, OTHER_SECRET: 'other-0123456789' })
  })
  afterAll(async () => {
    await host.stop()
    await new Promise((done) => server.close(done))
    host.folder.remove()
  })

  test('a command runs in the workspace, and the call is logged', async () => {
    const echoed = await host.call('shell', { command: 'echo', args: ['hello'] })
    const { calls } = await host.ask<{ calls: Call[] }>('log', '--tool', 'shell')
    if (!sandboxWorks) {
      expect(echoed.stderr).toMatch(/CONTAINMENT_UNAVAILABLE/)
      expect(calls).toMatchObject([{ status: 'failed' }])
      return
    }
    expect(JSON.parse(echoed.stdout)).toMatchObject({ stdout: 'hello\n', exitCode: 0 })
    expect(calls).toMatchObject([{ status: 'completed' }])
    expect((await host.printed('pwd')).trim()).toBe(host.workspace)
  })

  test('env and /proc show no secret of the host', async () => {
    const script = 'env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null; true'
    const stdout = await host.printed(script)
    expect(stdout).toMatch(sandboxWorks ? /PATH=/ : /CONTAINMENT_UNAVAILABLE/)
    expect(stdout).not.toMatch(/sk-live|other-0123|SERVICE_TOKEN|OTHER_SECRET/)
    expect(stdout).not.toContain('toolcrib-workspace')
  })

  test('a command sees neither the trust folder nor the store, and changes nothing there', async () => {
    const script = `ls ${host.data}/trust ${host.data}/store; cat ${host.data}/trust/*; echo x > ${host.data}/trust/forged; mv ${host.data}/trust ${host.data}/workspace/taken; true`
    const stdout = await host.printed(script)
    expect(stdout).not.toMatch(/host-key|privateKey|audit\.jsonl/)
    expect(statSync(join(host.data, 'trust/host-key.json')).isFile()).toBe(true)
    expect(() => statSync(join(host.data, 'trust/forged'))).toThrow('ENOENT')
  })

  test('a secret goes out by its placeholder alone, and comes back to nobody', async () => {
    const { secrets } = await host.ask<{ secrets: { name: string; placeholder?: string }[] }>(
      'tools',
      'policy',
    )
    const placeholder = secrets.find(({ name }) => name === 'TOKEN')?.placeholder ?? ''
    const { description } = await host.ask<{ description: string }>('tools', 'show', 'http')
    expect(description).toContain(`TOKEN: ${placeholder}`)
    expect(description).not.toContain('MISSING')
    const outcome = await host.call('http', {
      url: origin,
      headers: { authorization: `Bearer ${placeholder}` },
    })
    expect(requests.at(-1)?.headers['authorization']).toBe(`Bearer ${secret}`)
    expect(outcome.stdout).toMatch(/you sent Bearer/)
    expect(outcome.stdout).not.toContain(secret)
    const log = await host.run('log', '--json')
    expect(log.stdout).toContain(origin)
    expect(log.stdout).not.toContain(secret)
    expect(readFileSync(join(host.data, 'host.log'), 'utf8')).not.toContain(secret)
  })

  test('a secret that cannot be read is a problem for the doctor, and the host runs without it', async () => {
    const { stdout, exitCode } = await host.run('doctor')
    expect(stdout).toMatch(/✘ Secret MISSING cannot be used: .*NOT_THERE/)
    expect(stdout).toMatch(
      sandboxWorks ? /✔ The shell tool is on; a sandbox/ : /✘ The shell tool is on and refuses/,
    )
    expect(exitCode).toBe(1)
  })

  test('a tool that only reads is held to it', async () => {
    expect((await host.output('sql', { query: 'select 2 as two' }))['rowCount']).toBe(1)
    const { stderr } = await host.call('sql', { query: 'create table t (id int)' })
    expect(stderr).toMatch(/SQL_READ_ONLY/)
  })
})

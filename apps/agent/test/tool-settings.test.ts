import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKernel } from '../src/host/kernel.ts'
import { runCommand } from './command-in-process.ts'
import { canSandbox, makeTemporaryFolder } from './run-toolcrib.ts'

let folder: ReturnType<typeof makeTemporaryFolder>
let data: string

beforeEach(() => {
  folder = makeTemporaryFolder()
  data = join(folder.path, 'home/.toolcrib')
  mkdirSync(join(data, 'trust'), { recursive: true, mode: 0o700 })
})
afterEach(() => folder.remove())

const write = (settings: unknown): void =>
  writeFileSync(join(data, 'trust/tool-settings.json'), JSON.stringify(settings), { mode: 0o600 })

test.each([
  ['a misspelt field', { shell: { enabled: true, comands: ['ls'] } }, /shell: .*"comands"/],
  ['an origin that is none', { policy: { http: { origins: ['a b'] } } }, /policy\.http\.origins/],
  ['reading what is not there', { policy: { fs_read: { paths: ['none'] } } }, /none/],
  [
    'a secret for a host that is none',
    { secrets: { A: { environment: 'HOME', hosts: ['a b'] } } },
    /secrets\.A/,
  ],
])(
  'with %s nothing starts, and the message says what to mend',
  async (_what, settings, message) => {
    write(settings)
    const starting = createKernel({ data, environment: { HOME: '/home/alice' } })
    await expect(starting).rejects.toMatchObject({ code: 'SETTINGS_INVALID' })
    await expect(starting).rejects.toThrow(message)
    await expect(starting).rejects.toThrow(/mend it/)
  },
)

test.each([
  ['a workspace around the data', (home: string) => ({ workspace: home })],
  ['writing around the data', (home: string) => ({ policy: { fs_write: { paths: [home] } } })],
  [
    'writing to the trust folder',
    (home: string) => ({ policy: { fs_write: { paths: [join(home, '.toolcrib/trust')] } } }),
  ],
  [
    'writing around the data by a link',
    (home: string) => {
      symlinkSync(home, join(home, '../link'))
      return { policy: { fs_write: { paths: [join(home, '../link')] } } }
    },
  ],
])('%s is refused: the approvers could be exchanged', async (_what, settings) => {
  write(settings(join(folder.path, 'home')))
  await expect(createKernel({ data, environment: {} })).rejects.toMatchObject({
    code: 'WORKSPACE_MISPLACED',
  })
})

test('no made tool takes the name of a built-in tool, not even of one that is off or was left out', async () => {
  const agent = { kind: 'agent', id: 'ada' } as const
  for (const builtInTools of [{ file: { enabled: false } }, false] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one host at a time owns the folder
    const kernel = await createKernel({ data, environment: {}, builtInTools })
    const made = await Promise.all(
      ['file', 'http', 'shell', 'sql', 'tax_of'].map((name) =>
        kernel.invoker.invoke(
          'toolFactory_createCompute',
          {
            tool_name: name,
            tool_description: 'Says how much tax is due on a net amount',
            tool_parameters: { net: { type: 'number' } },
            logic: { steps: [{ op: 'return', value: 'net' }] },
          },
          { principal: agent },
        ),
      ),
    )
    expect(made.map((result) => JSON.stringify(result).includes('TOOL_NAME_TAKEN'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    // oxlint-disable-next-line no-await-in-loop -- as above
    await kernel.close()
  }
})

test('reading around the data is allowed, and the data itself is left out', async () => {
  writeFileSync(join(folder.path, 'home/notes.txt'), 'milk')
  write({ policy: { fs_read: { paths: [join(folder.path, 'home')] } } })
  const kernel = await createKernel({ data, environment: {} })
  const read = (path: string): ReturnType<typeof kernel.invoker.invoke> =>
    kernel.invoker.invoke('file', { operation: 'read', path: join(folder.path, 'home', path) })
  expect(await read('notes.txt')).toMatchObject({ success: true, output: { result: 'milk' } })
  for (const path of ['trust/host-key.json', 'store/audit.jsonl', 'host.log', '.lock.json'])
    expect(await read(join('.toolcrib', path))).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  await kernel.close()
})

test.each([
  ['in the data folder', undefined],
  ['beside it', 'files'],
])(
  'commands that may read around the data, with the workspace %s, see neither it nor the file of a secret',
  async (_where, workspace) => {
    const home = join(folder.path, 'home')
    mkdirSync(join(home, 'files'))
    writeFileSync(join(home, 'secret'), 'sk-live-0123456789abcdef')
    writeFileSync(join(home, 'notes.txt'), 'milk')
    write({
      shell: { enabled: true, readable: [home], network: 'host' },
      secrets: { KEY: { file: join(home, 'secret'), hosts: ['api.example.com'] } },
    })
    const kernel = await createKernel({
      data,
      environment: {},
      ...(workspace === undefined ? {} : { workspace: join(home, workspace) }),
    })
    const script = 'cat notes.txt; tr a-z b-za < secret; ls -R .toolcrib; cat .toolcrib/*/*; true'
    const result = await kernel.invoker.invoke('shell', {
      command: 'sh',
      args: ['-c', `cd ${home}; ${script}`],
    })
    await kernel.close()
    if (!canSandbox()) {
      expect(result).toMatchObject({ errorData: { toolErrorCode: 'CONTAINMENT_UNAVAILABLE' } })
      return
    }
    const shown = JSON.stringify(result)
    expect(shown).toMatch(/milk/)
    // Written differently, so that it is the sandbox that is tried and not the redactor.
    expect(shown).not.toMatch(/tl-mjwf|host-key|privateKey|audit\.jsonl/)
  },
)

test('a program may give the settings itself, checked all the same, or have none of the tools', async () => {
  write({ broken: true })
  const without = await createKernel({ data, environment: {}, builtInTools: false })
  expect(without.registry.has('file')).toBe(false)
  expect(without.health().workspace).toBeUndefined()
  await without.close()
  const some = await createKernel({
    data,
    environment: {},
    builtInTools: { http: { enabled: false }, sql: { enabled: false } },
  })
  expect(['file', 'http', 'shell', 'sql'].filter((name) => some.registry.has(name))).toEqual([
    'file',
  ])
  expect(some.health().tools.builtIn).toBe(5)
  await some.close()
  const misspelt = { shel: { enabled: true } } as object
  await expect(createKernel({ data, environment: {}, builtInTools: misspelt })).rejects.toThrow(
    /builtInTools: .*"shel"/,
  )
})

test('a flood of violations is 21 events of the record: twenty attempts at once, the others counted at the end', async () => {
  const kernel = await createKernel({ data, environment: {} })
  const attempts = Array.from({ length: 200 }, (_, index) =>
    kernel.invoker.invoke(
      'file',
      { operation: 'read', path: `/etc/passwd${index}` },
      { principal: { kind: 'agent', id: 'mallory' } },
    ),
  )
  const results = await Promise.all(attempts)
  expect(results.every((result) => !result.success)).toBe(true)
  await kernel.close()
  const events = readFileSync(join(data, 'store/audit.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('tool_policy_blocked'))
  const tried = results.filter(
    (result) => !result.success && result.errorCode === 'POLICY_VIOLATION',
  ).length
  expect(events).toHaveLength(21)
  expect(events[0]).toMatch(/"name":"file"/)
  expect(events[0]).toMatch(/"rule":"fs\.path"/)
  expect(events[0]).toMatch(/"id":"mallory"/)
  expect(events[20]).toContain(`"count":${tried - 20}`)
  const again = await createKernel({ data, environment: {} })
  expect(await again.toolsmaker.verifyAudit()).toMatchObject({ ok: true })
  await again.close()
})

test('services that a program names are out of reach, whatever the policy allows', async () => {
  const kernel = await createKernel({
    data,
    environment: {},
    deniedServices: [{ host: 'localhost', port: 1 }],
    builtInTools: {
      policy: { http: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] } },
    },
  })
  expect(await kernel.invoker.invoke('http', { url: 'http://127.0.0.1:1/' })).toMatchObject({
    errorData: { toolErrorData: { rule: 'http.host' } },
  })
  await kernel.close()
})

test('the doctor says what is wrong with the settings, and a misplaced workspace is refused by name', async () => {
  write({ shel: {} })
  const at = ['--data', data]
  const { stdout, exitCode } = await runCommand(folder.path, ['doctor', ...at])
  expect(stdout).toMatch(/✘ The host cannot be reached or started: .*"shel"/)
  expect(exitCode).toBe(1)
  write({})
  const around = await runCommand(folder.path, ['tools', 'list', ...at, '--workspace', '.'])
  expect(around.stderr).toMatch(/WORKSPACE_MISPLACED/)
  expect(
    (await runCommand(folder.path, ['tools', 'list', ...at, '--workspace', ''])).exitCode,
  ).toBe(2)
})

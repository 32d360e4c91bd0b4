import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseToolSettings, readToolSettings } from './read-tool-settings.ts'

let trust: string
beforeEach(() => {
  trust = mkdtempSync(join(tmpdir(), 'toolcrib-settings-'))
})
afterEach(() => rmSync(trust, { recursive: true }))

const parse = (settings: unknown): unknown =>
  parseToolSettings(JSON.stringify(settings), '/trust/tool-settings.json')

test('no file means no settings, and what is there is read', async () => {
  expect(await readToolSettings(trust)).toEqual({})
  const settings = {
    workspace: '/srv/agent',
    policy: { fs_read: { paths: ['.'] }, http: { origins: ['https://api.example.com'] } },
    shell: { enabled: true, commands: ['git'], environment: ['LANG'] },
    sql: { readOnly: true },
    secrets: { TOKEN: { environment: 'API_TOKEN', hosts: ['api.example.com'], paths: ['/v1'] } },
  }
  writeFileSync(join(trust, 'tool-settings.json'), JSON.stringify(settings), { mode: 0o600 })
  expect(await readToolSettings(trust)).toEqual(settings)
})

test.each([
  ['a field that is unknown', { shel: { enabled: true } }, /"shel"/],
  [
    'an unknown field deeper down',
    { shell: { enabled: true, comands: ['ls'] } },
    /shell: .*"comands"/,
  ],
  ['a wrong type', { shell: { enabled: 'yes' } }, /shell\.enabled: .*got "yes"/],
  ['a shell that is neither on nor off', { shell: { commands: ['ls'] } }, /shell\.enabled/],
  ['a path that is not whole', { workspace: 'files' }, /workspace: .*whole path.*got "files"/],
  ['a limit of nothing', { sql: { maxRows: 0 } }, /sql\.maxRows/],
  ['an empty list of commands', { shell: { enabled: true, commands: [] } }, /shell\.commands/],
  ['a power that does not exist', { policy: { shell: {} } }, /policy: .*"shell"/],
  [
    'powers of other tools',
    { policy: { tools: { callees: [{ name: 'a', hash: null }] } } },
    /policy\.tools/,
  ],
  ['a secret without hosts', { secrets: { A: { environment: 'A' } } }, /secrets\.A: .*"hosts"/],
  [
    'a secret for commands',
    {
      secrets: { A: { environment: 'KEY_A', hosts: ['a.example'] } },
      shell: { enabled: true, environment: ['KEY_A'] },
    },
    /shell\.environment: has KEY_A/,
  ],
  [
    'the database for commands',
    { shell: { enabled: false, environment: ['DATABASE_URL'] } },
    /shell\.environment: has DATABASE_URL/,
  ],
  ['a list', [], /expected object/],
])('%s is refused by name, with what to do', (_what, settings, message) => {
  const error = catchError(() => parse(settings))
  expect(error).toMatchObject({ code: 'SETTINGS_INVALID' })
  expect(error.message).toMatch(message)
  expect(error.message).toMatch(/mend it/)
})

test('a secret that stands in the file by mistake is in no message', () => {
  const secret = 'ghp_0123456789abcdef'
  for (const settings of [
    { secrets: { A: secret } },
    { secrets: { A: { value: secret, hosts: ['a.example'] } } },
    { secrets: { A: { file: secret, hosts: ['a.example'] } } },
    { secrets: { A: { environment: `${secret}!`, hosts: ['a.example'] } } },
    { secrets: [secret] },
  ])
    expect(catchError(() => parse(settings)).message).not.toContain(secret)
  const broken = catchError(() => parseToolSettings(`{"secrets": ${secret}}`, '/trust/x'))
  expect(broken.message).toMatch(/not JSON/)
  expect(broken.message).not.toContain('ghp_')
})

test('a file that others may write is refused with the command that mends it', async () => {
  const path = join(trust, 'tool-settings.json')
  writeFileSync(path, '{}')
  chmodSync(path, 0o622)
  await expect(readToolSettings(trust)).rejects.toThrow(`chmod 600 '${path}'`)
  chmodSync(path, 0o644)
  expect(await readToolSettings(trust)).toEqual({})
})

test('a folder in the place of the file is no reason to guess', async () => {
  await expect(readToolSettings(join(trust, 'none'))).resolves.toEqual({})
  rmSync(join(trust, 'tool-settings.json'), { force: true })
  writeFileSync(join(trust, 'file'), '')
  await expect(readToolSettings(join(trust, 'file'))).rejects.toMatchObject({
    code: 'SETTINGS_INVALID',
  })
})

function catchError(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown')
}

test('the settings in the README can be used', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, json = ''] = /^```json\n(.*?)^```/ms.exec(readme) ?? []
  expect(parseToolSettings(json, 'README.md')).toMatchObject({ shell: { enabled: true } })
})

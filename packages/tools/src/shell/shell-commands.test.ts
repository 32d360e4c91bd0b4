import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callShell, makeWorkspace } from '../../test/shell-calls.ts'

describe('where only some commands are allowed', () => {
  const echo = { commands: ['echo'], containment: 'process-group' } as const

  test('those run by name and by path', async () => {
    expect((await callShell(echo, { command: 'echo', args: ['a'] })).stdout).toBe('a\n')
    expect((await callShell(echo, { command: '/bin/echo', args: ['a'] })).stdout).toBe('a\n')
    expect((await callShell(echo, { command: '/usr/bin/../bin/echo', args: ['a'] })).stdout).toBe(
      'a\n',
    )
  })

  test.each([
    'sh',
    '/bin/sh',
    './echo',
    './link',
    'link',
    '../bin/sh',
    'bin/echo',
    './bin/echo',
    'ECHO',
  ])('%s does not', async (command) => {
    const workspace = makeWorkspace()
    mkdirSync(join(workspace, 'bin'))
    for (const name of ['echo', 'bin/echo']) symlinkSync('/bin/sh', join(workspace, name))
    symlinkSync('/bin/echo', join(workspace, 'link'))
    const call = callShell({ ...echo, workspace }, { command, args: ['-c', 'echo hello'] })
    await expect(call).rejects.toMatchObject({
      code: 'POLICY_VIOLATION',
      data: { rule: 'shell.command' },
    })
  })

  test('one name of a program with many names does not open the others', async () => {
    const tools = makeWorkspace()
    writeFileSync(join(tools, 'many'), '#!/bin/sh\nbasename "$0"\n', { mode: 0o755 })
    for (const name of ['one', 'other']) symlinkSync('many', join(tools, name))
    const options = { containment: 'process-group', commands: [join(tools, 'one')] } as const
    expect((await callShell(options, { command: join(tools, 'one') })).stdout).toBe('one\n')
    await expect(callShell(options, { command: join(tools, 'other') })).rejects.toMatchObject({
      code: 'POLICY_VIOLATION',
    })
    await expect(callShell(options, { command: join(tools, 'many') })).rejects.toMatchObject({
      code: 'POLICY_VIOLATION',
    })
  })

  test('a program of the same name in the workspace is not taken for it, even where the search path leads there', async () => {
    const workspace = makeWorkspace()
    writeFileSync(join(workspace, 'echo'), '#!/bin/sh\necho taken\n', { mode: 0o755 })
    const before = process.env['PATH']
    process.env['PATH'] = `${workspace}:.:${before ?? ''}`
    try {
      const call = callShell({ ...echo, workspace }, { command: 'echo', args: ['own'] })
      expect((await call).stdout).toBe('own\n')
    } finally {
      process.env['PATH'] = before
    }
  })

  test.each([
    'PATH',
    'LD_PRELOAD',
    'BASH_ENV',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'PERL5OPT',
    'HOME',
  ])('a call may not set %s', async (name) => {
    const call = callShell(echo, { command: 'echo', env: { [name]: '/x' } })
    await expect(call).rejects.toMatchObject({
      code: 'POLICY_VIOLATION',
      data: { rule: 'shell.command', tried: `set the variable ${name} for a command` },
    })
  })

  test.each([
    ['LANGUAGE', '../../../srv/workspace'],
    ['LC_ALL', '/srv/workspace'],
    ['TZ', ':/srv/workspace/zone'],
  ])('a call may not have %s lead to a file: %s', async (name, value) => {
    const call = callShell(echo, { command: 'echo', env: { [name]: value } })
    await expect(call).rejects.toMatchObject({ code: 'POLICY_VIOLATION' })
    await callShell(echo, { command: 'echo', env: { [name]: 'Europe/Berlin' } })
  })

  test('a call may set what steers output, and what the host names', async () => {
    const options = { ...echo, commands: ['env'], inputVariables: ['BUILD'] }
    const { stdout } = await callShell(options, { command: 'env', env: { TZ: 'UTC', BUILD: '1' } })
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['TZ=UTC', 'BUILD=1']))
  })
})

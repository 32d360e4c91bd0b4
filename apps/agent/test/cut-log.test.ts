import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from './command-in-process.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

const folder = makeTemporaryFolder()
const passphrase = 'correct horse battery'
const run = (...parameters: string[]): ReturnType<typeof runCommand> =>
  runCommand(folder.path, parameters)
const sign = (...parameters: string[]): ReturnType<typeof runCommand> =>
  runCommand(folder.path, [...parameters, '--passphrase-stdin'], { input: `${passphrase}\n` })
const call = (): ReturnType<typeof runCommand> =>
  run('tools', 'call', 'shipping_cost', '{"weight_kg":12}')

afterAll(() => folder.remove())

test('a pause that somebody cuts out of the log holds, every screen says so, and a person accepts the log', async () => {
  await run('start', '--once')
  expect(await call()).toMatchObject({ stdout: '31.5\n' })
  expect(await run('pause', '--reason', 'an incident')).toMatchObject({ exitCode: 0 })
  const log = join(folder.path, '.toolcrib/store/audit.jsonl')
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  writeFileSync(log, `${lines.filter((line) => !line.includes('tools_paused')).join('\n')}\n`)

  expect((await call()).stderr).toContain('TOOLS_PAUSED')
  for (const command of [['doctor'], ['approvals', 'list'], ['start', '--once']]) {
    const { stdout, stderr } = await run(...command)
    expect(stdout + stderr, command.join(' ')).toContain('audit accept')
  }
  expect((await sign('resume')).exitCode).not.toBe(0)

  expect(await sign('approver', 'init', '--id', 'alice')).toMatchObject({ exitCode: 0 })
  const accepted = await sign('audit', 'accept')
  expect(accepted.stderr + accepted.stdout).toMatch(/the log was cut[\s\S]*is accepted/)
  // The pause outlived the log, and only its own end ends it.
  expect((await call()).stderr).toContain('TOOLS_PAUSED')
  expect(await sign('resume')).toMatchObject({ exitCode: 0 })
  expect(await call()).toMatchObject({ stdout: '31.5\n' })
  expect((await run('approvals', 'list')).stderr).not.toContain('audit accept')
})

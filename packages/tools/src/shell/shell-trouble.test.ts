import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  callShell,
  makeWorkspace,
  processesWith,
  uniqueSleep,
  workingContainments,
} from '../../test/shell-calls.ts'
import { noContext } from '../../test/no-context.ts'
import { chooseContainment } from './containment/choose-containment.ts'
import { createShellTool } from '../shell.ts'
import { startFailure } from './start-failure.ts'

const containments = await workingContainments()

describe.each(containments)('in the containment %s', (containment) => {
  test('a program with an equals sign in its path is the one that runs', async () => {
    const workspace = makeWorkspace()
    mkdirSync(join(workspace, 'a=b'))
    writeFileSync(join(workspace, 'a=b', 'tell'), '#!/bin/sh\necho own "$@"\n', { mode: 0o755 })
    const input = { command: './a=b/tell', args: ['echo', 'another'] }
    expect((await callShell({ containment, workspace }, input)).stdout).toBe('own echo another\n')
  })

  test('a host that has no descriptors left says so, and goes on', () => {
    const script = fileURLToPath(new URL('../../test/use-up-descriptors.ts', import.meta.url))
    const node = [process.execPath, '--conditions=@toolcrib/source', script]
    const { stdout } = spawnSync(
      'sh',
      ['-c', 'ulimit -n 600; exec "$@"', 'sh', ...node, makeWorkspace(), containment],
      { encoding: 'utf8' },
    )
    const outcomes = JSON.parse(stdout) as { code?: string; message?: string; exitCode?: number }[]
    expect(outcomes[0]).toMatchObject({
      code: 'COMMAND_FAILED_TO_START',
      message: expect.stringContaining('EMFILE') as string,
    })
    for (const { code, exitCode } of outcomes)
      expect(code ?? exitCode).toBe(code === undefined ? 0 : 'COMMAND_FAILED_TO_START')
    expect(outcomes.at(-1)).toMatchObject({ exitCode: 0, containment })
  })

  test('a time limit that is longer than timers reach ends nothing', async () => {
    const output = await callShell(
      { containment, timeoutMs: 3_000_000_000 },
      { command: 'sleep', args: ['0.05'] },
    )
    expect(output).toMatchObject({ exitCode: 0, signal: null })
    expect(output.timedOut).toBeUndefined()
  })
})

const sandboxes = containments.filter((name) => name === 'bubblewrap')

describe.each(sandboxes)('the sandbox of %s', (containment) => {
  test('what is hidden through a link stays hidden, also when it is made later', async () => {
    const workspace = makeWorkspace()
    const link = join(makeWorkspace(), 'link')
    symlinkSync(workspace, link)
    const tool = createShellTool({ workspace: link, hidden: [join(link, 'data')], containment })
    mkdirSync(join(workspace, 'data'))
    writeFileSync(join(workspace, 'data', 'key'), 'secret')
    const { signal } = new AbortController()
    const output = await tool.execute({ command: 'cat', args: ['data/key'] }, signal, noContext)
    expect(output).toMatchObject({ stdout: '', exitCode: 1 })
  })

  test('which files of the host exist is not told', async () => {
    const folder = makeWorkspace()
    const workspace = makeWorkspace()
    writeFileSync(join(folder, 'there'), '')
    symlinkSync(folder, join(workspace, 'out'))
    const messageFor = async (command: string): Promise<string> => {
      const call = callShell({ containment, workspace }, { command })
      return await call.then(
        () => 'it ran',
        (error: Error) => error.message.replaceAll(command, ''),
      )
    }
    const absent = await messageFor(join(folder, 'absent'))
    expect(await messageFor(join(folder, 'there'))).toBe(absent)
    expect(await messageFor(folder)).toBe(absent)
    expect(await messageFor('./out/there')).toBe(await messageFor('./out/absent'))
  })
})

test('launchers are not taken from the workspace, wherever the search path and its links lead', async () => {
  const workspace = makeWorkspace()
  const links = makeWorkspace()
  for (const name of ['bwrap', 'unshare', 'setpriv', 'env', 'sh']) {
    const program = join(workspace, name)
    writeFileSync(program, `#!/bin/sh\n: > ${workspace}/taken-${name}\n`, { mode: 0o755 })
    symlinkSync(program, join(links, name))
  }
  symlinkSync(workspace, join(links, 'folder'))
  const before = process.env['PATH']
  process.env['PATH'] = `${workspace}:${links}/folder:${links}:.:${before ?? ''}`
  try {
    for (const containment of [...containments, 'best'] as const) {
      const input = { command: '/bin/echo', args: ['own'] }
      expect((await callShell({ workspace, containment }, input)).stdout).toBe('own\n')
    }
  } finally {
    process.env['PATH'] = before
  }
  expect(readdirSync(workspace).filter((name) => name.startsWith('taken'))).toEqual([])
})

describe('launchers that do not work', () => {
  /** Has launchers found that hang, and hold their streams by a process of their own. */
  const withHangingLaunchers = async (work: () => Promise<void>): Promise<void> => {
    const seconds = uniqueSleep()
    const folder = makeWorkspace()
    for (const name of ['bwrap', 'unshare', 'setpriv'])
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\n/bin/sleep ${seconds} &\n/bin/sleep ${seconds}\n`,
        { mode: 0o755 },
      )
    const before = process.env['PATH']
    process.env['PATH'] = `${folder}:${before ?? ''}`
    try {
      await work()
      await expect.poll(() => processesWith(seconds)).toEqual([])
    } finally {
      process.env['PATH'] = before
      rmSync(folder, { recursive: true })
    }
  }
  const request = { workspace: makeWorkspace(), readable: [], hidden: [], network: 'none' } as const

  test('one that hangs is given up, with all that it started', async () => {
    await withHangingLaunchers(async () => {
      const best = await chooseContainment({ ...request, containment: 'best' }, 100)
      expect(best.name).toBe('process-group')
      const wanted = chooseContainment({ ...request, containment: 'bubblewrap' }, 100)
      await expect(wanted).rejects.toMatchObject({
        code: 'CONTAINMENT_UNAVAILABLE',
        message: expect.stringContaining('longer than 100 ms') as string,
      })
    })
  })

  test('what stops a launcher is not blamed on the command', () => {
    const start = { launch: { file: '/usr/bin/bwrap', args: [], folder: '/', environment: {} } }
    const say = (problem: string | Error): string =>
      startFailure({ ...start, command: '/usr/bin/true' }, new Error(String(problem))).code
    expect(say('bwrap: setting up uid map: Permission denied')).toBe('COMMAND_FAILED_TO_START')
    expect(say("bwrap: Can't find source path /x: No such file or directory")).toBe(
      'COMMAND_FAILED_TO_START',
    )
    expect(say('bwrap: execvp /usr/bin/true: Permission denied')).toBe('COMMAND_NOT_EXECUTABLE')
  })

  test('arguments that are too much for the machine are said to be that', () => {
    const launch = { file: '/usr/bin/true', args: [], folder: '/', environment: {} }
    const cause = Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' })
    expect(startFailure({ launch, command: '/usr/bin/true' }, cause)).toMatchObject({
      message: expect.stringContaining('through stdin or a file') as string,
      data: { field: 'args' },
    })
  })
})

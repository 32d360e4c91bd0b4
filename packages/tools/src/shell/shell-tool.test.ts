import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  callShell,
  makeWorkspace,
  processesWith,
  shellInvoker,
  uniqueSleep,
  workingContainments,
} from '../../test/shell-calls.ts'
import type { CommandInput } from './command-input.ts'
import { createShellTool } from '../shell.ts'

const containments = await workingContainments()
const shell = (script: string): CommandInput => ({ command: 'sh', args: ['-c', script] })

describe.each(containments)('in the containment %s', (containment) => {
  test('a command gives what it wrote, its exit code and where it ran', async () => {
    const output = await callShell(
      { containment },
      { command: 'echo', args: ['hello', '$HOME; *'] },
    )
    expect(output).toEqual({
      stdout: 'hello $HOME; *\n',
      stderr: '',
      exitCode: 0,
      signal: null,
      truncated: false,
      containment,
      processesLeft: containment === 'process-group' ? 'unknown' : 'none',
      stdoutEncoding: 'utf8',
      stderrEncoding: 'utf8',
    })
  })

  test('an exit code is a result, and stderr is kept apart', async () => {
    const output = await callShell({ containment }, shell('echo out; echo err >&2; exit 7'))
    expect(output).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 7, signal: null })
  })

  test('a signal that ends the command shows', async () => {
    const { exitCode, signal, stderr } = await callShell({ containment }, shell('kill -KILL $$'))
    expect(stderr).toBe('')
    if (containment === 'process-group') expect([exitCode, signal]).toEqual([null, 'SIGKILL'])
    else expect([exitCode, signal]).toEqual([137, null])
  })

  test('stdin is passed on, and is empty without one', async () => {
    expect((await callShell({ containment }, { command: 'cat', stdin: 'hé\n' })).stdout).toBe(
      'hé\n',
    )
    expect((await callShell({ containment }, { command: 'cat' })).stdout).toBe('')
    const binary = { command: 'cat', stdin: '/w==', stdinEncoding: 'base64' } as const
    expect(await callShell({ containment }, binary)).toMatchObject({
      stdout: '/w==',
      stdoutEncoding: 'base64',
    })
  })

  test('a command need not read its stdin', async () => {
    const output = await callShell(
      { containment },
      { command: 'true', stdin: 'x'.repeat(1_000_000) },
    )
    expect(output.exitCode).toBe(0)
  })

  test('output stops at the limit, and one byte less does not', async () => {
    const give = (bytes: number): CommandInput => shell(`head -c ${bytes} /dev/zero | tr '\\0' a`)
    const whole = await callShell({ containment, maxOutputBytes: 5_000 }, give(5_000))
    expect(whole).toMatchObject({ stdout: 'a'.repeat(5_000), truncated: false, exitCode: 0 })
    const cut = await callShell({ containment, maxOutputBytes: 5_000 }, give(5_001))
    expect(cut).toMatchObject({ stdout: 'a'.repeat(5_000), truncated: true, signal: 'SIGKILL' })
  })

  test('a command that closes its streams and runs on is waited for', async () => {
    const output = await callShell(
      { containment },
      shell('echo a; exec >&- 2>&-; sleep 0.2; exit 5'),
    )
    expect(output).toMatchObject({ stdout: 'a\n', exitCode: 5 })
  })

  test('a process that holds the streams of an ended command holds up nobody', async () => {
    const output = await callShell({ containment }, shell(`sleep ${uniqueSleep()} & echo a`))
    expect(output).toMatchObject({ stdout: 'a\n', exitCode: 0, signal: null })
  })

  test('a command that ignores SIGTERM is ended, and a caller without an invoker is told that time was up', async () => {
    const seconds = uniqueSleep()
    const output = await callShell(
      { containment, timeoutMs: 1_000 },
      shell(`trap '' TERM; echo begun; while :; do sleep ${seconds}; done`),
    )
    expect(output).toMatchObject({ stdout: 'begun\n', timedOut: true, signal: 'SIGKILL' })
    await expect.poll(() => processesWith(seconds)).toEqual([])
  })

  test('a command that ends when asked to can clean up', async () => {
    const script = `trap 'echo cleaned; exit 3' TERM; echo begun; sleep ${uniqueSleep()} & wait`
    const output = await callShell({ containment, timeoutMs: 2_000 }, shell(script))
    expect(output).toMatchObject({ stdout: 'begun\ncleaned\n', timedOut: true, exitCode: 3 })
  })

  test('a program of the workspace runs by a relative path, in the folder that is asked for', async () => {
    const workspace = makeWorkspace()
    mkdirSync(join(workspace, 'docs'))
    writeFileSync(join(workspace, 'docs', 'tell'), '#!/bin/sh\npwd; echo "$@"\n', { mode: 0o755 })
    const input = { command: './tell', args: ['a b'], cwd: 'docs' }
    const { stdout } = await callShell({ containment, workspace }, input)
    expect(stdout).toBe(`${workspace}/docs\na b\n`)
  })

  test('a program whose interpreter is missing, or which is none, is said to be that', async () => {
    const workspace = makeWorkspace()
    writeFileSync(join(workspace, 'lost'), '#!/no/such/interpreter\n', { mode: 0o755 })
    writeFileSync(join(workspace, 'plain'), 'text', { mode: 0o644 })
    mkdirSync(join(workspace, 'folder'))
    const call = (command: string): Promise<unknown> =>
      callShell({ containment, workspace }, { command })
    // Under a launcher that cannot tell, it is a command that failed.
    if (containment === 'namespace') expect(await call('./lost')).toMatchObject({ exitCode: 127 })
    else await expect(call('./lost')).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' })
    await expect(call('./plain')).rejects.toMatchObject({ code: 'COMMAND_NOT_EXECUTABLE' })
    await expect(call('./folder')).rejects.toMatchObject({ code: 'COMMAND_NOT_EXECUTABLE' })
  })

  test('calls that run at once do not mix', async () => {
    const workspace = makeWorkspace()
    const numbers = Array.from({ length: 8 }, (_, number) => String(number))
    const outputs = await Promise.all(
      numbers.map((number) =>
        callShell({ containment, workspace }, { command: 'echo', args: [number] }),
      ),
    )
    expect(outputs.map(({ stdout }) => stdout)).toEqual(numbers.map((number) => `${number}\n`))
  })

  test('a signal that is aborted already starts nothing', async () => {
    const reason = new Error('too late')
    const call = callShell({ containment }, { command: 'true' }, AbortSignal.abort(reason))
    await expect(call).rejects.toBe(reason)
  })
})

describe('what cannot be run', () => {
  test.each([
    ['nope', 'COMMAND_NOT_FOUND', 'Check its spelling'],
    ['ls -la', 'COMMAND_NOT_FOUND', 'its arguments as args'],
    ['ls | wc', 'COMMAND_NOT_FOUND', '"-c"'],
    ['./nope', 'COMMAND_NOT_FOUND', 'working folder'],
  ])('%s is not found, with advice', async (command, code, advice) => {
    await expect(callShell({}, { command })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(advice) as string,
    })
  })

  test.each([
    ['..', 'POLICY_VIOLATION'],
    ['/', 'POLICY_VIOLATION'],
    ['a/../../..', 'POLICY_VIOLATION'],
    ['out', 'POLICY_VIOLATION'],
    ['missing', 'FOLDER_INVALID'],
    ['file', 'FOLDER_INVALID'],
    ['secret', 'POLICY_VIOLATION'],
    ['secret/below', 'POLICY_VIOLATION'],
    // What does not exist there is not told from what does.
    ['secret/missing', 'POLICY_VIOLATION'],
    ['out/no/such/folder', 'POLICY_VIOLATION'],
    ['dangling', 'POLICY_VIOLATION'],
    ['circle', 'FOLDER_INVALID'],
    ['file/below', 'FOLDER_INVALID'],
  ])('the folder %s is refused: %s', async (cwd, code) => {
    const workspace = makeWorkspace()
    symlinkSync('/', join(workspace, 'out'))
    symlinkSync('/no/such/folder', join(workspace, 'dangling'))
    symlinkSync('circle', join(workspace, 'circle'))
    writeFileSync(join(workspace, 'file'), '')
    mkdirSync(join(workspace, 'secret', 'below'), { recursive: true })
    const options = { workspace, hidden: [join(workspace, 'secret')] }
    await expect(callShell(options, { command: 'true', cwd })).rejects.toMatchObject({ code })
  })

  test.each<[string, Record<string, unknown>]>([
    ['command', { command: '' }],
    ['command', { command: 'a\0b' }],
    ['args', { command: 'echo', args: ['a\0b'] }],
    ['args', { command: 'echo', args: ['x'.repeat(131_072)] }],
    ['args', { command: 'echo', args: Array.from({ length: 4_097 }, () => '') }],
    ['args', { command: 'echo', args: Array.from({ length: 9 }, () => 'x'.repeat(131_000)) }],
    ['env', { command: 'echo', env: { 'A=B': 'c' } }],
    ['env', { command: 'echo', env: { A: 'b\0c' } }],
    ['env', { command: 'echo', env: { TOOLCRIB_CALL: 'x' } }],
    // With its name and a NUL it would have one byte more than fits.
    ['env', { command: 'echo', env: { A: 'x'.repeat(131_070) } }],
    ['stdin', { command: 'cat', stdin: '###', stdinEncoding: 'base64' }],
    ['cwd', { command: 'cat', cwd: 'a\0b' }],
    ['shell', { command: 'cat', shell: true }],
  ])('a bad %s is refused before anything runs', async (field, input) => {
    const { invoker } = shellInvoker()
    const result = await invoker.invoke('shell', input)
    expect(result).toMatchObject({ success: false, errorCode: 'INPUT_INVALID' })
    expect(JSON.stringify(result)).toContain(field)
  })

  test('arguments at the limit get through', async () => {
    const output = await callShell({}, { command: 'echo', args: ['-n', 'x'.repeat(131_071)] })
    expect(output.stdout).toHaveLength(131_071)
  })

  test.each(containments)('so does a variable, in the containment %s', async (containment) => {
    const env = { A: 'x'.repeat(131_069) }
    const { stdout } = await callShell({ containment }, { ...shell('echo ${#A}'), env })
    expect(stdout).toBe('131069\n')
  })
})

describe('the definition', () => {
  test('a call is described in one line that hides nothing', () => {
    const tool = createShellTool({ workspace: makeWorkspace() })
    expect(tool.describeCall?.({ command: 'git', args: ['status'], cwd: 'docs' })).toBe(
      'Run `git status` in docs',
    )
    const tricky = {
      command: 'sh',
      args: ['-c', 'a\n`b`\u202E'],
      env: { LD_PRELOAD: 'x' },
      stdin: 'y',
    }
    expect(tool.describeCall?.(tricky)).toBe(
      'Run `sh -c "a\\n\\u{60}b\\u{60}\\u{202e}"` with LD_PRELOAD set and 1 characters on its input',
    )
  })

  test.each([
    ['workspace', { workspace: '/no/such/folder' }],
    ['workspace', { workspace: '/' }],
    ['workspace', { workspace: '/usr/lib' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['maxOutputBytes', { maxOutputBytes: Number.NaN }],
    ['maxOutputBytes', { maxOutputBytes: 268_435_457 }],
    ['killAfterMs', { killAfterMs: -1 }],
    ['commands', { commands: ['bin/echo'] }],
    ['readable', { readable: ['/no/such/folder'] }],
    ['readable', { readable: ['/'] }],
    ['readable', { readable: ['/proc/1'] }],
    ['network', { network: 'some' as never }],
    ['containment', { containment: 'strong' as never }],
    ['environment', { environment: ['TOOLCRIB_CALL'] }],
  ])('a wrong %s is refused when the tool is made', (field, options) => {
    expect(() => createShellTool({ workspace: makeWorkspace(), ...options })).toThrow(
      expect.objectContaining({
        code: 'TOOL_DEFINITION_INVALID',
        data: { toolName: 'shell', field },
      }) as Error,
    )
  })

  test('an allowed command, or what is hidden, may not be the workspace’s own', () => {
    const workspace = makeWorkspace()
    writeFileSync(join(workspace, 'x'), '', { mode: 0o755 })
    chmodSync(join(workspace, 'x'), 0o755)
    expect(() => createShellTool({ workspace, commands: [join(workspace, 'x')] })).toThrow(
      'replace',
    )
    expect(() => createShellTool({ workspace, hidden: [workspace] })).toThrow('workspace itself')
  })

  test('`sleep 10` under 100 ms fails as a timeout, and both rows are there', async () => {
    const { invoker, log } = shellInvoker()
    const hello = await invoker.invoke('shell', { command: 'echo', args: ['hello'] })
    expect(hello).toMatchObject({ success: true, output: { stdout: 'hello\n', exitCode: 0 } })
    const result = await invoker.invoke(
      'shell',
      { command: 'sleep', args: ['10'] },
      { timeoutMs: 100 },
    )
    expect(result).toMatchObject({
      success: false,
      errorCode: 'TIMEOUT',
      error: expect.stringContaining('"shell" did not finish within 100 ms') as string,
    })
    const { calls } = await log.query({ toolName: 'shell' })
    expect(calls.map(({ status }) => status).toSorted()).toEqual(['completed', 'timed_out'])
  })
})

test('a containment that does not work here is refused at the first call, with what to install', async () => {
  const before = process.env['PATH']
  process.env['PATH'] = makeWorkspace()
  try {
    for (const containment of ['bubblewrap', 'namespace'] as const) {
      await expect(callShell({ containment }, { command: '/bin/true' })).rejects.toMatchObject({
        code: 'CONTAINMENT_UNAVAILABLE',
        message: expect.stringMatching(/Install (bubblewrap|util-linux)/u) as string,
      })
    }
    // Without either, the best is what can always be had, and the result says so.
    expect(await callShell({}, { command: '/bin/true' })).toMatchObject({
      containment: 'process-group',
      processesLeft: 'unknown',
    })
  } finally {
    process.env['PATH'] = before
  }
})

test('the best containment is the first that works', async () => {
  const output = await callShell({}, { command: 'true' })
  expect(output.containment).toBe(containments[0])
})

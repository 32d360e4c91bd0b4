import { mkdirSync, readFileSync } from 'node:fs'
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

const containments = await workingContainments()

/** The forms in which a command leaves processes behind. Each writes `started` once its process is there. */
const forms: Readonly<Record<string, (seconds: string) => string>> = {
  plain: (seconds) => `: > started; exec sleep ${seconds}`,
  'sh -c': (seconds) => `sh -c ': > started; sleep ${seconds}; true'`,
  background: (seconds) => `sh -c ': > started; exec sleep ${seconds}' & wait`,
  setsid: (seconds) => `setsid sh -c ': > started; exec sleep ${seconds}' & wait`,
  'double fork': (seconds) =>
    `(setsid sh -c 'sh -c ": > started; exec sleep ${seconds}" & exit' &) ; sleep ${seconds}`,
  nohup: (seconds) => `nohup sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 & wait`,
}

/** The same, where the command itself ends once its process is there. */
const leavingForms: Readonly<Record<string, (seconds: string) => string>> = {
  background: (seconds) => `sh -c ': > started; exec sleep ${seconds}' &`,
  'background without streams': (seconds) =>
    `sh -c ': > started; exec sleep ${seconds}' < /dev/null > /dev/null 2>&1 &`,
  setsid: (seconds) => `setsid sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 &`,
  'double fork': (seconds) =>
    `(setsid sh -c 'sh -c ": > started; exec sleep ${seconds}" & exit' > /dev/null 2>&1 &)`,
  nohup: (seconds) => `nohup sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 &`,
  'nohup and setsid': (seconds) =>
    `nohup setsid sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 &`,
}
const untilStarted = 'while [ ! -e started ]; do sleep 0.01; done; echo left'

const shell = (script: string): CommandInput => ({ command: 'sh', args: ['-c', script] })

describe.each(containments)('in the containment %s', (containment) => {
  const isSure = containment !== 'process-group'

  /** Where the kernel ends them all they are gone already; a process group takes a moment. */
  const expectNoneLeft = async (seconds: string): Promise<void> => {
    if (isSure) expect(processesWith(seconds)).toEqual([])
    else await expect.poll(() => processesWith(seconds)).toEqual([])
  }

  test.each(Object.entries(forms))('an abort ends a command of the form: %s', async (_, form) => {
    const seconds = uniqueSleep()
    const workspace = makeWorkspace()
    const controller = new AbortController()
    const call = callShell({ containment, workspace }, shell(form(seconds)), controller.signal)
    await expect.poll(() => processesWith(seconds)).not.toEqual([])
    await expect.poll(() => readFileSync(join(workspace, 'started'), 'utf8')).toBe('')
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await expectNoneLeft(seconds)
  })

  test('the deadline ends commands of every form', async () => {
    const workspace = makeWorkspace()
    const { invoker } = shellInvoker({ containment, workspace })
    const seconds = Object.keys(forms).map(() => uniqueSleep())
    const calls = Object.values(forms).map((form, at) => {
      const input = { ...shell(form(seconds[at] ?? '')), cwd: `form${at}` }
      mkdirSync(join(workspace, input.cwd))
      return invoker.invoke('shell', input, { timeoutMs: 1_000 })
    })
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ success: false, errorCode: 'TIMEOUT' })
      // What cannot be known is said.
      expect('mayStillBeRunning' in result).toBe(!isSure)
    }
    for (const own of seconds) await expectNoneLeft(own)
  })

  test.each(Object.entries(leavingForms))(
    'nothing outlives a command that ends and leaves something of the form: %s',
    async (_, form) => {
      const seconds = uniqueSleep()
      const output = await callShell({ containment }, shell(`${form(seconds)}\n${untilStarted}`))
      expect(output).toMatchObject({
        stdout: 'left\n',
        exitCode: 0,
        processesLeft: isSure ? 'none' : 'unknown',
      })
      await expectNoneLeft(seconds)
    },
  )

  test('too much output ends what was started, too', async () => {
    const seconds = uniqueSleep()
    const script = `setsid sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 &\n${untilStarted}; yes`
    const output = await callShell({ containment, maxOutputBytes: 1_000 }, shell(script))
    expect(output).toMatchObject({ truncated: true, exitCode: null, signal: 'SIGKILL' })
    await expectNoneLeft(seconds)
  })
})

test('a process group does not find what left it without its environment, and says that it is not sure', async () => {
  const seconds = uniqueSleep()
  const script = `(env -i setsid sh -c ': > started; exec sleep ${seconds}' > /dev/null 2>&1 &)\n${untilStarted}`
  const output = await callShell({ containment: 'process-group' }, shell(script))
  expect(output.processesLeft).toBe('unknown')
  const left = processesWith(seconds)
  expect(left).toHaveLength(1)
  for (const pid of left) process.kill(pid, 'SIGKILL')
})

import { afterEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOutcome } from '../src/index.ts'

const sandboxes: Sandbox[] = []

afterEach(async () => {
  await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()))
})

const open = (options: Parameters<typeof createSandbox>[0] = {}): Sandbox => {
  const sandbox = createSandbox({ maxWorkers: 1, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

const patience = 30_000

const load = async (sandbox: Sandbox, source: string, trialOf?: string): Promise<string> => {
  const loaded = await sandbox.load(
    { source },
    { timeoutMs: patience, ...(trialOf === undefined ? {} : { trialOf }) },
  )
  if (!loaded.ok) throw new Error(`${loaded.reason}: ${loaded.message}`)
  return loaded.hash
}

const one = 'export default () => 1'
const endless = 'export default () => { for (;;) {} }'

/** An endless trial that runs until it is ended. */
const occupy = async (
  sandbox: Sandbox,
  trialOf: string,
): Promise<{ readonly outcome: Promise<SandboxOutcome>; readonly end: () => void }> => {
  const hash = await load(sandbox, endless, trialOf)
  const controller = new AbortController()
  const { signal } = controller
  const outcome = sandbox.call(hash, '{}', { trialOf, signal, timeoutMs: 60_000 })
  return { outcome, end: () => controller.abort() }
}

describe('a trial', () => {
  test('keeps no call waiting, also where there is one worker', async () => {
    const sandbox = open()
    const { end, outcome } = await occupy(sandbox, 'agent:eve')
    const endlessLoad = sandbox.load(
      { source: 'for (;;) {}; export default 1' },
      { timeoutMs: patience, trialOf: 'agent:eve' },
    )
    const hash = await load(sandbox, one)
    expect(await sandbox.call(hash, '{}')).toMatchObject({ ok: true, json: '1' })
    end()
    expect(await outcome).toMatchObject({ ok: false, reason: 'aborted' })
    await sandbox.close()
    expect(await endlessLoad).toMatchObject({ ok: false, reason: 'closed' })
  })

  test('of one owner runs after the other, and owners take turns', async () => {
    const sandbox = open()
    const hash = await load(sandbox, one)
    const { end, outcome } = await occupy(sandbox, 'agent:eve')
    const ended: string[] = []
    const runs = ['agent:eve', 'agent:eve', 'agent:ann', 'agent:bob', 'agent:eve'].map(
      async (trialOf) => {
        const { ok } = await sandbox.call(hash, '{}', { trialOf, timeoutMs: patience })
        ended.push(`${trialOf} ${ok}`)
      },
    )
    end()
    await Promise.all([outcome, ...runs])
    expect(ended).toEqual([
      'agent:ann true',
      'agent:bob true',
      'agent:eve true',
      'agent:eve true',
      'agent:eve true',
    ])
  })

  test('of another owner runs beside an endless one where there are two workers', async () => {
    const sandbox = open({ maxWorkers: 2 })
    const hash = await load(sandbox, one)
    const first = await occupy(sandbox, 'agent:eve')
    const second = occupy(sandbox, 'agent:eve')
    const { ok } = await sandbox.call(hash, '{}', { trialOf: 'agent:ann', timeoutMs: patience })
    expect(ok).toBe(true)
    first.end()
    await first.outcome
    const { end, outcome } = await second
    end()
    await outcome
  })

  test('has its whole time once its turn has come', async () => {
    const sandbox = open()
    const hash = await load(sandbox, one)
    const { end, outcome } = await occupy(sandbox, 'agent:eve')
    const timeoutMs = 2_000
    const waiting = sandbox.call(hash, '{}', { trialOf: 'agent:ann', timeoutMs })
    await new Promise((resolve) => setTimeout(resolve, timeoutMs + 200))
    end()
    await outcome
    expect(await waiting).toMatchObject({ ok: true, json: '1' })
  })

  test('that waits can be aborted, and too many are told so', async () => {
    const sandbox = open({ maxWaitingCalls: 1 })
    const hash = await load(sandbox, one)
    const { end, outcome } = await occupy(sandbox, 'agent:eve')
    const controller = new AbortController()
    const { signal } = controller
    const waiting = sandbox.call(hash, '{}', { trialOf: 'agent:ann', signal })
    expect(await sandbox.call(hash, '{}', { trialOf: 'agent:bob' })).toMatchObject({
      ok: false,
      reason: 'busy',
    })
    controller.abort()
    expect(await waiting).toMatchObject({ ok: false, reason: 'aborted' })
    expect(await sandbox.call(hash, '{}', { trialOf: 'agent:ann', signal })).toMatchObject({
      ok: false,
      reason: 'aborted',
    })
    end()
    await outcome
  })

  test('names its owner', async () => {
    await expect(open().load({ source: one }, { trialOf: 7 as never })).rejects.toMatchObject({
      code: 'SANDBOX_ARGUMENT_INVALID',
      data: { field: 'trialOf' },
    })
  })
})

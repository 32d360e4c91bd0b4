import { type InvokeOptions, type Principal, ToolRegistry } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { RecordingLog } from '../../test/recording-log.ts'
import { createInvoker } from '../create-invoker.ts'

function setUp() {
  const registry = new ToolRegistry()
  const runs: Principal[] = []
  registry.register({
    name: 'plain',
    description: 'Gives one',
    inputSchema: { type: 'object' },
    execute: (_input, _signal, { principal }) => runs.push(principal),
  })
  registry.register({
    name: 'owned',
    description: 'Gives one to its owner',
    inputSchema: { type: 'object' },
    source: {
      type: 'made',
      kind: 'compute',
      version: 1,
      hash: '0'.repeat(64),
      owner: 'agent:alice',
      visibility: 'owner',
    },
    execute: (_input, _signal, { principal }) => runs.push(principal),
  })
  const log = new RecordingLog()
  const invoker = createInvoker({ registry, log })
  const invoke = (name: string, options: unknown) =>
    invoker.invoke(name, {}, options as InvokeOptions)
  return { registry, log, runs, invoke }
}

const strangers: readonly unknown[] = [
  {},
  null,
  '',
  'agent:alice',
  { kind: 'Agent', id: 'alice' },
  { kind: 'agent' },
  { kind: 'agent', id: '' },
  { kind: 'admin', id: 'alice' },
  { kind: 'person', id: 1 },
  { id: 'alice' },
  [],
]

for (const stranger of strangers)
  test(`a call on behalf of ${JSON.stringify(stranger)}, which is no principal, is refused`, async () => {
    const { invoke, runs, log } = setUp()
    for (const name of ['plain', 'owned', 'unknown'])
      // oxlint-disable-next-line no-await-in-loop -- three calls
      expect(await invoke(name, { principal: stranger })).toMatchObject({
        success: false,
        errorCode: 'INPUT_INVALID',
        errorData: { option: 'principal' },
      })
    expect(runs).toEqual([])
    expect(log.starts).toEqual([])
  })

test('a principal that changes its kind between two looks is what it was at the first', async () => {
  const { invoke, runs } = setUp()
  let looks = 0
  const shifty = {
    id: 'bob',
    get kind() {
      looks += 1
      return looks === 1 ? 'agent' : 'person'
    },
  }
  expect(await invoke('owned', { principal: shifty })).toMatchObject({
    errorCode: 'TOOL_NOT_FOUND',
  })
  expect(runs).toEqual([])
})

test('a principal that is changed during its call stays what it was', async () => {
  const { invoke, runs } = setUp()
  const principal = { kind: 'agent', id: 'alice' }
  const pending = invoke('owned', { principal })
  principal.id = 'mallory'
  await pending
  expect(runs).toEqual([{ kind: 'agent', id: 'alice' }])
})

test('an option that is not known is answered with INPUT_INVALID, the nearest one and no run', async () => {
  const { invoke, runs } = setUp()
  expect(await invoke('plain', { timeoutMS: 5 })).toMatchObject({
    success: false,
    errorCode: 'INPUT_INVALID',
    error: 'invoke() has no option "timeoutMS". Did you mean "timeoutMs"?',
    errorData: { function: 'invoke', option: 'timeoutMS', nearest: 'timeoutMs' },
  })
  expect(await invoke('plain', { principle: { kind: 'agent', id: 'a' } })).toMatchObject({
    errorCode: 'INPUT_INVALID',
    errorData: { nearest: 'principal' },
  })
  for (const options of [null, 5, 'fast', []])
    // oxlint-disable-next-line no-await-in-loop -- four calls
    expect(await invoke('plain', options)).toMatchObject({ errorCode: 'INPUT_INVALID' })
  expect(runs).toEqual([])
})

test('options that are undefined count as not given', async () => {
  const { invoke } = setUp()
  expect(
    await invoke('plain', { timeoutMs: undefined, principal: undefined, anything: undefined }),
  ).toMatchObject({ success: true })
})

test('a call that a tool makes is answered in the same way, and cannot name a principal', async () => {
  const { registry, invoke, runs } = setUp()
  const answers: unknown[] = []
  registry.register({
    name: 'outer',
    description: 'Calls another tool',
    inputSchema: { type: 'object' },
    execute: async (_input, _signal, context) => {
      for (const options of [{ timeoutMS: 1 }, { principal: { kind: 'person', id: 'root' } }])
        // oxlint-disable-next-line no-await-in-loop -- two calls
        answers.push(await context.invoke('plain', {}, options as object))
    },
  })
  await invoke('outer', {})
  expect(answers).toMatchObject([{ errorCode: 'INPUT_INVALID' }, { errorCode: 'INPUT_INVALID' }])
  expect(runs).toEqual([])
})

test('createInvoker refuses an option that it does not know', () => {
  const parts = { registry: new ToolRegistry(), log: new RecordingLog() }
  for (const [options, option] of [
    [{ maxDeph: 1 }, 'maxDeph'],
    [{ concurrency: { maxRuning: 1 } }, 'concurrency.maxRuning'],
    [{ circuitBreaker: { maxFailure: 1 } }, 'circuitBreaker.maxFailure'],
    [{ telemetry: { recordArgs: true } }, 'telemetry.recordArgs'],
  ] as const)
    expect(() => createInvoker({ ...parts, ...(options as object) })).toThrowError(
      expect.objectContaining({
        code: 'OPTIONS_INVALID',
        data: expect.objectContaining({ function: 'createInvoker', option }),
      }),
    )
})

test('an invoker finds tools in a registry, not in a snapshot, which holds nothing to run', () => {
  const { registry, log } = setUp()
  expect(() => createInvoker({ registry: registry.snapshot() as never, log })).toThrowError(
    expect.objectContaining({ code: 'INVOKER_OPTION_INVALID', data: { option: 'registry' } }),
  )
})

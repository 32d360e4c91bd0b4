import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestInvoker } from './create-test-invoker.ts'
import { createEchoTool } from './fake-tools.ts'
import { createUnreliableCallLog } from './unreliable-call-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an unreliable log works until it is told to fail, and again when it has recovered', async () => {
  const log = createUnreliableCallLog()
  const { invoker } = createTestInvoker({ log, tools: [createEchoTool()] })
  const first = await invoker.invoke('echo', { a: 1 })
  expect(await log.readOutput(first.callId)).toBe('{"a":1}')
  log.fail('start')
  expect(await invoker.invoke('echo', {})).toMatchObject({ errorCode: 'LOG_UNAVAILABLE' })
  log.recover()
  expect(await invoker.invoke('echo', {})).toMatchObject({ success: true })
  expect((await log.query({ status: 'completed' })).calls).toHaveLength(2)
})

test('an unreliable log fails every row where none is named', async () => {
  const log = createUnreliableCallLog()
  log.fail()
  const row = { callId: 'a', namespace: 'n', toolName: 't', endedAt: 1, durationMs: 1 }
  await expect(log.logToolComplete({ ...row, status: 'completed' })).rejects.toThrow('complete row')
  await expect(log.logToolLate({ ...row, status: 'completed' })).rejects.toThrow('late row')
})

test('an unreliable log that hangs holds a call until its deadline', async () => {
  const log = createUnreliableCallLog()
  const { invoker } = createTestInvoker({ log, tools: [createEchoTool()] })
  log.hang('start')
  const pending = invoker.invoke('echo', {}, { timeoutMs: 100 })
  await vi.advanceTimersByTimeAsync(100)
  expect(await pending).toMatchObject({ errorCode: 'LOG_UNAVAILABLE', durationMs: 100 })
})

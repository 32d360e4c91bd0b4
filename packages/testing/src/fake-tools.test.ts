import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestInvoker } from './create-test-invoker.ts'
import { createFailingTool, createHangingTool } from './fake-tools.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a failing tool fails with the error that it was given', async () => {
  const { invoker } = createTestInvoker({
    tools: [createFailingTool(), createFailingTool(new Error('no paper'), { name: 'printer' })],
  })
  expect(await invoker.invoke('failing', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
  expect(await invoker.invoke('printer', {})).toMatchObject({
    error: 'Tool "printer" failed: no paper',
  })
})

test('a hanging tool ends when it is told to', async () => {
  const hanging = createHangingTool()
  const { invoker } = createTestInvoker({ tools: [hanging.tool] })
  const calls = [invoker.invoke('hanging', {}), invoker.invoke('hanging', {})]
  await vi.advanceTimersByTimeAsync(0)
  expect(hanging.running).toBe(2)
  hanging.finish('done')
  expect(await Promise.all(calls)).toMatchObject([{ output: 'done' }, { output: 'done' }])
  expect(hanging.running).toBe(0)
})

test('a hanging tool does not care for its signal unless told to', async () => {
  const stubborn = createHangingTool()
  const polite = createHangingTool({ name: 'polite', heedsSignal: true })
  const { invoker } = createTestInvoker({ tools: [stubborn.tool, polite.tool] })
  const calls = ['hanging', 'polite'].map((name) => invoker.invoke(name, {}, { timeoutMs: 50 }))
  await vi.advanceTimersByTimeAsync(50)
  const [first, second] = await Promise.all(calls)
  expect(first).toMatchObject({ errorCode: 'TIMEOUT', mayStillBeRunning: true })
  expect(second).toMatchObject({ errorCode: 'TIMEOUT' })
  expect(second).not.toHaveProperty('mayStillBeRunning')
  expect([stubborn.running, polite.running]).toEqual([1, 0])
})

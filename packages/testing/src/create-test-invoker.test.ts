import { type ToolDefinition, ToolError, ToolRegistry } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { createTestInvoker } from './create-test-invoker.ts'
import { createEchoTool } from './fake-tools.ts'

test('a test invoker calls the tools that it was given, and its log tells', async () => {
  const { invoker, log, registry } = createTestInvoker({ tools: [createEchoTool()] })
  expect(registry.has('echo')).toBe(true)
  const result = await invoker.invoke('echo', { a: 1 })
  expect(result).toMatchObject({ success: true, output: { a: 1 } })
  const { calls } = await log.query()
  expect(calls).toMatchObject([
    { callId: result.callId, toolName: 'echo', status: 'completed', outputText: '{"a":1}' },
  ])
})

test("options reach the invoker, and registry and log may be one's own", async () => {
  const registry = new ToolRegistry()
  const { log } = createTestInvoker()
  const { invoker } = createTestInvoker({
    registry,
    log,
    tools: [createEchoTool({ name: 'other' })],
    namespace: 'acme',
    maxInputBytes: 10,
  })
  expect(registry.has('other')).toBe(true)
  expect(await invoker.invoke('other', { text: 'too long' })).toMatchObject({
    errorCode: 'INPUT_TOO_LARGE',
  })
  expect((await log.query()).calls).toMatchObject([{ namespace: 'acme', status: 'failed' }])
})

test('what a tool reports as a violation reaches the listener, and can be reported without one', async () => {
  const guest: ToolDefinition = {
    name: 'guest',
    description: 'Runs code that catches errors',
    inputSchema: { type: 'object' },
    execute: (_input, _signal, { reportViolation }) => {
      reportViolation(new ToolError('POLICY_VIOLATION', 'caught'))
      return 'done'
    },
  }
  const messages: string[] = []
  const { invoker } = createTestInvoker({
    tools: [guest],
    onPolicyViolation: ({ message }) => void messages.push(message),
  })
  expect(await invoker.invoke('guest', {})).toMatchObject({ output: 'done' })
  expect(messages).toEqual(['caught'])
  const unheard = createTestInvoker({ tools: [guest] })
  expect(await unheard.invoker.invoke('guest', {})).toMatchObject({ output: 'done' })
})

test('two test invokers share nothing', async () => {
  const first = createTestInvoker({ tools: [createEchoTool()] })
  const second = createTestInvoker()
  await first.invoker.invoke('echo', {})
  expect(second.registry.count()).toBe(0)
  expect((await second.log.query()).calls).toEqual([])
})

/** Tools that somebody already has get a deadline, a log and a result that never throws. */
import assert from 'node:assert/strict'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry, type ToolDefinition } from '@toolcrib/registry'

/** What the program has already: functions that may hang, fail or answer with far too much. */
const myFunctions: Readonly<Record<string, (input: unknown) => Promise<unknown>>> = {
  greet: async (input) => `Hello, ${(input as { name: string }).name}`,
  hang: () => new Promise(() => undefined),
  fail: async () => {
    throw new Error('The printer is on fire')
  },
  flood: async () => 'x'.repeat(1_000_000),
}

const registry = new ToolRegistry()
for (const [name, execute] of Object.entries(myFunctions)) {
  const tool: ToolDefinition = {
    name,
    description: `My function ${name}`,
    inputSchema: { type: 'object' },
    timeoutMs: 100,
    maxOutputBytes: 10_000,
    execute,
  }
  registry.register(tool)
}

const log = createMemoryCallLog()
const invoker = createInvoker({ registry, log })

const greeting = await invoker.invoke('greet', { name: 'Ada' })
assert(greeting.success && greeting.output === 'Hello, Ada')

const hanging = await invoker.invoke('hang', {})
assert(!hanging.success && hanging.errorCode === 'TIMEOUT')
assert.equal(
  hanging.mayStillBeRunning,
  true,
  'it never looked at its signal, and the result says so',
)

const failing = await invoker.invoke('fail', {})
assert(!failing.success && /on fire/.test(failing.error))

const flooding = await invoker.invoke('flood', {})
assert(flooding.success && flooding.truncated)
assert.equal(flooding.outputBytes, 1_000_002)
assert.equal(
  (await log.readOutput(flooding.callId))?.length,
  1_000_002,
  'the whole output is in the log',
)

const { calls } = await log.query({ order: 'oldest-first' })
assert.deepEqual(
  calls.map(({ toolName, status }) => `${toolName} ${status}`),
  ['greet completed', 'hang timed_out', 'fail failed', 'flood completed'],
)
console.log('4 calls, 4 results, 4 records; nothing was thrown and nothing hung')

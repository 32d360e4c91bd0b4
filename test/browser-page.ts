/** Runs inside the browser: see browser.test.ts. */
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { compileCompute } from '@toolcrib/compute'
import { createInvoker, createRedactor } from '@toolcrib/invoke'
import { ToolRegistry, contentHash, defineTool } from '@toolcrib/registry'

const program = {
  steps: [
    { op: 'math', expression: '(weight_kg * 2.5 + 5) * 0.9', output: 'cost' },
    { op: 'return', value: 'cost' },
  ],
} as const

function tryEval(): string {
  try {
    // oxlint-disable-next-line no-eval -- proves that the policy of the page really forbids it
    eval('1')
    return 'allowed'
  } catch {
    return 'refused'
  }
}

const registry = new ToolRegistry()
const compiled = compileCompute(program)
registry.register(
  defineTool({
    name: 'shipping_cost',
    description: 'Says what shipping costs',
    inputSchema: {
      type: 'object',
      properties: { weight_kg: { type: 'number' } },
      required: ['weight_kg'],
    },
    execute: (input) => compiled.run(input as Record<string, unknown>),
  }),
)
const log = createMemoryCallLog()
const result = await createInvoker({ registry, log }).invoke('shipping_cost', { weight_kg: 12 })
Object.assign(globalThis, {
  outcome: {
    evaluates: tryEval(),
    output: result.success ? result.output : result.error,
    logged: (await log.get(result.callId))?.status,
    redacted: createRedactor({ secrets: ['swordfish'] }).redactText(btoa('user:swordfish')),
    hash: (await contentHash({ program: 'x' })).length,
  },
})

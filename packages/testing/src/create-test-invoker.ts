import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { type InvokerOptions, type ToolInvoker, createInvoker } from '@toolcrib/invoke'
import { type CallLog, type ToolDefinition, ToolRegistry } from '@toolcrib/registry'

/** What a test invoker is made with: everything {@link createInvoker} takes, and nothing that it needs. */
export interface TestInvokerOptions extends Omit<Partial<InvokerOptions>, 'registry' | 'log'> {
  /** Registered before anything is called. @default none */
  readonly tools?: readonly ToolDefinition[]
  /** @default a new, empty registry */
  readonly registry?: ToolRegistry
  /** @default a new log in memory */
  readonly log?: CallLog
}

/** An invoker with everything around it that a test wants to look at. */
export interface TestInvoker {
  readonly invoker: ToolInvoker
  readonly registry: ToolRegistry
  readonly log: CallLog
}

/**
 * Makes an invoker that is ready to use, with a registry and a log in memory.
 *
 * @example
 * const { invoker, log } = createTestInvoker({ tools: [myTool] })
 * await invoker.invoke('my_tool', { a: 1 })
 * const { calls } = await log.query()
 *
 * @throws {ToolError} TOOL_EXISTS, TOOL_NAME_INVALID or TOOL_DEFINITION_INVALID when a tool cannot be registered.
 */
export function createTestInvoker(options: TestInvokerOptions = {}): TestInvoker {
  const {
    tools = [],
    registry = new ToolRegistry(),
    log = createMemoryCallLog(),
    ...invokerOptions
  } = options
  for (const tool of tools) registry.register(tool)
  return { invoker: createInvoker({ ...invokerOptions, registry, log }), registry, log }
}

import type { CallLogWriter, ToolResult } from '@toolcrib/registry'
import { type ToolInvoker, createInvoker } from './create-invoker.ts'
import type { InvokerOptions } from './invoker-options.ts'

const invokers = new WeakMap<object, WeakMap<CallLogWriter, ToolInvoker>>()

/**
 * Calls a tool by name, logged: the short form of {@link createInvoker} with nothing but defaults. Calls with the same
 * registry and log share their limits. Never throws.
 *
 * @param overrideTimeoutMs milliseconds, instead of the tool's own limit.
 */
// oxlint-disable-next-line max-params -- the short form trades an options object for one line at the caller
export function invokeWithLogging(
  registry: InvokerOptions['registry'],
  log: CallLogWriter,
  toolName: string,
  rawInput: unknown,
  overrideTimeoutMs?: number,
): Promise<ToolResult> {
  const options = overrideTimeoutMs === undefined ? {} : { timeoutMs: overrideTimeoutMs }
  return invokerFor(registry, log).invoke(toolName, rawInput, options)
}

function invokerFor(registry: InvokerOptions['registry'], log: CallLogWriter): ToolInvoker {
  const ofRegistry = invokers.get(registry) ?? new WeakMap<CallLogWriter, ToolInvoker>()
  invokers.set(registry, ofRegistry)
  const known = ofRegistry.get(log)
  if (known !== undefined) return known
  const invoker = createInvoker({ registry, log })
  ofRegistry.set(log, invoker)
  return invoker
}

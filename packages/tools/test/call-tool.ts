import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { type ToolInvoker, createInvoker } from '@toolcrib/invoke'
import {
  type InvokeOptions,
  type JsonObject,
  type Logger,
  type ToolDefinition,
  ToolRegistry,
  type ToolResult,
  silentLogger,
} from '@toolcrib/registry'

/** Calls one tool as a host would: input and output checked, deadline, log. */
export interface ToolCaller {
  readonly invoker: ToolInvoker
  call(input: unknown, options?: InvokeOptions): Promise<ToolResult>
  /** What a call that works gives. */
  output<Output>(input: unknown, options?: InvokeOptions): Promise<Output>
  /** What a call that fails says. */
  failure(input: unknown, options?: InvokeOptions): Promise<ToolProblem>
}

/** How a call failed. */
interface ToolProblem {
  readonly error: string
  readonly errorCode: string
  /** The code of the tool's own error. */
  readonly toolErrorCode: unknown
  readonly errorData: JsonObject
}

/** Makes a caller of one tool. */
export function callerOf(tool: ToolDefinition, logger: Logger = silentLogger): ToolCaller {
  const registry = new ToolRegistry()
  registry.register(tool)
  const invoker = createInvoker({
    registry,
    log: createMemoryCallLog(),
    circuitBreaker: false,
    logger,
  })
  const call = async (input: unknown, options?: InvokeOptions): Promise<ToolResult> =>
    invoker.invoke(tool.name, input, options)
  return {
    invoker,
    call,
    output: async <Output>(input: unknown, options?: InvokeOptions) => {
      const result = await call(input, options)
      if (!result.success) throw new Error(`${result.errorCode}: ${result.error}`)
      if (result.truncated) throw new Error('The output was truncated')
      return result.output as Output
    },
    failure: async (input, options) => {
      const result = await call(input, options)
      if (result.success) throw new Error(`The call worked: ${JSON.stringify(result)}`)
      const { error, errorCode, errorData = {} } = result
      return { error, errorCode, errorData, toolErrorCode: errorData['toolErrorCode'] }
    },
  }
}

import { type Logger, type ToolDefinition, ToolRegistry, type ToolResult } from '@toolcrib/registry'
import { type InvokerOptions, type ToolInvoker, createInvoker } from '@toolcrib/invoke'
import { RecordingLog } from './recording-log.ts'

interface LoggedLine {
  readonly level: keyof Logger
  readonly data: object
  readonly message: string
}

export interface Harness {
  readonly registry: ToolRegistry
  readonly log: RecordingLog
  readonly invoker: ToolInvoker
  readonly lines: LoggedLine[]
  /** Adds a tool that takes any object; only what a test is about needs to be said. */
  readonly add: (
    name: string,
    execute: ToolDefinition['execute'],
    more?: Partial<ToolDefinition>,
  ) => void
}

export function createHarness(options: Partial<InvokerOptions> = {}): Harness {
  const registry = new ToolRegistry()
  const log = new RecordingLog()
  const lines: LoggedLine[] = []
  const write =
    (level: keyof Logger) =>
    (data: object, message: string): void => {
      lines.push({ level, data, message })
    }
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
  return {
    registry,
    log,
    lines,
    invoker: createInvoker({ registry, log, logger, ...options }),
    add: (name, execute, more = {}) => {
      registry.register({
        name,
        description: `Test tool ${name}`,
        inputSchema: { type: 'object' },
        execute,
        ...more,
      })
    },
  }
}

/** The error message of a call; empty when it succeeded. */
export function errorOf(result: ToolResult): string {
  return result.success ? '' : result.error
}

/** What a caller reads in a result's text, which must be what it finds in the value. */
export function readOutput(result: ToolResult): { text: unknown; value: unknown } | undefined {
  if (!result.success || result.truncated || result.output === undefined) return undefined
  return {
    text: JSON.parse(result.outputText) as unknown,
    value: JSON.parse(JSON.stringify(result.output)) as unknown,
  }
}

/** A promise that never settles. */
export function never<Value = unknown>(): Promise<Value> {
  return new Promise(() => undefined)
}

/** A promise with the function that fulfils it. */
export function createGate<Value = void>(): {
  readonly opened: Promise<Value>
  readonly open: (value: Value) => void
} {
  const { promise, resolve } = Promise.withResolvers<Value>()
  return { opened: promise, open: resolve }
}

/** Lets everything run that waits for nothing but its turn. */
export async function settleMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) await Promise.resolve()
}

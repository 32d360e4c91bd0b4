import type { ToolDefinition } from '@toolcrib/registry'

/** What may differ in a fake tool. */
export type FakeToolOptions = Partial<Omit<ToolDefinition, 'execute'>>

/** A tool that gives the input back; its name is `echo` unless another is given. */
export function createEchoTool(options: FakeToolOptions = {}): ToolDefinition {
  return fake('echo', 'Gives its input back', { ...options, execute: (input) => input })
}

/** A tool that always throws; its name is `failing` unless another is given. */
export function createFailingTool(
  error: unknown = new Error('This tool always fails.'),
  options: FakeToolOptions = {},
): ToolDefinition {
  return fake('failing', 'Always fails', {
    ...options,
    execute: () => {
      throw error
    },
  })
}

/** A tool that runs until it is told to. */
export interface HangingTool {
  /** Register this. */
  readonly tool: ToolDefinition
  /** How many calls are inside. */
  readonly running: number
  /** Lets every call that is inside end with this output. */
  finish(output?: unknown): void
}

/** How a hanging tool behaves. */
export interface HangingToolOptions extends FakeToolOptions {
  /** `true`: stops when its signal aborts. `false`: runs on, as a tool that does not care. @default false */
  readonly heedsSignal?: boolean
}

/** Makes a tool that hangs, for tests of timeouts, cancelling and limits; its name is `hanging` unless another is given. */
export function createHangingTool({
  heedsSignal = false,
  ...options
}: HangingToolOptions = {}): HangingTool {
  const inside = new Set<(output: unknown) => void>()
  const execute = (_input: unknown, signal: AbortSignal): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    inside.add(resolve)
    if (heedsSignal)
      signal.addEventListener(
        'abort',
        () => {
          inside.delete(resolve)
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'))
        },
        { once: true },
      )
    return promise
  }
  return {
    tool: fake('hanging', 'Runs until it is told to end', { ...options, execute }),
    get running() {
      return inside.size
    },
    finish: (output) => {
      for (const resolve of inside) resolve(output)
      inside.clear()
    },
  }
}

function fake(
  name: string,
  description: string,
  options: FakeToolOptions & Pick<ToolDefinition, 'execute'>,
): ToolDefinition {
  return { name, description, inputSchema: { type: 'object' }, ...options }
}

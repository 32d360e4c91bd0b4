import {
  type InvokeOptions,
  type Invoker,
  type Principal,
  type ToolDefinition,
  type ToolError,
  type ToolResult,
} from '@toolcrib/registry'
import {
  type CallOptions,
  type OptionsRefusal,
  readCallOptions,
  readNestedOptions,
} from './call/call-options.ts'
import { type CallProblem, cleanProblem } from './call/call-problem.ts'
import { failureResult } from './call/call-result.ts'
import { describeError } from './call/values/describe-error.ts'
import type { InvokerOptions } from './invoker-options.ts'
import { type InvokerSettings, resolveSettings } from './invoker-settings.ts'
import { callerIsOver, findTool, invokerClosed, toolNotFound } from './call/refusals.ts'
import type { CallHost } from './call/call-host.ts'
import { ToolCall } from './call/tool-call.ts'
import type { NestedOptions } from './call/tool-context.ts'
import { waitAtMost } from './limits/wait.ts'

/** A call that has not come to its end. */
export interface RunningCall {
  readonly callId: string
  readonly toolName: string
  readonly principal: Principal
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** `stopping`: told to stop and perhaps reported already, and its tool still runs. */
  readonly state: 'waiting' | 'running' | 'stopping' | 'ending'
  readonly parentCallId?: string
}

/** How long closing may take. */
export interface CloseOptions {
  /** Calls that have not ended by then are cancelled, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number
  /** Cancels what still runs at once. */
  readonly signal?: AbortSignal
}

/** That tools may not run any more, such as what `onStop` of a toolsmaker tells. */
export interface Withdrawal {
  readonly error: ToolError
  /** Whether it is about this tool. */
  concerns(tool: ToolDefinition): boolean
}

/** An invoker that can be looked into and shut down. */
export interface ToolInvoker extends Invoker {
  /** The calls that wait, run, or have been given up while their tool runs on; oldest first. */
  running(): readonly RunningCall[]
  /**
   * Stops the calls of tools that may not run any more: their signals are aborted (`error` is the reason's cause), and with them those of the calls
   * that they make. Who called gets the error's message, and its code where that is TOOLS_PAUSED, TOOL_REVOKED, TOOL_TAMPERED or
   * TOOL_UNVERIFIED, else TOOL_REVOKED. A tool that has ended hands out what it gave. Where `concerns` throws, it concerns the tool.
   */
  withdraw(withdrawal: Withdrawal): void
  /**
   * Takes no more calls and waits for those that are there; then cancels the rest. Resolves to the calls whose tools
   * still run although they were told to stop. Never rejects.
   */
  close(options?: CloseOptions): Promise<readonly RunningCall[]>
}

/**
 * Makes the one way to call tools: each call is checked, limited, logged before and after, stopped at its deadline, and
 * answered with a result. `invoke` never throws and never rejects.
 *
 * @example
 * const invoker = createInvoker({ registry, log })
 * const result = await invoker.invoke('double', { value: 21 })
 * if (result.success) result.outputText // '42'
 *
 * @throws {ToolError} OPTIONS_INVALID when an option is not known.
 * @throws {ToolError} INVOKER_OPTION_INVALID when a limit is not a number in its range, or `registry` holds nothing to run.
 */
export function createInvoker(options: InvokerOptions): ToolInvoker {
  const host = new InvokerHost(resolveSettings(options))
  return {
    invoke: (toolName, input, invokeOptions) => host.invoke(toolName, input, invokeOptions),
    running: () => host.running(),
    withdraw: (withdrawal) => host.withdraw(withdrawal),
    close: (closeOptions) => host.close(closeOptions ?? {}),
  }
}

/** Milliseconds that cancelled calls get to write their last rows, beside the time that a row may take. */
const extraCloseMs = 100

class InvokerHost implements CallHost {
  readonly settings: InvokerSettings
  /** In no order: a call that is over is replaced by the last one, which is cheaper than what a Set does. */
  readonly #calls: ToolCall[] = []
  #isClosing = false
  #whenEmpty: (() => void)[] = []

  constructor(settings: InvokerSettings) {
    this.settings = settings
  }

  invoke(
    toolName: unknown,
    input: unknown,
    options: InvokeOptions | undefined,
  ): Promise<ToolResult> {
    if (this.#isClosing) return this.#reject(invokerClosed(nameForMessage(toolName)))
    return this.#start(toolName, { input, parent: undefined, read: () => readCallOptions(options) })
  }

  invokeNested(
    parent: ToolCall,
    toolName: unknown,
    { input, options }: { readonly input: unknown; readonly options: NestedOptions },
  ): Promise<ToolResult> {
    if (parent.isDecided || parent.state !== 'running')
      return this.#reject(callerIsOver(nameForMessage(toolName), parent.facts.toolName))
    const { principal } = parent.facts
    return this.#start(toolName, {
      input,
      parent,
      // A tool acts for whoever called it. Should it ever have to act for less, this is the place.
      read: () => readNestedOptions(options, principal),
    })
  }

  #start(
    toolName: unknown,
    details: {
      readonly input: unknown
      readonly parent: ToolCall | undefined
      readonly read: () => CallOptions | OptionsRefusal
    },
  ): Promise<ToolResult> {
    const { input, parent, read } = details
    return new Promise((resolve) => {
      try {
        const given = read()
        if (given.problem !== undefined) return resolve(this.#reject(given.problem))
        const { options, principal } = given
        const { registry } = this.settings
        const tool = findTool(registry, toolName, principal)
        if (tool === undefined)
          return resolve(this.#reject(toolNotFound(registry, toolName, principal)))
        const call = new ToolCall(this, { tool, input, options, principal, parent }, resolve)
        call.position = this.#calls.push(call) - 1
        void call.run()
      } catch (error) {
        resolve(this.#reject(couldNotBegin(error)))
      }
    })
  }

  /** Answers a call that belongs to no tool; the program's log gets to know of it, the call log does not. */
  async #reject(problem: CallProblem): Promise<ToolResult> {
    const clean = cleanProblem(problem, this.settings)
    const callId = this.settings.createId(this.settings.now())
    const { code, message } = clean
    this.settings.logger.warn({ callId, code, reason: message }, 'A call was refused')
    return failureResult(clean, { callId, durationMs: 0 })
  }

  forget(call: ToolCall): void {
    const { position } = call
    if (position === -1) return
    call.position = -1
    const last = this.#calls.pop()
    if (last !== undefined && last !== call) {
      this.#calls[position] = last
      last.position = position
    }
    if (this.#calls.length > 0 || this.#whenEmpty.length === 0) return
    for (const tell of this.#whenEmpty) tell()
    this.#whenEmpty = []
  }

  running(): readonly RunningCall[] {
    // Ids sort by creation.
    return this.#calls
      .map(describeCall)
      .toSorted((left, right) => (left.callId < right.callId ? -1 : 1))
  }

  withdraw(withdrawal: Withdrawal): void {
    // A call that ends leaves the list.
    for (const call of this.#calls.filter(({ facts }) =>
      holdsOrThrows(() => withdrawal.concerns(facts.tool)),
    ))
      call.withdraw(withdrawal.error)
  }

  async close({ timeoutMs = 10_000, signal }: CloseOptions): Promise<readonly RunningCall[]> {
    this.#isClosing = true
    await this.#waitUntilEmpty(timeoutMs, signal)
    const left = [...this.#calls]
    if (left.length === 0) return []
    const reason = new Error('The program is shutting down.')
    for (const call of left) call.cancel(reason)
    const { stopGraceMs, logTimeoutMs } = this.settings
    await this.#waitUntilEmpty(stopGraceMs + logTimeoutMs + extraCloseMs, undefined)
    return this.running().filter(({ state }) => state === 'stopping')
  }

  async #waitUntilEmpty(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#calls.length === 0 || signal?.aborted === true) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const finish = (): void => resolve()
    this.#whenEmpty.push(finish)
    signal?.addEventListener('abort', finish, { once: true })
    await waitAtMost(promise, timeoutMs)
    signal?.removeEventListener('abort', finish)
  }
}

/** A question that cannot be answered lets nothing go on. */
function holdsOrThrows(question: () => boolean): boolean {
  try {
    return question()
  } catch {
    return true
  }
}

function describeCall({ facts, state }: ToolCall): RunningCall {
  const { callId, toolName, principal, startedAt, parentCallId } = facts
  return {
    callId,
    toolName,
    principal,
    startedAt,
    state,
    ...(parentCallId !== undefined && { parentCallId }),
  }
}

/** A name may be anything where the types were not heeded. */
function nameForMessage(name: unknown): string {
  return typeof name === 'string' ? name.slice(0, 100) : typeof name
}

function couldNotBegin(error: unknown): CallProblem {
  return {
    code: 'TOOL_FAILED',
    message: `The call could not begin: ${describeError(error).message}`,
  }
}

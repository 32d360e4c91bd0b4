import { type JsonObject, type JsonValue, type ToolContext, ToolError } from '@toolcrib/registry'
import type {
  HostOperations,
  Sandbox,
  SandboxCallOptions,
  SandboxFailure,
  SandboxOutcome,
} from '@toolcrib/sandbox'
import { toolPolicyOf } from '@toolcrib/toolsmaker'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import type { CodeDefinition } from './code-definition.ts'
import { type FailureLimits, codeFailure, readFailure } from './code-failure.ts'
import { CodeModule } from './modules/code-module.ts'
import type { CodePowers } from './operations/code-powers.ts'
import { CalleeFailure } from './operations/guarded-callees.ts'
import { passOnLogs } from './guest-logs.ts'
import { type HostOperationName, hostOperationNames } from './operations/host-operation-names.ts'
import { missingPower } from './operations/host-operation-powers.ts'
import type { ModuleWatch } from './modules/module-watch.ts'
import { ViolationRecord } from './operations/violation-record.ts'
import { orAbort, waitForAbort } from '@toolcrib/toolsmaker/kind'

/** What running code needs. */
export interface CodeRunnerServices {
  readonly sandbox: Sandbox
  readonly powers: CodePowers | undefined
  readonly watch: ModuleWatch
  /** How long a definition may take to load, in milliseconds. */
  readonly loadTimeoutMs: number
  /** Milliseconds since the epoch, from the clock that deadlines of calls are written in. */
  readonly now: () => number
}

const defaultTimeoutMs = 30_000
const defaultOutputBytes = 10_485_760
/** How long an invoker may take to say that a deadline is over which has passed, in milliseconds. */
const deadlineSlackMs = 1_000

/** Whoever calls a tool without an invoker has little of a context to give. */
type CallContext = Partial<ToolContext>

/** Runs one version of a code tool. */
export class CodeRunner {
  readonly #spec: ToolSpec
  readonly #definition: CodeDefinition
  readonly #services: CodeRunnerServices
  readonly #module: CodeModule
  /** Made once: what is narrowed from it is remembered by this very object. */
  readonly #ownPolicy: ReturnType<typeof toolPolicyOf>
  readonly #withoutPowers: HostOperations

  constructor(spec: ToolSpec, definition: CodeDefinition, services: CodeRunnerServices) {
    this.#spec = spec
    this.#definition = definition
    this.#services = services
    this.#module = new CodeModule(definition, services)
    this.#ownPolicy = toolPolicyOf(spec)
    this.#withoutPowers = refuseAll(spec.capabilities)
  }

  /**
   * Runs the tool in the sandbox.
   *
   * @throws {ToolPolicyViolation} that which an operation threw and the tool let through.
   * @throws {ToolError} TOOL_FAILED or TIMEOUT when it gave no value, TOOL_TAMPERED or TOOL_REVOKED when it must not run.
   * @throws the reason of the signal.
   */
  async execute(input: unknown, signal: AbortSignal, context: CallContext): Promise<JsonValue> {
    signal.throwIfAborted()
    await orAbort(this.#services.watch.assertUsable(), signal)
    const limits = this.#limits(context)
    let outcome = await this.#call(input, { context, limits, signal })
    if (!outcome.ok && outcome.reason === 'load') {
      // The sandbox remembers so many modules only.
      this.#module.forget()
      outcome = await this.#call(input, { context, limits, signal })
    }
    return this.#finish(outcome, { context, limits, signal })
  }

  #limits({ deadline }: CallContext): FailureLimits {
    const { timeoutMs: own = defaultTimeoutMs } = this.#spec.limits
    const { cpuMs, maxHostCalls, memoryBytes } = this.#definition.limits ?? {}
    if (deadline === undefined) return { timeoutMs: own, cpuMs, maxHostCalls, memoryBytes }
    const left = deadline - this.#services.now()
    // The guest is stopped a moment before the invoker gives up, which then can say that nothing runs on.
    const timeoutMs = Math.max(1, Math.min(own, left - Math.min(20, left / 20)))
    return { timeoutMs, cpuMs, maxHostCalls, memoryBytes }
  }

  async #call(input: unknown, { context, limits, signal }: Run): Promise<SandboxOutcome> {
    const loaded = await orAbort(this.#module.load(), signal)
    if (!loaded.ok) throw codeFailure(readFailure(loaded, { isAborted: false, limits }), limits)
    const { maxOutputBytes = 0 } = this.#spec.limits
    const { operations, release } = this.#grant(context, limits)
    const violations = new ViolationRecord((violation) => context.reportViolation?.(violation))
    try {
      const options: SandboxCallOptions = {
        operations: violations.watch(operations),
        call: describeCallToGuest(context),
        signal,
        maxOutputBytes: Math.max(defaultOutputBytes, maxOutputBytes),
        timeoutMs: limits.timeoutMs,
        ...(limits.cpuMs === undefined ? {} : { cpuMs: limits.cpuMs }),
        ...(limits.memoryBytes === undefined ? {} : { memoryBytes: limits.memoryBytes }),
        ...(limits.maxHostCalls === undefined ? {} : { maxHostCalls: limits.maxHostCalls }),
      }
      const json = JSON.stringify(input) ?? 'null'
      const outcome = await this.#services.sandbox.call(loaded.hash, json, options)
      await violations.settle()
      return { ...outcome, violations: violations.take() }
    } finally {
      violations.take()
      release()
    }
  }

  #grant(
    context: CallContext,
    { timeoutMs }: FailureLimits,
  ): { readonly operations: HostOperations; readonly release: () => void } {
    const { now, powers } = this.#services
    if (powers === undefined || this.#spec.capabilities.length === 0)
      return { operations: this.#withoutPowers, release: () => undefined }
    const endsAt = now() + timeoutMs
    return powers.grant({
      own: this.#ownPolicy,
      callerPolicy: context.callerPolicy,
      invoke: context.invoke ?? cannotInvoke,
      remainingMs: () => endsAt - now(),
    })
  }

  async #finish(outcome: SandboxOutcome, { context, limits, signal }: Run): Promise<JsonValue> {
    passOnLogs(outcome, context)
    const ending = outcome.ok ? undefined : endingViolation(outcome)
    for (const violation of outcome.violations)
      // What a called tool tried was reported for that tool.
      if (violation !== ending && !(violation instanceof CalleeFailure))
        context.reportViolation?.(violation)
    if (outcome.ok) return JSON.parse(outcome.json) as JsonValue
    if (ending !== undefined) throw ending
    if (outcome.reason === 'aborted') signal.throwIfAborted()
    const failure = readFailure(outcome, { isAborted: signal.aborted, limits })
    if (failure.reason === 'timeout') await this.#awaitDeadline(context, signal)
    throw codeFailure(failure, limits)
  }

  /** Gives the invoker the moment to say itself that the time is over; returns where it was not the invoker's time. */
  async #awaitDeadline({ deadline }: CallContext, signal: AbortSignal): Promise<void> {
    if (deadline === undefined) return
    const left = deadline - this.#services.now()
    if (left > deadlineSlackMs) return
    await waitForAbort(signal, Math.max(0, left) + deadlineSlackMs)
    signal.throwIfAborted()
  }
}

interface Run {
  readonly context: CallContext
  readonly limits: FailureLimits
  readonly signal: AbortSignal
}

/** Each attempt gets an error of its own, so that each is on record. */
function refuseAll(declared: ToolSpec['capabilities']): HostOperations {
  const refuse = (name: HostOperationName) => (): never => {
    throw missingPower(name, { declared })
  }
  return Object.fromEntries(hostOperationNames.map((name) => [name, refuse(name)]))
}

const cannotInvoke: ToolContext['invoke'] = () =>
  Promise.reject(new ToolError('TOOL_FAILED', 'Tools can be called only in calls of an invoker.'))

function describeCallToGuest({ callId, deadline, principal, toolName }: CallContext): JsonObject {
  return {
    ...(callId === undefined ? {} : { id: callId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(principal?.kind === 'agent' ? { agentId: principal.id } : {}),
    ...(deadline === undefined ? {} : { deadline }),
  }
}

/**
 * The violation that a call ends with: the one that an operation threw and whose message the guest let through. An error that
 * only looks like one was made up by the guest.
 */
function endingViolation(
  failure: SandboxFailure & Pick<SandboxOutcome, 'violations'>,
): ToolError | undefined {
  if (failure.reason !== 'guest-error') return undefined
  return failure.violations.findLast(
    ({ message }) =>
      message === failure.message ||
      (failure.message.length >= 1_000 && message.startsWith(failure.message)),
  )
}

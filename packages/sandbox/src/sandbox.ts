import type { JsonValue, ToolError } from '@toolcrib/registry'

/** Where the engine runs. */
export type SandboxMode = 'worker' | 'process' | 'bubblewrap' | 'isolate'

/** Which engine runs a guest. */
export interface SandboxEngine {
  /** Such as `quickjs-ng`. */
  readonly name: string
  /** The version of the engine, such as `0.17.0`. */
  readonly version: string
  /**
   * Changes whenever the same source could behave differently: another engine, another version of it, or another set of
   * built-in functions in the guest. Texts are compared, never ordered.
   */
  readonly fingerprint: string
  readonly mode: SandboxMode
}

/** A program for the sandbox: an ES module in JavaScript whose default export is `(input, ctx) => value`. */
export interface SandboxModule {
  /** JavaScript, not TypeScript. */
  readonly source: string
  /** The modules that it may import, and that these may import, by specifier: source in JavaScript. Nothing else resolves. */
  readonly imports?: Readonly<Record<string, string>>
}

/** What one function of the host is told about a call. */
export interface HostOperationOptions {
  /** Aborts when the guest's call ends for whatever reason. */
  readonly signal: AbortSignal
}

/**
 * One thing that a guest may ask of the host. Takes and gives JSON only. A result may have a third of the guest's memory, as
 * JSON text in bytes; more fails in the guest with the code `RESULT_TOO_LARGE`. What it throws reaches the guest as an error with
 * the same message and, for a `ToolError`, the same code; a `POLICY_VIOLATION` is also kept with the outcome of the call.
 */
export type HostOperation = (
  argument: JsonValue,
  options: HostOperationOptions,
) => JsonValue | Promise<JsonValue>

/** The functions of the host by name, such as `http.request`. */
export type HostOperations = Readonly<Record<string, HostOperation>>

/** What bounds the loading of a module. */
export interface SandboxLoadOptions {
  /** How long the top level of the module may run, in milliseconds; the start of a worker does not count. @default 2_000 */
  readonly timeoutMs?: number
  /** @default 33_554_432 */
  readonly memoryBytes?: number
  /**
   * On whose behalf something is tried that nobody approved yet, such as `agent:ada`. Trials have workers of their own, so that they
   * keep no call waiting. One of each owner runs at a time, and owners take turns; waiting for the turn does not count as time.
   *
   * @default it is no trial
   */
  readonly trialOf?: string
  readonly signal?: AbortSignal
}

/** What bounds one call. */
export interface SandboxCallOptions {
  /** What the guest may ask of the host. @default nothing */
  readonly operations?: HostOperations
  /** Wall time, in milliseconds, the waiting for a free worker included. @default 30_000 */
  readonly timeoutMs?: number
  /** Time that the guest computes, in milliseconds; waiting for the host does not count. @default timeoutMs */
  readonly cpuMs?: number
  /** The guest's memory, in bytes; 2 MiB to 256 MiB. @default 33_554_432 */
  readonly memoryBytes?: number
  /** The result as JSON text, in bytes of UTF-8. @default 10_485_760 */
  readonly maxOutputBytes?: number
  /** Operations of the host, `ctx.sleep` included; 0 to 1,000,000. @default 1_000 */
  readonly maxHostCalls?: number
  /** How many of them at once; more wait in the guest. `ctx.sleep` does not count here. @default 32 */
  readonly maxConcurrentHostCalls?: number
  /**
   * The argument of one operation as JSON text, in bytes of UTF-8. Four times as much may be under way at once. An argument
   * has 100,000 values at most and nests 200 deep at most. What is more fails in the guest with the code
   * `ARGUMENT_TOO_LARGE`.
   *
   * @default 10_485_760
   */
  readonly maxArgumentBytes?: number
  /** All log messages of the call together, in bytes of UTF-8, and 10,000 messages; the rest is counted and dropped. @default 65_536 */
  readonly maxLogBytes?: number
  /** What the guest may know about its call: JSON, given as `ctx.call`. @default {} */
  readonly call?: Readonly<Record<string, JsonValue>>
  /** As {@link SandboxLoadOptions.trialOf}. */
  readonly trialOf?: string
  readonly signal?: AbortSignal
}

/** Why a guest gave no value. */
export type SandboxFailureReason =
  /** The wall time is over. */
  | 'timeout'
  /** The time for computing is over. */
  | 'cpu-limit'
  | 'memory'
  | 'stack'
  /** The guest threw, or its result is no JSON. */
  | 'guest-error'
  /** It waits for something that can never come. */
  | 'stalled'
  | 'host-call-limit'
  | 'output-limit'
  /** The module cannot be loaded: its syntax, an import, its top level, or no default export that is a function. */
  | 'load'
  /** The signal of the call. */
  | 'aborted'
  /** The engine itself failed; its instance was thrown away. */
  | 'trap'
  /**
   * The worker or process that ran the call ended: by itself, or because another call in it did not stop. In the latter case
   * a call that has asked nothing of the host yet is begun once more elsewhere instead.
   */
  | 'worker-lost'
  /** More calls wait for a worker than may. */
  | 'busy'
  /** The sandbox is closed. */
  | 'closed'

/** A place in the guest's source. Line and column count from 1. */
export interface GuestPosition {
  /** The specifier of an imported module; absent for the module itself. */
  readonly module?: string
  readonly line: number
  readonly column: number
}

/** A message of the guest. */
export interface GuestLog {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
}

/** One operation of the host that a guest asked for. */
export interface HostCallRecord {
  readonly operation: string
  /** Milliseconds; absent when the call ended before the operation did. */
  readonly durationMs?: number
  readonly outcome: 'done' | 'failed' | 'violation' | 'unfinished'
}

/** What is on record of every call, however it ended. */
export interface SandboxCallFacts {
  readonly logs: readonly GuestLog[]
  /** Messages that did not fit. */
  readonly droppedLogs: number
  /** The first 1,000. */
  readonly hostCalls: readonly HostCallRecord[]
  /** Violations that operations threw, in order, also those that the guest caught; the first 100. */
  readonly violations: readonly ToolError[]
  /** Wall time, in milliseconds. */
  readonly durationMs: number
  /** Time that the guest computed, in milliseconds. */
  readonly cpuMs: number
}

/** Why a guest gave no value, for programs and for people. */
export interface SandboxFailure {
  readonly ok: false
  readonly reason: SandboxFailureReason
  /** At most 4,096 characters, and written by the guest where the reason is `guest-error` or `load`. */
  readonly message: string
  /** The name of the error that the guest threw, such as `TypeError`; at most 100 characters. */
  readonly errorName?: string
  /** Where in the guest's source. */
  readonly position?: GuestPosition
}

/** What a call gave: the result as JSON text, or why there is none. */
export type SandboxOutcome = ({ readonly ok: true; readonly json: string } | SandboxFailure) &
  SandboxCallFacts

/** What loading gave. */
export type SandboxLoadOutcome =
  | { readonly ok: true; readonly hash: string; readonly durationMs: number }
  | (SandboxFailure & { readonly hash: string; readonly durationMs: number })

/**
 * Runs modules that nobody has to trust. Each call finds the module as it was right after loading: nothing of another call
 * is there. Outcomes are values; nothing here throws but for wrong arguments.
 */
export interface Sandbox {
  readonly engine: SandboxEngine
  /**
   * Checks that a module can be loaded, and remembers it under the SHA-256 of its source and imports, 64 hexadecimal digits.
   * Workers load it again when they first need it; nothing compiled is kept on disk. Loading the same module again is free.
   */
  load(module: SandboxModule, options?: SandboxLoadOptions): Promise<SandboxLoadOutcome>
  /** Calls the default export with an input. The hash must have been loaded. */
  call(hash: string, inputJson: string, options?: SandboxCallOptions): Promise<SandboxOutcome>
  /** Forgets a module. Calls that run go on. */
  unload(hash: string): void
  /** Ends workers and processes; calls that run end with the reason `closed`. */
  close(): Promise<void>
}

import type { GuestLog, SandboxFailure } from '../sandbox.ts'

// What host and worker say to each other: plain data of strings and numbers, the same in every mode. Nothing that a guest
// made is in it but as text.

/** What bounds a run inside the worker. Times are those of {@link monotonicMs}. */
export interface RunLimits {
  readonly deadline: number
  readonly cpuMs: number
  readonly memoryBytes: number
}

/** What bounds a call inside the worker. */
export interface CallLimits extends RunLimits {
  readonly maxOutputBytes: number
  readonly maxHostCalls: number
  readonly maxConcurrentHostCalls: number
  readonly maxArgumentBytes: number
  readonly maxLogBytes: number
}

/** A module on its way to a worker. */
export interface ModuleMessage {
  readonly type: 'module'
  readonly hash: string
  readonly source: string
  readonly imports: Readonly<Record<string, string>>
}

export interface LoadMessage {
  readonly type: 'load'
  readonly id: number
  /** Which of the shared flags stops it. */
  readonly slot: number
  readonly hash: string
  readonly limits: RunLimits
}

export interface CallMessage {
  readonly type: 'call'
  readonly id: number
  readonly slot: number
  readonly hash: string
  readonly inputJson: string
  readonly callJson: string
  readonly limits: CallLimits
}

/** What an operation of the host gave. */
export interface HostAnswer {
  readonly id: number
  readonly isDone: boolean
  /** The result as JSON, empty for none; or the message of the error. */
  readonly text: string
  readonly name: string
  readonly code: string
}

interface SettleMessage {
  readonly type: 'settle'
  readonly id: number
  readonly answers: readonly HostAnswer[]
}

/** What the host says. */
export type HostMessage =
  | ModuleMessage
  | LoadMessage
  | CallMessage
  | SettleMessage
  | { readonly type: 'abort'; readonly id: number; readonly reason: 'aborted' | 'timeout' }
  | { readonly type: 'forget'; readonly hash: string }

/** An operation of the host that a guest asks for. */
export interface HostRequest {
  readonly id: number
  readonly operation: string
  /** JSON. */
  readonly argument: string
}

/** A wait of a guest, for the record. */
export interface SleepRecord {
  readonly id: number
  /** Milliseconds; absent when it did not end. */
  readonly durationMs?: number
}

/** A guest has computed and now waits. */
export interface TurnMessage {
  readonly type: 'turn'
  readonly id: number
  readonly cpuMs: number
  readonly logs: readonly GuestLog[]
  readonly droppedLogs: number
  readonly requests: readonly HostRequest[]
}

/** How a run ended. Its instance is free, whatever the host has still under way for it. */
export interface EndMessage {
  readonly type: 'end'
  readonly id: number
  readonly cpuMs: number
  readonly logs: readonly GuestLog[]
  readonly droppedLogs: number
  readonly sleeps: readonly SleepRecord[]
  readonly outcome: RunOutcome
}

/** A result, what is wrong with it, or that the input was no JSON. */
export type RunOutcome =
  | { readonly ok: true; readonly json: string }
  | SandboxFailure
  | { readonly ok: false; readonly reason: 'input'; readonly message: string }

/** What a worker says. For each message to a run there is one turn or one end, and for each wake. */
export type WorkerMessage =
  /** It has started; what was said to it before is now done. */
  | { readonly type: 'ready' }
  | TurnMessage
  | EndMessage
  /** A guest begins to compute because a timer of its own is due. */
  | { readonly type: 'wake'; readonly id: number }

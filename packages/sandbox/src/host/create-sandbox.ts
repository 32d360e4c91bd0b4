import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { PooledSandbox } from './pooled-sandbox.ts'
import type { Sandbox } from '../sandbox.ts'

/** How a sandbox runs its guests. */
export interface SandboxOptions {
  /**
   * `worker`: worker threads of this process. `process`: child processes under Node's permission model with an empty
   * environment. `bubblewrap`: such processes in namespaces without network and files (Linux). `isolate`: V8 isolates in
   * child processes, for guests that compute a lot (isolated-vm 7, Node 24 or 26).
   *
   * @default 'worker'
   */
  readonly mode?: 'worker' | 'process' | 'bubblewrap' | 'isolate'
  /** How many workers or processes at most, 1 to 64. @default 2 */
  readonly maxWorkers?: number
  /** How many calls one of them may have begun, so that waiting ones do not block others; 1 to 64. @default 16 */
  readonly maxCallsPerWorker?: number
  /** How many calls may wait for a worker; further ones fail at once. @default 1_000 */
  readonly maxWaitingCalls?: number
  /** How long after its deadline a worker that does not answer is ended, in milliseconds. @default 250 */
  readonly graceMs?: number
  /** How many modules are remembered; the one that was not used for longest goes first, and its next call says so. @default 1_000 */
  readonly maxModules?: number
}

const sandboxOptionNames: KnownOptions<SandboxOptions> = {
  mode: true,
  maxWorkers: true,
  maxCallsPerWorker: true,
  maxWaitingCalls: true,
  graceMs: true,
  maxModules: true,
}

/**
 * Opens a sandbox. Its workers start with the first call and hold the process open only while a call runs.
 *
 * @throws {ToolError} SANDBOX_UNAVAILABLE when the mode cannot be used on this machine.
 * @throws {ToolError} SANDBOX_ARGUMENT_INVALID when an option is not what it may be.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  assertOptions<SandboxOptions>('createSandbox', options, sandboxOptionNames)
  return new PooledSandbox(options)
}

import type { Sandbox, SandboxEngine, SandboxLoadOutcome, SandboxOutcome } from '@toolcrib/sandbox'

/** How a sandbox is opened. */
export interface SandboxOpening {
  /** May fail, where the mode does not work on this machine. */
  readonly open: () => Sandbox
  /** The engine, asked where the sandbox itself cannot be opened. */
  readonly describeEngine: () => SandboxEngine
}

/**
 * A sandbox that is opened when it is first needed: most commands run no code tool, and a host whose sandbox does not work here
 * has other tools. An opening that failed is tried again.
 */
export function openSandboxAtFirstUse({ open, describeEngine }: SandboxOpening): Sandbox {
  let sandbox: Sandbox | undefined
  let isClosed = false
  const opened = (): Sandbox => (sandbox ??= open())
  return {
    get engine() {
      try {
        return opened().engine
      } catch {
        // What is asked of the engine at the start of a host must not keep it from starting.
        return describeEngine()
      }
    },
    // Asynchronous, so that a sandbox that cannot be opened is a rejection like any other.
    load: async (module, options): Promise<SandboxLoadOutcome> =>
      isClosed ? { ...closed, hash: '', durationMs: 0 } : opened().load(module, options),
    call: async (hash, inputJson, options): Promise<SandboxOutcome> =>
      isClosed ? { ...closed, ...noFacts } : opened().call(hash, inputJson, options),
    unload: (hash) => sandbox?.unload(hash),
    close: async () => {
      isClosed = true
      await sandbox?.close()
    },
  }
}

const closed = { ok: false, reason: 'closed', message: 'The sandbox is closed.' } as const

const noFacts = {
  logs: [],
  droppedLogs: 0,
  hostCalls: [],
  violations: [],
  durationMs: 0,
  cpuMs: 0,
} as const

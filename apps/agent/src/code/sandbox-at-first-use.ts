import type { Sandbox, SandboxLoadOutcome, SandboxOutcome } from '@toolcrib/sandbox'

/**
 * A sandbox that is opened when it is first needed: most commands run no code tool, and a host whose sandbox does not work here
 * has other tools. An opening that failed is tried again.
 */
export function openSandboxAtFirstUse(open: () => Sandbox): Sandbox {
  let sandbox: Sandbox | undefined
  let isClosed = false
  const opened = (): Sandbox => (sandbox ??= open())
  return {
    get engine() {
      return opened().engine
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

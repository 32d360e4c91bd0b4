import type { JsonValue } from '@toolcrib/registry'
import type { Sandbox, SandboxFailure, SandboxModule } from '@toolcrib/sandbox'

/** How a module is asked once. */
export interface RunGuestOptions {
  readonly sandbox: Sandbox
  /** On whose behalf; see `trialOf` of the sandbox. */
  readonly trialOf?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** In milliseconds; for loading, and again for the call. */
  readonly timeoutMs: number
  /** What the guest may know about the call. */
  readonly call?: Readonly<Record<string, JsonValue>>
  /** Somebody else will run the same module. @default it is forgotten */
  readonly isKept?: boolean
}

const memoryBytes = 33_554_432
let runs = 0
const maxOutputBytes = 1_048_576

/**
 * Loads a module, calls it once without input and without any power.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function runGuest(
  module: SandboxModule,
  { call = {}, isKept = false, sandbox, signal, timeoutMs, trialOf = '' }: RunGuestOptions,
): Promise<{ readonly ok: true; readonly value: unknown } | SandboxFailure> {
  runs += 1
  // A module that is forgotten is one run's own, so that forgetting it takes nothing away from another one.
  const own = isKept ? module : { ...module, source: `${module.source}\n// ${runs}` }
  const waiting = { trialOf, ...(signal === undefined ? {} : { signal }) }
  const loaded = await sandbox.load(own, { timeoutMs, memoryBytes, ...waiting })
  signal?.throwIfAborted()
  if (!loaded.ok) return loaded
  try {
    const outcome = await sandbox.call(loaded.hash, 'null', {
      operations: {},
      timeoutMs,
      memoryBytes,
      maxOutputBytes,
      maxHostCalls: 0,
      call,
      ...waiting,
    })
    signal?.throwIfAborted()
    return outcome.ok ? { ok: true, value: JSON.parse(outcome.json) as unknown } : outcome
  } finally {
    if (!isKept) sandbox.unload(loaded.hash)
  }
}

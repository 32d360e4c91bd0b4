import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { commonNodeCatalogue, nodeCatalogue } from './node-catalogue.ts'
import type { NodeCatalogue } from './workflow-check.ts'

/** Finds the node catalogue that fits a server. */
export interface ServerCatalogue {
  /**
   * Asks the server which line of n8n it is, unless it said so lately, and gives the catalogue of that line. Without an answer it
   * gives the one of the last answer, and without any what all known releases have in common.
   *
   * @throws the signal's reason when it is aborted.
   */
  read(options?: { readonly signal?: AbortSignal }): Promise<NodeCatalogue>
}

/** How a server is asked. */
export interface ServerCatalogueOptions {
  /** How long an answer is waited for, 1 to 60,000 ms. @default 5_000 */
  readonly timeoutMs?: number
  /** How long an answer counts, 0 to 86,400,000 ms: somebody may upgrade the server. @default 600_000 */
  readonly keepMs?: number
  /** How long a server that did not answer is not asked again, 0 to 600,000 ms. @default 10_000 */
  readonly retryMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** What is asked of a client; a new client for each question sees an upgrade of the server. */
export interface CapabilitySource {
  capabilities(options: {
    readonly signal: AbortSignal
    readonly timeoutMs: number
  }): Promise<{ readonly major: number }>
}

const serverCatalogueOptionNames: KnownOptions<ServerCatalogueOptions> = {
  timeoutMs: true,
  keepMs: true,
  retryMs: true,
  now: true,
}

const ranges = {
  timeoutMs: [1, 60_000, 5_000],
  keepMs: [0, 86_400_000, 600_000],
  retryMs: [0, 600_000, 10_000],
} as const

/**
 * Creates a catalogue that follows a server. Nothing is asked before the first `read`.
 *
 * @throws {RangeError} when an option is out of range.
 */
export function createServerCatalogue(
  source: CapabilitySource,
  options: ServerCatalogueOptions = {},
): ServerCatalogue {
  assertOptions<ServerCatalogueOptions>(
    'createServerCatalogue',
    options,
    serverCatalogueOptionNames,
  )
  const amount = (name: keyof typeof ranges): number => {
    const [least, most, unset] = ranges[name]
    const value = options[name] ?? unset
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value
    throw new RangeError(
      `${name} must be a whole number from ${least} to ${most}, not ${String(value)}.`,
    )
  }
  const { now = Date.now } = options
  const timeoutMs = amount('timeoutMs')
  const keepMs = amount('keepMs')
  const retryMs = amount('retryMs')
  let known: NodeCatalogue | undefined
  let askAgainAt = Number.NEGATIVE_INFINITY
  return {
    async read({ signal } = {}) {
      signal?.throwIfAborted()
      if (now() < askAgainAt) return known ?? commonNodeCatalogue()
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        const { major } = await source.capabilities({
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
          timeoutMs,
        })
        known = nodeCatalogue(`${major}.0.0`)
        askAgainAt = now() + keepMs
      } catch {
        signal?.throwIfAborted()
        askAgainAt = now() + retryMs
      }
      return known ?? commonNodeCatalogue()
    },
  }
}

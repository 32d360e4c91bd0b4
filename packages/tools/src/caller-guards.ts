import type { ToolPolicy } from '@toolcrib/policy'

/** A guard for one caller, and how to know that a kept one is still right. */
export interface CallerGuardSource<Guard> {
  /** A guard that allows what the tool and the policy both allow. */
  open(policy: ToolPolicy): Guard
  /** Something that changes when a guard that was opened before is no longer right. @default '' */
  state?(policy: ToolPolicy): string
}

/** The guards of a tool for calls that came through made tools. */
export interface CallerGuards<Guard> {
  /** Calls `work` with the guard for a policy, which stays open until `work` has ended. */
  use<Value>(policy: ToolPolicy, work: (guard: Guard) => Promise<Value>): Promise<Value>
  /** Closes all guards: at once, or when what uses them has ended. */
  close(): void
}

interface KeptGuard<Guard> {
  readonly guard: Guard
  uses: number
  isKept: boolean
}

/** How many guards are kept, each with its folders or connections. */
const maxKept = 16

/** Keeps the guards of the policies that were used last, at most 16 beside those in use. */
export function createCallerGuards<Guard extends { close(): void }>(
  source: CallerGuardSource<Guard>,
): CallerGuards<Guard> {
  const kept = new Map<string, KeptGuard<Guard>>()
  let isClosed = false

  const drop = (key: string, entry: KeptGuard<Guard>): void => {
    kept.delete(key)
    entry.isKept = false
    if (entry.uses === 0) entry.guard.close()
  }
  const find = (policy: ToolPolicy): KeptGuard<Guard> => {
    const key = JSON.stringify([policy, source.state?.(policy)])
    const found = kept.get(key)
    const entry = found ?? { guard: source.open(policy), uses: 0, isKept: !isClosed }
    // A map keeps the order of insertion, so the first is the one that was used least recently.
    kept.delete(key)
    if (entry.isKept) kept.set(key, entry)
    entry.uses += 1
    const [oldest] = kept
    if (kept.size > maxKept && oldest !== undefined) drop(...oldest)
    return entry
  }

  return {
    async use(policy, work) {
      const entry = find(policy)
      try {
        return await work(entry.guard)
      } finally {
        entry.uses -= 1
        if (!entry.isKept && entry.uses === 0) entry.guard.close()
      }
    },
    close() {
      isClosed = true
      for (const [key, entry] of kept) drop(key, entry)
    },
  }
}

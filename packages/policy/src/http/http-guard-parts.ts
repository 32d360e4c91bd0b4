import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type SocketOpener, openCheckedSocket } from './exchange/http-connection.ts'
import type { AddressLookup } from './http-guard.ts'

/** What a guard takes from the machine; tests give their own. */
export interface HttpGuardParts {
  readonly openSocket: SocketOpener
  readonly lookup: AddressLookup
  /** Every address of the network interfaces. */
  readonly ownAddresses: () => readonly string[]
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly date: () => number
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

export const machineParts: HttpGuardParts = {
  openSocket: openCheckedSocket,
  lookup: (hostname) => lookup(hostname, { all: true }),
  ownAddresses: () =>
    Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).map(({ address }) => address),
    ),
  now: () => performance.now(),
  date: () => Date.now(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
}

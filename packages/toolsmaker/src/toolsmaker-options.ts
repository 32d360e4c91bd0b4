import type { Logger, ToolRegistry } from '@toolcrib/registry'
import type { EventStore } from './events/event-store.ts'
import type { ProposalLimits } from './proposals/proposal-limits.ts'
import type { ToolKind } from './tool-kind.ts'
import type { Trust } from './trust/trust.ts'

/** What a toolsmaker is built from. */
export interface ToolsmakerOptions {
  /** The record. The toolsmaker owns it from now on and closes it. */
  readonly store: EventStore
  readonly trust: Trust
  readonly kinds: readonly ToolKind[]
  /** Where active tools are put. */
  readonly registry: ToolRegistry
  /**
   * Names that no made tool takes, whether or not something in the registry has them: those of tools of the host that may be
   * switched off today and on tomorrow.
   *
   * @default none
   */
  readonly reservedNames?: readonly string[]
  /**
   * Private, local or reserved addresses that tools may ask for, as in the `http` part of a policy: `10.1.2.3` or
   * `10.1.0.0/16`. A proposal that names another one, or `localhost`, is rejected. It gives nothing by itself: the guards of the
   * kinds must allow them too.
   *
   * @default none
   */
  readonly privateAddresses?: readonly string[]
  /** Must be that of the store. @default that of the store */
  readonly namespace?: string
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  readonly logger?: Logger
  /** How much a proposal may hold. */
  readonly limits?: ProposalLimits
  /**
   * How many proposals are checked at once, 1 to 64. Owners take turns, one proposal of each, so that a proposal waits behind at most
   * one of each other owner.
   *
   * @default 4
   */
  readonly proposalsAtOnce?: number
  /** How long a kind may take for one answer, in milliseconds. @default 30_000 */
  readonly kindTimeoutMs?: number
  /**
   * How long it counts that what lives outside was found as it should be, in milliseconds, 0 to a day: a call of a tool that is
   * not of high risk asks again after that. Before calls of tools of high risk it is asked each time. 0: before every call.
   *
   * @default 30_000
   */
  readonly inspectionLastsMs?: number
  /** How old a signed decision may be when it comes in, in milliseconds. @default 3_600_000 */
  readonly decisionMaxAgeMs?: number
}

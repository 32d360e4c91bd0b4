import { randomUUID } from 'node:crypto'
import { type Logger, type ToolRegistry, silentLogger } from '@toolcrib/registry'
import { CallableTools, type ToolStop } from './activation/callable-tools.ts'
import { CommandQueue } from './activation/command-queue.ts'
import { toolsmakerError } from './error-catalogue.ts'
import type { EventStore, StoredEvent } from './events/event-store.ts'
import { storeWriteError } from './events/store-write-error.ts'
import type { Actor, LifecycleEvent } from './lifecycle/lifecycle-event.ts'
import { KnownNames } from './proposals/known-names.ts'
import { LifecycleState, type Pause, isVersionEvent } from './lifecycle/lifecycle-state.ts'
import { assertKnownFormat, logFormat } from './lifecycle/log-format.ts'
import { type ProposalLimits, defaultProposalLimits } from './proposals/proposal-limits.ts'
import { OutsideInspections } from './activation/outside-inspections.ts'
import { OwnerQuotas } from './proposals/owner-quotas.ts'
import { OwnerTurns } from './proposals/owner-turns.ts'
import type { ToolKind } from './tool-kind.ts'
import type { ToolsmakerOptions } from './toolsmaker-options.ts'
import { type Stop, StopList } from './stops/stop-list.ts'
import type { Trust } from './trust/trust.ts'
import { VerifiedLog } from './events/verified-log.ts'
import type { VersionRecord } from './lifecycle/version-record.ts'
import { showValue } from './review/show-value.ts'

/** Is told which versions changed, and waits for what follows from it. */
export type ChangeFollower = (changed: ReadonlyMap<string, ReadonlySet<number>>) => Promise<void>

/** How many rows of the log are read at once. */
const rowsAtOnce = 500

/** The parts that all commands share: the log, what it says, and who is told. */
export class LifecycleEngine {
  readonly store: EventStore
  readonly trust: Trust
  readonly kinds: ReadonlyMap<string, ToolKind>
  readonly registry: ToolRegistry
  readonly namespace: string
  readonly logger: Logger
  readonly limits: Required<ProposalLimits>
  readonly kindTimeoutMs: number
  readonly privateAddresses: readonly string[]
  readonly decisionMaxAgeMs: number
  readonly state: LifecycleState = new LifecycleState()
  readonly queue: CommandQueue = new CommandQueue()
  readonly quotas: OwnerQuotas
  /** Whose proposal is checked next. */
  readonly turns: OwnerTurns
  readonly callables: CallableTools
  readonly verified: VerifiedLog
  readonly stops: StopList = new StopList()
  readonly names: KnownNames
  readonly inspections: OutsideInspections
  readonly #now: () => number
  #identity = ''
  #hasUnsavedStops = false
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  readonly #stopListeners = new Set<(stop: ToolStop) => void>()
  #follow: ChangeFollower = async () => undefined

  /** When this process opened the log, ISO 8601. */
  readonly startedAt: string

  constructor(options: ToolsmakerOptions) {
    this.store = options.store
    this.trust = options.trust
    this.kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]))
    this.registry = options.registry
    this.namespace = options.store.namespace
    this.logger = options.logger ?? silentLogger
    this.limits = { ...defaultProposalLimits, ...options.limits }
    this.kindTimeoutMs = options.kindTimeoutMs ?? 30_000
    this.privateAddresses = options.privateAddresses ?? []
    this.decisionMaxAgeMs = options.decisionMaxAgeMs ?? 3_600_000
    this.#now = options.now ?? Date.now
    this.startedAt = new Date(this.now()).toISOString()
    this.turns = new OwnerTurns(readProposalsAtOnce(options.proposalsAtOnce ?? 4))
    this.quotas = new OwnerQuotas({
      state: this.state,
      limits: () => this.trust.policy().ownerLimits,
      refresh: () => this.trust.refresh(),
      now: () => this.now(),
    })
    this.verified = new VerifiedLog(this.trust, this.store)
    this.names = new KnownNames(this.registry, this.state.tools)
    this.inspections = new OutsideInspections({
      kinds: this.kinds,
      kindTimeoutMs: this.kindTimeoutMs,
      lastsMs: readLasting(options.inspectionLastsMs ?? 30_000),
      now: () => this.now(),
    })
    this.callables = new CallableTools(this.registry, {
      now: () => this.now(),
      reservedNames: options.reservedNames ?? [],
    })
    this.callables.onStop((stop) => this.#tellAll(this.#stopListeners, stop))
  }

  /** Milliseconds since the epoch, as far as a date can hold them. */
  now(): number {
    const now = this.#now()
    return Number.isFinite(now) ? Math.min(Math.max(Math.trunc(now), 0), 8.64e15) : 0
  }

  /** Time and actor of an event that happens now. */
  stamp(actor: Actor): { readonly at: string; readonly actor: Actor } {
    return { at: new Date(this.now()).toISOString(), actor }
  }

  /** Who acts when the program does by itself. */
  get host(): Actor {
    return { kind: 'host', id: this.namespace }
  }

  followChanges(follow: ChangeFollower): void {
    this.#follow = follow
  }

  onEvent(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  onStop(listener: (stop: ToolStop) => void): () => void {
    this.#stopListeners.add(listener)
    return () => {
      this.#stopListeners.delete(listener)
    }
  }

  /** Folds in what the log holds beyond what is known. */
  async catchUp(): Promise<void> {
    let rows: readonly StoredEvent[]
    do {
      const from = this.state.sequence + 1
      // oxlint-disable-next-line no-await-in-loop -- a whole log at once would fill the memory
      rows = await this.store.read(from, from + rowsAtOnce - 1)
      for (const stored of rows) this.#fold(stored)
    } while (rows.length > 0)
  }

  /**
   * Compares the log with what the trust remembers of it.
   *
   * @throws {ToolError} STORE_INVALID when a newer release wrote it: not where one row says so that this host does not remember.
   */
  async verify(): Promise<void> {
    const { newerForm } = this.state
    await this.verified.open(this.state)
    if (newerForm !== undefined && this.verified.mayBeKnown(newerForm.sequence))
      assertKnownFormat(newerForm.format, this.namespace)
  }

  /** The identity of the event log: the hash of its first row; empty as long as there is none. */
  get identity(): string {
    return this.#identity
  }

  /**
   * Makes sure that the log has a first row, and so an identity. Comes before anything is signed.
   *
   * @throws {ToolError} with a code of {@link EventStore.append} when the first row cannot be written.
   */
  async begin(): Promise<void> {
    if (this.#identity !== '') return
    if (this.state.sequence === 0) {
      const id = randomUUID()
      const hostKey = this.trust.hostSigner().publicKey
      await this.record([
        { ...this.stamp(this.host), type: 'event_log_started', id, format: logFormat, hostKey },
      ])
    }
    await this.upgrade()
    this.#identity = (await this.store.hashAt(1)) ?? ''
  }

  /**
   * Takes up what is stopped: by the log, and by the checkpoint where the log has lost it. Pins the identity of a log that is
   * opened for the first time.
   */
  async restoreStops({ pause: carried }: { readonly pause: Stop | null }): Promise<void> {
    const { known } = this.verified
    await this.stops.restore({ pause: carried, stopped: known?.stopped ?? [] }, this)
    const { pause } = this.stops
    if (pause !== undefined && this.state.pause?.sequence !== pause.sequence)
      this.state.pause = this.#pauseOf(pause)
    const isPinned = known !== undefined && known.store !== ''
    const isKept =
      known?.pause?.eventHash === pause?.eventHash &&
      known?.stopped.length === this.stops.versions().length
    if (this.verified.problem !== undefined || (isPinned && isKept)) return
    try {
      await this.keepStops({ isChanged: true })
    } catch (error) {
      this.logger.warn({ error }, 'The checkpoint of the event log could not be written')
    }
  }

  /** What the log says about a pause that the checkpoint carries; it may have lost it. */
  #pauseOf({ sequence }: Stop): Pause {
    const { pauses, resumptions } = this.state
    const all = [...resumptions.flatMap((resumption) => resumption.pauses), ...pauses]
    const recorded = all.find((pause) => pause.sequence === sequence)
    if (recorded !== undefined) return recorded
    const reason = 'they were paused, and the event log does not say why'
    return { since: this.stamp(this.host).at, reason, by: this.host, sequence }
  }

  /**
   * Keeps outside the store what is stopped, where that was not done yet: a stop is acknowledged only once a log that loses it
   * does not lift it.
   *
   * @throws {ToolError} STORE_FULL or STORE_WRITE_FAILED.
   */
  async keepStops({ isChanged = false }: { readonly isChanged?: boolean } = {}): Promise<void> {
    this.#hasUnsavedStops ||= isChanged
    if (!this.#hasUnsavedStops) return
    try {
      await this.verified.saveStops(this.state, this.stops)
      this.#hasUnsavedStops = false
    } catch (error) {
      throw storeWriteError(
        error,
        'It is done and on record, but the checkpoint outside the store could not be written, so that whoever cuts the event log could undo it',
      )
    }
  }

  /** Keeps a log of an older form in the present one from here on; one that is not the known one, once a person has accepted it. */
  async upgrade({ isAccepted = false }: { readonly isAccepted?: boolean } = {}): Promise<void> {
    const { format: from } = this.state
    // One whose identity is known began in the present form, whatever its first row says now.
    const isPinned = !isAccepted && (this.verified.known?.store ?? '') !== ''
    const knownUpTo = isAccepted ? 0 : (this.verified.known?.sequence ?? 0)
    if (from >= logFormat || this.verified.problem !== undefined || isPinned) return
    const expiresAt = this.now() + Math.max(this.trust.policy().pendingExpiryMs, longestWaitMs)
    await this.record([
      {
        ...this.stamp(this.host),
        type: 'event_log_upgraded',
        from,
        format: logFormat,
        expiresAt,
        knownUpTo,
      },
    ])
    this.logger.warn(
      { from, format: logFormat, waiting: this.state.pending.size },
      'The event log was of an older form: what was approved in it needs new decisions',
    )
  }

  /** Appends events, all or none; then the state has them and the listeners were told. */
  async record(events: readonly LifecycleEvent[]): Promise<void> {
    if (events.length === 0) return
    const from = this.state.sequence
    await this.store.append(events, from)
    const recorded = events.map((event, index) => ({ sequence: from + index + 1, event }))
    const changed = new Map<string, Set<number>>()
    for (const stored of recorded) {
      const { event } = stored
      this.#fold(stored)
      this.#tell(stored)
      if (!isVersionEvent(event)) continue
      const versions = changed.get(event.name) ?? new Set()
      changed.set(event.name, versions.add(event.version))
    }
    await this.#follow(changed)
    await this.#rememberStops(recorded)
  }

  /** Keeps outside the store what these events stopped. What could not be kept is tried again with the next events. */
  async #rememberStops(recorded: readonly StoredEvent[]): Promise<void> {
    const { state, stops, store } = this
    const change = await stops.follow(recorded, { state, store })
    try {
      await this.keepStops({ isChanged: change !== undefined })
    } catch (error) {
      if (change === 'stopped') throw error
      this.logger.warn({ error }, 'The checkpoint of the event log could not be written')
    }
  }

  /**
   * Finds a version.
   *
   * @throws {ToolError} VERSION_NOT_FOUND when there is none.
   */
  find(name: string, version: number): VersionRecord {
    const record = this.state.get(name, version)
    if (record !== undefined) return record
    throw toolsmakerError(
      'VERSION_NOT_FOUND',
      `There is no version ${showValue(version)} of a made tool ${showValue(name)}. List the versions first.`,
    )
  }

  /**
   * Finds a kind.
   *
   * @throws {ToolError} TOOL_KIND_UNKNOWN when it was not given to the toolsmaker.
   */
  kind(name: string): ToolKind {
    const kind = this.kinds.get(name)
    if (kind !== undefined) return kind
    const known = [...this.kinds.keys()].join(', ') || 'none'
    throw toolsmakerError(
      'TOOL_KIND_UNKNOWN',
      `There is no kind ${showValue(name)}. Known kinds: ${known}.`,
    )
  }

  #fold(stored: StoredEvent): void {
    this.state.fold(stored)
    if (stored.event?.type === 'tool_build_requested') this.names.add(stored.event.name)
  }

  #tell(stored: StoredEvent): void {
    this.#tellAll(this.#listeners, stored)
  }

  #tellAll<News>(listeners: ReadonlySet<(news: News) => void>, news: News): void {
    for (const listener of listeners) {
      try {
        listener(news)
      } catch (error) {
        this.logger.error({ error }, 'A listener of made tools failed')
      }
    }
  }
}

/** How long what an upgrade asks of people waits at least: there may be much of it. */
const longestWaitMs = 90 * 86_400_000

const mostProposalsAtOnce = 64

function readProposalsAtOnce(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= mostProposalsAtOnce) return count
  throw new RangeError(
    `proposalsAtOnce must be a whole number from 1 to ${mostProposalsAtOnce}, got ${count}. Leave it out for 4.`,
  )
}

const mostLastingMs = 86_400_000

function readLasting(ms: number): number {
  if (Number.isFinite(ms) && ms >= 0 && ms <= mostLastingMs) return ms
  throw new RangeError(
    `inspectionLastsMs must be from 0 to ${mostLastingMs} milliseconds, got ${ms}. Leave it out for 30000.`,
  )
}

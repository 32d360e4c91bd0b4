import { applyEvent } from './apply-event.ts'
import { peekDecision } from '../approvals/decision-schema.ts'
import type { OpenedDecision } from '../approvals/decision-statement.ts'
import type { StoredEvent } from '../events/event-store.ts'
import { SharedStrings } from '../events/shared-strings.ts'
import type { LifecycleEvent, NamespaceEvent, VersionEvent } from './lifecycle-event.ts'
import type { Actor } from './lifecycle-event.ts'
import { lapse, logFormat } from './log-format.ts'
import { OwnerUsage } from '../proposals/owner-usage.ts'
import type { VersionRecord } from './version-record.ts'

/** All that the log says about one tool. */
export interface ToolRecord {
  readonly name: string
  /** By version number, oldest first. */
  readonly versions: Map<number, VersionRecord>
  /** The version in use. */
  active: number | undefined
  /** Every version that was ever in use, the last one last, that in use included. */
  used: readonly number[]
  /** Whether the log has an approval of any version. */
  everApproved: boolean
  /** Where in the log the tool's events are. */
  sequences: readonly number[]
  /** Which version each of those is about; 0: all of them. */
  sequenceVersions: readonly number[]
}

/** A stop of all made tools. */
export interface Pause {
  readonly since: string
  readonly reason: string
  readonly by: Actor
  /** The event that began it. */
  readonly sequence: number
}

/** The end of a pause, as the log has it. Believe it only after its signature was checked. */
export interface Resumption {
  /** The event that says so. */
  readonly sequence: number
  /** The pauses that were in force, the last one last. */
  readonly pauses: readonly Pause[]
  readonly confirmation: OpenedDecision | undefined
}

/** What a whole log says: every event folded in, in order. It can be thrown away and built again at any time. */
export class LifecycleState {
  readonly tools: Map<string, ToolRecord> = new Map()
  /** Everything that waits for a person, by name and version. */
  readonly pending: Set<string> = new Set()
  /** What each owner has on record. */
  readonly owners: OwnerUsage = new OwnerUsage()
  pause: Pause | undefined
  /** The pauses that the log has and has not ended, the last one last. A decision has to name the one that was asked for last. */
  pauses: readonly Pause[] = []
  /** How each pause was ended. */
  readonly resumptions: Resumption[] = []
  sequence = 0
  /** The form in which the log is kept; 1 where its first row does not say. */
  format = 1
  /** Where the log says that a newer release went on with it. */
  newerForm: { readonly sequence: number; readonly format: number } | undefined
  /** Public key of the host that began the log, as its first row says. */
  startedBy: string | undefined
  /** The first row of the log that is wrong in itself. */
  firstProblem: number | undefined
  /** The first row that is wrong in itself, says nothing about a version that is known, or says what cannot have happened. */
  firstFault: number | undefined

  readonly #strings = new SharedStrings()

  get(name: string, version: number): VersionRecord | undefined {
    return this.tools.get(name)?.versions.get(version)
  }

  /** Folds one row of the log in. */
  fold({ event, problem, sequence }: StoredEvent): void {
    this.sequence = sequence
    if (problem !== undefined || event === undefined) {
      this.firstProblem ??= sequence
      this.firstFault ??= sequence
    }
    if (sequence === 1 && event?.type === 'event_log_started' && problem === undefined) {
      this.format = event.format
      if (event.format > logFormat) this.newerForm = { sequence, format: event.format }
      this.startedBy = event.hostKey
    }
    if (event === undefined) return
    if (!isVersionEvent(event)) this.#foldNamespaceEvent(event, sequence, problem)
    else this.#foldVersionEvent(event, sequence, problem)
  }

  #foldNamespaceEvent(event: NamespaceEvent, sequence: number, problem: string | undefined): void {
    if (event.type === 'tool_policy_blocked' && problem !== undefined) {
      const tool = this.tools.get(event.name)
      if (tool !== undefined) markDamaged(tool, describeRow(sequence, problem))
    }
    // What grants something has to be sound in itself; a pause counts all the same, and the first one is the one in force.
    if (event.type === 'event_log_upgraded' && problem === undefined) this.#upgrade(event, sequence)
    if (event.type === 'tools_paused') {
      this.pause = { since: event.at, reason: event.reason, by: event.actor, sequence }
      this.pauses = [...this.pauses, this.pause]
    }
    if (event.type === 'tools_resumed' && this.pause !== undefined && problem === undefined) {
      const { opened: confirmation } = peekDecision(event.confirmation)
      this.resumptions.push({ sequence, pauses: this.pauses, confirmation })
      this.pauses = []
      this.pause = undefined
    }
  }

  /** Only a log that began in an older form can be upgraded, and once. */
  #upgrade(
    { expiresAt, format, from, knownUpTo }: Extract<NamespaceEvent, { type: 'event_log_upgraded' }>,
    sequence: number,
  ): void {
    if (this.format !== from || format <= from) {
      this.firstFault ??= sequence
      return
    }
    if (format > logFormat) {
      // What that means is not known here; whether it is true, the host's own memory says.
      this.firstFault ??= sequence
      this.newerForm ??= { sequence, format }
      return
    }
    this.format = format
    for (const tool of this.tools.values()) {
      for (const [version, record] of tool.versions) {
        const lapsed = lapse(record, { sequence, expiresAt, knownUpTo })
        if (lapsed === record) continue
        tool.versions.set(version, lapsed)
        this.pending.add(pendingKey(lapsed))
        this.owners.lapse(lapsed)
      }
      tool.active = undefined
      tool.everApproved = [...tool.versions.values()].some(
        ({ status, stoppedAt }) => status === 'revoked' || stoppedAt !== undefined,
      )
      tool.sequences = append(tool.sequences, sequence)
      tool.sequenceVersions = append(tool.sequenceVersions, 0)
    }
  }

  #foldVersionEvent(event: VersionEvent, sequence: number, problem: string | undefined): void {
    const { name, version } = event
    let tool = this.tools.get(name)
    if (tool === undefined) {
      if (event.type !== 'tool_build_requested') {
        this.firstFault ??= sequence
        return
      }
      tool = {
        name,
        versions: new Map(),
        active: undefined,
        used: [],
        everApproved: false,
        sequences: [],
        sequenceVersions: [],
      }
      this.tools.set(name, tool)
    }
    tool.sequences = append(tool.sequences, sequence)
    tool.sequenceVersions = append(tool.sequenceVersions, version)
    const before = tool.versions.get(version)
    const place = { sequence, firstOfTool: !tool.everApproved, strings: this.#strings }
    const after = applyEvent(before, event, place)
    if (after === undefined) {
      this.firstFault ??= sequence
      return
    }
    tool.versions.set(version, after)
    // A changed row may have hidden a revocation, so it voids every version of the tool that it names.
    if (problem !== undefined) markDamaged(tool, describeRow(sequence, problem))
    this.#followActive(tool, before, tool.versions.get(version) ?? after)
    if (tool.versions.get(version)?.damage !== undefined) this.firstFault ??= sequence
    if (after.status === 'approved' || after.status === 'activated') tool.everApproved = true
    if (after.status === 'approval_required') this.pending.add(pendingKey(after))
    else if (before?.status === 'approval_required') this.pending.delete(pendingKey(after))
    this.owners.follow(before, tool.versions.get(version) ?? after)
  }

  #followActive(tool: ToolRecord, before: VersionRecord | undefined, after: VersionRecord): void {
    const { version } = after
    const isActive = after.status === 'activated'
    if (isActive && tool.active !== undefined && tool.active !== version) {
      const damage = `the log activates version ${version} while version ${tool.active} is active`
      tool.versions.set(version, { ...after, status: before?.status ?? 'approved', damage })
      return
    }
    if (!isActive) {
      if (tool.active === version) tool.active = undefined
      return
    }
    if (tool.active === version) return
    tool.active = version
    tool.used = [...tool.used.filter((used) => used !== version), version]
  }
}

/** Up to here a list is copied for each number more, so that it takes no more room than it needs; most tools have few events. */
const longestCopied = 16

function append(list: readonly number[], value: number): readonly number[] {
  if (list.length < longestCopied) return [...list, value]
  // Nobody else has it.
  ;(list as number[]).push(value)
  return list
}

function describeRow(sequence: number, problem: string): string {
  return `row ${sequence} of the log: ${problem}`
}

function markDamaged(tool: ToolRecord, damage: string): void {
  for (const [version, record] of tool.versions)
    tool.versions.set(version, { ...record, damage: record.damage ?? damage })
}

/** One text for one version. */
function pendingKey({ name, version }: { name: string; version: number }): string {
  return `${name}@${version}`
}

/** Tells whether an event is about one version of one tool. */
export function isVersionEvent(event: LifecycleEvent): event is VersionEvent {
  return 'name' in event && 'version' in event
}

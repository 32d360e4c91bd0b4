import type { JsonValue, ToolRisk } from '@toolcrib/registry'
import type { Actor } from '../lifecycle/lifecycle-event.ts'
import type { ToolExample } from '../tool-spec.ts'
import type { ToolStatus } from '../lifecycle/tool-status.ts'
import type { EvidenceRun, ValidationCheck } from '../validation/validation-report.ts'

/** What a person reads before deciding: first what was generated from what would run, last what the author says. */
export interface ToolReview {
  readonly name: string
  readonly version: number
  readonly kind: string
  readonly contentHash: string
  /** SHA-256 of the generated part of the report on record, which a decision names; absent in versions of earlier releases. */
  readonly reportHash?: string
  readonly status: ToolStatus
  /**
   * In what the record says something else than what was made of the content now; absent where it does not. Nothing can be
   * signed before the version was validated again.
   */
  readonly differs?: readonly ReviewDifference[]
  /** What the tool may do; one sentence that says "nothing" when it may do nothing. */
  readonly powers: readonly string[]
  /** Powers that the last approved version does not have. */
  readonly newPowers: readonly string[]
  /** Limits other than the usual ones, and entries of the lists of powers that no sentence names as they are written. */
  readonly settings: readonly string[]
  readonly steps: readonly string[]
  /** All of the definition, hidden characters made visible; absent where the steps tell every text of it and leave nothing out. */
  readonly definition?: JsonValue
  readonly suspicions: readonly string[]
  readonly risk: { readonly level: ToolRisk; readonly reasons: readonly string[] }
  /** Why a person must decide; empty when a rule decided. */
  readonly waitsBecause: readonly string[]
  readonly checks: readonly ValidationCheck[]
  /** What trying it gave. What it asked of the host was answered by its author, in `fixtures`, never by the real thing. */
  readonly evidence: readonly EvidenceRun[]
  /**
   * The kind changed after the approval, and the version does something else now, or what lives outside was changed; gone once a
   * person activates it again.
   */
  readonly held?: {
    readonly reason: string
    /** How it behaves now; empty where what lives outside was changed. */
    readonly evidence: readonly EvidenceRun[]
  }
  /** What changed since the last approved version; absent for the first one. */
  readonly change?: {
    readonly fromVersion: number
    /** In sentences, made by the kind. */
    readonly sentences: readonly string[]
    /**
     * Unified diffs of all that is signed, hidden characters made visible, in this order where they differ: powers, steps, source
     * (as the kind writes it), definition, schemas, settings (limits, examples and the rest), description.
     */
    readonly diff: string
  }
  /** The principal that proposed it, such as `agent:alice`, as the content says. */
  readonly proposedBy: string
  readonly proposedAt: string
  readonly owner: string
  /** When the request runs out, ISO 8601. */
  readonly expiresAt?: string
  /**
   * What models read of it beside its name and description: a line for each property of its schemas, with all that is said of it in
   * the author's words.
   */
  readonly modelsRead: readonly string[]
  /** As the author wrote them, control characters made visible. */
  readonly examples: readonly ToolExample[]
  /** The author's own words, boxed as such, with control characters made visible. Never trust them. */
  readonly authorSays: {
    readonly description: string
    readonly notes: readonly string[]
  }
  readonly history: readonly ReviewHistoryEntry[]
}

/** Something that a review says otherwise than the record. */
export interface ReviewDifference {
  /**
   * `report`: the row itself is not the one that was recorded, or this host never made it; `hold`: the row is not the one that was
   * recorded; `kind`: the kind does not say what the version does.
   */
  readonly what: 'report' | 'hold' | 'kind' | 'permissions' | 'steps' | 'suspicions'
  readonly recorded: readonly string[]
  /** What is true now, or what is wrong. */
  readonly now: readonly string[]
}

/** One event of a version's past. */
export interface ReviewHistoryEntry {
  readonly sequence: number
  readonly at: string
  readonly type: string
  readonly actor: Actor
  readonly note?: string
}

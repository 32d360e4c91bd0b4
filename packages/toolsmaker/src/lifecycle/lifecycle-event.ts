import type { JsonObject } from '@toolcrib/registry'
import type { SignedDecision } from '../approvals/decision-statement.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { ToolContent, ToolRunLimits } from '../tool-spec.ts'
import type { EvidenceRun, ValidationReport } from '../validation/validation-report.ts'

/** Who caused an event. */
export interface Actor {
  readonly kind: 'agent' | 'person' | 'service' | 'host'
  readonly id: string
}

interface Frame<Type extends string> {
  readonly type: Type
  /** ISO 8601. */
  readonly at: string
  readonly actor: Actor
}

interface VersionFrame<Type extends string> extends Frame<Type> {
  readonly name: string
  readonly version: number
}

/** Under what a version was approved: the signatures of people, or a rule of the policy and the host's signature. */
export type ApprovedBy =
  | { readonly people: readonly string[] }
  | { readonly rule: string; readonly host: string }

/** What is known about something that a tool tried in a call. All absent where a version was refused without a call. */
export interface PolicyBlockFacts {
  readonly rule?: string
  readonly tried?: string
  /** Who called the tool. */
  readonly principal?: { readonly kind: string; readonly id: string }
  readonly callId?: string
  /** How many violations the event stands for. */
  readonly count?: number
}

/** A report on a version, as the host made it. */
interface Reported {
  readonly report: ValidationReport
  /** SHA-256 of the generated part of the report. */
  readonly reportHash?: string
  /** The host's signature over which report it made, of what; without one nothing shows that it made it. */
  readonly attestation?: StatementEnvelope
}

/** An event about one version of one tool. */
export type VersionEvent =
  | (VersionFrame<'tool_build_requested'> & {
      readonly kind: string
      readonly provenance?: JsonObject
    })
  | (VersionFrame<'tool_build_generated'> & {
      readonly contentHash: string
      readonly content: ToolContent
    })
  | (VersionFrame<'tool_build_validated'> &
      Reported & {
        /** The kind's, under which the evidence was gathered. */
        readonly fingerprint?: string
      })
  /** Checked and tried once more; the report takes the place of the one before. Grants nothing. */
  | (VersionFrame<'tool_validated_again'> &
      Reported & { readonly reportHash: string; readonly fingerprint?: string })
  | (VersionFrame<'tool_build_rejected'> & Reported & { readonly reasons: readonly string[] })
  | (VersionFrame<'tool_approval_required'> & {
      readonly reasons: readonly string[]
      /** When the request runs out, in milliseconds since the epoch. */
      readonly expiresAt: number
    })
  | (VersionFrame<'tool_approval_given'> & { readonly decision: SignedDecision })
  | (VersionFrame<'tool_approved'> & {
      readonly approvalId: string
      readonly approvedBy: ApprovedBy
      readonly decision: SignedDecision
    })
  | (VersionFrame<'tool_rejected'> & { readonly reason: string })
  | (VersionFrame<'tool_withdrawn'> & { readonly reason: string })
  | (VersionFrame<'tool_expired'> & { readonly what: 'request' | 'approval' })
  | (VersionFrame<'tool_activated'> & {
      readonly approvalId: string
      /** Absent when the approving decision was for activation too. */
      readonly decision?: SignedDecision
      readonly limits?: ToolRunLimits
    })
  | (VersionFrame<'tool_superseded'> & { readonly by: number })
  | (VersionFrame<'tool_deactivated'> & { readonly reason: string })
  | (VersionFrame<'tool_revoked'> & { readonly reason: string; readonly contentHash: string })
  /** A signature for sharing it that is not enough yet. */
  /** Sharing it has run out: none of the decisions until here counts any more. */
  | VersionFrame<'tool_share_ended'>
  | (VersionFrame<'tool_share_given'> & { readonly decision: SignedDecision })
  | (VersionFrame<'tool_shared'> & { readonly decision: SignedDecision })
  /** The kind changed, and the version behaves as before. Grants nothing. */
  | (VersionFrame<'tool_evidence_repeated'> & { readonly fingerprint: string })
  /**
   * Out of use until a person activates it again: the kind changed, and the version behaves differently, or what lives outside was
   * changed. Of the latter a `tool_tampered` stands before it.
   */
  | (VersionFrame<'tool_held'> & {
      readonly reason: string
      /** The kind's, under which it behaves differently. */
      readonly fingerprint?: string
      /** How it behaves now. */
      readonly evidence?: readonly EvidenceRun[]
    })
  | (VersionFrame<'tool_tampered'> & { readonly reason: string; readonly file?: string })
  | (VersionFrame<'tool_policy_blocked'> & PolicyBlockFacts & { readonly reason: string })
  | (VersionFrame<'tool_activation_failed'> & { readonly reason: string })

/** An event about the whole namespace, or about a tool that was not made here. */
export type NamespaceEvent =
  /** The first row. Its hash is the identity of the event log, so it holds something that no other one has. */
  | (Frame<'event_log_started'> & {
      readonly id: string
      /** The form in which everything behind it is kept. */
      readonly format: number
      /** Public key of the host that began it. */
      readonly hostKey: string
    })
  | (Frame<'tool_policy_blocked'> &
      PolicyBlockFacts & { readonly name: string; readonly reason: string })
  | (Frame<'tools_paused'> & { readonly reason: string })
  | (Frame<'tools_resumed'> & {
      readonly decision: SignedDecision
      /** The host's signature over the same, so that it holds when the approver is one no longer. */
      readonly confirmation: SignedDecision
    })
  /** A log of an older form is kept in the present one from here on; what was granted in it has to be decided anew. */
  | (Frame<'event_log_upgraded'> & {
      readonly from: number
      readonly format: number
      /** When the requests for new decisions run out, in milliseconds since the epoch. */
      readonly expiresAt: number
      /** Up to which event the host had remembered the log; 0: nothing of it. */
      readonly knownUpTo: number
    })
  /** A person took this log for the right one, though it is not the one that the host knew. */
  | (Frame<'log_accepted'> & { readonly decision: SignedDecision })
  | (Frame<'audit_recovered'> & { readonly bytes: number; readonly keptAs: string })
  | (Frame<'projection_restored'> & { readonly file: string })

/** Everything that can happen to made tools. */
export type LifecycleEvent = VersionEvent | NamespaceEvent

/** The name of an event. */
export type LifecycleEventType = LifecycleEvent['type']

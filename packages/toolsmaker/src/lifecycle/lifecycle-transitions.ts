import type { VersionEvent } from './lifecycle-event.ts'
import type { ToolStatus } from './tool-status.ts'

/** From which states an event may happen, and to which it leads; `same` leaves the state as it is. */
export interface Transition {
  readonly from: readonly ToolStatus[]
  readonly to: ToolStatus | 'same'
}

const settled = ['approved', 'activated', 'deactivated'] as const
const everywhere = [
  'draft',
  'validated',
  'approval_required',
  'approved',
  'activated',
  'rejected',
  'expired',
  'deactivated',
  'revoked',
] as const

/** The whole lifecycle: what is not in this table cannot happen. A request starts a version and has no state before it. */
export const lifecycleTransitions: Readonly<Record<VersionEvent['type'], Transition>> = {
  tool_build_requested: { from: [], to: 'draft' },
  tool_build_generated: { from: ['draft'], to: 'same' },
  tool_build_validated: { from: ['draft'], to: 'validated' },
  tool_validated_again: { from: ['approval_required', ...settled], to: 'same' },
  tool_build_rejected: { from: ['draft'], to: 'rejected' },
  tool_approval_required: { from: ['validated'], to: 'approval_required' },
  tool_approval_given: { from: ['approval_required', ...settled], to: 'same' },
  tool_approved: { from: ['validated', 'approval_required'], to: 'approved' },
  tool_rejected: { from: ['approval_required'], to: 'rejected' },
  tool_withdrawn: { from: ['draft', 'validated', 'approval_required'], to: 'rejected' },
  tool_expired: { from: ['approval_required', ...settled], to: 'expired' },
  tool_activated: { from: ['approved', 'deactivated'], to: 'activated' },
  tool_superseded: { from: ['activated'], to: 'approved' },
  tool_deactivated: { from: ['activated'], to: 'deactivated' },
  tool_evidence_repeated: { from: ['activated'], to: 'same' },
  tool_held: { from: [...settled], to: 'deactivated' },
  tool_revoked: { from: ['approval_required', 'expired', ...settled], to: 'revoked' },
  tool_share_ended: { from: [...settled], to: 'same' },
  tool_share_given: { from: [...settled], to: 'same' },
  tool_shared: { from: [...settled], to: 'same' },
  tool_tampered: { from: everywhere, to: 'same' },
  tool_policy_blocked: { from: everywhere, to: 'same' },
  tool_activation_failed: { from: everywhere, to: 'same' },
}

/** Tells whether an event may happen to a version in a state. */
export function mayHappen(type: VersionEvent['type'], status: ToolStatus): boolean {
  return lifecycleTransitions[type].from.includes(status)
}

import type { ToolRisk } from '@toolcrib/registry'
import type { ToolCapability } from '../proposals/capability.ts'
import type { ApprovedBy } from '../lifecycle/lifecycle-event.ts'
import type { ToolRunLimits, ToolVisibility } from '../tool-spec.ts'
import type { ToolStatus } from '../lifecycle/tool-status.ts'

/** One version of a made tool, as a list shows it. */
export interface VersionSummary {
  readonly name: string
  readonly version: number
  readonly kind: string
  readonly description: string
  readonly status: ToolStatus
  readonly contentHash: string
  readonly owner: string
  readonly visibility: ToolVisibility
  /** How many more approvers have to sign that it is shared; absent where nobody has, and where it is. */
  readonly missingShares?: number
  readonly risk: ToolRisk
  readonly capabilities: readonly ToolCapability[]
  readonly createdAt: string
  readonly createdBy: string
  /** When the state last changed, ISO 8601. */
  readonly updatedAt: string
  /** Whether a call would run it now, a pause aside. */
  readonly callable: boolean
  /** Why an activated version is not callable, or why a version was rejected or revoked. */
  readonly reason?: string
  /**
   * Whether it was taken out of use because it behaves differently under the engine of its kind that is here now, or because what
   * lives outside was changed.
   */
  readonly held?: true
  readonly approvalId?: string
  readonly approvedBy?: ApprovedBy
  /** When the approval runs out, in milliseconds since the epoch. */
  readonly approvalExpiresAt?: number
  /** When the request for approval runs out, in milliseconds since the epoch. */
  readonly pendingExpiresAt?: number
  /** The limits in force, where activation narrowed them. */
  readonly activeLimits?: ToolRunLimits
}

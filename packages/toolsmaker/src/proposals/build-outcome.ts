import type { ToolSpec } from '../tool-spec.ts'
import type { ToolStatus } from '../lifecycle/tool-status.ts'
import type { ValidationReport } from '../validation/validation-report.ts'

/** What became of a proposal. */
export interface BuildOutcome {
  /** `activated`: callable now; `approval_required`: a person decides; `rejected`: see the report. */
  readonly status: ToolStatus
  readonly spec: ToolSpec
  readonly report: ValidationReport
  /** The review artifact, where the store is in a folder: `reviews/<name>_v<N>.json` under it. */
  readonly reviewPath?: string
  /** The proposal was there already; this is how it stands. */
  readonly existing: boolean
  /** The rule that approved it. */
  readonly approvedByRule?: string
  /** What happens next, for the agent. */
  readonly message: string
}

import type { NodeCatalogue, WorkflowLimits } from '../workflow-check.ts'
import type { ProblemList } from './problem-list.ts'

/** What the readers share. */
export interface ReadContext {
  readonly catalogue: NodeCatalogue
  readonly limits: WorkflowLimits
  readonly problems: ProblemList
  /** In sentences. */
  readonly repairs: string[]
}

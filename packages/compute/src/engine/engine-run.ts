import type { Run } from '../walk/run.ts'

/** What the functions of one compiled program know of its runs. It belongs to that program alone. */
export interface EngineRun extends Run {
  /** How often the program ran. */
  runs: number
}

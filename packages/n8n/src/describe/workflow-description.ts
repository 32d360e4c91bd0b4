import type { NodeCatalogue } from '../workflow-check.ts'

/** What a workflow does, as far as it can be told from the workflow alone. */
export interface WorkflowDescription {
  /**
   * The workflow as numbered steps in plain words, breadth first from what starts it; then what nothing leads to, the
   * settings, and data stored in it. An entry is a paragraph: its first line a sentence, the others, indented, what belongs
   * to it. Texts of the author are quoted, hidden characters written out; no text of theirs can begin a line.
   */
  readonly steps: readonly string[]
  /** Whether some of the workflow is not in `steps`; their last entry then says how much. */
  readonly isCut: boolean
  /** What starts it, a sentence each. */
  readonly triggers: readonly string[]
  /** When it runs by itself, a sentence each. */
  readonly schedules: readonly string[]
  /** Origins that nodes reach for certain, such as `https://crm.example.com`; sorted. */
  readonly hosts: readonly string[]
  /** Where a host is decided only when the workflow runs, or may be any. */
  readonly dynamicHosts: readonly DynamicHost[]
  /** Names of nodes that follow redirects, so that a host which they reach may send them to any other. */
  readonly redirects: readonly string[]
  /** Nodes that talk to a service whose addresses their type decides. */
  readonly services: readonly { readonly node: string; readonly type: string }[]
  /** Credentials that nodes use; never their values. */
  readonly credentials: readonly {
    readonly node: string
    /** Such as `httpHeaderAuth`. */
    readonly type: string
    readonly id: string
    readonly name: string
  }[]
  /** Whether nodes run code, commands or queries that are written in the workflow, or code of a package that is not n8n's. */
  readonly runsCode: boolean
  /** Whether it may send anything but GET and HEAD; also when that is not known. */
  readonly writes: boolean
}

/** A place of a workflow from which any host may be reached. */
export interface DynamicHost {
  /** The name of the node. */
  readonly node: string
  /** Such as `parameters.url`. */
  readonly path: string
  /** What decides on the host, cut at 500 characters. */
  readonly expression: string
}

/** How large a description may become, and what it goes by. */
export interface DescribeWorkflowOptions {
  /**
   * Decides which parameters n8n does not read; they are told apart, as of no effect.
   *
   * @default what no release reads that this package knows
   */
  readonly catalogue?: NodeCatalogue
  /** Entries of `steps`; where there would be more, several share one. 2 to 100,000. @default 200 */
  readonly maxSteps?: number
  /** Characters of an entry; longer ones are continued in the next. 500 to 1,000,000. @default 2_000 */
  readonly maxStepLength?: number
}

import type { N8nWorkflow } from './n8n-workflow.ts'

/** One thing that is wrong with a workflow. */
export interface WorkflowProblem {
  /** In kebab-case, stable; the README lists them. */
  readonly code: string
  readonly severity: 'error' | 'warning'
  /** Such as `nodes[2].parameters.url`. */
  readonly path: string
  /** The name of the node it is about. */
  readonly node?: string
  readonly message: string
  /** What to do. */
  readonly fix?: string
}

/** Which node types exist, at which versions. Facts, generated from an installed n8n. */
export interface NodeCatalogue {
  /** Of n8n, such as `2.41.1`. */
  readonly n8nVersion: string
  /** By type with its package, such as `n8n-nodes-base.set`. */
  readonly nodes: Readonly<Record<string, NodeFacts>>
}

/** What is known of a node type. */
export interface NodeFacts {
  /** Ascending. */
  readonly versions: readonly number[]
  readonly isTrigger?: boolean
  readonly hasWebhook?: boolean
  /** Excluded unless the server's operator allows it. */
  readonly isExcluded?: boolean
  /** Allowed values by parameter, where a parameter has the same ones in every version and place. */
  readonly values?: Readonly<Record<string, readonly (string | number | boolean)[]>>
}

/** What workflows may contain. */
export interface NodePolicy {
  /** Types or patterns with `*`, such as `n8n-nodes-base.*`. @default every type but those that run code or commands */
  readonly allow?: readonly string[]
  /** Wins over `allow`. */
  readonly deny?: readonly string[]
  /** Whether nodes may run code written in the workflow (Code node). @default false */
  readonly allowCode?: boolean
  /** Whether a workflow may call other workflows. @default false */
  readonly allowSubWorkflows?: boolean
  /** Hosts that nodes may reach, as `host` or `host:port` or `*.example.com`. @default not checked */
  readonly hosts?: readonly string[]
}

export interface WorkflowCheckOptions {
  /** @default the one shipped with this package */
  readonly catalogue?: NodeCatalogue
  readonly policy?: NodePolicy
  /** Problems beyond are counted only. @default 50 */
  readonly maxProblems?: number
}

/** What checking a workflow gave. */
export type WorkflowCheck =
  | {
      readonly ok: true
      /** With what could be repaired repaired: missing ids, versions, positions, webhook ids. Unknown fields are left out. */
      readonly workflow: N8nWorkflow
      readonly problems: readonly WorkflowProblem[]
      /** What was repaired, in sentences. */
      readonly repairs: readonly string[]
    }
  | { readonly ok: false; readonly problems: readonly WorkflowProblem[] }

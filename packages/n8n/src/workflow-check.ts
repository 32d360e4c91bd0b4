import type { N8nWorkflow } from './n8n-workflow.ts'
import type { ParameterFacts } from './parameters/parameter-facts.ts'

/** One thing that is wrong with a workflow. */
export interface WorkflowProblem {
  /** Stable, in kebab-case: a key of `workflowProblemCodes`; the README lists them. */
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
  /**
   * The parameters that a node type has in a version, under whatever conditions: a list for each release that the catalogue
   * stands for. Where it is absent or gives none, nothing is said of parameters that n8n would not read.
   */
  readonly parameters?: (type: string, version: number) => readonly (readonly ParameterFacts[])[]
}

/** What is known of a node type. */
export interface NodeFacts {
  /** Ascending. */
  readonly versions: readonly number[]
  readonly isTrigger?: boolean
  readonly hasWebhook?: boolean
  /** Excluded unless the server's operator allows it. */
  readonly isExcluded?: boolean
  /** Whether the same type with `Tool` at its end exists, for agents. */
  readonly isTool?: boolean
  /** The versions of that form. @default all */
  readonly toolVersions?: readonly number[]
  /** How many plain inputs it has, where that never changes. */
  readonly inputs?: number
  /** How many plain outputs it has, where that never changes. */
  readonly outputs?: number
  /** Credential types that it takes. */
  readonly credentials?: readonly NodeRequirement[]
  /** Parameters that must not be empty; known of common nodes only. */
  readonly required?: readonly NodeRequirement[]
  /** What parameters that conditions name have when a workflow does not set them. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>
  /** Every value that a parameter may have, in any version and place; known of common nodes only. */
  readonly values?: Readonly<Record<string, readonly (string | number | boolean)[]>>
}

/** Something that a node must have when its conditions hold. */
export interface NodeRequirement {
  /** Of the parameter, or the credential type. */
  readonly name: string
  /** @default every version */
  readonly versions?: readonly number[]
  /** Asked for when each of these parameters has one of these values. */
  readonly show?: Readonly<Record<string, readonly (string | number | boolean)[]>>
  /** Not asked for when one of these parameters has one of these values. */
  readonly hide?: Readonly<Record<string, readonly (string | number | boolean)[]>>
  /** May be left out. */
  readonly optional?: true
}

/** What workflows may contain. */
export interface NodePolicy {
  /**
   * Types or patterns with `*`, such as `n8n-nodes-base.*`. A pattern never covers types that reach the machine that n8n runs
   * on or n8n itself; only their full name does. @default every other type
   */
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

/** How large a workflow may be. What is larger is refused before anything else is looked at. */
export interface WorkflowLimits {
  /** @default 500 */
  readonly maxNodes: number
  /** Of keys and texts together. @default 2_000_000 */
  readonly maxCharacters: number
  /** Texts, numbers, lists and objects together. @default 100_000 */
  readonly maxValues: number
  /** How deep lists and objects may nest. @default 64 */
  readonly maxDepth: number
}

export interface WorkflowCheckOptions {
  /** @default the newest one shipped with this package; see `nodeCatalogue` */
  readonly catalogue?: NodeCatalogue
  /** @default no code, no commands, no other workflows, no administration of n8n; any host */
  readonly policy?: NodePolicy
  /** Problems beyond are counted only; errors come first. @default 50 */
  readonly maxProblems?: number
  readonly limits?: Partial<WorkflowLimits>
}

/** What checking a workflow gave. */
export type WorkflowCheck =
  | {
      readonly ok: true
      /** With what could be repaired repaired: missing ids, versions, positions, webhook ids. Unknown fields are left out. */
      readonly workflow: N8nWorkflow
      /** Warnings only. */
      readonly problems: readonly WorkflowProblem[]
      /** How many problems were found beyond `maxProblems`. */
      readonly omittedProblems?: number
      /** What was repaired, in sentences. */
      readonly repairs: readonly string[]
    }
  | {
      readonly ok: false
      /** Errors first. */
      readonly problems: readonly WorkflowProblem[]
      readonly omittedProblems?: number
    }

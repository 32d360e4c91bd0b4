import type { N8nCredentialReference } from '@toolcrib/n8n'
import type { NodeCatalogue, NodePolicy } from '@toolcrib/n8n/workflow'
import type { N8nKind } from '@toolcrib/kind-n8n'
import type { WorkflowModel } from '../../generation/workflow-model.ts'

/** A credential that n8n keeps, which workflows may use by reference. */
export interface UsableCredential extends N8nCredentialReference {
  /** Such as `httpHeaderAuth`. */
  readonly type: string
  /** What it opens, for the model that writes workflows. */
  readonly note?: string
}

/** What the factory tools ask of the n8n kind. {@link createN8nKind} gives it. */
export type N8nToolKeeper = Pick<N8nKind, 'check' | 'health' | 'nodeCatalogue' | 'removeFromServer'>

/** What making n8n tools needs. */
export interface N8nFactoryOptions {
  /** The kind that the toolsmaker has. */
  readonly kind: N8nToolKeeper
  /** Writes workflows from descriptions. @default `toolFactory_createFromDescription` is not made */
  readonly model?: WorkflowModel
  /** What workflows may contain; the same as that of the kind. @default that of `validateWorkflow` */
  readonly policy?: NodePolicy
  /** Which nodes exist. @default what the kind checks against */
  readonly catalogue?: NodeCatalogue
  /**
   * The credentials that made tools may use; a workflow that names another one is refused.
   *
   * @default none for workflows that a model writes, any that a person approves for templates
   */
  readonly credentials?: readonly UsableCredential[]
  /** How long a model may take for one answer, 1,000 to 600,000 ms. A tool takes two at most. @default 120_000 */
  readonly modelTimeoutMs?: number
  /** How much a model may write at once, 256 to 200,000 tokens. @default 16_000 */
  readonly maxOutputTokens?: number
  /** How many tools may be written at once, for all principals, 1 to 100; each principal has one at a time. @default 4 */
  readonly maxConcurrentGenerations?: number
  /** How long a list waits for the health of all tools together, 1 to 60,000 ms. @default 3_000 */
  readonly healthTimeoutMs?: number
}

/** The options with their defaults, checked. */
export interface N8nFactorySettings extends Omit<N8nFactoryOptions, 'kind'> {
  readonly keeper: N8nToolKeeper
  readonly modelTimeoutMs: number
  readonly maxOutputTokens: number
  readonly maxConcurrentGenerations: number
  readonly healthTimeoutMs: number
}

type Amount = 'modelTimeoutMs' | 'maxOutputTokens' | 'maxConcurrentGenerations' | 'healthTimeoutMs'

const ranges: Readonly<Record<Amount, readonly [least: number, most: number, unset: number]>> = {
  modelTimeoutMs: [1_000, 600_000, 120_000],
  maxOutputTokens: [256, 200_000, 16_000],
  maxConcurrentGenerations: [1, 100, 4],
  healthTimeoutMs: [1, 60_000, 3_000],
}

function readAmount(options: N8nFactoryOptions, name: Amount): number {
  const [least, most, unset] = ranges[name]
  const value = options[name] ?? unset
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new RangeError(
    `n8n.${name} must be a whole number from ${least} to ${most}, not ${String(value)}.`,
  )
}

/**
 * Reads the options.
 *
 * @throws {RangeError} when one is out of range.
 */
export function readN8nFactoryOptions(options: N8nFactoryOptions): N8nFactorySettings {
  const { kind, ...others } = options
  // Of the kind only what the tools ask is reachable through them: it can also deploy.
  const keeper: N8nToolKeeper = {
    check: (proposal, asked) => kind.check(proposal, asked),
    health: (name, asked) => kind.health(name, asked),
    nodeCatalogue: (asked) => kind.nodeCatalogue(asked),
    removeFromServer: (name, asked) => kind.removeFromServer(name, asked),
  }
  return {
    ...others,
    keeper,
    modelTimeoutMs: readAmount(options, 'modelTimeoutMs'),
    maxOutputTokens: readAmount(options, 'maxOutputTokens'),
    maxConcurrentGenerations: readAmount(options, 'maxConcurrentGenerations'),
    healthTimeoutMs: readAmount(options, 'healthTimeoutMs'),
  }
}

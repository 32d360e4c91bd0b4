import type { ToolRisk } from '@toolcrib/registry'
import { z } from 'zod'
import { type ToolCapability, toolCapabilities } from '../proposals/capability.ts'
import type { ToolVisibility } from '../tool-spec.ts'
import { type OwnerLimits, ownerLimitsSchema } from './owner-limits.ts'

/** What may be approved without a person. */
export interface ApprovalRule {
  /** Such as `compute-safe`; named in everything that the rule approves. */
  readonly id: string
  readonly kinds: readonly string[]
  /** The capabilities that a tool may have and still fall under the rule. @default none */
  readonly capabilities: readonly ToolCapability[]
  /** @default 'medium' */
  readonly maxRisk: ToolRisk
  /** Only tools of which no version was ever approved. @default true */
  readonly newToolsOnly: boolean
  /** The widest visibility that the rule grants. @default 'owner' */
  readonly visibility: ToolVisibility
}

/** Which versions a person must sign, as data. */
export interface ApprovalPolicy {
  /**
   * What needs no person: the first rule that fits approves. Whatever is suspicious, fails a check or has failing
   * evidence never falls under a rule. @default compute-safe
   */
  readonly rules: readonly ApprovalRule[]
  /** How long a request waits for a person, in milliseconds. @default 30 days */
  readonly pendingExpiryMs: number
  /** How long an approval holds when the approver names no end, in milliseconds; `null`: for ever. @default null */
  readonly approvalExpiryMs: number | null
  /** The proposer of a tool can neither approve nor share it. @default false */
  readonly fourEyes: boolean
  /** How many different approvers must sign that a tool is approved or shared, 1 to 10. @default 1 */
  readonly requiredApprovals: number
  /** How much each owner may have on record and how fast it may propose; persons are exempt. */
  readonly ownerLimits: OwnerLimits
}

/** A policy as it is written: what is left out takes its default. */
export type ApprovalPolicyFields = Partial<Omit<ApprovalPolicy, 'ownerLimits'>> & {
  readonly ownerLimits?: Partial<OwnerLimits>
}

const computeSafe: ApprovalRule = {
  id: 'compute-safe',
  kinds: ['compute'],
  capabilities: [],
  maxRisk: 'medium',
  newToolsOnly: true,
  visibility: 'owner',
}

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1_000

/** The schema of `policy.json`. Fields left out take their defaults; unknown ones are refused. */
export const approvalPolicySchema: z.ZodType<ApprovalPolicy> = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and "-"'),
        kinds: z.array(z.string()).min(1),
        capabilities: z.array(z.enum(toolCapabilities)).default([]),
        maxRisk: z.enum(['low', 'medium', 'high']).default('medium'),
        newToolsOnly: z.boolean().default(true),
        visibility: z.enum(['owner', 'shared']).default('owner'),
      }),
    )
    .max(100)
    .default([{ ...computeSafe, kinds: ['compute'], capabilities: [] }]),
  pendingExpiryMs: z.number().int().positive().default(thirtyDaysMs),
  approvalExpiryMs: z.number().int().positive().nullable().default(null),
  fourEyes: z.boolean().default(false),
  requiredApprovals: z.number().int().min(1).max(10).default(1),
  ownerLimits: ownerLimitsSchema.prefault({}),
})

/** The policy where none is given: new `compute` tools without powers need no person, everything else does. */
export const defaultApprovalPolicy: ApprovalPolicy = Object.freeze(approvalPolicySchema.parse({}))

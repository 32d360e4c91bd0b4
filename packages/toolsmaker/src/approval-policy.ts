import { z } from 'zod'
import { toolCapabilities } from './capability.ts'

const day = 24 * 60 * 60 * 1_000

const ruleSchema = z.strictObject({
  /** Such as `compute-safe`; named in everything that the rule approves. */
  id: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and "-"'),
  kinds: z.array(z.string()).min(1),
  /** The capabilities that a tool may have and still fall under the rule. */
  capabilities: z.array(z.enum(toolCapabilities)).default([]),
  maxRisk: z.enum(['low', 'medium', 'high']).default('medium'),
  /** Only tools of which no version was ever approved. */
  newToolsOnly: z.boolean().default(true),
  /** The widest visibility that the rule grants. */
  visibility: z.enum(['owner', 'shared']).default('owner'),
})

/** The schema of `policy.json`. Fields left out take their defaults; unknown ones are refused. */
export const approvalPolicySchema = z.strictObject({
  /**
   * What needs no person: the first rule that fits approves. Whatever is suspicious, fails a check or has failing
   * evidence never falls under a rule.
   */
  rules: z
    .array(ruleSchema)
    .max(100)
    .default([
      {
        id: 'compute-safe',
        kinds: ['compute'],
        capabilities: [],
        maxRisk: 'medium',
        newToolsOnly: true,
        visibility: 'owner',
      },
    ]),
  /** How long a request waits for a person, in milliseconds. */
  pendingExpiryMs: z
    .number()
    .int()
    .positive()
    .default(30 * day),
  /** How long an approval holds when the approver names no end, in milliseconds; `null`: for ever. */
  approvalExpiryMs: z.number().int().positive().nullable().default(null),
  /** The proposer of a tool cannot approve it. */
  fourEyes: z.boolean().default(false),
  /** How many different approvers must sign. */
  requiredApprovals: z.number().int().min(1).max(10).default(1),
})

/** Which versions a person must sign, as data. */
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>

/** One rule of an {@link ApprovalPolicy}. */
export type ApprovalRule = ApprovalPolicy['rules'][number]

/** The policy where none is given: new `compute` tools without powers need no person, everything else does. */
export const defaultApprovalPolicy: ApprovalPolicy = Object.freeze(approvalPolicySchema.parse({}))

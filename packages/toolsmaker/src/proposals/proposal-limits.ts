/** How much of a proposal is accepted. */
export interface ProposalLimits {
  /** Characters of the description. @default 2_000 */
  readonly maxDescriptionLength?: number
  /** Length of the definition's canonical JSON in characters. @default 262_144 */
  readonly maxDefinitionLength?: number
  /** Length of each schema's JSON in characters. @default 65_536 */
  readonly maxSchemaLength?: number
  /** @default 50 */
  readonly maxExamples?: number
  /** Length of all examples' canonical JSON in characters. @default 262_144 */
  readonly maxExamplesLength?: number
  /** Entries in each list: paths, domains, secrets, callees. @default 50 */
  readonly maxListEntries?: number
  /** Characters of each entry of such a list. @default 1_024 */
  readonly maxEntryLength?: number
  /** Length of the provenance's canonical JSON in characters. @default 16_384 */
  readonly maxProvenanceLength?: number
  /** Characters of a reason that a person or agent gives. @default 2_000 */
  readonly maxReasonLength?: number
}

/** The limits where none are given. */
export const defaultProposalLimits: Required<ProposalLimits> = Object.freeze({
  maxDescriptionLength: 2_000,
  maxDefinitionLength: 262_144,
  maxSchemaLength: 65_536,
  maxExamples: 50,
  maxExamplesLength: 262_144,
  maxListEntries: 50,
  maxEntryLength: 1_024,
  maxProvenanceLength: 16_384,
  maxReasonLength: 2_000,
})

/** The names of all limits. */
export const proposalLimitNames: { readonly [Name in keyof Required<ProposalLimits>]: true } = {
  maxDescriptionLength: true,
  maxDefinitionLength: true,
  maxSchemaLength: true,
  maxExamples: true,
  maxExamplesLength: true,
  maxListEntries: true,
  maxEntryLength: true,
  maxProvenanceLength: true,
  maxReasonLength: true,
}

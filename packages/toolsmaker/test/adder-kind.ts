import type { JsonObject } from '@toolcrib/registry'
import type { EvidenceRun, ToolKind, ToolProposal } from '@toolcrib/toolsmaker'

/** A kind for tests: the definition `{ add }` gives the input `value` plus that number. */
export function createAdderKind(overrides: Partial<ToolKind> = {}): ToolKind {
  const amount = ({ spec }: Pick<ToolProposal, 'spec'>): number =>
    Number((spec.definition as JsonObject)['add'])
  const run = (proposal: Pick<ToolProposal, 'spec'>, input: unknown): number =>
    Number((input as JsonObject)['value']) + amount(proposal)
  return {
    kind: 'compute',
    check: (proposal) => [
      {
        name: 'definition',
        pass: Number.isFinite(amount(proposal)),
        message: 'add must be a number',
      },
    ],
    gatherEvidence: (proposal) => {
      const { examples } = proposal.spec
      const inputs = examples.length > 0 ? examples : [{ input: { value: 1 } }]
      return inputs.map((example): EvidenceRun => {
        const actual = run(proposal, example.input)
        const expected = 'expected' in example ? example.expected : undefined
        return {
          input: example.input,
          ...(expected === undefined ? {} : { expected }),
          actual,
          pass: expected === undefined || expected === actual,
          durationMs: 0.1,
          origin: examples.length > 0 ? 'author' : 'generated',
        }
      })
    },
    describePowers: () => [],
    describeSteps: (proposal) => [`adds ${amount(proposal)} to value`],
    describeChange: (proposal) => [
      `adds ${amount(proposal)} instead of ${proposal.previous ? amount({ spec: proposal.previous }) : 0}`,
    ],
    renderSource: (spec) => ({
      extension: 'ts',
      text: `export const add = ${amount({ spec })}\n`,
    }),
    toCustomTool: (spec) => ({ logic: spec.definition }),
    compile: (spec) => ({ execute: (input) => Promise.resolve(run({ spec }, input)) }),
    ...overrides,
  }
}

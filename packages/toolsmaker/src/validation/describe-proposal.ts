import type { ToolKind, ToolProposal } from '../tool-kind.ts'
import { askKind } from './ask-kind.ts'
import { readSentences } from './kind-answers.ts'
import { describeCapabilities } from './describe-capabilities.ts'

/** What is said about a version, made from its content alone. */
export interface ProposalSentences {
  /** What it may do; empty means nothing. */
  readonly powers: readonly string[]
  /** What it does, step by step. */
  readonly steps: readonly string[]
  /** What its kind says about the change since the version before. */
  readonly change: readonly string[]
}

/**
 * Has a kind say what a version may do, does and changes.
 *
 * @throws {ToolError} KIND_FAILED when it throws, is late or answers something else.
 */
export async function describeProposal(
  proposal: ToolProposal,
  kind: ToolKind,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ProposalSentences> {
  const name = kind.kind
  const question = { kind: name, timeoutMs, signal }
  const [powers, steps, change] = await Promise.all([
    askKind({ ...question, hook: 'describePowers' }, () => kind.describePowers(proposal)),
    askKind({ ...question, hook: 'describeSteps' }, () => kind.describeSteps(proposal)),
    askKind({ ...question, hook: 'describeChange' }, () =>
      proposal.previous === undefined ? [] : (kind.describeChange?.(proposal) ?? []),
    ),
  ])
  return {
    powers: [...readSentences(name, powers), ...describeCapabilities(proposal.spec)],
    steps: readSentences(name, steps),
    change: readSentences(name, change),
  }
}

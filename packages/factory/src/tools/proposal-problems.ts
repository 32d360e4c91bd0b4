import type { BuildOutcome } from '@toolcrib/toolsmaker'
import type { FactoryErrorCode } from '../error-catalogue.ts'

/** Everything that is wrong with a proposal, one by one. */
export function proposalProblems({ report }: BuildOutcome): string[] {
  return [
    // The check called evidence only sums up the runs that follow.
    ...report.checks
      .filter(({ name, pass }) => !pass && (name !== 'evidence' || report.evidence.length === 0))
      .map(({ message }) => message),
    ...report.evidence
      .filter(({ pass }) => !pass)
      .map(
        ({ input, error }) => `With ${JSON.stringify(input).slice(0, 200)}: ${error ?? 'failed'}`,
      ),
  ].slice(0, 30)
}

/** The code of an answer that a proposal did not lead to a tool; `undefined` when it may. */
export function proposalProblemCode(status: BuildOutcome['status']): FactoryErrorCode | undefined {
  if (status === 'rejected') return 'PROPOSAL_REJECTED'
  const isOutOfUse = status === 'deactivated' || status === 'revoked' || status === 'expired'
  return isOutOfUse ? 'PROPOSAL_OUT_OF_USE' : undefined
}

/** Problems as one text: each ends like a sentence. */
export function joinProblems(problems: readonly string[]): string {
  return problems
    .map((text) => text.trimEnd())
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .join(' ')
    .slice(0, 4_000)
    .toWellFormed()
}

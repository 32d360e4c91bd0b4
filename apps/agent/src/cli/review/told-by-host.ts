import type { ReviewedVersion } from '../../operations/version-operations.ts'
import { describeRun } from './show-evidence.ts'

/** What a review says that follows from nothing that is signed: whoever signs has only the word of the host for it. */
export function describeTold({ content, previous, review, summary }: ReviewedVersion): string[] {
  const { change, expiresAt, held, newPowers, proposedAt, proposedBy, waitsBecause } = review
  return [
    `${summary.status}, proposed at ${proposedAt}${content.proposer === undefined ? ` by ${proposedBy}` : ''}`,
    ...(held === undefined
      ? []
      : [
          `HELD: ${held.reason}. Until somebody activates it again it does not run.`,
          ...held.evidence.flatMap((run) => describeRun(run).map((line) => `now: ${line}`)),
        ]),
    ...(previous === undefined
      ? []
      : newPowers.map((power) => `it may what v${previous.version} may not: ${power}`)),
    ...(change?.sentences ?? []).map((sentence) => `changed: ${sentence}`),
    ...waitsBecause.map((reason) => `waits for a person because ${reason}`),
    ...(expiresAt === undefined ? [] : [`the request runs out at ${expiresAt}`]),
  ]
}

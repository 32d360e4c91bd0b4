import { shownLine } from './shown-text.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'

type EvidenceRun = ReviewedVersion['review']['evidence'][number]

const answers = {
  fixture: "answered by the author's fixture",
  none: 'no fixture of the author fits, so it failed',
  refused: 'refused: the tool did not ask for that power',
} as const

/** One run of a tool that was tried, and what it asked of the host; nothing outside was touched for it. */
export function describeRun(run: EvidenceRun): readonly string[] {
  const { input, actual, error, pass, origin, operations = [] } = run
  const outcome = shownLine(error ?? JSON.stringify(actual) ?? 'nothing')
  return [
    `${pass ? '✔' : '✘'} ${shownLine(JSON.stringify(input))} → ${outcome} (${origin})`,
    ...operations.map(
      ({ operation, argument, answer }) =>
        `  ${shownLine(operation, 40)} ${shownLine(JSON.stringify(argument))}: ${answers[answer]}`,
    ),
  ]
}

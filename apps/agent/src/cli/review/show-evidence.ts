import { shownLine } from './shown-text.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'

type Review = ReviewedVersion['review']
type EvidenceRun = Review['evidence'][number]

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

/** What the author gives as examples, as far as no run shows all of it. */
export function describeUntried({
  evidence,
  examples,
}: Pick<Review, 'evidence' | 'examples'>): readonly string[] {
  const shown = new Set(evidence.filter(showsExpected).map(describeExample))
  return examples.flatMap((example) => {
    const { fixtures = [] } = example
    const line = describeExample(example)
    const isShown = line.length <= longestShown && shown.has(line)
    return [
      ...(isShown && fixtures.length === 0 ? [] : [`Example: ${line}`]),
      ...fixtures.map(({ argument, error, operation, result = null }) => {
        const asked = argument === undefined ? '' : ` ${JSON.stringify(argument)}`
        const answer = error === undefined ? `gives ${JSON.stringify(result)}` : `fails: ${error}`
        return `  ${operation}${asked} ${answer}`
      }),
    ]
  })
}

/** What came out is what is shown of a run. */
function showsExpected({ actual, expected, pass }: EvidenceRun): boolean {
  return pass && (expected === undefined || JSON.stringify(expected) === JSON.stringify(actual))
}

/** Runs with longer values are cut. */
const longestShown = 100

function describeExample({ expected, input }: Pick<EvidenceRun, 'expected' | 'input'>): string {
  return `${JSON.stringify(input)}${expected === undefined ? '' : ` → ${JSON.stringify(expected)}`}`
}

import type { Printer } from '../cli/printer.ts'
import { shownSource, shownSourceLine } from '../cli/shown-source.ts'
import { shownText } from '../cli/shown-text.ts'
import { describeRun } from './show-evidence.ts'
import type { ReviewedVersion } from '../operations/version-operations.ts'

/**
 * A review as a person reads it: what was generated from what would run first, the author's own words last and boxed. The source
 * of a code tool is shown whole where there is no earlier version to compare it with, else only when asked for.
 */
export function formatReview(
  { summary, review, source }: ReviewedVersion,
  printer: Printer,
  { withSource = false }: { readonly withSource?: boolean } = {},
): string {
  const style: Printer['style'] = (format, text) => printer.style(format, text)
  const { change, risk, authorSays } = review
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [
          '',
          style('bold', title),
          ...lines.map((line) => `  ${shownText(line).replaceAll('\n', '\n    ')}`),
        ]
  return [
    style('bold', `${review.name} v${review.version}`) + `  ${review.kind}  ${summary.status}`,
    `sha256 ${review.contentHash}`,
    ...section('HELD', describeHold(review)),
    ...section('It may', review.powers),
    ...section('New since the last approved version', change === undefined ? [] : review.newPowers),
    ...section('It does', review.steps),
    ...section('Look twice', review.suspicions),
    ...section(`Risk: ${risk.level}`, risk.reasons),
    ...section('Waits for a person because', review.waitsBecause),
    ...(change === undefined
      ? []
      : [
          ...section(`Changed since v${change.fromVersion}`, change.sentences),
          '',
          ...change.diff.split('\n').map((line) => colourDiff(shownSourceLine(line), style)),
        ]),
    ...section(
      'Checks',
      review.checks.map(({ name, pass, message }) => `${pass ? '✔' : '✘'} ${name}: ${message}`),
    ),
    ...section('Tried', review.evidence.flatMap(describeRun)),
    ...(source !== undefined && (withSource || change === undefined)
      ? ['', style('bold', 'Source'), ...shownSource(source)]
      : []),
    ...section('Proposed', [
      `by ${review.proposedBy} at ${review.proposedAt}, owner ${review.owner}`,
    ]),
    ...(review.expiresAt === undefined ? [] : [`  the request runs out at ${review.expiresAt}`]),
    '',
    style('dim', '┌ The author says (not checked by anybody):'),
    ...[authorSays.description, ...authorSays.notes].flatMap((text) =>
      shownText(text)
        .split('\n')
        .map((line) => style('dim', `│ ${line}`)),
    ),
    style('dim', '└'),
  ].join('\n')
}

function describeHold({ held }: ReviewedVersion['review']): readonly string[] {
  if (held === undefined) return []
  return [
    `${held.reason}. Until somebody activates it again it does not run.`,
    ...held.evidence.flatMap((run) => describeRun(run).map((line) => `now: ${line}`)),
  ]
}

/** The lines of a diff that say what changed, without its frame. */
export function changedLines(diff: string): readonly string[] {
  return diff.split('\n').filter((line) => /^[-+](?![-+]{2})/.test(line))
}

function colourDiff(line: string, style: Printer['style']): string {
  if (line.startsWith('+') && !line.startsWith('+++')) return style('green', line)
  if (line.startsWith('-') && !line.startsWith('---')) return style('red', line)
  return line
}

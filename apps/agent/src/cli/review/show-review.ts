import { compareWithPrevious } from '@toolcrib/toolsmaker'
import type { Printer } from '../printer.ts'
import { shownDefinition } from './show-definition.ts'
import { shownSourceLine } from './shown-source.ts'
import { layOut, layOutSource } from './terminal-rows.ts'
import { describeRun, describeUntried } from './show-evidence.ts'
import { isChanged } from './reviewed-version.ts'
import { describeTold } from './told-by-host.ts'
import type { ReviewedVersion } from '../../operations/version-operations.ts'
import type { CommandContext } from '../program/command-context.ts'

/**
 * A review as a person reads it: what was generated from what would run first, the author's own words last and boxed. All of the
 * content stands in it: the definition itself too where the steps do not tell all of it, as of code, or when asked for. What the
 * host alone can tell stands apart, and changes nothing of the rest.
 */
export function formatReview(
  reviewed: ReviewedVersion,
  printer: Printer,
  { columns, withSource = false }: { readonly columns: number; readonly withSource?: boolean },
): string {
  const style: Printer['style'] = (format, text) => printer.style(format, text)
  const { content, previous, review } = reviewed
  const { authorSays, risk } = review
  const differs = describeDiffers(review)
  const compared = compareWithPrevious(reviewed)
  const plain = (text: string): string[] => layOut(text, { columns, first: '', rest: '  ' })
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [
          '',
          ...plain(title).map((row) => style('bold', row)),
          ...lines.flatMap((line) => layOut(line, { columns, first: '  ', rest: '    ' })),
        ]
  const boxed = (title: string, texts: readonly string[]): string[] =>
    texts.length === 0
      ? []
      : [
          '',
          ...[
            ...layOut(title, { columns, first: '┌ ', rest: '│ ' }),
            ...texts.flatMap((text) => layOut(text, { columns, first: '│ ' })),
            '└',
          ].map((row) => style('dim', row)),
        ]
  return [
    ...plain(`${review.name} v${review.version}  ${review.kind}`).map((row) => style('bold', row)),
    // What nothing can be signed of has no hash to be signed by, and nothing of it was compared.
    ...(isChanged(review)
      ? section('CHANGED since it was validated, as the host says; nothing can be signed', differs)
      : plain(`sha256 ${review.contentHash}`)),
    ...section('The host says (checked by nobody)', describeTold(reviewed)),
    ...section('It may', review.powers),
    ...section('Settings', review.settings),
    ...section('It does', review.steps),
    ...section('Look twice', review.suspicions),
    ...section(`Risk: ${risk.level}`, risk.reasons),
    ...(previous === undefined || compared === undefined
      ? []
      : [
          ...section(`Changed since v${previous.version}`, [
            `sha256 ${compared.contentHash}`,
            `compared here; that v${previous.version} is the last one that was approved, the host says`,
          ]),
          '',
          ...readDiff(compared.diff).flatMap(({ line, mark }) => {
            const rows = layOutSource(shownSourceLine(line), { columns, first: '', rest: '↪ ' })
            if (mark === ' ') return rows
            return rows.map((row) => style(mark === '+' ? 'green' : 'red', row))
          }),
        ]),
    ...section(
      'Checks',
      review.checks.map(({ name, pass, message }) => `${pass ? '✔' : '✘'} ${name}: ${message}`),
    ),
    ...section('Tried', review.evidence.flatMap(describeRun)),
    ...(withSource || review.definition !== undefined
      ? ['', style('bold', 'Source'), ...shownDefinition(content.definition, columns)]
      : []),
    ...section('Proposed', [
      `${content.proposer === undefined ? '' : `by ${review.proposedBy}, `}owner ${review.owner}`,
    ]),
    ...boxed('Models read (in the words of the author, checked by nobody):', [
      ...review.modelsRead,
      // Last, for it may have lines that look like those above.
      `${review.name}: ${authorSays.description}`,
    ]),
    ...boxed('The author says (not checked by anybody):', [
      ...authorSays.notes,
      ...describeUntried(review),
    ]),
  ].join('\n')
}

/** Shows a review to the person who is about to decide; with JSON nobody reads along. */
export function noteReview({ printer }: CommandContext, reviewed: ReviewedVersion): void {
  if (printer.isJson) return
  printer.note(`${formatReview(reviewed, printer, { columns: printer.columns('note') })}\n`)
}

function describeDiffers({ differs = [] }: ReviewedVersion['review']): readonly string[] {
  return differs.flatMap(({ now, recorded, what }) => [
    `${what} is another one`,
    ...recorded.map((line) => `${what} on record: ${line}`),
    ...now.map((line) => `${what} now: ${line}`),
  ])
}

/** The lines of a diff that say what changed, without its frame. */
export function changedLines(diff: string): readonly string[] {
  return readDiff(diff).flatMap(({ line, mark }) => (mark === ' ' ? [] : [line]))
}

interface DiffLine {
  readonly line: string
  readonly mark: '+' | '-' | ' '
}

/** The lines of unified diffs, with what each says. How long a part is stands before it, for text in it may look like a frame. */
function readDiff(diff: string): readonly DiffLine[] {
  let removed = 0
  let added = 0
  return diff.split('\n').map((line): DiffLine => {
    const mark = line.charAt(0)
    if (removed <= 0 && added <= 0) {
      const [, before = '1', after = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(
        line,
      ) ?? ['', '0', '0']
      removed = Number(before)
      added = Number(after)
      return { line, mark: ' ' }
    }
    if (mark !== '+' && mark !== '\\') removed -= 1
    if (mark !== '-' && mark !== '\\') added -= 1
    return { line, mark: mark === '+' || mark === '-' ? mark : ' ' }
  })
}

import { shownText } from './shown-text.ts'

/** How rows are laid out. */
export interface RowLayout {
  /** How many columns a row may take, what stands before it included. */
  readonly columns: number
  /** What stands before the first row of a text. */
  readonly first: string
  /** What stands before each row that follows. @default the same */
  readonly rest?: string
}

/** Everything that a terminal shows as nothing and that takes a column or more. */
const blank = String.raw`[\p{Zs}\t\u2800]`
const blankRuns = new RegExp(`${blank}{4,}`, 'gu')
/** As far as lines are indented. */
const maxIndent = 12
const trailingBlanks = new RegExp(`${blank}+$`, 'u')
const emptyLines = /\n(?:[\p{Zs}\t\u2800]*\n){2,}/gu
/** As many marks on one letter reach into the rows above and below. */
const marks = /\p{M}{3,}/gu

/**
 * Lays somebody else's text out in rows that no terminal breaks again: each has what stands before it, and none is wider than
 * `columns`. Runs of blanks and empty lines are collapsed and say how many there were, and what would act on the screen or hide
 * is shown as an escape.
 */
export function layOut(text: string, layout: RowLayout): string[] {
  return frame(plainLines(text), layout)
}

/** The same for one line of source, which was made safe already and keeps its blanks. */
export function layOutSource(line: string, layout: RowLayout): string[] {
  return frame([line.replaceAll('\t', '    ')], layout)
}

function frame(lines: readonly string[], { columns, first, rest = first }: RowLayout): string[] {
  const rows: string[] = []
  const room = Math.max(8, columns - Math.max(widthOf(first), widthOf(rest)))
  for (const line of lines)
    for (const row of wrap(line, room)) rows.push(`${rows.length === 0 ? first : rest}${row}`)
  return rows
}

/** The lines of a text, safe for a terminal, and with nothing in them that pushes the rest out of sight. */
function plainLines(text: string): readonly string[] {
  const collapsed = text
    .replaceAll('\r\n', '\n')
    .replaceAll(emptyLines, (run) => `\n⟨${run.split('\n').length - 2} empty lines⟩\n`)
    .replaceAll(blankRuns, (run, start: number, whole: string) => {
      const isIndent = start === 0 || whole.charAt(start - 1) === '\n'
      return isIndent && run.length <= maxIndent ? run : ` ⟨${run.length} blanks⟩ `
    })
    .replaceAll(marks, (run) => Array.from(run, codeOf).join(''))
    .replaceAll('\t', ' ')
  return shownText(collapsed)
    .split('\n')
    .map((line) => line.replace(trailingBlanks, ''))
}

function codeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`
}

/** One line in rows of a width, broken at blanks where there are some. */
function wrap(line: string, room: number): readonly string[] {
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const character of line) {
    const more = columnsOf(character)
    if (width + more > room) {
      const space = row.lastIndexOf(' ')
      // A word that fills most of a row is broken where the row ends.
      const [kept, next] =
        space > row.length / 2 ? [row.slice(0, space), row.slice(space + 1)] : [row, '']
      rows.push(kept)
      row = next
      width = widthOf(next)
    }
    row += character
    width += more
  }
  return [...rows, row]
}

/** How many columns a text takes at most. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Letters, signs, arrows and frames that are one column wide everywhere, beyond those of the first scripts. */
const narrow =
  /[\u1E00-\u20CF\u2100-\u214F\u2190-\u21FF\u2200-\u22FF\u2500-\u259F\u2713-\u2718\u27E8\u27E9]/u

/** How many columns a character takes at most: one too many ends a row early, one too few would break the frame. */
function columnsOf(character: string): 1 | 2 {
  const code = character.codePointAt(0) ?? 0
  return code < 0x1100 || narrow.test(character) ? 1 : 2
}

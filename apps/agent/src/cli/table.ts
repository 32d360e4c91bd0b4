import { shownLine } from './review/shown-text.ts'

/** More than any cell needs; what anybody wrote into a store may be longer. */
const longestCell = 300

/** Rows as aligned columns, the last one as long as it is. What a cell holds acts on no terminal, whoever wrote it. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [headings, ...rows].map((row) => row.map((cell) => shownLine(cell, longestCell)))
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  )
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

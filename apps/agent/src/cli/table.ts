import { stripVTControlCharacters } from 'node:util'

/** Rows as aligned columns, the last one as long as it is. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => stripVTControlCharacters(row[column] ?? '').length)),
  )
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1
            ? cell
            : cell + ' '.repeat((widths[column] ?? 0) - stripVTControlCharacters(cell).length),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

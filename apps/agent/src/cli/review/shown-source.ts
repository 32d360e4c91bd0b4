import { shownText } from './shown-text.ts'
import { layOutSource } from './terminal-rows.ts'

/** As many blanks in a row push what follows off a screen. */
const blanks = /[ \t]{40,}(?=[^\s])/g

/** A line of somebody's source, made safe for a terminal: nothing in it hides, nor is pushed out of sight by blanks. */
export function shownSourceLine(line: string): string {
  return shownText(line).replaceAll(blanks, (run, start: number) =>
    start === 0 && run.length < 80 ? run : ` ⟨${run.length} blanks⟩ `,
  )
}

/** A source with the numbers of its lines, as problems and reviews name them. */
export function shownSource(source: string, columns: number): readonly string[] {
  const lines = source.replace(/\r?\n$/, '').split(/\r?\n/)
  const width = String(lines.length).length
  return lines.flatMap((line, index) =>
    layOutSource(shownSourceLine(line), {
      columns,
      first: `${String(index + 1).padStart(width)} │ `,
      rest: `${' '.repeat(width)} │ `,
    }),
  )
}

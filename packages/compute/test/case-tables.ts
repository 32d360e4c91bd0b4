import divergences from '../test-cases/divergences.json' with { type: 'json' }
import { adaptCelCase, type Fails } from './cel-conformance/adapt-cel-case.ts'
import { readCelCases } from './cel-conformance/cel-case.ts'
import { type LeftOutReason, leftOutReasons } from './cel-conformance/left-out-reasons.ts'

/** The cells of a table, the heading first. */
export type Table = readonly (readonly string[])[]

/** A case that disagrees with the language. */
export interface Divergence {
  readonly id: string
  readonly decision: string
  readonly expression: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly suite: { readonly value?: unknown; readonly error?: boolean }
  readonly ours: { readonly value?: unknown; readonly error?: string }
  readonly instead?: string
}

/** Every case that disagrees. */
export const divergentCases: readonly Divergence[] = divergences.suites.flatMap(
  (suite): readonly Divergence[] => suite.cases,
)

const inCode = (text: string): string => `\`${text}\``
const outcomeText = ({ value, error }: Divergence['ours'] | Divergence['suite']): string => {
  if (error === true) return 'an error'
  return inCode(typeof error === 'string' ? error : JSON.stringify(value))
}

/** The table of docs/divergences.md: one row for each decision, with the shortest case as the example. */
export function divergenceTable(): Table {
  const rows = Object.entries(divergences.decisions).map(([decision, why]) => {
    const cases = divergentCases.filter((divergence) => divergence.decision === decision)
    const [example] = cases.toSorted((a, b) => a.expression.length - b.expression.length)
    if (example === undefined) throw new Error(`no case for ${decision}`)
    const { expression, suite, ours } = example
    return [
      decision,
      why,
      String(cases.length),
      `${inCode(expression)} is ${outcomeText(suite)} there, ${outcomeText(ours)} here`,
    ]
  })
  return [['Decision', 'What holds and why', 'Cases', 'Example'], ...rows]
}

/** What becomes of every case of the conformance suite. */
export function sortCelCases(fails: Fails): readonly {
  readonly id: string
  readonly section: string
  readonly reason: LeftOutReason | undefined
}[] {
  return readCelCases().map((celCase) => {
    const adapted = adaptCelCase(celCase, fails)
    const reason = typeof adapted === 'string' ? adapted : undefined
    return { id: celCase.id, section: celCase.section, reason }
  })
}

type SortedCelCases = ReturnType<typeof sortCelCases>

/** How many cases of each section run, and why the others do not. */
export function celSectionTable(sorted: SortedCelCases): Table {
  const sections = [...new Set(sorted.map(({ section }) => section))]
  const rows = sections.map((section) => {
    const cases = sorted.filter((celCase) => celCase.section === section)
    const running = cases.filter(({ reason }) => reason === undefined)
    const counts = Object.keys(leftOutReasons).flatMap((reason) => {
      const count = cases.filter((celCase) => celCase.reason === reason).length
      return count === 0 ? [] : [`${reason} ${count}`]
    })
    return [section, String(cases.length), String(running.length), counts.join(', ')]
  })
  const total = (column: number): string =>
    String(rows.reduce((sum, row) => sum + Number(row[column]), 0))
  return [
    ['Section', 'Cases', 'Run', 'Left out'],
    ...rows,
    ['all', total(1), total(2), String(Number(total(1)) - Number(total(2)))],
  ]
}

/** How many cases each reason leaves out. */
export function celReasonTable(sorted: SortedCelCases): Table {
  const rows = Object.entries(leftOutReasons).map(([reason, text]) => [
    reason,
    text,
    String(sorted.filter((celCase) => celCase.reason === reason).length),
  ])
  return [['Reason', 'What it is', 'Cases'], ...rows]
}

/** A table as Markdown. */
function renderTable([heading = [], ...rows]: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The table under a heading of a page, its cells without padding. */
export function readTable(page: string, heading: string): Table {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')),
    )
}

/** The page with the table under a heading replaced. */
export function replaceTable(page: string, heading: string, table: Table): string {
  const start = page.indexOf('\n|', page.search(new RegExp(`^#+ ${heading}$`, 'm'))) + 1
  const rest = page.slice(start)
  const length = rest.search(/^(?!\|)/m)
  return (
    page.slice(0, start) + renderTable(table) + '\n' + rest.slice(length < 0 ? rest.length : length)
  )
}

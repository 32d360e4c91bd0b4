/** One line of the table: what was measured, beside what it was measured against in the same run. */
export interface BenchmarkRow {
  readonly part: string
  readonly what: string
  readonly value: number
  /** `×` where the value is a ratio itself. */
  readonly unit: string
  /** The floor or the peer, in the unit of `value`. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** Median of the rounds' ratios; worked out from the values where the rounds were not paired. */
  readonly ratio?: number
  readonly goal?: BenchmarkGoal
  /** Where many engines do the same: who did it, and the heading it stands under in the table of engines. */
  readonly engine?: string
  readonly column?: string
}

/** What a line was meant to reach. */
export interface BenchmarkGoal {
  /** As people read it, such as "≤ 1.6 ×". */
  readonly text: string
  readonly isMet: boolean
  /** Said when the goal is missed. */
  readonly limitedBy?: string
}

const columns = ['part', 'what', 'measured', 'beside', 'ratio', 'goal', 'verdict']

/** The rows as a markdown table, aligned for terminals. */
export function formatTable(rows: readonly BenchmarkRow[]): string {
  return alignCells([columns, ...rows.map(formatRow)])
}

function alignCells(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? '').length)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Array.from(cell).length)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const [head = [], ...body] = cells
  return [line(head), rule, ...body.map(line)].join('\n')
}

/** The rows that name an engine as a matrix: a line for each engine, ratios where there is one. */
export function formatEngines(rows: readonly BenchmarkRow[]): string {
  const engines = [...new Set(rows.flatMap(({ engine }) => engine ?? []))]
  const headings = [...new Set(rows.flatMap(({ column }) => column ?? []))]
  const cell = (engine: string, heading: string): string => {
    const row = rows.find((one) => one.engine === engine && one.column === heading)
    if (row === undefined) return '-'
    const isWarm = row.baseline !== undefined && row.unit === 'ns'
    return isWarm ? `${formatNumber(row.ratio ?? Number.NaN)} ×` : formatNumber(row.value)
  }
  return alignCells([
    ['engine', ...headings],
    ...engines.map((engine) => [engine, ...headings.map((heading) => cell(engine, heading))]),
  ])
}

function formatRow({ part, what, value, unit, baseline, ratio, goal }: BenchmarkRow): string[] {
  const isRatio = unit === '×'
  const shown = isRatio ? value : (ratio ?? (baseline && value / baseline.value))
  return [
    part,
    what,
    isRatio ? '' : `${formatNumber(value)} ${unit}`,
    baseline === undefined ? '' : `${baseline.name}: ${formatNumber(baseline.value)} ${unit}`,
    shown === undefined ? '' : `${formatNumber(shown)} ×`,
    goal?.text ?? '',
    formatVerdict(goal),
  ]
}

function formatVerdict(goal: BenchmarkGoal | undefined): string {
  if (goal === undefined) return ''
  if (goal.isMet) return 'met'
  return goal.limitedBy === undefined ? 'missed' : `missed (${goal.limitedBy})`
}

/** Three digits that count, and no more. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return Number(value.toPrecision(3)).toString()
}

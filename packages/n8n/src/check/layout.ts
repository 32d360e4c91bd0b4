import type { N8nConnections } from '../n8n-workflow.ts'

const columnWidth = 220
const rowHeight = 180

/** Places for nodes along the connections: a column for each step from a start, a row for each node of a step. */
export function layOut(
  names: readonly string[],
  connections: N8nConnections,
): ReadonlyMap<string, readonly [number, number]> {
  const targets = new Map<string, readonly string[]>()
  for (const [source, byType] of Object.entries(connections))
    targets.set(
      source,
      Object.values(byType).flatMap((outputs) =>
        outputs.flatMap((output) => (output ?? []).map(({ node }) => node)),
      ),
    )
  const columns = new Map<string, number>()
  const reached = new Set([...targets.values()].flat())
  // What nothing leads to starts a row; then whatever is left, which is in a circle.
  for (const start of [...names.filter((name) => !reached.has(name)), ...names])
    if (!columns.has(start)) spread(start, targets, columns)
  const used = new Map<number, number>()
  return new Map(
    names.map((name) => {
      const column = columns.get(name) ?? 0
      const row = used.get(column) ?? 0
      used.set(column, row + 1)
      return [name, [column * columnWidth, row * rowHeight]] as const
    }),
  )
}

/** Breadth first, so that circles end. */
function spread(
  start: string,
  targets: ReadonlyMap<string, readonly string[]>,
  columns: Map<string, number>,
): void {
  columns.set(start, 0)
  let front = [start]
  for (let column = 1; front.length > 0; column += 1) {
    const next = new Set(front.flatMap((name) => targets.get(name) ?? []))
    front = [...next].filter((name) => !columns.has(name))
    for (const name of front) columns.set(name, column)
  }
}

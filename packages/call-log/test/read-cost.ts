import { Client } from 'pg'

/** A statement that was sent, with its values. */
export interface SentStatement {
  readonly text: string
  readonly values: unknown[]
}

/** A client that keeps what it is asked, so that it can be explained. */
export class RecordingClient extends Client {
  static readonly statements: SentStatement[] = []

  // oxlint-disable-next-line typescript/no-explicit-any -- it has as many forms as the method that it stands for
  override query(...args: any[]): any {
    const [text, values] = args as [unknown, unknown]
    if (typeof text === 'string' && /^\s*(?:select|with)/.test(text))
      RecordingClient.statements.push({ text, values: Array.isArray(values) ? values : [] })
    // oxlint-disable-next-line typescript/no-unsafe-return -- see above
    return (super.query as (...all: unknown[]) => unknown).apply(this, args)
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** How many rows of tables, and how many pages, statements read. */
export async function readingOf(
  client: Client,
  statements: readonly SentStatement[],
): Promise<{ rows: number; pages: number }> {
  let rows = 0
  let pages = 0
  for (const { text, values } of statements.slice()) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { rows: found } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    )
    const plan = found[0]?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('The server explained nothing.')
    rows += countRows(plan)
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  return { rows, pages }
}

function countRows(node: PlanNode): number {
  const isScan = node['Relation Name'] !== undefined
  const read =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops']
  return (isScan ? read : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + countRows(plan), 0)
}

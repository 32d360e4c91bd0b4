import type { ClientBase } from 'pg'
import { type CallRow, rowColumns } from './call-row.ts'
import { copyIn } from './copy-query.ts'

const columnList = rowColumns.map(([name]) => name).join(', ')
// In the JSON of a batch every row repeats the keys, so they are one letter each.
const keys = rowColumns.map((_column, index) =>
  index < 26 ? String.fromCharCode(0x61 + index) : `a${String.fromCharCode(0x61 + index - 26)}`,
)
const recordType = rowColumns.map(([, type], index) => `${keys[index]} ${type}`).join(', ')

// Control characters that JSON text never holds, so that rows hardly ever need escaping.
const delimiter = '\u0002'
const quote = '\u0001'

/** The statements that write rows, for one schema. */
export interface RowStatements {
  /** Writes rows with COPY: all or none; a row that is there already is an error. */
  copy(client: ClientBase, rows: readonly CallRow[]): Promise<void>
  /** Writes rows with one INSERT: all or none, but leaves out those that are there already. Gives the keys it wrote. */
  insert(client: ClientBase, rows: readonly CallRow[]): Promise<Set<string>>
  /** The same for one row with the whole of its large text beside it. */
  insertLarge(client: ClientBase, row: CallRow): Promise<Set<string>>
}

/** What tells rows of a batch apart. */
export function rowKey(row: { readonly callId: string; readonly kind: string }): string {
  return row.callId + row.kind
}

/** Makes the statements for a schema whose name has been checked. */
export function createRowStatements(schema: string): RowStatements {
  const copyText = `copy ${schema}.tool_calls (${columnList}) from stdin with (format csv, delimiter E'\\x02', quote E'\\x01', escape E'\\x01')`
  const insertText = `insert into ${schema}.tool_calls (${columnList}) select ${keys.join(', ')} from json_to_recordset($1::json) as rows (${recordType}) on conflict do nothing returning call_id as "callId", kind`
  const singleText = `insert into ${schema}.tool_calls (${columnList}) values (${rowColumns.map((_column, index) => `$${index + 1}`).join(', ')}) on conflict do nothing returning call_id as "callId", kind`
  const adoptText = insertText
    .replace(`select ${keys.join(', ')} from`, `select ${adopt(schema)} from`)
    .replace(' on conflict', ` where ${hasStart(schema)} on conflict`)
  const largeText = `with written as (${adoptText}), texts as (insert into ${schema}.tool_call_texts (call_id, kind, content) select "callId", kind, $2 from written where kind <> 's' or not exists (select from written where kind <> 's') on conflict do nothing) select "callId", kind from written`
  const run = async (
    client: ClientBase,
    [name, text]: readonly [string, string],
    values: unknown[],
  ): Promise<Set<string>> => {
    const { rows } = await client.query<{ callId: string; kind: string }>({
      name: `toolcrib_${name}_${schema}`,
      text,
      values,
    })
    return new Set(rows.map(rowKey))
  }
  return {
    copy: (client, rows) => copyIn(client, copyText, rows.map(writeCopyLine).join('')),
    insert: (client, rows) => {
      const [only] = rows
      if (rows.length === 1 && only !== undefined && !needsMore(only))
        return run(client, ['single', singleText], [...only.values, ...missing(only)])
      const statement = rows.some(({ isAdopted }) => isAdopted === true)
        ? (['adopt', adoptText] as const)
        : (['insert', insertText] as const)
      return run(client, statement, [writeRecords(rows)])
    },
    insertLarge: (client, row) =>
      run(client, ['large', largeText], [writeRecords([row]), row.largeText]),
  }
}

/** The columns of a row of which a terminal row takes over what its start row has, where nobody remembers it. */
function adopt(schema: string): string {
  const repeated = {
    started_at: 'at',
    trace_id: 'trace_id',
    parent_call_id: 'parent_call_id',
    session_id: 'session_id',
  }
  const kind = keys[1] ?? ''
  const startedAt = keys[rowColumns.findIndex(([name]) => name === 'started_at')] ?? ''
  const status = keys[rowColumns.findIndex(([name]) => name === 'status')] ?? ''
  return rowColumns
    .map(([name], index) => {
      const key = keys[index] ?? ''
      if (!(name in repeated)) return key
      const from = repeated[name as keyof typeof repeated]
      const wanted = name === 'started_at' ? '' : ` and ${status} <> 'completed'`
      return `case when ${kind} = 'e' and ${startedAt} is null${wanted} then (select s.${from} from ${schema}.tool_calls s where s.call_id = ${keys[0]} and s.kind = 's') else ${key} end`
    })
    .join(', ')
}

/** The condition that a terminal row has a start row; what starts or came late has no need of it. */
function hasStart(schema: string): string {
  const startedAt = keys[rowColumns.findIndex(([name]) => name === 'started_at')] ?? ''
  return `(${keys[1]} <> 'e' or ${startedAt} is not null or exists (select from ${schema}.tool_calls s where s.call_id = ${keys[0]} and s.kind = 's'))`
}

/** Tells whether a row is more than its own values. */
export function needsMore({ before, isAdopted }: CallRow): boolean {
  return before !== undefined || isAdopted === true
}

function writeRecords(rows: readonly CallRow[]): string {
  return JSON.stringify(
    rows.flatMap((row) => (row.before === undefined ? [row] : [row.before, row])).map(toRecord),
  )
}

/** A start row stops short of the columns that only an end has. */
function missing(row: CallRow): null[] {
  return Array.from({ length: rowColumns.length - row.values.length }, () => null)
}

function writeCopyLine({ values }: CallRow): string {
  let line = ''
  for (let index = 0; index < rowColumns.length; index += 1) {
    if (index > 0) line += delimiter
    const value = values[index]
    if (value !== undefined) line += quote + escapeQuote(value) + quote
  }
  return `${line}\n`
}

function escapeQuote(value: string): string {
  return value.includes(quote) ? value.replaceAll(quote, quote + quote) : value
}

function toRecord({ values }: CallRow): Record<string, string> {
  const record: Record<string, string> = {}
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    const key = keys[index]
    if (value !== undefined && key !== undefined) record[key] = value
  }
  return record
}

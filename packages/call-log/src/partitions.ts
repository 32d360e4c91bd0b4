import type { ClientBase } from 'pg'
import { rowColumns } from './call-row.ts'
import { sqlState } from './pooled-client.ts'

const dayMs = 86_400_000

/** The tables that are cut by day, each with the columns that rows are written with. */
const partitionedTables = [
  { table: 'tool_calls', columns: [...rowColumns.map(([name]) => name), 'created_at'].join(', ') },
  { table: 'tool_call_texts', columns: 'call_id, kind, content' },
] as const

/** The last millisecond that a UUIDv7 can hold, in the year 10889. */
const lastMoment = 2 ** 48 - 1

/** The smallest UUIDv7 of a moment: the bound of a partition. */
export function lowestCallId(milliseconds: number): string {
  const moment = Math.min(lastMoment, Math.max(0, Math.floor(milliseconds)))
  const hex = moment.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

const startOfDay = (milliseconds: number): number => Math.floor(milliseconds / dayMs) * dayMs

const partitionName = (table: string, day: number): string =>
  `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '_')}`

/** Where partitions are kept. */
export interface PartitionScope {
  readonly schema: string
}

/**
 * Twice the time from one look to the next, so that a day begins with its partitions. A machine that slept finds it without
 * them: its first rows go to the default partition, and move with the next look.
 */
const soonMs = 7_200_000

/**
 * Makes the partitions of today, of a day that begins within two hours, and of the days ahead that are missing, each in a
 * transaction of its own and with a short lock wait, so that a long-running query never makes writers queue behind it.
 * Gives the names it made.
 */
export async function createPartitions(
  client: ClientBase,
  { schema, now, daysAhead }: PartitionScope & { readonly now: number; readonly daysAhead: number },
): Promise<string[]> {
  const existing = new Set(await listPartitions(client, { schema }))
  const today = startOfDay(now)
  const created: string[] = []
  for (const { table } of partitionedTables)
    for (let day = today; day <= Math.max(today + daysAhead * dayMs, now + soonMs); day += dayMs) {
      if (existing.has(partitionName(table, day))) continue
      // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
      if (await createPartition(client, { schema, table, day }))
        created.push(partitionName(table, day))
    }
  return created
}

async function createPartition(
  client: ClientBase,
  { schema, table, day }: { schema: string; table: string; day: number },
): Promise<boolean> {
  const name = `${schema}.${partitionName(table, day)}`
  const attach = `
    create table if not exists ${name} (like ${schema}.${table} including all);
    create or replace trigger append_only_truncate before truncate on ${name}
      for each statement execute function ${schema}.refuse_change();
    alter table ${schema}.${table} attach partition ${name}
      for values from ('${lowestCallId(day)}') to ('${lowestCallId(day + dayMs)}');`
  try {
    await inMaintenance(client, { schema }, attach)
    return true
  } catch (error) {
    // 23514: rows of that day are in the default partition, put there by a clock that ran ahead; they are moved.
    if (sqlState(error) === '23514') {
      await inMaintenance(client, { schema }, rebuildDefault(schema, table, { attach }))
      return true
    }
    // Another host was quicker.
    if (['42P07', '42809', '42P17', '23505'].includes(sqlState(error) ?? '')) return false
    throw error
  }
}

/**
 * The table refuses DELETE, so rows leave the default partition by moving: it is detached, a new one takes its place,
 * the rows that stay are written again through the parent, and the old one is dropped.
 */
function rebuildDefault(
  schema: string,
  table: string,
  { attach = '', keepFrom }: { attach?: string; keepFrom?: string },
): string {
  const columns = partitionedTables.find((entry) => entry.table === table)?.columns ?? '*'
  const kept = keepFrom === undefined ? '' : ` where call_id >= '${keepFrom}'`
  return `
    lock table ${schema}.${table} in access exclusive mode;
    alter table ${schema}.${table} detach partition ${schema}.${table}_default;
    alter table ${schema}.${table}_default rename to ${table}_leaving;
    create table ${schema}.${table}_default (like ${schema}.${table} including all);
    create trigger append_only_truncate before truncate on ${schema}.${table}_default
      for each statement execute function ${schema}.refuse_change();
    alter table ${schema}.${table} attach partition ${schema}.${table}_default default;
    ${attach}
    insert into ${schema}.${table} (${columns}) select ${columns} from ${schema}.${table}_leaving${kept};
    drop table ${schema}.${table}_leaving;`
}

async function inMaintenance(
  client: ClientBase,
  { schema }: PartitionScope,
  statements: string,
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '2s'`)
    await client.query(
      `select pg_advisory_xact_lock(hashtextextended('toolcrib partitions ${schema}', 0))`,
    )
    await client.query(statements)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Names of the day partitions, oldest first. */
async function listPartitions(client: ClientBase, { schema }: PartitionScope): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name from pg_inherits
       join pg_class child on child.oid = inhrelid
      where inhparent in ('${schema}.tool_calls'::regclass, '${schema}.tool_call_texts'::regclass)
        and child.relname ~ '_[0-9]{4}_[0-9]{2}_[0-9]{2}$'
      order by right(child.relname, 10), child.relname`,
  )
  return rows.map(({ name }) => name)
}

const dayOf = (name: string): number => Date.parse(name.slice(-10).replaceAll('_', '-'))

/**
 * Drops the partitions of days that lie wholly before a moment, and what is older than it in the default partition.
 * Gives the names of the partitions it dropped.
 */
export async function dropPartitions(
  client: ClientBase,
  { schema, before }: PartitionScope & { readonly before: number },
): Promise<string[]> {
  const names = await listPartitions(client, { schema })
  const old = names.filter((name) => dayOf(name) + dayMs <= before)
  for (const name of old)
    // oxlint-disable-next-line no-await-in-loop -- each drop holds its lock as briefly as it can
    await inMaintenance(client, { schema }, `drop table if exists ${schema}.${name}`)
  const keepFrom = lowestCallId(before)
  for (const { table } of partitionedTables) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { rowCount } = await client.query(
      `select 1 from ${schema}.${table}_default where call_id < '${keepFrom}' limit 1`,
    )
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (rowCount === 1)
      await inMaintenance(client, { schema }, rebuildDefault(schema, table, { keepFrom }))
  }
  // Made again from what is left when somebody asks; days are cut by call id and hours by time, so a day more goes.
  for (const table of ['call_hours', 'call_hour_statistics'])
    // oxlint-disable-next-line no-await-in-loop -- see above
    await client.query(
      `delete from ${schema}.${table} where hour < to_timestamp($1::float8 / 1000) + interval '1 day'`,
      [before],
    )
  await client.query(
    `delete from ${schema}.hosts where swept_at is not null and last_seen < to_timestamp($1::float8 / 1000)`,
    [before],
  )
  return old
}

import type { ClientBase } from 'pg'
import { toMoment } from './call-filter.ts'
import { bucketSql } from './duration-histogram.ts'
import { lowestCallId } from './partitions.ts'
import { SqlValues } from './sql-values.ts'
import { toStoredText } from './stored-text.ts'

export const hourMs = 3_600_000

/** What the roll-up is made of. */
export interface HourScope {
  readonly schema: string
  /** Every namespace that there is. */
  readonly namespaces: readonly string[]
}

/** An hour in which calls started. */
export interface CallHour {
  /** Its beginning, as Postgres writes it. */
  readonly hour: string
  /** The roll-up has it, with every row that has come. */
  readonly isCounted: boolean
}

const hourOf = (time: string): string =>
  `date_bin(interval '1 hour', ${time}, timestamptz '2000-01-01 00:00:00+00')`

/** What makes a row late; the words of the index that finds such rows. */
const isLate = `l.kind <> 'l' and l.created_at - coalesce(l.started_at, l.at) > interval '10 minutes'`

/**
 * How long a row may take from being stamped to being seen: rows that are on their way while an hour is counted make it
 * count again.
 */
const onTheWay = '1 minute'

/**
 * Finds the hours in which calls started, going from one to the next instead of through the calls, and tells of each
 * whether the roll-up still holds. Only a row that was stored later than ten minutes after its call started can belong
 * to an hour that was counted before; those have an index of their own.
 */
export async function findHours(
  client: ClientBase,
  { schema, namespaces, from, to }: HourScope & { readonly from: number; readonly to: number },
): Promise<CallHour[]> {
  const firstFrom = (time: string): string =>
    hourOf(`(
      select min(first.at) from unnest($1::text[]) as n(namespace) cross join lateral (
        select s.at from ${schema}.tool_calls s
         where s.kind = 's' and s.namespace = n.namespace and s.at >= ${time} order by s.at limit 1) first)`)
  const { rows } = await client.query<CallHour>(
    `with recursive walk(hour) as (
       select ${firstFrom('$2::timestamptz')}
       union all
       select ${firstFrom(`walk.hour + interval '1 hour'`)} from walk where walk.hour < $3::timestamptz
     )
     select to_char(walk.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour,
            h.hour is not null and (
              select 1 from ${schema}.tool_calls l
               where ${isLate} and ${hourOf('coalesce(l.started_at, l.at)')} = walk.hour
                 and l.created_at > h.rolled_at limit 1) is null as "isCounted"
       from walk left join ${schema}.call_hours h on h.hour = walk.hour
      where walk.hour < $3::timestamptz`,
    [namespaces, toMoment(from), toMoment(to)],
  )
  return rows
}

/** Which calls are counted, by when they started. */
export interface CountedSpan {
  readonly schema: string
  readonly from: number
  readonly to: number
  readonly namespaces: readonly string[]
  readonly toolName?: string | undefined
  /** Whether these are all calls of the span or nearly all, and not those of one tool or of some namespaces. */
  readonly isWhole: boolean
}

/**
 * The statement that counts calls by namespace, tool, status and bucket of duration. Calls that were refused have none.
 *
 * The end of a call is looked up by its id. Where the whole span is wanted, ends are read together first: an id tells when it
 * was made, so that nearly all ends of a span lie side by side. Only for calls without one of these an end is looked up: they
 * run, or their id was made by another clock.
 */
export function countedCalls({ schema, isWhole, ...span }: CountedSpan, values: SqlValues): string {
  const namespaces = `${values.add(span.namespaces)}::text[]`
  const [from, to] = [span.from, span.to].map(
    (time) => `${values.add(toMoment(time))}::timestamptz`,
  )
  const tool =
    span.toolName === undefined
      ? ''
      : ` and s.tool_name = ${values.add(toStoredText(span.toolName))}::text`
  const endsTogether = (): string => {
    const [first, last] = [span.from, span.to + 1].map(
      (time) => `${values.add(lowestCallId(time))}::uuid`,
    )
    return `select e.call_id, e.status, e.duration_ms, e.refused from ${schema}.tool_calls e
       where e.kind = 'e' and e.call_id >= ${first} and e.call_id < ${last} and e.namespace = any(${namespaces})`
  }
  const none = `select null::uuid as call_id, null::text as status, null::float8 as duration_ms, null::boolean as refused
       where false`
  return `with started as materialized (
      select s.call_id, s.namespace, s.tool_name from ${schema}.tool_calls s
       where s.kind = 's' and s.namespace = any(${namespaces}) and s.at >= ${from} and s.at < ${to}${tool}),
    near as materialized (${isWhole ? endsTogether() : none}),
    joined as materialized (
      select s.call_id, s.namespace, s.tool_name, e.status, e.duration_ms, e.refused
        from started s left join near e on e.call_id = s.call_id),
    ended as (
      select namespace, tool_name, status, duration_ms, refused from joined where status is not null
      union all
      select j.namespace, j.tool_name, coalesce(e.status, 'started'), e.duration_ms, e.refused
        from joined j left join lateral (
          select e.status, e.duration_ms, e.refused from ${schema}.tool_calls e
           where e.call_id = j.call_id and e.kind = 'e' limit 1) e on true
       where j.status is null)
    select namespace, tool_name, status, bucket, count(*) as calls from (
      select namespace, tool_name, status, case when refused is not true then ${bucketSql('duration_ms')} end as bucket
        from ended) c
     group by 1, 2, 3, 4`
}

/** Counts the calls of an hour into the roll-up, in the place of what it held. */
export async function rollUpHour(
  client: ClientBase,
  hour: string,
  { schema, namespaces }: HourScope,
): Promise<void> {
  await inSumTransaction(client, async () => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `toolcrib statistics ${schema}`,
    ])
    await client.query(
      `insert into ${schema}.call_hours (hour, rolled_at) values ($1, now() - interval '${onTheWay}')
       on conflict (hour) do update set rolled_at = excluded.rolled_at`,
      [hour],
    )
    await client.query(`delete from ${schema}.call_hour_statistics where hour = $1`, [hour])
    const values = new SqlValues()
    const place = values.add(hour)
    const from = Date.parse(hour)
    const counted = countedCalls(
      { schema, namespaces, from, to: from + hourMs, isWhole: true },
      values,
    )
    await client.query(
      `insert into ${schema}.call_hour_statistics (hour, namespace, tool_name, status, calls, buckets, counts)
       select ${place}, namespace, tool_name, status, sum(calls),
              coalesce(array_agg(bucket) filter (where bucket is not null), '{}'),
              coalesce(array_agg(calls) filter (where bucket is not null), '{}')
         from (${counted}) counted group by namespace, tool_name, status`,
      values.list,
    )
  })
}

/**
 * Adds up in a transaction with settings of its own. Statements are not compiled, which takes longer than running them where
 * there are many partitions. Starts and ends are joined by hash: without statistics of its tables, which an embedded database
 * never gathers, the planner would look through all of the one for each of the other.
 */
export async function inSumTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await client.query('begin; set local jit = off; set local enable_nestloop = off')
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

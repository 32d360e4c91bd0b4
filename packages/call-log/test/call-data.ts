import type { ClientBase } from 'pg'

/** How much is put into a log that is read. */
export interface CallData {
  readonly schema?: string
  readonly calls: number
  readonly days: number
  /** The end of the last day, milliseconds since the epoch. */
  readonly end: number
  readonly namespace?: string
  readonly onDay?: (day: number) => void
}

/** The host that still lives, and the one whose calls were swept. */
const livingHost = '00000000-0000-7000-8000-000000000001'
const deadHost = '00000000-0000-7000-8000-000000000002'

const tools = 300
const callers = 200
const dayMs = 86_400_000

/** The share of calls that go to tools up to each, by Zipf's law: the second half as often as the first, and so on. */
function zipfShares(): number[] {
  const weights = Array.from({ length: tools }, (_, rank) => 1 / (rank + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map((weight) => {
    sum += weight / total
    return sum
  })
}

/**
 * Fills a log with calls as a busy host makes them: 300 tools by Zipf's law, 200 callers, a session for each caller and
 * day and one that has a twentieth of all, about five calls to a trace, 2 % that did not complete, 0.1 % that never
 * ended. The server makes the rows itself, a day at a time; partitions are the caller's to make.
 */
export async function fillCallLog(
  client: ClientBase,
  { schema = 'toolcrib', calls, days, end, namespace = 'default', onDay }: CallData,
): Promise<void> {
  await client.query('select setseed(0.42)')
  await client.query(
    `insert into ${schema}.hosts (host_id, name, pid, lock_key, stopped_at, swept_at)
     values ($1, 'living', 1, 1, null, null), ($2, 'dead', 2, 2, now(), now()) on conflict do nothing`,
    [livingHost, deadHost],
  )
  const ofDay = Math.round(calls / days)
  for (let day = 0; day < days; day += 1) {
    const from = end - (days - day) * dayMs
    // oxlint-disable no-await-in-loop -- a day at a time
    await client.query(makeDay, [
      from,
      ofDay,
      dayMs,
      zipfShares(),
      callers,
      day === days - 1 ? livingHost : deadHost,
      day,
    ])
    await client.query(
      `insert into ${schema}.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at, created_at,
         principal_kind, principal_id, input, trace_id, parent_call_id, session_id)
       select call_id, 's', $1, tool_name, 'started', host_id, at, at, 'agent', caller, '{"weight_kg":12}', trace_id,
         parent_call_id, session_id from made`,
      [namespace],
    )
    await client.query(
      `insert into ${schema}.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at, created_at, output,
         output_bytes, duration_ms, error_code, error, started_at, refused, trace_id, parent_call_id, session_id)
       select call_id, 'e', $1, tool_name, status, host_id, at + ms, at + ms, case when status = 'completed' then '31.5' end,
         4, duration_ms, case when status <> 'completed' then 'TOOL_FAILED' end,
         case when status <> 'completed' then '{"code":"TOOL_FAILED","message":"It broke."}' end, at,
         case when status = 'failed' and refused then true end,
         case when status <> 'completed' then trace_id end, case when status <> 'completed' then parent_call_id end,
         case when status <> 'completed' then session_id end
       from made where status <> 'started'`,
      [namespace],
    )
    await client.query('drop table made')
    // oxlint-enable no-await-in-loop
    onDay?.(day)
  }
}

const makeDay = `
create temp table made as
select *,
  make_interval(secs => duration_ms / 1000) as ms,
  case when u < 0.001 then 'started' when u < 0.013 then 'failed' when u < 0.017 then 'timed_out'
       when u < 0.019 then 'cancelled' when u < 0.021 then 'interrupted' else 'completed' end as status,
  md5('trace' || caller || place / 1000 || day) as trace_id,
  case when place % 3 = 0 then md5('parent' || caller || place / 1000 || day)::uuid::text end as parent_call_id,
  case when place % 20 = 0 then 'session-everybody' else 'session-' || caller || '-' || day end as session_id,
  (substr(clock, 1, 8) || '-' || substr(clock, 9, 4) || '-7' || substr(chance, 1, 3) || '-8' || substr(chance, 4, 3)
    || '-' || substr(chance, 7, 12))::uuid as call_id
from (
  select place, $7::int as day, $6::uuid as host_id, to_timestamp(floor($1::float8 + place * ($3::float8 / $2)) / 1000) as at,
    lpad(to_hex(floor($1::float8 + place * ($3::float8 / $2))::bigint), 12, '0') as clock,
    md5(place::text || $7) as chance, random() as u, random() < 0.1 as refused,
    'tool_' || lpad((least(width_bucket(random(), $4::float8[]), 299) + 1)::text, 3, '0') as tool_name,
    'caller-' || lpad(floor(random() * $5)::int::text, 3, '0') as caller,
    exp(2 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) as duration_ms
  from generate_series(0, $2::int - 1) as place
) base`

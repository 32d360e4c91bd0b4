/** Immutable once released: a change is a new migration. `{schema}` stands for the schema's name. */
export const readsMigration = `
alter table {schema}.hosts add column oldest_open_at timestamptz;

-- A terminal row repeats when its call started, and where the call did not complete also what it belonged to, so that
-- failures are found and put in order without their start rows.
alter table {schema}.tool_calls add column started_at timestamptz, add column refused boolean;
alter table {schema}.tool_calls disable trigger append_only;
update {schema}.tool_calls e
   set started_at = s.at, trace_id = s.trace_id, parent_call_id = s.parent_call_id, session_id = s.session_id,
       refused = case when {schema}.as_jsonb(e.error)->'data'->>'toolRan' = 'false' then true end
  from {schema}.tool_calls s
 where e.kind = 'e' and e.status <> 'completed' and s.call_id = e.call_id and s.kind = 's';
alter table {schema}.tool_calls enable trigger append_only;

drop index {schema}.tool_calls_trouble, {schema}.tool_calls_trace, {schema}.tool_calls_parent,
  {schema}.tool_calls_session;
create index tool_calls_trace_at on {schema}.tool_calls (trace_id, at, call_id)
  where kind = 's' and trace_id is not null;
create index tool_calls_trace_tool on {schema}.tool_calls (trace_id, tool_name, at, call_id)
  where kind = 's' and trace_id is not null;
create index tool_calls_parent_at on {schema}.tool_calls (parent_call_id, at, call_id)
  where kind = 's' and parent_call_id is not null;
create index tool_calls_parent_tool on {schema}.tool_calls (parent_call_id, tool_name, at, call_id)
  where kind = 's' and parent_call_id is not null;
create index tool_calls_session_at on {schema}.tool_calls (session_id, at, call_id)
  where kind = 's' and session_id is not null;
create index tool_calls_session_tool on {schema}.tool_calls (session_id, tool_name, at, call_id)
  where kind = 's' and session_id is not null;

-- What did not complete is little, so that an index for each way of asking costs little.
create index tool_calls_trouble_at on {schema}.tool_calls (namespace, status, started_at, call_id)
  where kind = 'e' and status <> 'completed';
create index tool_calls_trouble_tool on {schema}.tool_calls (namespace, tool_name, status, started_at, call_id)
  where kind = 'e' and status <> 'completed';
create index tool_calls_trouble_trace on {schema}.tool_calls (trace_id, status, started_at, call_id)
  where kind = 'e' and status <> 'completed' and trace_id is not null;
create index tool_calls_trouble_parent on {schema}.tool_calls (parent_call_id, status, started_at, call_id)
  where kind = 'e' and status <> 'completed' and parent_call_id is not null;
create index tool_calls_trouble_session on {schema}.tool_calls (session_id, status, started_at, call_id)
  where kind = 'e' and status <> 'completed' and session_id is not null;

-- Rows that came long after their call had started: they may belong to an hour that has been counted already.
create index tool_calls_late on {schema}.tool_calls
  ((date_bin(interval '1 hour', coalesce(started_at, at), timestamptz '2000-01-01 00:00:00+00')), created_at)
  where kind <> 'l' and created_at - coalesce(started_at, at) > interval '10 minutes';

-- Statistics by hour of start. They can be dropped and are made again from the rows above.
create table {schema}.call_hours (
  hour timestamptz primary key,
  -- Rows that came after this moment are not counted in yet.
  rolled_at timestamptz not null
);
create table {schema}.call_hour_statistics (
  hour timestamptz not null,
  namespace text not null,
  tool_name text not null,
  status text not null,
  calls bigint not null,
  -- Durations of calls that ran: numbers of buckets, each wider than the one before by the same share, and how many fell into each.
  buckets smallint[] not null,
  counts bigint[] not null,
  primary key (hour, namespace, tool_name, status)
);
`

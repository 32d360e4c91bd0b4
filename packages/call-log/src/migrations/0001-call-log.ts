/** Immutable once released: a change is a new migration. `{schema}` stands for the schema's name. */
export const callLogMigration = `
create table {schema}.hosts (
  host_id uuid primary key,
  name text not null,
  pid integer not null,
  lock_key bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  last_seen timestamptz not null default clock_timestamp(),
  stopped_at timestamptz,
  swept_at timestamptz
);
create index hosts_unswept on {schema}.hosts (last_seen) where swept_at is null;

create table {schema}.tool_calls (
  call_id uuid not null,
  kind "char" not null,
  parent_id uuid generated always as (case when kind = 's' then null else call_id end) stored,
  namespace text not null,
  tool_name text not null,
  status text not null,
  host_id uuid not null,
  at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  tool_version bigint,
  tool_hash text,
  approval_id text,
  principal_kind text,
  principal_id text,
  input text,
  output text,
  output_bytes bigint,
  truncated boolean,
  duration_ms double precision,
  error_code text,
  error text,
  may_still_be_running boolean,
  trace_id text,
  span_id text,
  parent_call_id text,
  session_id text,
  tool_call_id text,
  constraint tool_calls_pkey primary key (call_id, kind),
  constraint tool_calls_kind check (kind in ('s', 'e', 'l')),
  constraint tool_calls_status check
    (status in ('started', 'completed', 'failed', 'timed_out', 'cancelled', 'interrupted')),
  constraint tool_calls_started check ((kind = 's') = (status = 'started'))
) partition by range (call_id);
create index tool_calls_started_at on {schema}.tool_calls (namespace, at, call_id) where kind = 's';
create index tool_calls_tool on {schema}.tool_calls (namespace, tool_name, at, call_id) where kind = 's';
create index tool_calls_host on {schema}.tool_calls (host_id) where kind = 's';
create index tool_calls_trouble on {schema}.tool_calls (namespace, status, call_id)
  where kind = 'e' and status <> 'completed';
create index tool_calls_trace on {schema}.tool_calls (trace_id) where trace_id is not null;
create index tool_calls_parent on {schema}.tool_calls (parent_call_id) where parent_call_id is not null;
create index tool_calls_session on {schema}.tool_calls (session_id) where session_id is not null;

create table {schema}.tool_call_texts (
  call_id uuid not null,
  kind "char" not null,
  content text not null,
  constraint tool_call_texts_pkey primary key (call_id, kind)
) partition by range (call_id);

-- lz4 is four to six times faster than the default on large texts. Where the server lacks it (PGlite), large texts are
-- stored as they are, because compressing them would hold up everything else.
do $$
begin
  execute 'alter table {schema}.tool_calls alter column input set compression lz4, alter column output set compression lz4';
  execute 'alter table {schema}.tool_call_texts alter column content set compression lz4';
exception when feature_not_supported or invalid_parameter_value then
  execute 'alter table {schema}.tool_call_texts alter column content set storage external';
end $$;

create function {schema}.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Table %.% is append-only, so % is refused. Retention drops whole partitions.',
    tg_table_schema, tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete on {schema}.tool_calls
  for each row execute function {schema}.refuse_change();
create trigger append_only before update or delete on {schema}.tool_call_texts
  for each row execute function {schema}.refuse_change();
create trigger append_only_truncate before truncate on {schema}.tool_calls
  for each statement execute function {schema}.refuse_change();
create trigger append_only_truncate before truncate on {schema}.tool_call_texts
  for each statement execute function {schema}.refuse_change();

create table {schema}.tool_calls_default partition of {schema}.tool_calls default;
create table {schema}.tool_call_texts_default partition of {schema}.tool_call_texts default;
create trigger append_only_truncate before truncate on {schema}.tool_calls_default
  for each statement execute function {schema}.refuse_change();
create trigger append_only_truncate before truncate on {schema}.tool_call_texts_default
  for each statement execute function {schema}.refuse_change();

-- The texts are kept as text, because jsonb refuses what JSON allows (NUL, lone surrogates, deep nesting).
create function {schema}.as_jsonb(content text) returns jsonb language plpgsql immutable as $$
begin
  return content::jsonb;
exception when others then
  return null;
end $$;

create view {schema}.invocations as
select s.call_id, s.namespace, s.tool_name, s.tool_version, s.tool_hash, s.approval_id,
       s.principal_kind, s.principal_id, coalesce(e.status, 'started') as status,
       s.at as started_at, e.at as ended_at, e.duration_ms, s.input, e.output, e.output_bytes,
       coalesce(e.truncated, false) as truncated, e.error_code, e.error,
       coalesce(e.may_still_be_running, false) as may_still_be_running,
       s.trace_id, s.span_id, s.parent_call_id, s.session_id, s.tool_call_id, s.host_id
from {schema}.tool_calls s
left join {schema}.tool_calls e on e.call_id = s.call_id and e.kind = 'e'
where s.kind = 's';
`

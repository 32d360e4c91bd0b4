import type { ClientBase } from 'pg'

/** Which calls to sweep, and on whose behalf. */
export interface SweepOptions {
  readonly schema: string
  /** The host that sweeps; its own calls are left alone. */
  readonly hostId: string
  /** How long a host must have been silent, in milliseconds. */
  readonly graceMs: number
}

interface DeadHost {
  readonly hostId: string
  readonly lockKey: string
  readonly lastSeen: number
}

/**
 * Gives every open call of a dead host its terminal row: `interrupted`, outcome unknown. A host is dead when it said
 * goodbye, or when it has been silent for the grace and its advisory lock is free. After a restart of the server, hosts
 * get the grace to come back. Several may sweep at once: each call still gets one row. Gives the number of calls swept.
 */
export async function sweepDeadHosts(client: ClientBase, options: SweepOptions): Promise<number> {
  const { schema, hostId, graceMs } = options
  const { rows } = await client.query<DeadHost>(
    `select host_id as "hostId", lock_key as "lockKey", (extract(epoch from last_seen) * 1000)::float8 as "lastSeen"
       from ${schema}.hosts
      where swept_at is null and host_id <> $1
        and (stopped_at is not null or
             greatest(last_seen, pg_postmaster_start_time()) < clock_timestamp() - make_interval(secs => $2::float8 / 1000))
      order by last_seen`,
    [hostId, graceMs],
  )
  let swept = 0
  for (const host of rows)
    // oxlint-disable-next-line no-await-in-loop -- one connection, one transaction at a time
    swept += await sweepHost(client, host, options)
  return swept
}

async function sweepHost(
  client: ClientBase,
  host: DeadHost,
  { schema, hostId }: SweepOptions,
): Promise<number> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock($1) as free from ${schema}.hosts
        where host_id = $2 and swept_at is null
          and (stopped_at is not null or last_seen <= to_timestamp($3::float8 / 1000) + interval '1 millisecond')
        for update skip locked`,
      [host.lockKey, host.hostId, host.lastSeen],
    )
    if (rows[0]?.free !== true) return 0
    const swept = await interruptCalls(client, {
      schema,
      by: hostId,
      of: [host.hostId],
      lastSeen: host.lastSeen,
    })
    await client.query(
      `update ${schema}.hosts set swept_at = clock_timestamp() where host_id = $1`,
      [host.hostId],
    )
    return swept
  })
}

/** A host that is noted as swept is never looked at again, so its calls get their ends with the note or not at all. */
async function inTransaction<Result>(
  client: ClientBase,
  act: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    const result = await act()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Writes the terminal rows of open calls of hosts that are known to be dead. */
async function interruptCalls(
  client: ClientBase,
  {
    schema,
    by,
    of,
    lastSeen,
  }: { schema: string; by: string; of: readonly string[]; lastSeen?: number },
): Promise<number> {
  const error = JSON.stringify({
    code: 'INTERRUPTED',
    message:
      'The host of the call ended before the call did; whether the tool did its work is unknown.',
    data:
      lastSeen === undefined
        ? { outcome: 'unknown' }
        : { outcome: 'unknown', lastSeen: Math.round(lastSeen) },
  })
  const { rowCount } = await client.query(
    `insert into ${schema}.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at, error_code, error,
       started_at, trace_id, parent_call_id, session_id)
     select s.call_id, 'e', s.namespace, s.tool_name, 'interrupted', $1, clock_timestamp(), 'INTERRUPTED', $2,
            s.at, s.trace_id, s.parent_call_id, s.session_id
       from ${schema}.tool_calls s
      where s.kind = 's' and s.host_id = any($3::uuid[])
        and not exists (select from ${schema}.tool_calls e where e.call_id = s.call_id and e.kind = 'e')
     on conflict do nothing`,
    [by, error, of],
  )
  return rowCount ?? 0
}

/** Sweeps all hosts but this one: for a database of which this process is the proven only owner. */
export async function sweepEarlierHosts(
  client: ClientBase,
  { schema, hostId }: Pick<SweepOptions, 'schema' | 'hostId'>,
): Promise<number> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ hostId: string }>(
      `update ${schema}.hosts set swept_at = clock_timestamp(), stopped_at = coalesce(stopped_at, clock_timestamp())
        where host_id <> $1 and swept_at is null returning host_id as "hostId"`,
      [hostId],
    )
    if (rows.length === 0) return 0
    return interruptCalls(client, { schema, by: hostId, of: rows.map((row) => row.hostId) })
  })
}

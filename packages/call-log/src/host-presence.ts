import { randomBytes } from 'node:crypto'
import type { Logger } from '@toolcrib/registry'
import type { Client, ClientBase } from 'pg'
import { toTimestamp } from './stored-text.ts'

/** Who the host is. */
export interface HostIdentity {
  readonly hostId: string
  readonly hostName: string
  readonly schema: string
}

/** What a presence on a server needs. */
export interface HostPresenceOptions extends HostIdentity {
  /** Makes a connection of its own, not one of the pool. */
  readonly connect: () => Promise<Client>
  readonly heartbeatMs: number
  readonly graceMs: number
  readonly logger: Logger
  readonly now: () => number
  /** When the oldest open call of this host started; undefined when none is open. */
  readonly oldestOpenAt: () => number | undefined
}

/** The host's sign of life in the database. */
export interface HostPresence {
  /** Rejects when this host could be taken for dead and cannot renew its sign of life; undefined when all is well. */
  assertAlive(): Promise<void> | undefined
  stop(): Promise<void>
}

/** Writes the host's row. */
export async function registerHost(
  client: ClientBase,
  { schema, hostId, hostName, lockKey }: HostIdentity & { readonly lockKey: bigint },
): Promise<void> {
  await client.query(
    `insert into ${schema}.hosts (host_id, name, pid, lock_key) values ($1, $2, $3, $4)`,
    [hostId, hostName, process.pid, String(lockKey)],
  )
}

/** Notes that the host ended in good order. */
export async function retireHost(
  client: ClientBase,
  { schema, hostId }: Pick<HostIdentity, 'schema' | 'hostId'>,
): Promise<void> {
  await client.query(
    `update ${schema}.hosts set stopped_at = clock_timestamp(), last_seen = clock_timestamp() where host_id = $1`,
    [hostId],
  )
}

/** A key for the host's advisory lock. */
function createLockKey(): bigint {
  return randomBytes(8).readBigInt64BE()
}

/**
 * Shows the database that this host lives: an advisory lock on a connection of its own, which the server frees when
 * the process dies, and a time of last sight, by the server's clock. A host counts as dead only when both say so.
 */
export async function startHostPresence(options: HostPresenceOptions): Promise<HostPresence> {
  const { schema, hostId, logger, graceMs, now } = options
  const lockKey = createLockKey()
  let client: Client | undefined
  let locked = false
  let seen = { monotonic: -Infinity, wall: -Infinity }
  let renewal: Promise<void> | undefined
  let stopped = false

  const open = async (): Promise<Client> => {
    const opened = await options.connect()
    opened.on('error', (error) => {
      logger.warn({ err: error }, 'The connection that shows this host alive was lost.')
      if (client === opened) client = undefined
      locked = false
    })
    client = opened
    return opened
  }
  const beat = async (): Promise<void> => {
    const current = client ?? (await open())
    try {
      if (!locked) {
        // The old connection may linger on the server with the lock; then it still shows this host alive.
        const { rows } = await current.query<{ locked: boolean }>(
          'select pg_try_advisory_lock($1) as locked',
          [String(lockKey)],
        )
        locked = rows[0]?.locked === true
      }
      const oldest = options.oldestOpenAt()
      await current.query(
        `update ${schema}.hosts set last_seen = clock_timestamp(), swept_at = null, oldest_open_at = $2 where host_id = $1`,
        [hostId, oldest === undefined ? null : toTimestamp(oldest)],
      )
    } catch (error) {
      if (client === current) client = undefined
      locked = false
      void endQuietly(current)
      throw error
    }
    seen = { monotonic: performance.now(), wall: now() }
  }
  const renew = (): Promise<void> => {
    renewal ??= beat().finally(() => {
      renewal = undefined
    })
    return renewal
  }
  /** A suspended machine stops the monotonic clock, a corrected clock moves the other: the later one counts. */
  const isFresh = (): boolean =>
    Math.max(performance.now() - seen.monotonic, now() - seen.wall) < graceMs / 2

  await registerHost(await open(), { ...options, lockKey })
  await renew()
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      logger.warn({ err: error }, 'The sign of life of this host could not be renewed.'),
    )
  }, options.heartbeatMs)
  timer.unref()

  return {
    assertAlive: () => (isFresh() ? undefined : renew()),
    stop: async () => {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      await renewal?.catch(() => undefined)
      const current = client
      client = undefined
      if (current === undefined) return
      await retireHost(current, options).catch((error: unknown) =>
        logger.warn({ err: error }, 'The end of this host could not be noted.'),
      )
      await endQuietly(current)
    },
  }
}

const endMs = 1000

/** Says goodbye to the server, but does not wait for a connection that hangs. */
async function endQuietly(client: Client): Promise<void> {
  const hung = Promise.withResolvers<void>()
  const timer = setTimeout(hung.resolve, endMs)
  await Promise.race([client.end().catch(() => undefined), hung.promise])
  clearTimeout(timer)
}

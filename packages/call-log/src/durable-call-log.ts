import type { CallLog, Logger, ToolCallLate } from '@toolcrib/registry'
import type { Pool } from 'pg'
import { createCallReader } from './call-reader.ts'
import { type RowEnd, toEndRow, toStartRow } from './call-row.ts'
import { createCallWriter } from './call-writer.ts'
import type { HostPresence } from './host-presence.ts'
import type { LogSettings } from './log-settings.ts'
import { logError } from './log-error.ts'
import { LostStarts } from './lost-starts.ts'
import { mendEnd } from './mend-end.ts'
import { type MigrationStatus, readMigrationStatus } from './migrator.ts'
import type { OpenCalls } from './open-calls.ts'
import { createPartitions, dropPartitions } from './partitions.ts'
import { withClient } from './pooled-client.ts'
import { createPresentRowJudge } from './present-row.ts'
import { createRowStatements } from './row-statements.ts'
import { checkNamespace, checkStart } from './start-check.ts'

/** A call log in a database. */
export interface DurableCallLog extends CallLog {
  /** The id of this log in the table of hosts, and of the calls it logs. */
  readonly hostId: string
  /** Gives open calls of dead hosts their terminal row now; resolves to their number. It also happens by itself. */
  sweep(): Promise<number>
  /**
   * Drops the days that lie wholly before a moment; resolves to the names of the dropped partitions.
   * With `retentionDays` it also happens by itself.
   */
  dropBefore(moment: Date): Promise<readonly string[]>
  /** Which migrations are applied and pending. */
  migrationStatus(): Promise<MigrationStatus>
}

/** What the log is built from. */
export interface DurableCallLogParts {
  readonly pool: Pool
  readonly openCalls: OpenCalls
  readonly hostId: string
  readonly presence: HostPresence
  readonly settings: LogSettings
  readonly copyFrom: number
  readonly sweep: () => Promise<number>
  /** How often to sweep, in milliseconds; Infinity for never. */
  readonly sweepIntervalMs: number
  /** Lets go of what the log holds besides, after its last row. */
  readonly release: () => Promise<void>
}

const dayMs = 86_400_000
const maintenanceMs = 3_600_000
// Maintenance may wait for locks, two seconds each.
const maintenanceTimeoutMs = 60_000

/** Builds the log of a database that is migrated and has its partitions. */
export function createDurableCallLog(parts: DurableCallLogParts): DurableCallLog {
  const { pool, hostId, presence, settings, openCalls } = parts
  const { schema, namespace, now, logger } = settings
  const statements = createRowStatements(schema)
  const timeoutMs = settings.limits.writeTimeoutMs
  const lostStarts = new LostStarts()
  const writer = createCallWriter({
    pool,
    statements,
    copyFrom: parts.copyFrom,
    limits: settings.limits,
    logger,
    assertAlive: () => presence.assertAlive(),
    resolvePresent: createPresentRowJudge({ pool, schema, hostId, statements, timeoutMs, logger }),
    onStartLost: (row) => lostStarts.add(row),
    random: Math.random,
  })
  const source = { hostId, maxTextBytes: settings.maxTextBytes }
  const writeEnd = (end: RowEnd | ToolCallLate, kind: 'e' | 'l'): Promise<void> => {
    const problem = checkNamespace(end, namespace)
    if (problem !== undefined) return Promise.reject(problem)
    if (lostStarts.takeInvalid(end.callId)) return Promise.reject(refuseEndless(end.callId))
    const start = kind === 'e' ? openCalls.take(end.callId) : undefined
    const row = toEndRow(mendEnd(end, now), kind, { ...source, start })
    const before = kind === 'e' ? lostStarts.take(end.callId) : undefined
    return writer.write(before === undefined ? row : { ...row, before })
  }
  const dropBefore = (moment: Date): Promise<readonly string[]> =>
    withClient(pool, { timeoutMs: maintenanceTimeoutMs }, (client) =>
      dropPartitions(client, { schema, before: moment.getTime() }),
    )
  const maintain = async (): Promise<void> => {
    await withClient(pool, { timeoutMs: maintenanceTimeoutMs }, (client) =>
      createPartitions(client, { schema, now: now(), daysAhead: settings.daysAhead }),
    )
    if (settings.retentionDays !== undefined)
      await dropBefore(new Date(now() - settings.retentionDays * dayMs))
  }
  const timers = [
    repeat(maintain, maintenanceMs, { logger, name: 'maintenance' }),
    repeat(parts.sweep, parts.sweepIntervalMs, { logger, name: 'sweep' }),
  ]
  const reader = createCallReader({
    pool,
    schema,
    namespace,
    openSince: () =>
      Math.min(now() - settings.longestCallMs(), openCalls.oldestStart() ?? Infinity),
  })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    for (const timer of timers) timer.stop()
    await writer.close()
    await Promise.all(timers.map((timer) => timer.idle()))
    await presence.stop()
    await parts.release()
  }

  return {
    ...reader,
    hostId,
    logToolStart: (call) => {
      const problem = checkStart(call, namespace)
      if (problem !== undefined) {
        lostStarts.addInvalid(call.callId)
        return Promise.reject(problem)
      }
      openCalls.add(call)
      return writer.write(toStartRow(call, source))
    },
    logToolComplete: (end) => writeEnd(end, 'e'),
    logToolFailure: (end) => writeEnd(end, 'e'),
    logToolLate: (late) => writeEnd(late, 'l'),
    sweep: parts.sweep,
    dropBefore,
    migrationStatus: () =>
      withClient(pool, { timeoutMs }, (client) => readMigrationStatus(client, { schema })),
    close: () => (closing ??= close()),
  }
}

function refuseEndless(callId: string): Error {
  return logError(
    'LOG_ROW_INVALID',
    `Call ${callId} has no start row, because that was not valid; so it gets no end either.`,
    { data: { field: 'callId', value: callId } },
  )
}

interface Repetition {
  stop(): void
  /** Resolves when no run is under way. */
  idle(): Promise<void>
}

/** Does something again and again, never twice at once, without keeping the process alive. */
function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  { logger, name }: { logger: Logger; name: string },
): Repetition {
  let run: Promise<void> | undefined
  const start = (): void => {
    run ??= work()
      .then(
        () => undefined,
        (error: unknown) =>
          logger.warn({ err: error }, `The ${name} of the call log failed; it is tried again.`),
      )
      .finally(() => {
        run = undefined
      })
  }
  const timer = everyMs === Infinity ? undefined : setInterval(start, everyMs)
  timer?.unref()
  return { stop: () => clearInterval(timer), idle: async () => run }
}

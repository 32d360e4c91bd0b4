import { hostname } from 'node:os'
import { type Logger, silentLogger } from '@toolcrib/registry'
import type { WriterLimits } from './call-writer.ts'
import { logError } from './log-error.ts'
import { checkSchemaName } from './schema-name.ts'

/** Options that every durable call log takes. */
export interface DurableCallLogOptions {
  /** The schema that holds the tables. @default 'toolcrib' */
  readonly schema?: string
  /** Confines the log to one namespace: others are neither written nor read. */
  readonly namespace?: string
  /** The name of this host in the table of hosts. @default the machine's host name */
  readonly hostName?: string
  /** The clock, milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Receives what went wrong and was dealt with. @default silentLogger */
  readonly logger?: Logger
  /** Apply pending migrations when the log is opened. @default true */
  readonly migrate?: boolean
  /** The most rows that one statement writes, 1 to 10,000. @default 512 */
  readonly maxBatch?: number
  /** How long one write may take before it counts as failed, in milliseconds. @default 5_000 */
  readonly writeTimeoutMs?: number
  /** How long `close` waits for rows that are not durable yet, in milliseconds. @default 5_000 */
  readonly closeTimeoutMs?: number
  /** How many rows may wait for the database. @default 10_000 */
  readonly maxPendingRows?: number
  /** How many bytes of rows may wait for the database. @default 268_435_456 */
  readonly maxPendingBytes?: number
  /** Of larger inputs and outputs only the beginning is kept, in bytes. @default 67_108_864 */
  readonly maxTextBytes?: number
  /** Days after which calls are dropped. Without it they are kept. */
  readonly retentionDays?: number
  /** How many days ahead partitions are made; for a day that begins within two hours they always are. @default 2, embedded 0 */
  readonly daysAhead?: number
  /**
   * How long a call may take at most, in milliseconds, or what tells it: calls that started earlier are looked for among
   * those that are open only where their host says that it has some. @default 600_000
   */
  readonly longestCallMs?: number | (() => number)
  /** Ends the opening of the log. */
  readonly signal?: AbortSignal
}

/** The options with their defaults, checked. */
export interface LogSettings {
  readonly schema: string
  readonly namespace: string | undefined
  readonly hostName: string
  readonly now: () => number
  readonly logger: Logger
  readonly migrate: boolean
  readonly limits: WriterLimits
  readonly maxTextBytes: number
  readonly retentionDays: number | undefined
  readonly daysAhead: number
  readonly longestCallMs: () => number
  readonly signal: AbortSignal | undefined
}

/**
 * Fills in defaults and checks ranges.
 *
 * @throws {ToolError} LOG_OPTION_INVALID when an option is out of range.
 */
export function checkSettings(
  options: DurableCallLogOptions & { readonly inflight?: number },
): LogSettings {
  const {
    schema = 'toolcrib',
    hostName = hostname(),
    now = Date.now,
    logger = silentLogger,
  } = options
  const { migrate = true, daysAhead = 2, retentionDays, maxTextBytes = 67_108_864 } = options
  const limits = {
    maxBatch: options.maxBatch ?? 512,
    inflight: options.inflight ?? 2,
    writeTimeoutMs: options.writeTimeoutMs ?? 5000,
    closeTimeoutMs: options.closeTimeoutMs ?? 5000,
    maxPendingRows: options.maxPendingRows ?? 10_000,
    maxPendingBytes: options.maxPendingBytes ?? 268_435_456,
  }
  checkRange('maxBatch', limits.maxBatch, [1, 10_000])
  checkRange('inflight', limits.inflight, [1, 16])
  checkRange('writeTimeoutMs', limits.writeTimeoutMs, [1, 600_000])
  checkRange('closeTimeoutMs', limits.closeTimeoutMs, [0, 600_000])
  checkRange('maxPendingRows', limits.maxPendingRows, [1, 10_000_000])
  checkRange('maxPendingBytes', limits.maxPendingBytes, [1024, Number.MAX_SAFE_INTEGER])
  checkRange('maxTextBytes', maxTextBytes, [0, 268_435_456])
  checkRange('daysAhead', daysAhead, [0, 60])
  const { longestCallMs = 600_000 } = options
  if (typeof longestCallMs !== 'function')
    checkRange('longestCallMs', longestCallMs, [0, Number.MAX_SAFE_INTEGER])
  if (retentionDays !== undefined) checkRange('retentionDays', retentionDays, [1, 36_500])
  return {
    schema: checkSchemaName(schema),
    namespace: options.namespace,
    hostName,
    now,
    logger,
    migrate,
    limits,
    maxTextBytes,
    retentionDays,
    daysAhead,
    longestCallMs: typeof longestCallMs === 'function' ? longestCallMs : () => longestCallMs,
    signal: options.signal,
  }
}

/** Refuses an option that is not a whole number within its range. */
export function checkRange(
  option: string,
  value: number,
  [lowest, highest]: readonly [number, number],
): void {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return
  throw logError(
    'LOG_OPTION_INVALID',
    `Option ${option} must be a whole number from ${lowest} to ${highest}, and is ${value}.`,
    { data: { option } },
  )
}

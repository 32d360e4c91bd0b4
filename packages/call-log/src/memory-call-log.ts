import {
  type CallLog,
  type LoggedError,
  type LoggedToolCall,
  type Logger,
  silentLogger,
  type ToolCallEnd,
  type ToolCallLate,
  type ToolCallStart,
  type ToolCallStatus,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import { writeCursor } from './call-cursor.ts'
import { type CheckedQuery, checkQuery, confine } from './call-query.ts'
import { dropUndefined } from './drop-undefined.ts'
import { ignoredEnd, refuseDuplicate } from './ignored-row.ts'
import { logError } from './log-error.ts'
import { mendEnd } from './mend-end.ts'
import { isRefused } from './refused-call.ts'
import { bucketOf } from './duration-histogram.ts'
import { ToolStatisticsSum } from './tool-statistics.ts'
import { checkNamespace, checkStart } from './start-check.ts'
import { countBytes, inlineBytes, isLargerThan, previewText } from './text-limits.ts'

/** Options of {@link createMemoryCallLog}. */
export interface MemoryCallLogOptions {
  /** The clock for rows whose own time makes no sense, milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** How many calls are kept; the oldest make room. @default 10_000 */
  readonly maxCalls?: number
  /** Confines the log to one namespace. */
  readonly namespace?: string
  /** Receives rows that were ignored. @default silentLogger */
  readonly logger?: Logger
}

interface End extends ToolCallEnd {
  readonly status: ToolCallStatus
  readonly error?: LoggedError
  readonly mayStillBeRunning?: boolean
}

interface Entry {
  readonly start: ToolCallStart
  end: End | undefined
  late: ToolCallLate | undefined
}

/** Every write of the memory log is done when it returns, so that one promise serves all. */
const done = Promise.resolve()

const memoryCallLogOptionNames: KnownOptions<MemoryCallLogOptions> = {
  now: true,
  maxCalls: true,
  namespace: true,
  logger: true,
}

/**
 * A call log in memory, for tests and programs that need no record: the behaviour of the durable logs, gone with the process.
 *
 * @throws {ToolError} LOG_OPTION_INVALID when `maxCalls` is not a whole number from 1 on.
 */
export function createMemoryCallLog(options: MemoryCallLogOptions = {}): CallLog {
  assertOptions<MemoryCallLogOptions>('createMemoryCallLog', options, memoryCallLogOptionNames)
  const { now = Date.now, maxCalls = 10_000, namespace, logger = silentLogger } = options
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw logError(
      'LOG_OPTION_INVALID',
      `Option maxCalls must be a whole number from 1 on, and is ${maxCalls}.`,
    )
  const entries = new Map<string, Entry>()
  const ring: string[] = []
  let next = 0
  let closed = false

  const remember = (callId: string): void => {
    if (ring.length < maxCalls) {
      ring.push(callId)
      return
    }
    entries.delete(ring[next] ?? '')
    ring[next] = callId
    next = next + 1 === maxCalls ? 0 : next + 1
  }

  const logToolStart = (call: ToolCallStart): Promise<void> => {
    if (closed) return refuseClosed()
    const problem = checkStart(call, namespace)
    if (problem !== undefined) return Promise.reject(problem)
    if (entries.has(call.callId)) return Promise.reject(refuseDuplicate(call.callId))
    remember(call.callId)
    entries.set(call.callId, { start: call, end: undefined, late: undefined })
    return done
  }
  const logEnd = (end: End): Promise<void> => {
    if (closed) return refuseClosed()
    if (namespace !== undefined && end.namespace !== namespace) return refuseForeign(end, namespace)
    const entry = entries.get(end.callId)
    if (entry === undefined) return done
    if (entry.end === undefined) entry.end = mendEnd(end, now)
    else logger.warn({ callId: end.callId, status: end.status }, ignoredEnd)
    return done
  }
  const logToolLate = (late: ToolCallLate): Promise<void> => {
    if (closed) return refuseClosed()
    if (namespace !== undefined && late.namespace !== namespace)
      return refuseForeign(late, namespace)
    const entry = entries.get(late.callId)
    if (entry !== undefined && entry.late === undefined) entry.late = mendEnd(late, now)
    return done
  }
  const find = (callId: string): Entry | undefined => {
    const entry = entries.get(callId)
    return namespace === undefined || entry?.start.namespace === namespace ? entry : undefined
  }

  return {
    logToolStart,
    logToolComplete: logEnd,
    logToolFailure: logEnd,
    logToolLate,
    query: async (query = {}) => {
      query.signal?.throwIfAborted()
      return readPage(entries.values(), checkQuery(query, namespace))
    },
    get: async (callId, { signal } = {}) => {
      signal?.throwIfAborted()
      const entry = find(callId)
      return entry === undefined ? undefined : toCall(entry, (text) => text)
    },
    readOutput: async (callId, { signal } = {}) => {
      signal?.throwIfAborted()
      const entry = find(callId)
      return entry?.end?.outputText ?? entry?.late?.outputText
    },
    statistics: async (query = {}) => {
      query.signal?.throwIfAborted()
      const filter = confine(query, namespace)
      const sum = new ToolStatisticsSum()
      for (const entry of entries.values()) {
        if (!matches(entry, filter)) continue
        const { start, end } = entry
        sum.addCalls(start.toolName, end?.status ?? 'started', 1)
        if (end !== undefined && !isRefused(end))
          sum.addDurations(start.toolName, bucketOf(end.durationMs), 1)
      }
      return sum.read()
    },
    close: async () => {
      closed = true
    },
  }
}

const refuseForeign = (end: ToolCallEnd, namespace: string): Promise<never> =>
  Promise.reject(checkNamespace(end, namespace))

const refuseClosed = (): Promise<never> =>
  Promise.reject(logError('LOG_CLOSED', 'The call log is closed and takes no more rows.'))

function matches({ start, end }: Entry, query: Partial<CheckedQuery>): boolean {
  return (
    (query.namespace === undefined || start.namespace === query.namespace) &&
    (query.toolName === undefined || start.toolName === query.toolName) &&
    (query.since === undefined || start.startedAt >= query.since) &&
    (query.until === undefined || start.startedAt < query.until) &&
    (query.traceId === undefined || start.traceId === query.traceId) &&
    (query.parentCallId === undefined || start.parentCallId === query.parentCallId) &&
    (query.sessionId === undefined || start.sessionId === query.sessionId) &&
    (query.statuses === undefined || query.statuses.includes(end?.status ?? 'started'))
  )
}

type Position = Pick<ToolCallStart, 'startedAt' | 'callId'>

function compare(left: Position, right: Position): number {
  if (left.startedAt !== right.startedAt) return left.startedAt - right.startedAt
  if (left.callId === right.callId) return 0
  return left.callId < right.callId ? -1 : 1
}

function readPage(
  entries: Iterable<Entry>,
  query: CheckedQuery,
): { calls: LoggedToolCall[]; nextCursor?: string } {
  const direction = query.newestFirst ? -1 : 1
  const { after } = query
  const found = [...entries]
    .filter((entry) => matches(entry, query))
    .filter(({ start }) => after === undefined || compare(start, after) * direction > 0)
    .toSorted((left, right) => compare(left.start, right.start) * direction)
  const page = found.slice(0, query.limit)
  const calls = page.map((entry) => toCall(entry, previewText))
  const last = page.at(-1)
  return last !== undefined && found.length > page.length
    ? { calls, nextCursor: writeCursor(last.start) }
    : { calls }
}

const sizeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : countBytes(text)

function toCall({ start, end, late }: Entry, show: (text: string) => string): LoggedToolCall {
  const showOutput = (text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : show(isLargerThan(text, inlineBytes) ? previewText(text) : text)
  return dropUndefined({
    ...start,
    inputText: show(start.inputText),
    status: end?.status ?? 'started',
    endedAt: end?.endedAt,
    durationMs: end?.durationMs,
    outputText: showOutput(end?.outputText),
    outputBytes: end?.outputBytes ?? sizeOf(end?.outputText),
    truncated: end?.truncated,
    error: end?.error,
    mayStillBeRunning: end?.mayStillBeRunning,
    late:
      late === undefined
        ? undefined
        : dropUndefined({
            status: late.status,
            endedAt: late.endedAt,
            durationMs: late.durationMs,
            outputText: showOutput(late.outputText),
            error: late.error,
          }),
  })
}

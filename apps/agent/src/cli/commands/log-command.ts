import { setTimeout as wait } from 'node:timers/promises'
import type { LoggedToolCall, ToolStatistics } from '@toolcrib/registry'
import type { CommandContext } from '../program/command-context.ts'
import { type ExitCode, exitCodes } from '../exit-code.ts'
import { shownLine, shownText } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import type { Host } from '../../host/host.ts'
import type { OperationInput } from '../../operations/catalogue.ts'
import { hostError } from '../../host-error.ts'

/** The filters of `log`, as text from the command line. */
export interface LogOptions {
  readonly tool?: string
  readonly status?: string
  readonly since?: string
  readonly until?: string
  readonly before?: string
  readonly trace?: string
  readonly parent?: string
  readonly session?: string
  readonly limit?: string
  readonly cursor?: string
  readonly call?: string
  readonly follow?: boolean
  readonly stats?: boolean
}

type Query = OperationInput<'log.query'>

/** `log`. */
export async function runLog(
  context: CommandContext,
  options: LogOptions,
): Promise<ExitCode | void> {
  if (options.call !== undefined) return showOneCall(context, options.call)
  const query = readQuery(options)
  if (options.stats === true) return showStatistics(context, query)
  if (options.follow === true) return context.withHost((host) => follow(context, host, query))
  const page = await context.withHost((host) => host.call('log.query', query, context.signal))
  context.printer.result(page, () =>
    [
      page.calls.length === 0
        ? 'No call matches.'
        : page.calls.map((call) => formatCall(call)).join('\n'),
      ...(page.nextCursor === undefined
        ? []
        : [`More: the same command with --cursor ${page.nextCursor}`]),
    ].join('\n'),
  )
}

async function showOneCall(context: CommandContext, callId: string): Promise<void> {
  const found = await context.withHost((host) => host.call('log.show', { callId }, context.signal))
  if (found === undefined) throw hostError('CALL_NOT_FOUND', `The log has no call ${callId}.`)
  context.printer.result(found, () => shownText(JSON.stringify(found, null, 2)))
}

function formatDuration(value: number | undefined): string {
  return value === undefined ? '-' : `${value.toFixed(1)} ms`
}

async function showStatistics(
  context: CommandContext,
  { toolName, since, until }: Query,
): Promise<void> {
  const query = {
    ...(toolName === undefined ? {} : { toolName }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
  const rows = await context.withHost((host) => host.call('log.statistics', query, context.signal))
  context.printer.result(rows, () => `${formatStatistics(rows)}${formatPrecision(rows)}`)
}

function formatStatistics(rows: readonly ToolStatistics[]): string {
  return formatTable(
    [
      'TOOL',
      'CALLS',
      'OK',
      'FAILED',
      'TIMED OUT',
      'CANCELLED',
      'INTERRUPTED',
      'RUNNING',
      'P50',
      'P95',
      'P99',
    ],
    rows.map((row) => [
      row.toolName,
      String(row.calls),
      String(row.completed),
      String(row.failed),
      String(row.timedOut),
      String(row.cancelled),
      String(row.interrupted),
      String(row.running),
      formatDuration(row.p50Ms),
      formatDuration(row.p95Ms),
      formatDuration(row.p99Ms),
    ]),
  )
}

/** Says how far percentiles may be off. */
function formatPrecision(rows: readonly ToolStatistics[]): string {
  const within = Math.max(...rows.map(({ percentilesWithin }) => percentilesWithin ?? 0))
  return within > 0
    ? `\nP50, P95 and P99 are within ${Math.round(within * 100)} %; calls that were refused do not count in them.`
    : ''
}

/** How often `--follow` looks, in milliseconds. */
const pollMs = 500

/** Prints each call when it starts and when it ends, until Ctrl-C. */
async function follow(context: CommandContext, host: Host, query: Query): Promise<ExitCode> {
  const { signal, printer } = context
  const printed = new Map<string, string>()
  const from = query.since ?? Date.now()
  const wanted = { ...query, since: from, order: 'newest-first', limit: 1_000 } as const
  while (!signal.aborted) {
    const { calls } = await host.call('log.query', wanted, signal)
    for (const call of calls.toReversed()) {
      if (printed.get(call.callId) === call.status) continue
      printed.set(call.callId, call.status)
      printer.line(call, () => formatCall(call))
    }
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
  }
  return exitCodes.interrupted
}

function formatCall(call: LoggedToolCall): string {
  const {
    startedAt,
    status,
    toolName,
    toolVersion,
    durationMs,
    inputText,
    outputText,
    error,
    callId,
  } = call
  const name = toolVersion === undefined ? toolName : `${toolName} v${toolVersion}`
  const duration = durationMs === undefined ? '' : `${durationMs.toFixed(1)} ms`
  const outcome = error === undefined ? (outputText ?? '') : `${error.code}: ${error.message}`
  return [
    new Date(startedAt).toISOString(),
    status.padEnd(11),
    name.padEnd(24),
    duration.padStart(10),
    `${shownLine(inputText, 50)} → ${shownLine(outcome, 60)}`,
    callId,
  ].join('  ')
}

function readQuery(options: LogOptions): Query {
  const { tool, status, since, trace, parent, session, limit, cursor } = options
  const until = earlier(readTime('--until', options.until), readTime('--before', options.before))
  return {
    ...(tool === undefined ? {} : { toolName: tool }),
    // The host checks it against the states that there are.
    ...(status === undefined ? {} : { status: status as NonNullable<Query['status']> }),
    ...(since === undefined ? {} : { since: readTime('--since', since) }),
    ...(until === undefined ? {} : { until }),
    ...(trace === undefined ? {} : { traceId: trace }),
    ...(parent === undefined ? {} : { parentCallId: parent }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function earlier(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right)
}

/** A point in time: `15m` ago, or an ISO 8601 time. */
function readTime(option: string, text: string): number
function readTime(option: string, text: string | undefined): number | undefined
function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ago = /^(\d{1,6})([smhd])$/.exec(text)
  if (ago !== null) return Date.now() - Number(ago[1]) * (unitMs[ago[2] ?? 's'] ?? 0)
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw hostError(
    'USAGE',
    `${option} must be a time such as 15m, 2h, 7d or 2026-01-31T12:00:00Z, got "${text}".`,
  )
}

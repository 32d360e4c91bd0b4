import { type Redactor, createRedactor } from '@toolcrib/redaction'
import {
  type CallLogWriter,
  type Logger,
  RegistrySnapshot,
  ToolError,
  assertOptions,
  silentLogger,
} from '@toolcrib/registry'
import type { TelemetryOptions } from './telemetry/call-span.ts'
import { CircuitBreaker } from './limits/circuit-breaker.ts'
import { ConcurrencyLimiter } from './limits/concurrency-limiter.ts'
import { createCallId } from './call/create-call-id.ts'
import { type InvokerOptions, invokerOptionNames } from './invoker-options.ts'
import type { PlainLimits } from './call/values/plain-json.ts'
import { createRedactingLogger } from './telemetry/redacting-logger.ts'

/** The options of an invoker with defaults filled in, and what its calls share. */
export interface InvokerSettings {
  readonly registry: InvokerOptions['registry']
  readonly log: CallLogWriter
  readonly namespace: string
  readonly runsWithoutLog: boolean
  readonly awaitsTerminalRow: boolean
  readonly logTimeoutMs: number
  readonly maxDepth: number
  readonly limiter: ConcurrencyLimiter
  readonly breaker: CircuitBreaker | undefined
  readonly checkCallable: InvokerOptions['checkCallable']
  readonly onPolicyViolation: InvokerOptions['onPolicyViolation']
  readonly redactor: Redactor
  readonly maxInputBytes: number
  readonly defaultTimeoutMs: number
  readonly maxOutputBytes: number
  readonly previewBytes: number
  readonly outputLimits: PlainLimits
  readonly maxYields: number
  readonly maxErrorLength: number
  readonly stopGraceMs: number
  readonly execute: InvokerOptions['execute']
  readonly telemetry: TelemetryOptions | undefined
  readonly now: () => number
  readonly monotonicNow: () => number
  readonly createId: (timestamp: number) => string
  readonly logger: Logger
}

const wallClock = (): number => Date.now()
const monotonicClock = (): number => performance.now()

/** A clock that was plugged in must not be able to fail a call. */
function orElse(clock: () => number, fallback: () => number): () => number {
  return () => {
    try {
      const time = clock()
      return Number.isFinite(time) ? time : fallback()
    } catch {
      return fallback()
    }
  }
}

function idFrom(createId: (timestamp: number) => string, timestamp: number): string {
  try {
    const id: unknown = createId(timestamp)
    return typeof id === 'string' && id !== '' ? id : createCallId(timestamp)
  } catch {
    return createCallId(timestamp)
  }
}

/** Options that must be numbers above 0. */
const positiveNames = [
  'logTimeoutMs',
  'maxInputBytes',
  'defaultTimeoutMs',
  'maxOutputBytes',
  'previewBytes',
  'maxOutputLength',
  'maxYields',
  'maxNesting',
  'maxErrorLength',
  'concurrency.maxRunning',
  'concurrency.maxRunningPerOwner',
  'concurrency.maxRunningPerTool',
  'circuitBreaker.maxFailures',
] as const

/** Options that may be 0 too. */
const zeroableNames = [
  'maxDepth',
  'stopGraceMs',
  'concurrency.maxWaiting',
  'circuitBreaker.windowMs',
  'circuitBreaker.coolDownMs',
] as const

// NaN, or a text, would switch a limit off without a word: comparisons with them are false.
function assertLimits(options: object): void {
  for (const name of positiveNames) assertLimit(options, name, (value) => value > 0)
  for (const name of zeroableNames) assertLimit(options, name, (value) => value >= 0)
}

function assertLimit(options: object, name: string, isFine: (value: number) => boolean): void {
  const value = readPath(options, name)
  if (value === undefined || (typeof value === 'number' && isFine(value))) return
  const rule = isFine(0) ? 'of at least 0' : 'above 0'
  throw new ToolError<'INVOKER_OPTION_INVALID'>(
    'INVOKER_OPTION_INVALID',
    `Option ${name} must be a number ${rule}, got ${typeof value === 'number' ? value : JSON.stringify(value)}.`,
    { data: { option: name } },
  )
}

/** A snapshot shows tools; with one in place of the registry every call would fail. */
function assertRegistry(registry: unknown): void {
  if (!(registry instanceof RegistrySnapshot)) return
  throw new ToolError<'INVOKER_OPTION_INVALID'>(
    'INVOKER_OPTION_INVALID',
    'Option registry must be a ToolRegistry, got a snapshot of one, which holds nothing to run.',
    { data: { option: 'registry' } },
  )
}

function readPath(options: object, path: string): unknown {
  let value: unknown = options
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return value
}

/**
 * Fills in the defaults.
 *
 * @throws {ToolError} INVOKER_OPTION_INVALID when a limit is not a number in its range.
 */
export function resolveSettings(options: InvokerOptions): InvokerSettings {
  assertOptions<InvokerOptions>('createInvoker', options, invokerOptionNames)
  assertRegistry(options.registry)
  const {
    redactor = createRedactor(),
    circuitBreaker = {},
    telemetry = {},
    createId = createCallId,
  } = options
  assertLimits(options)
  return {
    registry: options.registry,
    log: options.log,
    namespace: options.namespace ?? 'default',
    runsWithoutLog: options.whenLogFails === 'run',
    awaitsTerminalRow: options.terminalRow !== 'background',
    logTimeoutMs: options.logTimeoutMs ?? 2_000,
    maxDepth: options.maxDepth ?? 8,
    limiter: new ConcurrencyLimiter(options.concurrency),
    breaker: circuitBreaker === false ? undefined : new CircuitBreaker(circuitBreaker),
    checkCallable: options.checkCallable,
    onPolicyViolation: options.onPolicyViolation,
    redactor,
    maxInputBytes: options.maxInputBytes ?? 10_485_760,
    defaultTimeoutMs: options.defaultTimeoutMs ?? 30_000,
    maxOutputBytes: options.maxOutputBytes ?? 10_485_760,
    previewBytes: options.previewBytes ?? 4_096,
    outputLimits: {
      maxNesting: options.maxNesting ?? 1_000,
      maxLength: options.maxOutputLength ?? 268_435_456,
    },
    maxYields: options.maxYields ?? 10_000,
    maxErrorLength: options.maxErrorLength ?? 4_096,
    stopGraceMs: options.stopGraceMs ?? 0,
    execute: options.execute,
    telemetry: telemetry === false ? undefined : telemetry,
    now: options.now === undefined ? wallClock : orElse(options.now, wallClock),
    monotonicNow:
      options.monotonicNow === undefined
        ? monotonicClock
        : orElse(options.monotonicNow, monotonicClock),
    createId: createId === createCallId ? createCallId : (timestamp) => idFrom(createId, timestamp),
    logger: createRedactingLogger(options.logger ?? silentLogger, redactor),
  }
}

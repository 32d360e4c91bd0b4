import type {
  EndMessage,
  HostRequest,
  RunOutcome,
  SleepRecord,
  TurnMessage,
  WorkerMessage,
} from './protocol.ts'
import type { GuestLog, GuestPosition, SandboxFailure, SandboxFailureReason } from '../sandbox.ts'

const maxLogs = 10_000
const maxRequests = 1000
const maxSleeps = 1000
const maxMessageLength = 4096
const maxNameLength = 1000
const levels: ReadonlySet<unknown> = new Set<GuestLog['level']>(['debug', 'info', 'warn', 'error'])

/** The reasons that a worker may give; the others are for the host to say. */
const failureReasons: readonly SandboxFailureReason[] = [
  'timeout',
  'cpu-limit',
  'memory',
  'stack',
  'guest-error',
  'stalled',
  'host-call-limit',
  'output-limit',
  'load',
  'aborted',
  'trap',
]

type Fields = Readonly<Record<string, unknown>>

/**
 * What came from a process, as a message: its guest may have taken it over, so that anything may come. Fields that no message
 * has are left out.
 *
 * @throws {TypeError} when it is no message
 */
export function readWorkerMessage(found: unknown): WorkerMessage {
  const message = toFields(found)
  switch (message['type']) {
    case 'ready':
      return { type: 'ready' }
    case 'wake':
      return { type: 'wake', id: toNumber(message['id']) }
    case 'turn':
      return readTurn(message)
    case 'end':
      return readEnd(message)
    default:
      throw new TypeError('A message of an unknown type')
  }
}

function readTurn(message: Fields): TurnMessage {
  return {
    type: 'turn',
    ...readFacts(message),
    requests: toList(message['requests'], maxRequests).map(readRequest),
  }
}

function readEnd(message: Fields): EndMessage {
  return {
    type: 'end',
    ...readFacts(message),
    sleeps: toList(message['sleeps'], maxSleeps).map(readSleep),
    outcome: readOutcome(toFields(message['outcome'])),
  }
}

function readFacts(message: Fields): Pick<TurnMessage, 'id' | 'cpuMs' | 'logs' | 'droppedLogs'> {
  return {
    id: toNumber(message['id']),
    cpuMs: toNumber(message['cpuMs']),
    logs: toList(message['logs'], maxLogs).map(readLog),
    droppedLogs: toNumber(message['droppedLogs']),
  }
}

function readLog(log: Fields): GuestLog {
  const { level } = log
  if (!levels.has(level)) throw new TypeError('A log of an unknown level')
  return { level: level as GuestLog['level'], message: toText(log['message']) }
}

function readRequest({ id, operation, argument }: Fields): HostRequest {
  return { id: toNumber(id), operation: toText(operation), argument: toText(argument) }
}

function readSleep({ id, durationMs }: Fields): SleepRecord {
  return durationMs === undefined
    ? { id: toNumber(id) }
    : { id: toNumber(id), durationMs: toNumber(durationMs) }
}

function readOutcome(outcome: Fields): RunOutcome {
  if (outcome['ok'] === true) return { ok: true, json: toText(outcome['json']) }
  const reason = outcome['reason']
  const message = toText(outcome['message']).slice(0, maxMessageLength)
  if (reason === 'input') return { ok: false, reason, message }
  const known = failureReasons.find((name) => name === reason)
  if (known === undefined) throw new TypeError('An outcome for an unknown reason')
  const { errorName, position } = outcome
  return {
    ok: false,
    reason: known,
    message,
    ...(errorName === undefined ? undefined : { errorName: toText(errorName).slice(0, 100) }),
    ...(position === undefined ? undefined : { position: readPosition(toFields(position)) }),
  } satisfies SandboxFailure
}

function readPosition({ module, line, column }: Fields): GuestPosition {
  const place = { line: toNumber(line), column: toNumber(column) }
  return module === undefined ? place : { module: toText(module).slice(0, maxNameLength), ...place }
}

function toFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new TypeError('An object was expected')
  return value as Fields
}

function toList(value: unknown, maxLength: number): readonly Fields[] {
  if (!Array.isArray(value) || value.length > maxLength)
    throw new TypeError(`A list of ${maxLength} at most was expected`)
  return value.map(toFields)
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('A text was expected')
  return value
}

function toNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw new TypeError('A number was expected')
  return value
}

import { ToolError } from '@toolcrib/registry'
import type { JsonValue } from '@toolcrib/registry'
import { describeArgumentProblem } from './argument-check.ts'
import { describeError, describeResult } from './host-answer.ts'
import type { HostAnswer, HostRequest, SleepRecord } from '../lanes/protocol.ts'
import type { HostCallRecord, HostOperation, HostOperations } from '../sandbox.ts'
import { isTurnSpent, spendTurn, waitForTurn } from '../guest-engine/turn-budget.ts'

const maxRecords = 1000
const maxViolations = 100
const maxOperationBytes = 200
/** Texts above this share the time of a turn of the event loop. */
const largeText = 64 * 1024
/** What goes out at once, in characters; more waits until the guest has taken it. */
const maxSentLength = 1024 * 1024

interface Limits {
  readonly operations: HostOperations
  readonly maxHostCalls: number
  readonly maxArgumentBytes: number
  /** What a result may have, in bytes of JSON text. */
  readonly maxResultBytes: number
}

interface Entry {
  readonly id: number
  readonly operation: string
  readonly startedAt: number
  durationMs?: number
  outcome: HostCallRecord['outcome']
}

/** The operations of the host that one call asked for. */
export class HostCalls {
  readonly #limits: Limits
  readonly #send: (answers: readonly HostAnswer[]) => void
  readonly #entries: Entry[] = []
  readonly violations: ToolError<'POLICY_VIOLATION'>[] = []
  #controller: AbortController | undefined
  #answers: HostAnswer[] = []
  #count = 0
  /** Whether the guest has not yet said that it took what was sent. */
  #isSending = false
  #isOver = false

  constructor(limits: Limits, send: (answers: readonly HostAnswer[]) => void) {
    this.#limits = limits
    this.#send = send
  }

  /** Whether the guest has asked for anything. */
  get wereMade(): boolean {
    return this.#count > 0
  }

  /**
   * The guest has taken what was sent to it, and asks for more.
   *
   * @returns whether the requests keep to the limits that the worker was told
   */
  run(requests: readonly HostRequest[]): boolean {
    this.#isSending = false
    this.#count += requests.length
    if (this.#count > this.#limits.maxHostCalls) return false
    for (const request of requests) if (!this.#isFaithful(request)) return false
    for (const request of requests) void this.#run(request)
    if (this.#answers.length > 0) this.#flush()
    return true
  }

  /** Aborts what is under way; nothing of it reaches the guest any more. */
  stop(): void {
    this.#isOver = true
    this.#controller?.abort(new Error('The call of the guest is over'))
  }

  /** @param sleeps of the same call, which count as operations */
  records(sleeps: readonly SleepRecord[]): HostCallRecord[] {
    const entries: (HostCallRecord & { readonly id: number })[] = [
      ...this.#entries,
      ...sleeps.slice(0, maxRecords).map(toSleepEntry),
    ]
    return entries
      .toSorted((left, right) => left.id - right.id)
      .slice(0, maxRecords)
      .map(({ operation, durationMs, outcome }) =>
        durationMs === undefined ? { operation, outcome } : { operation, durationMs, outcome },
      )
  }

  #isFaithful({ operation, argument }: HostRequest): boolean {
    return (
      argument.length <= this.#limits.maxArgumentBytes &&
      Buffer.byteLength(operation) <= maxOperationBytes
    )
  }

  async #run({ id, operation, argument }: HostRequest): Promise<void> {
    const isLarge = argument.length > largeText
    if (isLarge && isTurnSpent()) await waitForTurn()
    if (this.#isOver) return
    const entry: Entry = { id, operation, startedAt: performance.now(), outcome: 'unfinished' }
    if (this.#entries.length < maxRecords) this.#entries.push(entry)
    let answer: HostAnswer
    try {
      this.#controller ??= new AbortController()
      const { signal } = this.#controller
      // Its worker has looked already; a process may have been taken over by its guest.
      const problem = isLarge ? describeArgumentProblem(operation, argument) : undefined
      if (problem !== undefined) throw new RangeError(problem)
      const given = JSON.parse(argument) as JsonValue
      if (isLarge) spendTurn(entry.startedAt)
      const value = await this.#find(operation)(given, { signal })
      if (isTurnSpent()) await waitForTurn()
      if (this.#isOver) return
      const since = performance.now()
      const maxBytes = this.#limits.maxResultBytes
      answer = describeResult(value, { id, operation, maxBytes })
      if (answer.text.length > largeText) spendTurn(since)
    } catch (error) {
      if (this.#isOver) return
      answer = describeError(id, error)
      if (ToolError.is(error, 'POLICY_VIOLATION')) {
        entry.outcome = 'violation'
        if (this.violations.length < maxViolations) this.violations.push(error)
      } else entry.outcome = 'failed'
    }
    entry.durationMs = performance.now() - entry.startedAt
    if (answer.isDone) entry.outcome = 'done'
    else if (entry.outcome === 'unfinished') entry.outcome = 'failed'
    this.#answer(answer)
  }

  #find(operation: string): HostOperation {
    const { operations } = this.#limits
    const found = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (found !== undefined) return found
    throw Object.assign(new Error(`There is no operation ${operation} for this tool`), {
      code: 'OPERATION_UNKNOWN',
    })
  }

  /** What several operations give in one turn, or while the guest is busy, goes out together. */
  #answer(answer: HostAnswer): void {
    this.#answers.push(answer)
    if (this.#answers.length === 1 && !this.#isSending) process.nextTick(() => this.#flush())
  }

  #flush(): void {
    if (this.#isOver || this.#isSending || this.#answers.length === 0) return
    this.#isSending = true
    let length = 0
    const end = this.#answers.findIndex(({ text }) => (length += text.length) > maxSentLength)
    const answers = this.#answers.splice(0, end < 0 ? this.#answers.length : Math.max(1, end))
    const since = performance.now()
    this.#send(answers)
    if (length > largeText) spendTurn(since)
  }
}

function toSleepEntry({ id, durationMs }: SleepRecord): HostCallRecord & { readonly id: number } {
  const operation = 'sleep'
  return durationMs === undefined
    ? { id, operation, outcome: 'unfinished' }
    : { id, operation, durationMs, outcome: 'done' }
}

import { ToolError } from '@toolcrib/registry'
import type { JsonValue } from '@toolcrib/registry'
import type { HostAnswer, HostRequest, SleepRecord } from './protocol.ts'
import type { HostCallRecord, HostOperation, HostOperations } from './sandbox.ts'

const maxRecords = 1000
const maxViolations = 100
const maxMessageLength = 4096
const maxNameLength = 100
/** Arguments above this are read in a turn of their own. */
const largeArgument = 64 * 1024

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
  #isOver = false

  constructor(limits: Limits, send: (answers: readonly HostAnswer[]) => void) {
    this.#limits = limits
    this.#send = send
  }

  /** Whether the guest has asked for anything. */
  get wereMade(): boolean {
    return this.#count > 0
  }

  /** @returns whether the requests keep to the limits that the worker was told */
  run(requests: readonly HostRequest[]): boolean {
    this.#count += requests.length
    if (this.#count > this.#limits.maxHostCalls) return false
    for (const request of requests) {
      if (request.argument.length > this.#limits.maxArgumentBytes) return false
      if (request.argument.length > largeArgument) setImmediate(() => void this.#run(request))
      else void this.#run(request)
    }
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

  async #run({ id, operation, argument }: HostRequest): Promise<void> {
    if (this.#isOver) return
    const entry: Entry = { id, operation, startedAt: performance.now(), outcome: 'unfinished' }
    if (this.#entries.length < maxRecords) this.#entries.push(entry)
    let answer: HostAnswer
    try {
      this.#controller ??= new AbortController()
      const { signal } = this.#controller
      const value = await this.#find(operation)(JSON.parse(argument) as JsonValue, { signal })
      if (this.#isOver) return
      answer = this.#writeResult(id, operation, value)
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

  #writeResult(id: number, operation: string, value: JsonValue | undefined): HostAnswer {
    const text = value === undefined ? '' : (JSON.stringify(value) ?? '')
    const { maxResultBytes } = this.#limits
    if (text.length <= maxResultBytes / 3 || Buffer.byteLength(text) <= maxResultBytes)
      return { id, isDone: true, text, name: '', code: '' }
    return {
      id,
      isDone: false,
      text: `The result of ${operation} is larger than ${maxResultBytes} bytes, a third of the memory of the tool`,
      name: 'RangeError',
      code: 'RESULT_TOO_LARGE',
    }
  }

  /** What several operations give in one turn goes out together. */
  #answer(answer: HostAnswer): void {
    this.#answers.push(answer)
    if (this.#answers.length > 1) return
    process.nextTick(() => {
      const answers = this.#answers
      this.#answers = []
      if (!this.#isOver) this.#send(answers)
    })
  }
}

function toSleepEntry({ id, durationMs }: SleepRecord): HostCallRecord & { readonly id: number } {
  const operation = 'sleep'
  return durationMs === undefined
    ? { id, operation, outcome: 'unfinished' }
    : { id, operation, durationMs, outcome: 'done' }
}

function describeError(id: number, error: unknown): HostAnswer {
  const answer = { id, isDone: false, text: 'The operation failed', name: '', code: '' }
  if (!(error instanceof Error)) return answer
  const { code } = error as { code?: unknown }
  return {
    ...answer,
    text: error.message.slice(0, maxMessageLength),
    name: error.name.slice(0, maxNameLength),
    code: typeof code === 'string' ? code.slice(0, maxNameLength) : '',
  }
}

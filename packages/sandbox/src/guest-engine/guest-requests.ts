import { describeArgumentProblem } from '../host/argument-check.ts'
import { failure } from './guest-failure.ts'
import type {
  CallLimits,
  HostAnswer,
  HostRequest,
  RunOutcome,
  SleepRecord,
} from '../lanes/protocol.ts'

/** More are not on record. */
const maxSleepRecords = 1000
const maxOperationBytes = 200
/** What the arguments under way may take together, as a multiple of what one may. */
const underwayFactor = 4

/** The bounds on what a guest may ask for. */
type RequestLimits = Pick<
  CallLimits,
  'maxHostCalls' | 'maxConcurrentHostCalls' | 'maxArgumentBytes'
>

/** Reads a text of the guest; `undefined` where it has more bytes. */
type ReadText = (maxBytes: number) => string | undefined

/** What a guest asks of the host in one call, held to its limits outside of the guest, in whatever engine that runs. */
export class GuestRequests {
  readonly #limits: RequestLimits
  /** At the host, with the length of their arguments. */
  readonly #underway = new Map<number, number>()
  readonly #sleeps = new Map<number, { startedAt: number; durationMs?: number }>()
  #underwayLength = 0
  #requests: HostRequest[] = []
  #refusals: HostAnswer[] = []
  #count = 0

  constructor(limits: RequestLimits) {
    this.#limits = limits
  }

  /** Whether an answer is still to come. */
  get isWaiting(): boolean {
    return this.#underway.size > 0
  }

  get sleeps(): SleepRecord[] {
    return Array.from(this.#sleeps, ([id, { durationMs }]) =>
      durationMs === undefined ? { id } : { id, durationMs },
    )
  }

  /** Takes a request. @returns how the run has to end, if it has to */
  add(id: number, readOperation: ReadText, readArgument: ReadText): RunOutcome | undefined {
    const { maxConcurrentHostCalls, maxArgumentBytes } = this.#limits
    const end = this.#countOne()
    if (end !== undefined) return end
    // The prelude keeps to both; whatever does not is no guest in its right mind.
    if (this.#underway.size >= maxConcurrentHostCalls || this.#underway.has(id))
      return failure('trap', 'The guest broke out of its own rules')
    const operation = readOperation(maxOperationBytes)
    const argument = readArgument(maxArgumentBytes)
    const length = argument?.length ?? 0
    this.#underway.set(id, length)
    this.#underwayLength += length
    if (operation === undefined)
      this.#refuse(id, `The name of an operation has ${maxOperationBytes} bytes at most`)
    else if (argument === undefined)
      this.#refuse(id, `The argument of ${operation} is larger than ${maxArgumentBytes} bytes`)
    else {
      const problem = this.#describeProblem(operation, argument)
      if (problem === undefined) this.#requests.push({ id, operation, argument })
      else this.#refuse(id, problem)
    }
    return undefined
  }

  /** Takes note that a request is answered. @returns whether it waited for that */
  settle(id: number): boolean {
    const length = this.#underway.get(id)
    if (length === undefined) return false
    this.#underwayLength -= length
    return this.#underway.delete(id)
  }

  /** Takes note of a sleep. @returns how the run has to end, if it has to */
  beginSleep(id: number): RunOutcome | undefined {
    const end = this.#countOne()
    if (end === undefined && this.#sleeps.size < maxSleepRecords)
      this.#sleeps.set(id, { startedAt: performance.now() })
    return end
  }

  endSleep(id: number): void {
    const sleep = this.#sleeps.get(id)
    if (sleep !== undefined) sleep.durationMs = performance.now() - sleep.startedAt
  }

  /** How a run ends that asks for more than it may. */
  tooMany(): RunOutcome {
    const { maxHostCalls } = this.#limits
    return failure('host-call-limit', `It asked the host more than ${maxHostCalls} times`)
  }

  /** What the host has to answer. */
  takeRequests(): HostRequest[] {
    const requests = this.#requests
    this.#requests = []
    return requests
  }

  /** Answers that need no host, because the request is refused. */
  takeRefusals(): HostAnswer[] {
    const refusals = this.#refusals
    this.#refusals = []
    return refusals
  }

  #countOne(): RunOutcome | undefined {
    this.#count += 1
    return this.#count > this.#limits.maxHostCalls ? this.tooMany() : undefined
  }

  #describeProblem(operation: string, argument: string): string | undefined {
    const most = underwayFactor * this.#limits.maxArgumentBytes
    return this.#underwayLength > most
      ? `The arguments under way are larger than ${most} bytes together`
      : describeArgumentProblem(operation, argument)
  }

  #refuse(id: number, text: string): void {
    this.#refusals.push({
      id,
      isDone: false,
      text,
      name: 'RangeError',
      code: 'ARGUMENT_TOO_LARGE',
    })
  }
}

import { failure } from '../guest-engine/guest-failure.ts'
import { GuestRequests } from '../guest-engine/guest-requests.ts'
import { guestServices } from '../guest-engine/guest-services.ts'
import { describeLoadError, readIsolateDescription } from './isolate-failure.ts'
import { type IsolateBase, IsolateGuest } from './isolate-guest.ts'
import { LogCollector } from '../host/log-collector.ts'
import { monotonicMs } from '../host/monotonic-clock.ts'
import { nativeCall } from '../guest-engine/native-call.ts'
import type {
  CallMessage,
  HostAnswer,
  LoadMessage,
  ModuleMessage,
  RunOutcome,
  SleepRecord,
  TurnMessage,
} from '../lanes/protocol.ts'
import { randomSeeds } from '../host/random-seeds.ts'

/** Nothing of the host is there while a module is loaded. */
const noRequests = { maxHostCalls: 0, maxConcurrentHostCalls: 0, maxArgumentBytes: 0 }
const maxMessageLength = 4096

type Plain = string | number | undefined

/** One run in an isolate of its own: a module is loaded, and called where that is asked for. */
export class IsolateRun {
  readonly #message: CallMessage | LoadMessage
  readonly #guest: IsolateGuest
  readonly #logs: LogCollector
  readonly #startedAt = performance.now()
  readonly #requests: GuestRequests
  #wakeAt: number | undefined
  #cpuMs = 0
  #outcome: RunOutcome | undefined
  /** Between the loading of the module and the end of the call. */
  #isCalling = false

  constructor(message: CallMessage | LoadMessage, base: IsolateBase) {
    this.#message = message
    this.#logs = new LogCollector(message.type === 'call' ? message.limits.maxLogBytes : 0)
    this.#requests = new GuestRequests(message.type === 'call' ? message.limits : noRequests)
    this.#guest = new IsolateGuest(base, message.limits.memoryBytes, (kind, ...values) =>
      this.#onNativeCall(kind, values),
    )
  }

  get outcome(): RunOutcome | undefined {
    return this.#outcome
  }

  /** Time that the guest computed so far, in milliseconds. */
  get cpuMs(): number {
    return this.#cpuMs
  }

  /** When the guest wants to go on by itself, in milliseconds from now. */
  get wakeAfterMs(): number | undefined {
    if (this.#wakeAt === undefined || this.#outcome !== undefined) return undefined
    return Math.max(0, this.#wakeAt - this.#elapsedMs)
  }

  get sleeps(): SleepRecord[] {
    return this.#requests.sleeps
  }

  /** Fixes how the run ends, unless that is fixed, and ends the guest wherever it is. */
  end(outcome: RunOutcome): void {
    this.#outcome ??= outcome
    this.#guest.dispose()
  }

  /** What is to be said of the time since it was last asked. */
  takeTurn(): Omit<TurnMessage, 'type' | 'id' | 'cpuMs'> {
    return { ...this.#logs.take(), requests: this.#requests.takeRequests() }
  }

  start(module: ModuleMessage): void {
    this.#compute((leftMs) => this.#guest.enter(leftMs, 'seed', randomSeeds()))
    let isFunction: boolean | undefined
    const problem = this.#compute((leftMs) => {
      isFunction = this.#guest.load(module, leftMs)
    })
    if (problem !== undefined) this.end(describeLoadError(problem))
    else if (isFunction === undefined)
      this.end(failure('load', 'The top level waits for something that never comes'))
    else if (!isFunction)
      this.end(failure('load', 'The module has no default export that is a function'))
    const message = this.#message
    if (message.type === 'load') this.end({ ok: true, json: '' })
    else this.#begin(message)
  }

  #begin({ inputJson, callJson, limits }: CallMessage): void {
    const { maxHostCalls, maxConcurrentHostCalls } = limits
    this.#isCalling = true
    this.#advance((leftMs) =>
      this.#guest.begin(leftMs, [
        inputJson,
        callJson,
        maxHostCalls,
        maxConcurrentHostCalls,
        ...randomSeeds(),
      ]),
    )
  }

  settle(answers: readonly HostAnswer[]): void {
    for (const answer of answers) this.#settle(answer)
    this.#advance()
  }

  /** Runs the timers of the guest that are due. */
  wake(): void {
    while (this.#tick());
    this.#advance()
  }

  /** Runs one timer that is due. @returns whether there was one, and the run goes on */
  #tick(): boolean {
    let wasDue = false
    this.#compute((leftMs) => {
      wasDue = this.#guest.enter(leftMs, 'tick', []) === 1
    })
    return wasDue && this.#outcome === undefined
  }

  #advance(action?: (leftMs: number) => void): void {
    if (action !== undefined) this.#compute(action)
    // What is refused here may have made new requests, and so on.
    let refusals = this.#requests.takeRefusals()
    while (refusals.length > 0 && this.#outcome === undefined) {
      for (const refusal of refusals) this.#settle(refusal)
      refusals = this.#requests.takeRefusals()
    }
    if (this.#outcome === undefined && !this.#requests.isWaiting && this.#wakeAt === undefined)
      this.end(failure('stalled', 'It waits for something that can never come'))
  }

  #settle({ id, isDone, text, name, code }: HostAnswer): void {
    if (!this.#requests.settle(id)) return
    this.#compute((leftMs) =>
      this.#guest.enter(leftMs, 'settle', [id, isDone ? 1 : 0, text, name, code]),
    )
  }

  /** Lets the guest compute for as long as it may. @returns what was thrown, if the run goes on all the same */
  #compute(action: (leftMs: number) => void): unknown {
    if (this.#outcome !== undefined) return undefined
    const { deadline, cpuMs } = this.#message.limits
    const begin = monotonicMs()
    const leftMs = Math.min(deadline - begin, cpuMs - this.#cpuMs)
    if (leftMs <= 0) {
      this.#endTime(begin)
      return undefined
    }
    let problem: unknown
    try {
      action(leftMs)
    } catch (error) {
      problem = error
    }
    const now = monotonicMs()
    this.#cpuMs += now - begin
    if (this.#outcome !== undefined) return undefined
    const text = problem instanceof Error ? problem.message : ''
    if (this.#guest.isDisposed || /^Isolate (was|is) disposed/.test(text))
      this.end(failure('memory', 'out of memory'))
    else if (now - begin >= leftMs) this.#endTime(now)
    else return problem
    return undefined
  }

  #endTime(now: number): void {
    const { deadline, cpuMs } = this.#message.limits
    if (now > deadline) this.end(failure('timeout', 'It took longer than it may'))
    else {
      const reason = this.#message.type === 'load' ? 'timeout' : 'cpu-limit'
      this.end(failure(reason, `It computed for longer than ${cpuMs} ms`))
    }
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Nothing is thrown into the guest: what breaks here, such as a stack that ends, ends the run. */
  #onNativeCall(kind: number, values: readonly Plain[]): Plain {
    if (this.#outcome !== undefined) return undefined
    try {
      return this.#answer(kind, values)
    } catch (error) {
      this.end(
        error instanceof RangeError
          ? failure('stack', 'Maximum call stack size exceeded')
          : failure('trap', 'The engine failed'),
      )
      return undefined
    }
  }

  #answer(kind: number, [first, second, third]: readonly Plain[]): Plain {
    if (kind === nativeCall.fail) {
      this.end(readIsolateDescription(textOf(first), this.#isCalling ? 'guest-error' : 'load'))
      return undefined
    }
    // Nothing of the host is there for a module that is being loaded; the prelude says so.
    if (!this.#isCalling || this.#message.type === 'load') return undefined
    switch (kind) {
      case nativeCall.service:
        return callService(textOf(first), textOf(second))
      case nativeCall.clock:
        return this.#elapsedMs
      case nativeCall.request:
        this.#endWith(
          this.#requests.add(
            numberOf(first),
            (maxBytes) => bounded(textOf(second), maxBytes),
            (maxBytes) => bounded(textOf(third), maxBytes),
          ),
        )
        break
      case nativeCall.log:
        this.#logs.add(textOf(first), (maxBytes) => bounded(textOf(second), maxBytes))
        break
      case nativeCall.wake:
        this.#wakeAt = numberOf(first) >= 0 ? numberOf(first) : undefined
        break
      case nativeCall.done:
        this.#takeResult(textOf(first), this.#message.limits.maxOutputBytes)
        break
      case nativeCall.tooManyCalls:
        this.end(this.#requests.tooMany())
        break
      case nativeCall.badInput:
        this.end({ ok: false, reason: 'input', message: 'The input is no JSON text' })
        break
      case nativeCall.sleepBegins:
        this.#endWith(this.#requests.beginSleep(numberOf(first)))
        break
      case nativeCall.sleepEnds:
        this.#requests.endSleep(numberOf(first))
        break
    }
    return undefined
  }

  #takeResult(text: string, maxBytes: number): void {
    const json = bounded(text, maxBytes)
    this.end(
      json === undefined
        ? failure('output-limit', `The result is larger than ${maxBytes} bytes`)
        : { ok: true, json },
    )
  }

  #endWith(outcome: RunOutcome | undefined): void {
    if (outcome !== undefined) this.end(outcome)
  }
}

function textOf(value: Plain): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: Plain): number {
  return typeof value === 'number' ? value : Number.NaN
}

/** The text if it has no more bytes of UTF-8; half a character counts as what it becomes. */
function bounded(text: string, maxBytes: number): string | undefined {
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes ? text : undefined
}

/** A sign says whether the rest is the answer or what was wrong. */
function callService(name: string, text: string): string {
  const service = Object.hasOwn(guestServices, name) ? guestServices[name] : undefined
  if (service === undefined) return `-There is no service ${name.slice(0, 100)} for this text`
  try {
    return `+${service(text)}`
  } catch (error) {
    return `-${error instanceof Error ? error.message.slice(0, maxMessageLength) : ''}`
  }
}

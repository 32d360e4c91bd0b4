import { failure } from './guest-failure.ts'
import type { LoadedModule } from './guest-load.ts'
import { GuestRequests } from './guest-requests.ts'
import { GuestRun, type RunSetting } from './guest-run.ts'
import { callGuestService } from './guest-service-call.ts'
import type { MemoryImage } from './memory-image.ts'
import { nativeCall } from './native-call.ts'
import type {
  CallLimits,
  CallMessage,
  HostAnswer,
  RunOutcome,
  SleepRecord,
  TurnMessage,
} from '../lanes/protocol.ts'
import type { Address } from './quickjs-exports.ts'
import type { InstanceHandler } from './quickjs-instance.ts'
import { randomSeeds } from '../host/random-seeds.ts'
import { LogCollector } from '../host/log-collector.ts'

/** One call of a module, from its input to its result. */
export class GuestCall extends GuestRun implements InstanceHandler {
  /** Until it has begun: a large input is not kept while the guest waits. */
  #message: CallMessage | undefined
  readonly #limits: CallLimits
  readonly #module: LoadedModule
  readonly #logs: LogCollector
  readonly #startedAt = performance.now()
  readonly #requests: GuestRequests
  #wakeAt: number | undefined

  constructor(message: CallMessage, module: LoadedModule, setting: RunSetting) {
    super(setting)
    this.#message = message
    this.#limits = message.limits
    this.#module = module
    this.#logs = new LogCollector(message.limits.maxLogBytes)
    this.#requests = new GuestRequests(message.limits)
  }

  protected get failureReason(): 'guest-error' {
    return 'guest-error'
  }

  protected get computeReason(): 'cpu-limit' {
    return 'cpu-limit'
  }

  /** When the guest wants to go on by itself, in milliseconds from now. */
  get wakeAfterMs(): number | undefined {
    if (this.#wakeAt === undefined || this.outcome !== undefined) return undefined
    return Math.max(0, this.#wakeAt - this.#elapsedMs)
  }

  /** What its instance has to become again. */
  get image(): MemoryImage {
    return this.#module.image
  }

  get sleeps(): SleepRecord[] {
    return this.#requests.sleeps
  }

  start(): void {
    const { instance, base } = this.setting
    const { inputJson = '', callJson = '' } = this.#message ?? {}
    this.#message = undefined
    const { memoryBytes, maxHostCalls, maxConcurrentHostCalls } = this.#limits
    instance.handler = this
    instance.clockStart = this.#startedAt
    instance.limitMemory(memoryBytes)
    this.#advance(() =>
      this.callPrelude(base.functions.begin, [
        instance.exports.qjs_dup_value(this.#module.execute),
        instance.exports.qjs_dup_value(base.functions.makeContext),
        instance.newString(inputJson),
        instance.newString(callJson),
        ...[maxHostCalls, maxConcurrentHostCalls, ...randomSeeds()].map((value) =>
          instance.newNumber(value),
        ),
      ]),
    )
  }

  settle(answers: readonly HostAnswer[]): void {
    this.#advance(() => {
      for (const answer of answers) this.#settle(answer)
    })
  }

  /** Runs the timers of the guest that are due. */
  wake(): void {
    const { instance, base } = this.setting
    this.#advance(() => {
      for (;;) {
        const answer = this.callPrelude(base.functions.tick, [])
        if (instance.toNumber(answer) !== 1) return
        this.runJobs()
      }
    })
  }

  /** What is to be said of the time since it was last asked. */
  takeTurn(): Omit<TurnMessage, 'type' | 'id' | 'cpuMs'> {
    return { ...this.#logs.take(), requests: this.#requests.takeRequests() }
  }

  #advance(action: () => void): void {
    this.compute(() => {
      action()
      this.runJobs()
      // What is refused here may have made new requests, and so on.
      for (;;) {
        const refusals = this.#requests.takeRefusals()
        if (refusals.length === 0 || this.outcome !== undefined) return
        for (const refusal of refusals) this.#settle(refusal)
        this.runJobs()
      }
    })
    if (this.outcome === undefined && !this.#requests.isWaiting && this.#wakeAt === undefined)
      this.end(failure('stalled', 'It waits for something that can never come'))
  }

  #settle({ id, isDone, text, name, code }: HostAnswer): void {
    const { instance, base } = this.setting
    if (!this.#requests.settle(id)) return
    const values = [
      instance.newNumber(id),
      instance.newNumber(isDone ? 1 : 0),
      instance.newString(text),
    ]
    if (!isDone) values.push(instance.newString(name), instance.newString(code))
    instance.exports.qjs_free_value(this.callPrelude(base.functions.settle, values))
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  onNativeCall(count: number, values: Address): Address {
    const { instance } = this.setting
    const valueOf = (index: number): Address =>
      index < count ? instance.valueAt(values, index) : instance.undefinedValue
    const numberOf = (index: number): number => instance.toNumber(valueOf(index))
    switch (numberOf(0)) {
      case nativeCall.service:
        return callGuestService(instance, valueOf(1), valueOf(2))
      case nativeCall.clock:
        return instance.newNumber(this.#elapsedMs)
      case nativeCall.request:
        this.#endWith(
          this.#requests.add(
            numberOf(1),
            (maxBytes) => this.readText(valueOf(2), maxBytes),
            (maxBytes) => this.readText(valueOf(3), maxBytes),
          ),
        )
        break
      case nativeCall.log:
        this.#logs.add(this.readText(valueOf(1), 16), (maxBytes) =>
          this.readText(valueOf(2), maxBytes),
        )
        break
      case nativeCall.wake:
        this.#wakeAt = numberOf(1) >= 0 ? numberOf(1) : undefined
        break
      case nativeCall.done:
        this.#takeResult(valueOf(1))
        break
      case nativeCall.fail:
        this.failWith(valueOf(1))
        break
      case nativeCall.tooManyCalls:
        return this.stopNow(this.#requests.tooMany())
      case nativeCall.makeRoom:
        this.makeRoom()
        break
      case nativeCall.badInput:
        this.end({ ok: false, reason: 'input', message: 'The input is no JSON text' })
        break
      case nativeCall.sleepBegins:
        this.#endWith(this.#requests.beginSleep(numberOf(1)))
        break
      case nativeCall.sleepEnds:
        this.#requests.endSleep(numberOf(1))
        break
    }
    return instance.exports.qjs_dup_value(instance.undefinedValue)
  }

  #takeResult(value: Address): void {
    const { maxOutputBytes } = this.#limits
    const json = this.readText(value, maxOutputBytes)
    this.end(
      json === undefined
        ? failure('output-limit', `The result is larger than ${maxOutputBytes} bytes`)
        : { ok: true, json },
    )
  }

  #endWith(outcome: RunOutcome | undefined): void {
    if (outcome !== undefined) this.stopNow(outcome)
  }

  // After loading there is nothing more to be had, the module itself included.
  resolveImport(): undefined {
    return undefined
  }

  readImport(): undefined {
    return undefined
  }
}

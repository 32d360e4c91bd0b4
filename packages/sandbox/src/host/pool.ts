import type { HostRun } from './host-run.ts'
import type { Lane, LaneEvents } from '../lanes/lane.ts'
import { PoolLane } from '../lanes/pool-lane.ts'
import type { ModuleMessage, WorkerMessage } from '../lanes/protocol.ts'

export interface PoolOptions {
  readonly maxLanes: number
  readonly runsPerLane: number
  readonly maxWaiting: number
  readonly graceMs: number
  readonly openLane: (events: LaneEvents) => Lane
  readonly findModule: (hash: string) => ModuleMessage | undefined
}

/** Spreads runs over lanes, and ends lanes that do not answer. */
export class Pool {
  readonly #options: PoolOptions
  readonly #lanes = new Set<PoolLane>()
  readonly #placeOf = new Map<number, PoolLane>()
  #waiting: HostRun[] = []
  #isClosed = false
  readonly #endings = new Set<Promise<void>>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  submit(run: HostRun): void {
    if (this.#isClosed) run.fail('closed', 'The sandbox is closed')
    else if (run.request.signal?.aborted === true) run.fail('aborted', 'The signal aborted')
    else if (run.inputLength > run.request.limits.memoryBytes)
      run.fail('memory', 'The input is larger than the memory of the guest')
    else if (this.#waiting.length >= this.#options.maxWaiting && !this.#canBegin())
      run.fail('busy', `${this.#waiting.length} calls wait already for a worker`)
    if (run.isOver) return
    run.watch((reason) => this.#stop(run, reason))
    this.#waiting.push(run)
    this.#dispatch()
  }

  forget(hash: string): void {
    for (const place of this.#lanes) place.forget(hash)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const run of this.#waiting) run.fail('closed', 'The sandbox was closed')
    this.#waiting = []
    for (const place of this.#lanes) {
      for (const run of place.runs.values()) run.fail('closed', 'The sandbox was closed')
      this.#endLane(place)
    }
    await Promise.all(this.#endings)
  }

  #canBegin(): boolean {
    return this.#findLane() !== undefined || this.#lanes.size < this.#options.maxLanes
  }

  #findLane(): PoolLane | undefined {
    let best: PoolLane | undefined
    for (const place of this.#lanes)
      if (place.isReady && (best === undefined || place.runs.size < best.runs.size)) best = place
    return best
  }

  #dispatch(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const place = this.#findLane() ?? this.#openLane()
      if (place === undefined) return
      const run = this.#waiting.shift()
      if (run === undefined || run.isOver) continue
      const module = this.#options.findModule(run.request.hash)
      if (module === undefined) {
        run.fail('load', 'The module was forgotten: load it again')
        continue
      }
      this.#placeOf.set(run.id, place)
      place.begin(run, module)
    }
  }

  #openLane(): PoolLane | undefined {
    const { maxLanes, runsPerLane, openLane } = this.#options
    if (this.#lanes.size >= maxLanes) return undefined
    const lane = openLane({
      onMessage: (message) => this.#take(place, message),
      onLost: (why, isFull) => this.#lose(place, why, isFull),
    })
    const place = new PoolLane(lane, runsPerLane)
    this.#lanes.add(place)
    return place
  }

  #take(place: PoolLane, message: WorkerMessage): void {
    if (!this.#lanes.has(place)) return
    if (message.type === 'ready') {
      place.start()
      return
    }
    if (!this.#isFaithful(place, message)) {
      this.#lose(place, 'it broke the rules of the sandbox')
      this.#endLane(place)
      return
    }
    if (message.type !== 'wake') this.#dispatch()
  }

  /** A process may have been taken over by its guest: what it says of runs that are not its own harms nobody. */
  #isFaithful(
    place: PoolLane,
    message: Exclude<WorkerMessage, { readonly type: 'ready' }>,
  ): boolean {
    const { id } = message
    const run = place.runs.get(id)
    if (run === undefined) return false
    switch (message.type) {
      case 'wake':
        return place.wake(id)
      case 'turn':
        return place.takeTurn(id) && run.takeTurn(message)
      case 'end': {
        if (!run.takeEnd(message)) return false
        place.takeEnd(id)
        this.#placeOf.delete(id)
        return true
      }
      default:
        return false
    }
  }

  /** The third and the fourth layer: what a worker does not end by itself is ended here. */
  #stop(run: HostRun, reason: 'timeout' | 'aborted'): void {
    const place = this.#placeOf.get(run.id)
    const fail = (): void =>
      reason === 'timeout'
        ? run.fail('timeout', 'It took longer than it may')
        : run.fail('aborted', 'The signal aborted')
    if (place === undefined) {
      fail()
      this.#waiting = this.#waiting.filter((other) => other !== run)
      return
    }
    const isComputing = place.current === run.id
    place.stop(run.id, reason)
    // A worker that computes says in a moment what else is to be said; for all others everything is known.
    if (reason === 'aborted' || !isComputing) fail()
    place.update()
    this.#watchStop(run, place, { fail, wasComputing: isComputing })
  }

  #watchStop(
    run: HostRun,
    place: PoolLane,
    state: { readonly fail: () => void; readonly wasComputing: boolean },
  ): void {
    const timer = setTimeout(() => {
      if (!this.#lanes.has(place) || !place.runs.has(run.id)) return
      const isComputing = place.current === run.id
      if (isComputing && state.wasComputing) {
        state.fail()
        this.#endLane(place)
        this.#repeatOrLose(place)
        this.#dispatch()
        return
      }
      if (!isComputing) state.fail()
      this.#watchStop(run, place, { fail: state.fail, wasComputing: isComputing })
    }, this.#options.graceMs)
    if (run.isOver) timer.unref()
  }

  #lose(place: PoolLane, why: string, isFull = false): void {
    if (!this.#lanes.delete(place)) return
    if (isFull && place.current !== undefined)
      place.runs.get(place.current)?.fail('memory', 'out of memory: the engine ended its process')
    for (const run of place.runs.values()) {
      this.#placeOf.delete(run.id)
      run.fail('worker-lost', `The worker was lost: ${why}`)
    }
    this.#dispatch()
  }

  /** Runs that asked nothing of the host may begin again elsewhere: nobody outside has seen them. */
  #repeatOrLose(place: PoolLane): void {
    for (const run of place.runs.values()) {
      this.#placeOf.delete(run.id)
      if (run.isOver) continue
      if (run.startOver()) this.#waiting.unshift(run)
      else run.fail('worker-lost', 'The worker was ended because another call in it did not stop')
    }
  }

  #endLane(place: PoolLane): void {
    this.#lanes.delete(place)
    const ending = place.lane.kill()
    this.#endings.add(ending)
    void ending.finally(() => this.#endings.delete(ending))
  }
}

import type { HostRun } from '../host/host-run.ts'
import type { Lane } from './lane.ts'
import type { HostMessage } from './protocol.ts'

/** What a run was told and has not answered: to begin, answers of operations, to stop, a timer of its own, each at times twice. */
const maxDueTurns = 8

/** A lane with the runs that have a place in it. */
export class PoolLane {
  readonly lane: Lane
  /** By id. A run that is over keeps its place until the worker says that it is. */
  readonly runs: Map<number, HostRun> = new Map()
  #hasStarted = false
  readonly #modules = new Set<string>()
  readonly #slots: number[]
  readonly #slotOf = new Map<number, number>()
  /** Runs that were told something and have not said that they wait or ended, in the order in which they get their turn. */
  readonly #computing: number[] = []

  constructor(lane: Lane, slots: number) {
    this.lane = lane
    this.#slots = Array.from({ length: slots }, (_, index) => index)
  }

  /** Whether a further run would begin at once. */
  get isReady(): boolean {
    return this.#computing.length === 0 && this.#slots.length > 0
  }

  /** The run that computes now, as far as that is known here. */
  get current(): number | undefined {
    return this.#computing[0]
  }

  begin(run: HostRun, module: HostMessage): void {
    const slot = this.#slots.pop()
    if (slot === undefined) throw new Error('A lane was given more runs than it has places')
    this.runs.set(run.id, run)
    this.#slotOf.set(run.id, slot)
    this.lane.setFlag(slot, undefined)
    this.lane.hold(true)
    const { hash } = run.request
    if (!this.#modules.has(hash)) {
      this.#modules.add(hash)
      this.lane.post(module)
    }
    this.#computing.push(run.id)
    this.lane.post(run.toMessage(slot))
    if (this.#hasStarted) run.begin()
    run.sendAnswers = (answers) => {
      this.#computing.push(run.id)
      this.lane.post({ type: 'settle', id: run.id, answers })
    }
  }

  /** Its worker has started. */
  start(): void {
    this.#hasStarted = true
    for (const run of this.runs.values()) run.begin()
  }

  /**
   * A run goes on by itself.
   *
   * @returns whether it may: each run has few turns due at a time
   */
  wake(id: number): boolean {
    if (this.#computing.length > maxDueTurns * this.runs.size) return false
    this.#computing.unshift(id)
    return true
  }

  /**
   * A run has answered what it was told.
   *
   * @returns whether it was told anything
   */
  takeTurn(id: number): boolean {
    const index = this.#computing.indexOf(id)
    if (index >= 0) this.#computing.splice(index, 1)
    return index >= 0
  }

  /** A run has left its place. */
  takeEnd(id: number): void {
    for (let index = this.#computing.length - 1; index >= 0; index -= 1)
      if (this.#computing[index] === id) this.#computing.splice(index, 1)
    const slot = this.#slotOf.get(id)
    if (slot === undefined) return
    this.#slotOf.delete(id)
    this.#slots.push(slot)
    this.runs.delete(id)
    this.update()
  }

  stop(id: number, reason: 'timeout' | 'aborted'): void {
    const slot = this.#slotOf.get(id)
    if (slot !== undefined) this.lane.setFlag(slot, reason)
    this.#computing.push(id)
    this.lane.post({ type: 'abort', id, reason })
  }

  forget(hash: string): void {
    if (this.#modules.delete(hash)) this.lane.post({ type: 'forget', hash })
  }

  /** Keeps this process from ending while somebody waits for a run. */
  update(): void {
    for (const run of this.runs.values()) if (!run.isOver) return
    this.lane.hold(false)
  }
}

/** Milliseconds between two turns of the watch. */
const everyMs = 10

/** The longest time for which this thread did not come round, in milliseconds. */
export interface LongestTurn {
  readonly wallMs: number
  /** Of these, what this thread computed: other work of the machine does not count. Absent where Node cannot tell. */
  readonly cpuMs?: number
}

/** Watches how long the event loop of this thread is kept busy at once. */
export class LoopWatch {
  readonly #timer: NodeJS.Timeout
  #wall = performance.now()
  #cpu = readThreadCpu()
  #longestWall = 0
  #longestCpu = 0

  constructor() {
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  stop(): LongestTurn {
    clearInterval(this.#timer)
    this.#look()
    return {
      wallMs: this.#longestWall,
      ...(this.#cpu === undefined ? {} : { cpuMs: this.#longestCpu }),
    }
  }

  #look(): void {
    const wall = performance.now()
    const cpu = readThreadCpu()
    this.#longestWall = Math.max(this.#longestWall, wall - this.#wall)
    this.#longestCpu = Math.max(this.#longestCpu, (cpu ?? 0) - (this.#cpu ?? 0))
    this.#wall = wall
    this.#cpu = cpu
  }
}

/** Milliseconds of CPU time of this thread; Node 22 has no such function, whatever its type says. */
function readThreadCpu(): number | undefined {
  const { threadCpuUsage } = process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>
  const usage = threadCpuUsage?.()
  return usage === undefined ? undefined : (usage.user + usage.system) / 1_000
}

import type { Containment, ProcessTree } from './containment.ts'
import { sendSignal } from './containment.ts'
import { descendantsOf, lastProcessId, processesMarked } from '../process-table.ts'

/** A call that took longer may have seen all process ids given out once, so ids say nothing about what is new. */
const quickMs = 250
/** Processes that start others while they are looked for are looked for again, but not for ever. */
const maxRounds = 20

/**
 * A process group, and a search through the process table for what left it. Works everywhere and is sure of nothing: a
 * process that leaves the group, loses its parent and clears its environment is not found.
 */
export const processGroup: Containment = {
  name: 'process-group',
  isVisible: () => true,
  environment: {},
  launch: (command) => command,
  follow: (pid, marker) => new GroupTree(pid, marker),
}

class GroupTree implements ProcessTree {
  readonly launchFailed = false
  readonly #pid: number
  readonly #marker: string
  readonly #startedAt: number = performance.now()

  constructor(pid: number, marker: string) {
    this.#pid = pid
    this.#marker = marker
  }

  report(): void {
    // There is no launcher.
  }

  terminate(): void {
    const strays = this.#strays()
    this.#signalGroup('SIGTERM')
    for (const pid of strays) sendSignal(pid, 'SIGTERM')
  }

  kill(): void {
    // A process whose parent ends first can only be found by what it carries, so children are noted before.
    const found = new Set(this.#strays())
    const hadGroup = this.#signalGroup('SIGKILL')
    for (const pid of found) sendSignal(pid, 'SIGKILL')
    // Only a process that lived can have started another one meanwhile.
    let mayBeMore = hadGroup || found.size > 0
    for (let round = 0; round < maxRounds && mayBeMore; round += 1) {
      const more = this.#strays().filter((pid) => !found.has(pid))
      mayBeMore = more.length > 0
      for (const pid of more) {
        found.add(pid)
        sendSignal(pid, 'SIGKILL')
      }
    }
  }

  state(): 'unknown' {
    return 'unknown'
  }

  /** Tells whether there was somebody to signal. */
  #signalGroup(signal: NodeJS.Signals): boolean {
    return sendSignal(process.platform === 'win32' ? this.#pid : -this.#pid, signal)
  }

  /** Processes that descend from the command, or carry its marker. */
  #strays(): number[] {
    if (process.platform !== 'linux') return []
    const last = lastProcessId()
    const isQuick = performance.now() - this.#startedAt < quickMs
    if (last === undefined || last < this.#pid || !isQuick)
      return [...descendantsOf(this.#pid), ...processesMarked(this.#marker)]
    // No process was started since: the usual case, which this keeps cheap.
    if (last === this.#pid) return []
    const range = { after: this.#pid, upTo: last }
    return [...descendantsOf(this.#pid), ...processesMarked(this.#marker, range)]
  }
}

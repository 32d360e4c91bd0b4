import { type ProcessTree, sendSignal } from './containment.ts'
import { childrenOf, descendantsOf, hasEnded } from '../process-table.ts'

/**
 * Processes in a process namespace of their own. When its first process ends, the kernel ends all others before anybody
 * is told, so there is one process to end and one to look at.
 */
export class NamespaceTree implements ProcessTree {
  readonly #launcher: number
  readonly #reports: boolean
  #first: number | undefined
  #reported = ''

  /**
   * @param launcher the process that waits for the first process of the namespace.
   * @param reports the launcher says which process that is, and when the command has ended.
   */
  constructor(launcher: number, reports: boolean) {
    this.#launcher = launcher
    this.#reports = reports
  }

  report(text: string): void {
    this.#reported += text
    const pid = /"child-pid": (\d+)/u.exec(this.#reported)?.[1]
    if (pid !== undefined) this.#first = Number(pid)
  }

  get launchFailed(): boolean {
    return this.#reports && !this.#reported.includes('"exit-code"')
  }

  terminate(): void {
    const first = this.#find()
    // The first process only waits for the command; where it ended, nothing could be asked any more.
    if (first !== undefined) for (const pid of descendantsOf(first)) sendSignal(pid, 'SIGTERM')
  }

  kill(): void {
    const first = this.#find()
    // Before there is a first process, the launcher may be about to start it. Both are of one group then, which the kernel
    // ends as a whole, so that none slips through between.
    if (first === undefined) sendSignal(-this.#launcher, 'SIGKILL')
    // The launcher ends by itself once its namespace is empty. Ended before, it would say nothing about the rest. What has
    // ended is left alone, since its id may be somebody else's by now.
    else if (!hasEnded(first)) sendSignal(first, 'SIGKILL')
  }

  state(): 'running' | 'ended' {
    const first = this.#find()
    return hasEnded(first ?? this.#launcher) ? 'ended' : 'running'
  }

  #find(): number | undefined {
    this.#first ??= childrenOf(this.#launcher)[0]
    return this.#first
  }
}

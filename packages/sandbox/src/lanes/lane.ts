import type { HostMessage, WorkerMessage } from './protocol.ts'

/** One worker thread or child process, as its pool sees it. */
export interface Lane {
  post(message: HostMessage): void
  /** Tells the run in a slot to stop, without a message, where that can be done. */
  setFlag(slot: number, reason: 'aborted' | 'timeout' | undefined): void
  /** Whether it keeps this process from ending. */
  hold(isHeld: boolean): void
  /** Ends it at once, whatever it does. */
  kill(): Promise<void>
}

/** What a lane tells its pool. */
export interface LaneEvents {
  onMessage(message: WorkerMessage): void
  /**
   * It ended by itself; nothing more comes from it.
   *
   * @param isFull whether it did because the guest that computed has filled its memory
   */
  onLost(why: string, isFull?: boolean): void
}

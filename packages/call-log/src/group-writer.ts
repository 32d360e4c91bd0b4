/** How rows are grouped. */
export interface GroupWriterOptions<Row> {
  /** Writes a group; decides the fate of each row itself and never rejects. */
  readonly flush: (rows: readonly Row[]) => Promise<void>
  /** The most rows of a group. */
  readonly maxBatch: number
  /** The most bytes of a group of more than one row. */
  readonly maxBatchBytes: number
  readonly sizeOf: (row: Row) => number
  /** How many groups may be on their way at once. */
  readonly inflight: number
}

/** Collects rows that come in the same turn of the event loop into groups. */
export interface GroupWriter<Row> {
  add(row: Row): void
  /** Resolves when nothing is queued or on its way. */
  drained(): Promise<void>
}

/**
 * Makes a writer that groups rows without a timer: a row waits for the end of the current turn of the event loop, or
 * for a group that is on its way. Alone, a row goes out at once; under load the groups grow by themselves. Each group
 * lets the event loop turn, also when the database answers without ever leaving it.
 */
export function createGroupWriter<Row>(options: GroupWriterOptions<Row>): GroupWriter<Row> {
  const { flush, inflight } = options
  let queue: Row[] = []
  let running = 0
  let scheduled = false
  let waiters: (() => void)[] = []

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(pump)
  }
  const pump = (): void => {
    scheduled = false
    while (running < inflight && queue.length > 0) {
      const count = countGroup(queue, options)
      const group = count === queue.length ? queue : queue.slice(0, count)
      queue = count === queue.length ? [] : queue.slice(count)
      running += 1
      void flush(group).finally(finish)
    }
    if (running === 0 && queue.length === 0) {
      for (const wake of waiters) wake()
      waiters = []
    }
  }
  const finish = (): void => {
    running -= 1
    // Always looks again: rows that came while all groups were on their way have nobody else to wake them.
    schedule()
  }
  return {
    add: (row) => {
      queue.push(row)
      if (running < inflight) schedule()
    },
    drained: () =>
      new Promise((resolve) => {
        waiters.push(resolve)
        schedule()
      }),
  }
}

function countGroup<Row>(
  queue: readonly Row[],
  { maxBatch, maxBatchBytes, sizeOf }: GroupWriterOptions<Row>,
): number {
  let bytes = 0
  let count = 0
  for (const row of queue) {
    bytes += sizeOf(row)
    if (count === maxBatch || (count > 0 && bytes > maxBatchBytes)) break
    count += 1
  }
  return count
}

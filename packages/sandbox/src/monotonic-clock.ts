const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** Milliseconds of the machine's clock that never jumps: the same in every thread and process. */
export function monotonicMs(): number {
  return performance.now() + offset
}

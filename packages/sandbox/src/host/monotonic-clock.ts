// Reading two clocks takes a moment, and sometimes a long one: the best of a few readings counts.
const offset = Math.max(
  ...Array.from({ length: 8 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()),
)

/** Milliseconds of the machine's clock that never jumps: the same in every thread and process. */
export function monotonicMs(): number {
  return performance.now() + offset
}

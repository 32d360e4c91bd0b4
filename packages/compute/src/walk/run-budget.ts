import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ComparisonCount } from '../values/compare-values.ts'
import { Fault } from '../values/fault.ts'

/** What putting so many items in order costs. */
export const sortUnits = (count: number): number => count * Math.ceil(Math.log2(count + 1))

/**
 * Counts the work of one run in units. What costs something, and how much:
 *
 * - a macro, a fold and a sort step: the number of items times one more than the size of what runs for
 *   each of them (`expressionSize`; with a condition, of both; 0 for a sort without `by`), when it begins
 * - a function, every one alike: the length of each string and of each array among its arguments; then the
 *   length of the string it gives
 * - `sort`, step and function: n * ceil(log2(n + 1)) on top
 * - `array + array`: both lengths. `in` an array: its length, and each comparison as `==`
 * - `string + string`: both lengths and that of the result. `< <= > >=` of strings: both lengths
 * - `==` and `!=`: of strings their length if they have the same; of two arrays or two objects 1 for each pair
 *   of values looked at, themselves included. So compares `distinct`, arrays and objects only
 * - a template: the length of the result
 */
export class RunBudget implements ComparisonCount {
  /** Units used so far. */
  units = 0
  readonly #maxRunUnits: number

  constructor({ maxRunUnits }: ComputeLimits) {
    this.#maxRunUnits = maxRunUnits
  }

  /**
   * Notes some work, before it is done wherever it can be told.
   *
   * @throws {Fault} limit
   */
  charge(units: number): void {
    this.units += units
    if (this.units <= this.#maxRunUnits) return
    throw new Fault(
      'limit',
      `the run takes more than ${this.#maxRunUnits} units of work`,
      'Pass less data or do less with each item, or raise maxRunUnits.',
    )
  }

  /** Comparisons count here directly, so that one that grows without end stops within it. */
  get compared(): number {
    return this.units
  }

  set compared(units: number) {
    this.charge(units - this.units)
  }
}

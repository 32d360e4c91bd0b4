import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ComparisonCount } from '../values/compare-values.ts'
import { Fault } from '../values/fault.ts'

/** How often a sort goes over so many items. */
export const passesOf = (count: number): number => Math.ceil(Math.log2(count + 1))

/** What putting so many items in order costs, whatever they are. */
export const sortUnits = (count: number): number => count * passesOf(count)

/** What looking for a part of a text costs beyond their lengths: with a long part each place may be looked at often. */
export const searchUnits = (text: number, part: number): number => Math.floor((text * part) / 512)

/**
 * Counts the work of one run in units. What costs something, and how much:
 *
 * - a macro, a fold and a sort step: the number of items times one more than the size of what runs for
 *   each of them (`expressionSize`; with a condition, of both; 0 for a sort without `by`), when it begins
 * - a function, every one alike: the length of each string and of each array among its arguments; then the
 *   length of the string it gives
 * - `size` of an object: its keys. `contains`, `indexOf`, `replace`, `split`: the product of both lengths / 512.
 *   `distinct`: for each string and decimal its length / 16
 * - `sort`, step and function: p = ceil(log2(n + 1)) passes, n units each; and each the length of all strings / 16,
 *   or the units of each decimal's digits
 * - `array + array`: both lengths. `in` an array: its length, and each comparison as `==`
 * - `string + string`: both lengths and that of the result. `< <= > >=` of strings: both lengths
 * - `==` and `!=`: of strings their length if they have the same; of two arrays or two objects 1 for each pair
 *   of values looked at, themselves included, strings as above, and of two objects the keys of both. So compares
 *   `distinct`, arrays and objects only
 * - a template: the length of the result
 * - decimals: n digits are n / 16 + n * n / 8192 units, rounded down. n counts hexadecimal digits of a mantissa
 *   beyond the safe integers (others have none), of the longer one for `+ - %` and comparisons, of both for `* /`,
 *   and zeros to be added where exponents differ. `/` and `avg` are 10 more. `pow` and `sqrt` are 100, the digits
 *   of the base, its exponent's zeros among them, and the square of those of the exponent / 28; with a
 *   whole exponent up to 1,300 digits of the result. Rounding, `fixed`, `money` and `percent`: the digits
 *   and places dropped
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

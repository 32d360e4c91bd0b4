import { Fault } from './fault.ts'

/**
 * Refuses what is no whole number from `low` to `high`.
 *
 * @param what - how the message names it
 * @throws {Fault} bad_value
 */
export function checkWhole(
  value: number,
  what: string,
  [low, high]: readonly [low: number, high: number],
): void {
  if (Number.isInteger(value) && value >= low && value <= high) return
  throw new Fault('bad_value', `${what} is ${value}`, `Pass a whole number from ${low} to ${high}.`)
}

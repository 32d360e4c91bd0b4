import { orderValues } from '../values/compare-values.ts'
import { decimalSize, digitUnits } from '../values/decimal-units.ts'
import { Decimal } from '../values/decimal.ts'
import { Fault } from '../values/fault.ts'
import { passesOf, type RunBudget } from './run-budget.ts'
import { typeOf } from './run.ts'

/** What one pass over the keys costs beyond one unit for each. */
function passUnits(keys: readonly unknown[]): number {
  let length = 0
  let units = 0
  for (const key of keys) {
    if (typeof key === 'string') length += key.length
    else if (key instanceof Decimal) units += digitUnits(decimalSize(key))
  }
  return units + Math.floor(length / 16)
}

/**
 * Items in the order of their keys, which are all numbers or all strings. Equal ones keep their order, in
 * descending order as well.
 *
 * @throws {Fault} type, limit
 */
export function sortItems(
  items: readonly unknown[],
  keys: readonly unknown[],
  { descending, budget }: { readonly descending: boolean; readonly budget: RunBudget },
): unknown[] {
  budget.charge(passesOf(keys.length) * passUnits(keys))
  for (const [index, key] of keys.entries()) {
    if (orderValues(keys[0], key) !== undefined) continue
    throw new Fault(
      'type',
      `a sort needs all numbers or all strings; item ${index} gives ${typeOf(key)}`,
      'Sort by a field that is always there and always of one type.',
    )
  }
  const direction = descending ? -1 : 1
  return Array.from(items.keys())
    .toSorted((left, right) => direction * (orderValues(keys[left], keys[right]) ?? 0))
    .map((index) => items[index])
}

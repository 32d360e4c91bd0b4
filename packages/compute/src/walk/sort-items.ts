import { orderValues } from '../values/compare-values.ts'
import { Fault } from '../values/fault.ts'
import { typeOf } from './run.ts'

/**
 * Items in the order of their keys, which are all numbers or all strings. Equal ones keep their order, in
 * descending order as well.
 *
 * @throws {Fault} type
 */
export function sortItems(
  items: readonly unknown[],
  keys: readonly unknown[],
  descending: boolean,
): unknown[] {
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

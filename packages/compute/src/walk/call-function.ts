import type { FunctionName } from '../language/functions.ts'
import { checkMade } from '../values/text-functions.ts'
import { settle, toDecimal } from './calculate.ts'
import { functionTable } from './function-table.ts'
import { lengthOf, makeArray, readItems } from './read-data.ts'
import { isNumeric, type Run } from './run.ts'

/**
 * Calls a function with arguments whose number and types fit it: counts their work, reads arrays once, keeps the
 * limits.
 *
 * @throws {Fault} what the function cannot do, and limit
 */
export function callFunction(run: Run, name: FunctionName, values: readonly unknown[]): unknown {
  const { budget, program } = run
  // Only these two look at no item, so they have nothing to check.
  const counts = name === 'size' || name === 'count'
  const given = values.map((value) => {
    if (typeof value === 'string') budget.charge(value.length)
    if (program.decimal && typeof value === 'number') return toDecimal(value)
    if (!Array.isArray(value)) return value
    budget.charge(lengthOf(value, program.limits))
    return counts ? value : readItems(run, value)
  })
  const call = functionTable[name] as (values: readonly unknown[], run: Run) => unknown
  const result = call(given, run)
  if (isNumeric(result)) return settle(result)
  if (Array.isArray(result)) return makeArray(run, result)
  if (typeof result === 'string') {
    checkMade(result.length, program.limits.maxTextLength)
    budget.charge(result.length)
  }
  return result
}

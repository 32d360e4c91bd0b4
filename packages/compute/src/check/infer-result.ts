import type { Expression } from '../language/expression.ts'
import type { FunctionName } from '../language/functions.ts'
import { valueTypes } from '../language/value-type.ts'
import { arrayShape, noShape, type Shape, stringShape } from './shape.ts'
import { times } from './worst-case-cost.ts'

const { number, string, boolean } = valueTypes

/** What the items of an array must be for a function that takes it first. */
export const itemTypes: Readonly<Partial<Record<FunctionName, number>>> = {
  sum: number,
  avg: number,
  min: number,
  max: number,
  join: string,
  sort: number | string,
}

/** Longest texts of a number: as it is, and written without an exponent. */
export const digitSizes = { float: [25, 360], decimal: [1_010, 1_030] } as const

/** Longest text of a value; `digits` is that of a number. */
export function textSize({ mask, size }: Shape, digits: number): number {
  return Math.max(mask & string ? size : 0, mask & (number | boolean) ? digits : 0)
}

/** What a function gives, where its name and its arguments say more than the type. */
export function inferResult(
  {
    name,
    arguments: given,
  }: { readonly name: FunctionName; readonly arguments: readonly Expression[] },
  shapes: readonly Shape[],
  [short, long]: readonly [number, number],
): Shape | undefined {
  const [first = noShape, second, third] = shapes
  const { size } = first
  const groups = (separator: number): number => long + times(long / 3, separator)
  switch (name) {
    case 'sort':
    case 'reverse':
    case 'distinct':
    case 'slice':
      return arrayShape(size, first.items)
    case 'split':
      return arrayShape(size + 1, stringShape(size))
    case 'lower':
    case 'upper':
      // One character becomes three at most.
      return stringShape(size * 3)
    case 'trim':
    case 'substring':
      return stringShape(size)
    case 'replace':
      return stringShape(times(size, Math.max(1, third?.size ?? 0)))
    case 'join':
      return stringShape(times(size, (first.items?.size ?? Infinity) + (second?.size ?? 0)))
    case 'string':
      return stringShape(textSize(first, short))
    case 'date':
    case 'addDays':
    case 'addMonths':
      return stringShape(10)
    case 'fixed':
    case 'percent':
      return stringShape(long)
    case 'money':
      return stringShape(groups(1) + (second?.size ?? 1))
    case 'thousands':
      return stringShape(groups(second?.size ?? 1))
    case 'pad': {
      const width = given[1]?.kind === 'number' ? given[1].value : Infinity
      // A fill of one character has two units at most.
      return stringShape(textSize(first, short) + width * 2)
    }
    default:
      return undefined
  }
}

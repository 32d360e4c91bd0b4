import type { ComputeLimits } from '../language/compute-limits.ts'
import type { ValueDeclaration } from '../language/compute-logic.ts'

/** Tells whether a value is as declared; false also where that is not told so fast. */
export type QuickCheck = (value: unknown) => boolean

const most = Number.MAX_SAFE_INTEGER
const never: QuickCheck = () => false

/**
 * A check of the value itself: what it does not pass is left to the exact one. Declared parts are always left to that,
 * because it reads them once and gives a copy, so that a getter cannot give another value later.
 */
export function compileCheck(declaration: ValueDeclaration, limits: ComputeLimits): QuickCheck {
  const { type, enum: choices, format, maxLength = most, maxItems = most, items } = declaration
  const isChoice: QuickCheck = (value) => choices === undefined || choices.includes(value as string)
  switch (type) {
    case 'number':
    case 'integer': {
      const { min = -most, max = most } = declaration
      const isWhole = type === 'integer'
      return (value) =>
        typeof value === 'number' &&
        value >= Math.max(min, -most) &&
        value <= Math.min(max, most) &&
        (!isWhole || Number.isInteger(value)) &&
        isChoice(value)
    }
    case 'string': {
      const longest = Math.min(maxLength, limits.maxTextLength)
      if (format !== undefined) return never
      return (value) => typeof value === 'string' && value.length <= longest && isChoice(value)
    }
    case 'boolean':
      return (value) => typeof value === 'boolean' && isChoice(value)
    case 'array': {
      const longest = Math.min(maxItems, limits.maxListLength)
      if (items !== undefined || choices !== undefined) return never
      return (value) => Array.isArray(value) && value.length <= longest
    }
    default:
      return never
  }
}

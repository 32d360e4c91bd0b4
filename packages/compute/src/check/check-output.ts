import type { ValueDeclaration } from '../language/compute-logic.ts'
import { typeNames } from '../language/value-type.ts'
import { quoteText } from '../text/quote-text.ts'
import { maskOfDeclaration, type Shape } from './shape.ts'

/** Why a value of this shape can never be what a declaration asks for; undefined where it may be. */
export function misfitOf(
  shape: Shape,
  declaration: ValueDeclaration,
  label = 'the result',
): string | undefined {
  const { mask, values, fields } = shape
  const wanted = maskOfDeclaration(declaration)
  if (mask === 0) return undefined
  if ((mask & wanted) === 0) {
    return `${label} is declared as ${declaration.type}, got ${typeNames(mask)}`
  }
  const { enum: allowed } = declaration
  if (
    allowed !== undefined &&
    values?.some((value) => allowed.includes(value as string)) === false
  ) {
    return `${label} is none of the values that are declared`
  }
  // Another type of the union may still fit.
  if (mask !== wanted) return undefined
  // Items are not looked at: an array that may be empty fits whatever they are.
  for (const [name, field] of Object.entries(declaration.fields ?? {})) {
    const at = `${label}.${quoteText(name).slice(1, -1)}`
    const found = fields?.get(name)
    if (found !== undefined) {
      const problem = misfitOf(found, field, at)
      if (problem !== undefined) return problem
    } else if (fields !== undefined) return `${at} is declared and missing`
  }
  return undefined
}

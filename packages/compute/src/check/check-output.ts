import type { ValueDeclaration } from '../language/compute-logic.ts'
import { typeNames } from '../language/value-type.ts'
import { quoteText } from '../text/quote-text.ts'
import { maskOfDeclaration, type Shape } from './shape.ts'

const mostValues = 100

/** Whether two sets of values have none in common. Two large ones are not gone through. */
export function isApart(left: ReadonlySet<unknown>, right: ReadonlySet<unknown>): boolean {
  const [few, many] = left.size < right.size ? [left, right] : [right, left]
  return few.size <= mostValues && ![...few].some((value) => many.has(value))
}

/** What a program has to return. Looks at so many fields at most; a run checks its result in any case. */
export class OutputCheck {
  readonly #declaration: ValueDeclaration
  readonly #choices = new WeakMap<ValueDeclaration, ReadonlySet<unknown>>()
  #left = 100_000

  constructor(declaration: ValueDeclaration) {
    this.#declaration = declaration
  }

  /** Why a value of this shape can never be what is declared; undefined where it may be. */
  misfitOf(shape: Shape): string | undefined {
    return this.#misfitOf(shape, this.#declaration, 'the result')
  }

  #misfitOf(shape: Shape, declaration: ValueDeclaration, label: string): string | undefined {
    const { mask, values, fields } = shape
    const wanted = maskOfDeclaration(declaration)
    if (mask === 0 || --this.#left < 0) return undefined
    if ((mask & wanted) === 0) {
      return `${label} is declared as ${declaration.type}, got ${typeNames(mask)}`
    }
    const { enum: allowed } = declaration
    if (values !== undefined && allowed !== undefined) {
      let choices = this.#choices.get(declaration)
      if (choices === undefined) this.#choices.set(declaration, (choices = new Set(allowed)))
      if (isApart(values, choices)) return `${label} is none of the values that are declared`
    }
    // Another type of the union may still fit. Items are not looked at: an array that may be empty fits whatever they are.
    if (mask !== wanted || fields === undefined || declaration.fields === undefined) {
      return undefined
    }
    for (const name in declaration.fields) {
      const at = `${label}.${quoteText(name).slice(1, -1)}`
      const found = fields.shapes.get(name)
      if (found === undefined) {
        if (!fields.open) return `${at} is declared and missing`
      } else {
        const problem = this.#misfitOf(found, declaration.fields[name] as ValueDeclaration, at)
        if (problem !== undefined) return problem
      }
      if (--this.#left < 0) return undefined
    }
    return undefined
  }
}

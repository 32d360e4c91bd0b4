import type { Problem } from '../language/compute-issue.ts'
import { quoteText } from '../text/quote-text.ts'

/** Members every JavaScript object inherits, and words that the expression language owns. */
const reservedNames: ReadonlySet<string> = new Set(
  (
    '__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ constructor prototype ' +
    'hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf true false null in this'
  ).split(' '),
)

/** Whether a character code may start a name: a letter A to Z or an underscore. */
export function startsName(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

/** Whether a character code is a digit 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether a character code may stand inside a name. */
export function continuesName(code: number): boolean {
  return startsName(code) || isDigit(code)
}

function hasNameForm(text: string): boolean {
  if (text === '' || !startsName(text.charCodeAt(0))) return false
  for (let index = 1; index < text.length; index++) {
    if (!continuesName(text.charCodeAt(index))) return false
  }
  return true
}

/** What is wrong with a name, if anything. */
export function nameProblem(text: string): Problem | undefined {
  if (!hasNameForm(text)) {
    return {
      code: 'bad_name',
      message: `${quoteText(text)} is no variable name`,
      hint: 'A name has letters A to Z, digits and underscores, and does not start with a digit.',
    }
  }
  if (!reservedNames.has(text)) return undefined
  return {
    code: 'reserved_name',
    message: `the name ${quoteText(text)} is reserved`,
    hint: 'Choose another name.',
  }
}

/** The variables of one program, each with its slot in a run's frame. */
export class VariableTable {
  readonly names: string[] = []
  readonly #slots = new Map<string, number>()
  readonly #bound: { readonly name: string; readonly slot: number }[] = []

  /** The slot of a name: of the innermost item of that name, otherwise of the variable, if there is one. */
  knownSlotOf(name: string): number | undefined {
    for (let index = this.#bound.length - 1; index >= 0; index--) {
      const bound = this.#bound[index]
      if (bound?.name === name) return bound.slot
    }
    return this.#slots.get(name)
  }

  /** The slots of variables, without those of items. */
  variableSlots(): readonly number[] {
    return [...this.#slots.values()]
  }

  /** The slot of a variable, a new one at its first appearance. */
  outputSlotOf(name: string): number {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    const slot = this.names.push(name) - 1
    this.#slots.set(name, slot)
    return slot
  }

  /** Gives a name a slot of its own until {@link unbindTo}. */
  bind(name: string): number {
    const slot = this.names.push(name) - 1
    this.#bound.push({ name, slot })
    return slot
  }

  /** How many bindings there are. */
  get boundCount(): number {
    return this.#bound.length
  }

  /** Ends the latest bindings, until so many are left. */
  unbindTo(count: number): void {
    this.#bound.length = count
  }
}

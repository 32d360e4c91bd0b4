import { quoteText } from '../text/quote-text.ts'
import { escapedCandidates, suggestName } from '../text/nearest-name.ts'
import type { Site } from '../language/compute-issue.ts'
import type { CallExpression, Expression, MacroExpression } from '../language/expression.ts'
import { functionForms, takesCount } from '../language/functions.ts'
import type { SitedExpression, Template } from '../language/program.ts'
import { anyType, typeHint, typeNames, valueTypes } from '../language/value-type.ts'
import type { CheckReport } from './check-report.ts'
import { digitSizes, inferResult, itemTypes, textSize } from './infer-result.ts'
import {
  anyShape,
  arrayShape,
  booleanShape,
  entryOf,
  type Fields,
  itemOf,
  narrow,
  noShape,
  numberShape,
  type Shape,
  shapeOfMask,
  shapeOfValue,
  stringShape,
  unionOf,
  unionOfAll,
} from './shape.ts'
import { isApart } from './check-output.ts'
import {
  callUnits,
  comparisonUnits,
  decimalComparisonUnits,
  decimalUnits,
  times,
} from './worst-case-cost.ts'

const { number, string, boolean, null: nil, array, object } = valueTypes
/** What + adds. */
const addable = number | string | array
/** What < compares. */
const ordered = number | string
/** What has a text in a template. */
const printable = number | string | boolean

/** The variables as they are at one point of the program. */
export interface Variables {
  /** Slots that surely have a value here. */
  assigned: boolean[]
  /** What each slot is where it has a value. */
  shapes: (Shape | undefined)[]
  /** Called for a slot that may have no value but what the caller gives. */
  readUnassigned(slot: number, site: Site, offset: number): void
}

/** A key that is not there, and those that are. */
interface KeySearch {
  readonly key: string
  readonly fields: Fields | undefined
}

/** Works out what expressions give, and notes what can never work. */
export class ExpressionChecker {
  /** Worst case units of what was gone through, Infinity where a size is unknown. */
  units = 0
  /** Slots that are read somewhere. */
  readonly read: boolean[] = []
  readonly #variables: Variables
  readonly #report: CheckReport
  /** Keys that the program tests with has(), in or a lookup with a default: reading them is no mistake, though no declaration has them. */
  readonly tested: Set<string> = new Set<string>()
  #site: Site = { path: '', text: '' }
  readonly #digits: readonly [number, number]
  /** Whether numbers are decimals. */
  readonly decimal: boolean
  #nodes = 0
  #reads = 0

  constructor(variables: Variables, report: CheckReport, decimal: boolean) {
    this.#variables = variables
    this.#report = report
    this.#digits = digitSizes[decimal ? 'decimal' : 'float']
    this.decimal = decimal
  }

  /** What an expression gives, which has to be able to be one of `wanted`. */
  infer({ site, expression }: SitedExpression, wanted: number = anyType): Shape {
    // A part that could not be read.
    if (site.path === '') return anyShape
    this.#site = site
    return this.#expect(expression, wanted)
  }

  /** What an array expression gives, whose items have to be able to be one of `wanted`. */
  inferArray(list: SitedExpression, wanted: number): Shape {
    const shape = this.infer(list, array)
    this.#fitItems(shape, wanted, list.expression)
    return shape
  }

  /** A condition: boolean, and not always the same. */
  inferTest({ site, expression }: SitedExpression, wanted: number = boolean): void {
    if (site.path === '') return
    this.#site = site
    this.#test(expression, wanted)
  }

  /** The text of a filled template. */
  inferTemplate({ site, leading, parts }: Template): Shape {
    this.#site = site
    let size = leading.length
    for (const { expression, following } of parts) {
      size += textSize(this.#expect(expression, printable), this.#digits[0]) + following.length
    }
    this.units += size
    return stringShape(size)
  }

  /** What an expression gives for each of some items, at what cost. */
  inferBody(body: SitedExpression, count: number, wanted: number = anyType): Shape {
    this.#site = body.site
    return this.#each([body.expression], count, (expression) => this.#expect(expression, wanted))
  }

  #warnConstant(offset: number, message: string): void {
    this.#report.warn(this.#site, offset, {
      code: 'constant_condition',
      message,
      hint: 'Compare with what can differ, or leave the condition out.',
    })
  }

  #expect(expression: Expression, wanted: number): Shape {
    return this.#fit(this.#infer(expression), wanted, expression)
  }

  #fit(shape: Shape, wanted: number, { offset }: { readonly offset: number }): Shape {
    const { mask } = shape
    if ((mask & wanted) !== 0 || mask === 0) return narrow(shape, wanted)
    this.#report.error(this.#site, offset, {
      code: 'type',
      message: `needs ${typeNames(wanted)}, got ${typeNames(mask)}`,
      hint: typeHint(wanted, mask),
    })
    return shapeOfMask(wanted)
  }

  #fitItems({ mask, items }: Shape, wanted: number, expression: Expression): void {
    if (mask === array && items !== undefined) this.#fit(items, wanted, expression)
  }

  #test(expression: Expression, wanted: number = boolean): void {
    const reads = this.#reads
    const shape = this.#infer(expression)
    this.#fit(shape, wanted, expression)
    const { mask, values } = shape
    if (mask === boolean && (values !== undefined || reads === this.#reads)) {
      this.#warnConstant(expression.offset, 'this condition is always the same')
    }
  }

  #infer(expression: Expression): Shape {
    this.#nodes++
    switch (expression.kind) {
      case 'number':
        return numberShape
      case 'string':
      case 'boolean':
        return shapeOfValue(expression.value)
      case 'null':
        return shapeOfMask(nil)
      case 'variable':
        return this.#inferVariable(expression.slot, expression.offset)
      case 'array': {
        const { items } = expression
        return arrayShape(items.length, unionOfAll(items.map((item) => this.#infer(item))))
      }
      case 'negate':
        this.#expect(expression.operand, number)
        this.#count('-')
        return numberShape
      case 'not':
        this.#expect(expression.operand, boolean)
        return booleanShape
      case 'has':
        this.tested.add(expression.key)
        this.#expect(expression.object, object)
        return booleanShape
      case 'field':
        return this.#inferField(this.#expect(expression.object, object), expression)
      case 'index':
        return this.#inferIndex(expression)
      case 'arithmetic':
        return this.#inferChain(expression)
      case 'comparison':
        this.#inferComparison(expression)
        return booleanShape
      case 'logic':
        for (const operand of expression.operands) this.#expect(operand, boolean)
        return booleanShape
      case 'conditional':
        this.#test(expression.test)
        return unionOf(this.#infer(expression.then), this.#infer(expression.else))
      case 'call':
        return this.#inferCall(expression)
      default:
        return this.#inferMacro(expression)
    }
  }

  #inferVariable(slot: number, offset: number): Shape {
    this.#reads++
    // A text that could not be read; what is wrong with it is noted.
    if (slot < 0) return anyShape
    this.read[slot] = true
    const { assigned, shapes } = this.#variables
    if (assigned[slot] !== true) this.#variables.readUnassigned(slot, this.#site, offset)
    return shapes[slot] ?? anyShape
  }

  #inferField(
    { fields }: Shape,
    { key, offset }: { readonly key: string; readonly offset: number },
  ): Shape {
    const shape = fields === undefined ? anyShape : fields.shapes.get(key)
    if (shape !== undefined) return shape
    if (!this.tested.has(key)) this.failKey(this.#site, offset, { key, fields })
    return anyShape
  }

  /** Notes that there is no such key. */
  failKey(site: Site, offset: number, { key, fields }: KeySearch): void {
    if (this.#report.silent > 0) return
    const known = escapedCandidates([...(fields?.shapes.keys() ?? [])])
    this.#report.error(site, offset, {
      code: 'unknown_key',
      message: `there is no key ${quoteText(key)}`,
      hint: suggestName(key, known, `Known: ${known.slice(0, 20).join(', ') || 'none'}.`),
    })
  }

  #inferIndex({ object: holder, key }: Expression & { readonly kind: 'index' }): Shape {
    const from = this.#expect(holder, array | object)
    const { mask, size } = from
    this.#expect(key, (mask & array && number) | (mask & object && string) || ordered)
    if (key.kind !== 'number' || mask !== array) return entryOf(from)
    if (!Number.isInteger(key.value)) {
      this.#report.error(this.#site, key.offset, {
        code: 'type',
        message: 'an index must be a whole number',
        hint: 'Use trunc(x) or round(x).',
      })
    } else if (key.value >= size) {
      this.failKey(this.#site, key.offset, { key: key.text, fields: undefined })
      return anyShape
    }
    return entryOf(from)
  }

  #inferChain({ first, rest }: Expression & { readonly kind: 'arithmetic' }): Shape {
    this.#nodes += rest.length - 1
    let left = this.#infer(first)
    let at = first
    for (const { operator, operand } of rest) {
      const right = this.#infer(operand)
      if (operator === '+') left = this.#add(left, right, { at, operand })
      else {
        this.#fit(left, number, at)
        this.#fit(right, number, operand)
        this.#count(operator)
        left = numberShape
      }
      at = operand
    }
    return left
  }

  /** Digits of decimals are work. */
  #count(operator: string): void {
    if (this.decimal) this.units += decimalUnits(operator)
  }

  #add(
    given: Shape,
    right: Shape,
    { at, operand }: { readonly at: Expression; readonly operand: Expression },
  ): Shape {
    const left = this.#fit(given, addable, at)
    const added = this.#fit(right, left.mask || addable, operand)
    const mask = (left.mask || anyType) & (added.mask || addable)
    if (mask & number) this.#count('+')
    if (mask === number) return numberShape
    const size = left.size + added.size
    this.units += mask === array ? size : times(2, size)
    if (mask === string) return stringShape(size)
    if (mask !== array) return shapeOfMask(mask)
    const isKnown = left.items !== undefined && added.items !== undefined
    return arrayShape(size, isKnown ? unionOf(left.items, added.items) : undefined)
  }

  #inferComparison({
    operator,
    left,
    right,
    offset,
  }: Expression & { readonly kind: 'comparison' }): void {
    const first = this.#infer(left)
    const second = this.#infer(right)
    const compare = this.decimal ? decimalComparisonUnits : comparisonUnits
    this.units += compare(operator, first, second)
    if (operator === 'in') {
      if (left.kind === 'string') this.tested.add(left.value)
      const { mask, items } = this.#fit(second, array | object, right)
      if (mask === object) this.#fit(first, string, left)
      else if (mask === array && items !== undefined) this.#compare(first, items, offset)
    } else if (operator === '==' || operator === '!=') this.#compare(first, second, offset)
    else {
      const { mask } = this.#fit(first, ordered, left)
      this.#fit(second, mask || ordered, right)
    }
  }

  /** Values that can never be equal are most often misspelt. */
  #compare(left: Shape, right: Shape, offset: number): void {
    const { mask, values } = left
    if (mask === 0 || right.mask === 0 || this.#report.isFull) return
    if ((mask & right.mask) === 0) {
      const message = `${typeNames(mask)} never equals ${typeNames(right.mask)}`
      this.#warnConstant(offset, message)
    } else if (
      values !== undefined &&
      right.values !== undefined &&
      isApart(values, right.values)
    ) {
      this.#warnConstant(offset, `these values are never equal, one can only be ${listed(values)}`)
    }
  }

  #inferCall(call: CallExpression): Shape {
    const { name, arguments: given } = call
    const forms = (functionForms.get(name) ?? []).filter((form) => takesCount(form, given.length))
    let result = 0
    const shapes = given.map((argument, index) => {
      let wanted = 0
      for (const { parameters } of forms) wanted |= parameters[index] ?? parameters.at(-1) ?? 0
      return this.#expect(argument, wanted)
    })
    for (const form of forms) result |= form.result
    const [first = noShape] = shapes
    if (given[0] !== undefined) this.#fitItems(first, itemTypes[name] ?? anyType, given[0])
    const shape = inferResult(call, shapes, this.#digits) ?? shapeOfMask(result)
    const { decimal } = this
    this.units += callUnits({ name, given: shapes, result: shape, decimal })
    return shape
  }

  #inferMacro({ name, list, slot, condition, body }: MacroExpression): Shape {
    const from = this.#expect(list, array)
    this.bind(slot, itemOf(from))
    const bodies = condition === undefined ? [body] : [condition, body]
    const shape = this.#each(bodies, from.size, (expression) => {
      const isValue = name === 'map' && expression === body
      return this.#expect(expression, isValue ? anyType : boolean)
    })
    this.#variables.assigned[slot] = false
    if (name === 'map') return arrayShape(from.size, shape)
    return name === 'filter' ? arrayShape(from.size, from.items) : booleanShape
  }

  /** Gives the item of a macro, a fold or a sort its value. */
  bind(slot: number, shape: Shape): void {
    this.#variables.assigned[slot] = true
    this.#variables.shapes[slot] = shape
  }

  #each(bodies: readonly Expression[], count: number, infer: (body: Expression) => Shape): Shape {
    const { units } = this
    const nodes = this.#nodes
    this.units = 0
    let shape = noShape
    for (const body of bodies) shape = infer(body)
    this.units = units + times(count, 1 + this.#nodes - nodes + this.units)
    return shape
  }
}

function listed(values: Iterable<unknown>): string {
  const shown = [...values].slice(0, 20).map((value) => quoteText(String(value)))
  return shown.join(', ')
}

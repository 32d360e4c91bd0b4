import type { CelCase, CelValue } from './cel-case.ts'
import {
  comparesOtherwise,
  constantOf,
  leavesRange,
  losesDigits,
  wholeNumberOf,
} from './cel-constant.ts'
import { type CelNode, parseCel, partsOf } from './cel-syntax.ts'
import { type CelScope, type CelType, macroScope, macroVariable, typeOf } from './cel-type.ts'
import { type LeftOutReason, leftOutReasons } from './left-out-reasons.ts'

/** A case in this language: what to run, and what must come out; no `value` means an error. */
export interface AdaptedCase {
  readonly program: {
    readonly numbers?: 'decimal'
    readonly steps: readonly [{ readonly op: 'return'; readonly value: string }]
  }
  readonly args: Readonly<Record<string, unknown>>
  readonly wanted: { readonly value: unknown } | undefined
}

/** Says whether a program fails. */
export type Fails = (adapted: Pick<AdaptedCase, 'args' | 'program'>) => boolean

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const typeNames = new Set([
  'int',
  'uint',
  'double',
  'string',
  'bool',
  'bytes',
  'list',
  'map',
  'type',
  'null_type',
])

/** The functions that have the same meaning, with the numbers of arguments (the target counts as one). */
const sameFunctions: Readonly<Record<string, readonly number[]>> = {
  size: [1],
  contains: [2],
  startsWith: [2],
  endsWith: [2],
  has: [1],
  indexOf: [2, 3],
  join: [1, 2],
  replace: [3],
  split: [2],
  substring: [2, 3],
  trim: [1],
  all: [3],
  exists: [3],
  exists_one: [3],
  map: [3, 4],
  filter: [3],
}

const mathFunctions: Readonly<Record<string, string>> = {
  greatest: 'max',
  least: 'min',
  ceil: 'ceil',
  floor: 'floor',
  round: 'round',
  trunc: 'trunc',
  abs: 'abs',
  sign: 'sign',
  sqrt: 'sqrt',
}

const functionReasons: Readonly<Record<string, LeftOutReason>> = {
  matches: 'regex',
  timestamp: 'timestamps',
  duration: 'timestamps',
  type: 'type_values',
  bool: 'type_values',
  bytes: 'bytes',
  existsOne: 'two_variables',
  transformList: 'two_variables',
  transformMap: 'two_variables',
  transformMapEntry: 'two_variables',
  isNaN: 'infinity',
  isInf: 'infinity',
  isFinite: 'infinity',
}

const extensionFunctions =
  /^(charAt|lastIndexOf|reverse|format|quote|encode|decode|bit\w+|getExt|hasExt|get[A-Z]\w*)$/
const targetReasons: Readonly<Record<string, LeftOutReason>> = {
  optional: 'optionals',
  cel: 'bindings',
  proto: 'messages',
}
const reasonOrder: readonly string[] = Object.keys(leftOutReasons)
const isNumeric = (type: CelType): boolean => ['int', 'uint', 'double'].includes(type as string)
const isInteger = (type: CelType): boolean => type === 'int' || type === 'uint'

class CaseAdapter {
  readonly #case: CelCase
  readonly #source: string
  readonly #edits: Edit[] = []
  readonly #reasons = new Set<LeftOutReason>()
  readonly #args: Record<string, unknown> = {}
  readonly #wantsValue: boolean
  readonly #checks: { readonly text: () => string }[] = []
  #isLarge = false

  constructor(celCase: CelCase) {
    this.#case = celCase
    this.#source = celCase.expression
    this.#wantsValue = celCase.wanted !== undefined
  }

  adapt(fails: Fails): AdaptedCase | LeftOutReason {
    const { wanted, bindings } = this.#case
    if (wanted === 'no value') this.#leaveOut('type_only')
    else if (wanted?.lost !== undefined) this.#leaveOut(wanted.lost)
    for (const [name, value] of bindings) this.#bind(name, value)
    const node = parseCel(this.#source)
    this.#readBlanks()
    this.#visit(node, new Map([...bindings].map(([name, { type }]) => [name, type])))
    const reason = this.#firstReason()
    if (reason !== undefined) return reason
    const exact = wanted === 'no value' ? undefined : wanted?.exact
    const isDecimal = this.#isLarge
    const program = (value: string): AdaptedCase['program'] => ({
      ...(isDecimal ? { numbers: 'decimal' } : {}),
      steps: [{ op: 'return', value }],
    })
    const absorbs = this.#checks.some(({ text }) =>
      fails({ program: program(text()), args: this.#args }),
    )
    if (this.#wantsValue && absorbs) return 'error_absorption'
    const text = this.#slice(node)
    return {
      // A result beyond 2^53 leaves as text, which has all its digits.
      program: program(isDecimal && exact !== undefined ? `string(${text})` : text),
      args: this.#args,
      wanted: this.#wantedValue(isDecimal),
    }
  }

  #wantedValue(isDecimal: boolean): AdaptedCase['wanted'] {
    const { wanted } = this.#case
    if (wanted === undefined || wanted === 'no value') return undefined
    return { value: isDecimal && wanted.exact !== undefined ? wanted.exact : wanted.json }
  }

  #bind(name: string, value: CelValue): void {
    if (value.lost !== undefined) this.#leaveOut(value.lost)
    if (name.includes('.')) this.#leaveOut('qualified_names')
    if (value.exact !== undefined) this.#isLarge = true
    if (!['true', 'false', 'null'].includes(name)) this.#args[name] = value.json
  }

  #leaveOut(reason: LeftOutReason): void {
    this.#reasons.add(reason)
  }

  #firstReason(): LeftOutReason | undefined {
    return [...this.#reasons].toSorted((a, b) => reasonOrder.indexOf(a) - reasonOrder.indexOf(b))[0]
  }

  #readBlanks(): void {
    const outside = this.#source.replaceAll(/("""|'''|"|')[^]*?(?<!\\)\1/g, "''")
    if (/\/\/|\f/.test(outside)) this.#leaveOut('blanks')
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text })
  }

  /** The text of a part with the edits that lie in it. */
  #slice({ start, end }: CelNode): string {
    const inside = this.#edits
      .filter((edit) => edit.start >= start && edit.end <= end)
      .toSorted((a, b) => a.start - b.start || a.end - b.end)
    let text = ''
    let position = start
    for (const edit of inside) {
      text += this.#source.slice(position, edit.start) + edit.text
      position = edit.end
    }
    return text + this.#source.slice(position, end)
  }

  #visitParts(node: CelNode, scope: CelScope): void {
    for (const part of partsOf(node)) this.#visit(part, scope)
  }

  #visit(node: CelNode, scope: CelScope): void {
    switch (node.kind) {
      case 'int':
      case 'uint':
      case 'double':
        return this.#visitNumber(node)
      case 'string':
        return this.#visitString(node)
      case 'bytes':
        return this.#leaveOut('bytes')
      case 'message':
        return this.#leaveOut('messages')
      case 'identifier':
        return this.#visitName(node, scope)
      case 'map':
        return this.#visitMap(node)
      case 'call':
        return this.#visitCall(node, scope)
      case 'binary':
        return this.#visitBinary(node, scope)
      case 'unary':
        if (node.operator === '-' && typeOf(node.operand, scope) === 'uint' && !this.#wantsValue)
          this.#leaveOut('one_number_type')
        this.#checkRange(node)
        return this.#visitParts(node, scope)
      case 'list':
        if (node.hasOptional) this.#leaveOut('optionals')
        return this.#visitParts(node, scope)
      case 'select':
        if (node.field.startsWith('`')) this.#leaveOut('literal_forms')
        if (node.isOptional) this.#leaveOut('optionals')
        return this.#visitParts(node, scope)
      case 'index':
        if (node.isOptional) this.#leaveOut('optionals')
        if (typeOf(node.operand, scope) === 'map' && isNumeric(typeOf(node.index, scope)))
          this.#leaveOut('map_keys')
        return this.#visitParts(node, scope)
      default:
        return this.#visitParts(node, scope)
    }
  }

  #visitNumber(node: CelNode & { text: string }): void {
    const start = this.#source.indexOf(node.text, node.start)
    const end = start + node.text.length
    if (node.kind === 'double') {
      if (!Number.isFinite(Number(node.text))) this.#leaveOut('infinity')
      if (node.text.startsWith('.')) this.#replace(start, start, '0')
      if (/^\d+\.0$/.test(node.text) && Number(node.text) > Number.MAX_SAFE_INTEGER)
        this.#isLarge = true
      return
    }
    const exact = BigInt(node.text.replace(/[uU]$/, ''))
    if (exact > Number.MAX_SAFE_INTEGER) this.#isLarge = true
    if (!/^\d+$/.test(node.text)) this.#replace(start, end, String(exact))
  }

  #visitString(node: CelNode & { kind: 'string' }): void {
    const text = this.#source.slice(node.start, node.end)
    if (node.prefix !== '' || node.isTriple || text.includes(String.raw`\X`))
      this.#leaveOut('literal_forms')
  }

  #visitName(node: CelNode & { kind: 'identifier' }, scope: CelScope): void {
    if (node.hasLeadingDot) return this.#leaveOut('qualified_names')
    if (scope.has(node.name) || !this.#wantsValue) return undefined
    if (typeNames.has(node.name)) return this.#leaveOut('type_values')
    return this.#leaveOut(/^[A-Z]|^google$/.test(node.name) ? 'messages' : 'qualified_names')
  }

  /** There are no map literals: a constant one becomes an argument. */
  #visitMap(node: CelNode & { kind: 'map' }): void {
    const constant = constantOf(node, this.#source)
    if (node.hasOptional) return this.#leaveOut('optionals')
    if (node.entries.some(([key]) => key.kind !== 'string')) return this.#leaveOut('map_keys')
    if (constant === undefined) return this.#leaveOut('map_literals')
    const name = `map_${Object.keys(this.#args).length + 1}`
    this.#args[name] = constant.json
    return this.#replace(node.start, node.end, name)
  }

  #visitCall(node: CelNode & { kind: 'call' }, scope: CelScope): void {
    const { target, name, parameters } = node
    const root = target?.kind === 'identifier' && !scope.has(target.name) ? target : undefined
    const reason = targetReasons[root?.name ?? ''] ?? functionReasons[name]
    if (reason !== undefined) return this.#leaveOut(reason)
    if (root?.name === 'math') return this.#visitMath(node, scope)
    if (['dyn', 'int', 'uint', 'double', 'string'].includes(name) && target === undefined)
      return this.#visitConversion(node, scope)
    if (name === 'lowerAscii' || name === 'upperAscii') this.#visitCasing(node)
    else {
      const count = parameters.length + (target === undefined ? 0 : 1)
      const isKnown = sameFunctions[name]?.includes(count) === true
      const isExtension =
        name in sameFunctions || extensionFunctions.test(name) || root !== undefined
      if (!isKnown && (this.#wantsValue || isExtension)) this.#leaveOut('functions')
    }
    if (name === 'trim' && /\\u(0085|feff)/i.test(this.#source)) this.#leaveOut('trim_set')
    return this.#visitMacro(node, scope)
  }

  #visitMacro(node: CelNode & { kind: 'call' }, scope: CelScope): void {
    const variable = macroVariable(node)
    const { target } = node
    if (variable === undefined || target === undefined) return this.#visitParts(node, scope)
    if (typeOf(target, scope) === 'map') this.#leaveOut('map_macros')
    if (node.name !== 'map' && node.parameters.length > 2) this.#leaveOut('two_variables')
    this.#visit(target, scope)
    const inner = macroScope(node, scope)
    for (const parameter of node.parameters.slice(1)) this.#visit(parameter, inner)
    const [, body] = node.parameters
    if ((node.name === 'all' || node.name === 'exists') && body !== undefined)
      this.#checks.push({
        text: () => `${this.#slice(target)}.map(${variable}, ${this.#slice(body)}) == []`,
      })
    return undefined
  }

  #visitMath(node: CelNode & { kind: 'call' }, scope: CelScope): void {
    const name = mathFunctions[node.name]
    if (name === undefined) return this.#leaveOut('functions')
    const isWhole = isInteger(typeOf(node.parameters[0] ?? node, scope))
    if (!this.#wantsValue && isWhole) this.#leaveOut('one_number_type')
    this.#checkRange(node)
    this.#replace(node.start, node.nameStart + node.name.length, name)
    for (const parameter of node.parameters) this.#visit(parameter, scope)
    return undefined
  }

  #visitConversion(node: CelNode & { kind: 'call' }, scope: CelScope): void {
    const [parameter] = node.parameters
    if (parameter === undefined || node.parameters.length > 1) return this.#visitParts(node, scope)
    const type = typeOf(parameter, scope)
    const text = this.#source.slice(parameter.start, parameter.end)
    if (/^["'][+-]?(nan|inf|infinity)["']$/i.test(text)) this.#leaveOut('infinity')
    if (node.name === 'double' && losesDigits(parameter)) this.#leaveOut('lost_digits')
    const isFromDouble = node.name.endsWith('int') && type === 'double'
    const constant = constantOf(parameter, this.#source)?.json
    if (isFromDouble && !this.#wantsValue && Math.abs(Number(constant)) >= 2 ** 63)
      this.#leaveOut('integer_range')
    this.#checkRange(node)
    const conversion = isFromDouble ? 'trunc' : 'number'
    const names: Readonly<Record<string, string>> = { dyn: '', string: 'string' }
    this.#replace(node.nameStart, node.nameStart + node.name.length, names[node.name] ?? conversion)
    return this.#visit(parameter, scope)
  }

  #visitCasing(node: CelNode & { kind: 'call' }): void {
    // oxlint-disable-next-line no-control-regex -- all of ASCII is meant
    if (!/^[\u0000-\u007f]*$/.test(this.#source)) this.#leaveOut('ascii_case')
    const end = node.nameStart + node.name.length
    this.#replace(node.nameStart, end, node.name.replace('Ascii', ''))
  }

  #checkRange(node: CelNode): void {
    const whole = wholeNumberOf(node)
    if (!this.#wantsValue && whole !== undefined && leavesRange(whole))
      this.#leaveOut('integer_range')
  }

  #visitBinary(node: CelNode & { kind: 'binary' }, scope: CelScope): void {
    const { operator, left, right } = node
    if (operator === '&&' || operator === '||') return this.#visitLogic(node, scope)
    const [leftType, rightType] = [typeOf(left, scope), typeOf(right, scope)]
    const isArithmetic = ['+', '-', '*', '/', '%'].includes(operator)
    const areNumbers = isNumeric(leftType) && isNumeric(rightType)
    if (isArithmetic) this.#checkRange(node)
    if (operator === '/') this.#visitDivision(node, scope)
    if (areNumbers && !this.#wantsValue) {
      const isMixed = leftType !== rightType && isArithmetic
      if (isMixed || (operator === '%' && leftType === 'double')) this.#leaveOut('one_number_type')
    }
    if (!isArithmetic && comparesOtherwise(left, right)) this.#leaveOut('lost_digits')
    const isOrder = ['<', '<=', '>', '>='].includes(operator)
    if (isOrder && this.#wantsValue && leftType === 'bool') this.#leaveOut('boolean_order')
    if (operator === 'in' && rightType === 'map' && leftType !== 'string')
      this.#leaveOut('map_keys')
    return this.#visitParts(node, scope)
  }

  #visitDivision(node: CelNode & { kind: 'binary' }, scope: CelScope): void {
    const { left, right } = node
    if (typeOf(left, scope) === 'double' && constantOf(right, this.#source)?.json === 0)
      this.#leaveOut('infinity')
    if (!isInteger(typeOf(left, scope)) || !isInteger(typeOf(right, scope))) return
    // Division of whole numbers drops the fraction in CEL; here that is said.
    this.#replace(node.start, node.start, 'trunc(')
    this.#replace(node.end, node.end, ')')
  }

  #visitLogic(node: CelNode & { kind: 'binary' }, scope: CelScope): void {
    const isNoBoolean = (part: CelNode): boolean =>
      !['bool', 'unknown'].includes(typeOf(part, scope) as string)
    if (this.#wantsValue && (isNoBoolean(node.left) || this.#isUnknown(node.left, scope)))
      return this.#leaveOut('error_absorption')
    if (this.#wantsValue && isNoBoolean(node.right)) return this.#leaveOut('static_types')
    this.#visitParts(node, scope)
    const isOutside = [...scope.keys()].every((name) => this.#case.bindings.has(name))
    if (isOutside) this.#checks.push({ text: () => this.#slice(node.left) })
    return undefined
  }

  /** Whether CEL itself does not know a function or name of it, which is an error when it is reached. */
  #isUnknown(node: CelNode, scope: CelScope): boolean {
    if (node.kind === 'identifier') return /^(x|a)$/.test(node.name) && !scope.has(node.name)
    if (node.kind === 'call' && node.target === undefined && node.name.startsWith('f_')) return true
    return partsOf(node).some((part) => this.#isUnknown(part, scope))
  }
}

/** Turns a case into a program of this language, or says why it cannot be one. */
export function adaptCelCase(celCase: CelCase, fails: Fails): AdaptedCase | LeftOutReason {
  return new CaseAdapter(celCase).adapt(fails)
}

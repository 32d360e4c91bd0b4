/**
 * Random programs of the whole language with arguments for them, most of them sensible, some hostile. Everything
 * follows from a seed, so that a program that makes trouble can be had again.
 */
import type { ComputeLimits, ComputeLogic } from '../src/index.ts'

/** A program, its options and its arguments, made anew for each run. */
export interface GeneratedCase {
  readonly logic: ComputeLogic
  readonly limits: Partial<ComputeLimits>
  readonly makeArguments: () => unknown
  /** Whether `Object.prototype` is to have fields of its own while it runs. */
  readonly isPolluted: boolean
}

type Type =
  | 'number'
  | 'string'
  | 'boolean'
  | 'numbers'
  | 'strings'
  | 'objects'
  | 'object'
  | 'date'
  | 'any'

interface Scope {
  /** Names by what they are thought to hold. */
  readonly variables: { readonly name: string; readonly type: Type }[]
  depth: number
}

/** A small fast generator of random numbers: mulberry32. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 to below a count. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
}

const types: readonly Type[] = [
  'number',
  'number',
  'number',
  'string',
  'boolean',
  'numbers',
  'strings',
  'objects',
  'object',
  'date',
]

const argumentTypes: Readonly<Record<string, Type>> = {
  n: 'number',
  m: 'number',
  k: 'number',
  s: 'string',
  t: 'string',
  flag: 'boolean',
  list: 'numbers',
  words: 'strings',
  items: 'objects',
  obj: 'object',
  day: 'date',
}

const numberTexts = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '10',
  '0.5',
  '1.005',
  '2.675',
  '100',
  '1e3',
  '0.1',
  '12.34',
  '1e300',
  '9007199254740991',
  '1e-7',
  '003.20',
]
const words = [
  '',
  'a',
  'b',
  'ab',
  'Straße',
  'é😀',
  'x y',
  'abc',
  '10',
  '2.5',
  '-3',
  'true',
  '2026-02-28',
  'qty',
]
const dates = ['2026-02-28', '2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31', '2026-11-22']

/** Writes expressions of the type asked for, and now and then of another. */
class ExpressionWriter {
  readonly #random: Random
  #names = 0

  constructor(random: Random) {
    this.#random = random
  }

  freshName(): string {
    // Sometimes a name that is there already, so that items hide variables.
    return this.#random.chance(0.2)
      ? this.#random.pick(['n', 'x', 'list', 'items'])
      : `x${this.#names++}`
  }

  write(type: Type, scope: Scope): string {
    const random = this.#random
    const wanted = type === 'any' || random.chance(0.01) ? random.pick(types) : type
    const fitting = scope.variables.filter((variable) => variable.type === wanted)
    if (fitting.length > 0 && random.chance(0.45)) return random.pick(fitting).name
    if (scope.depth <= 0 || random.chance(0.15)) return this.#literal(wanted, fitting)
    const inner = { ...scope, depth: scope.depth - 1 }
    if (random.chance(0.08)) {
      return `(${this.write('boolean', inner)} ? ${this.write(wanted, inner)} : ${this.write(wanted, inner)})`
    }
    if (random.chance(0.02))
      return `[${this.write(wanted, inner)}, ${this.write(wanted, inner)}][${random.below(3)}]`
    switch (wanted) {
      case 'number':
        return this.#number(inner)
      case 'string':
        return this.#string(inner)
      case 'boolean':
        return this.#boolean(inner)
      case 'date':
        return this.#date(inner)
      case 'object':
        return `${this.write('objects', inner)}[${this.#random.below(3)}]`
      default:
        return this.#array(wanted, inner)
    }
  }

  #literal(type: Type, fitting: readonly { readonly name: string }[]): string {
    const random = this.#random
    switch (type) {
      case 'number':
        return random.pick(numberTexts)
      case 'string':
        return JSON.stringify(random.pick(words))
      case 'boolean':
        return random.pick(['true', 'false'])
      case 'date':
        return `"${random.pick(dates)}"`
      case 'numbers':
        return random.pick(['[]', '[1]', '[3, 1, 2]', '[0.1, 0.2, 0.3, 0.1]'])
      case 'strings':
        return random.pick(['["b", "a"]', '["x"]', '[]'])
      default:
        return fitting[0]?.name ?? (type === 'object' ? 'obj' : 'items')
    }
  }

  #number(scope: Scope): string {
    const random = this.#random
    const number = (): string => this.write('number', scope)
    const string = (): string => this.write('string', scope)
    const date = (): string => this.write('date', scope)
    const numbers = (): string => this.write('numbers', scope)
    const choice = random.below(30)
    if (choice < 10)
      return `(${number()} ${random.pick(['+', '-', '*', '/', '%', '+', '-', '*'])} ${number()})`
    if (choice < 12)
      return `${number()} ${random.pick(['+', '-', '*', '/', '%'])} ${number()} ${random.pick(['+', '-', '*'])} ${number()}`
    if (choice < 13) return `-${this.#bracketed(number())}`
    if (choice < 15)
      return `${random.pick(['abs', 'floor', 'ceil', 'trunc', 'sign', 'sqrt'])}(${number()})`
    if (choice < 16) return `pow(${number()}, ${random.pick(['2', '0', '-1', '0.5', number()])})`
    if (choice < 18)
      return `round(${number()}${random.pick(['', ', 2', ', -1', ', 0', ', 2, "half_even"', ', 20', `, ${number()}`])})`
    if (choice < 20)
      return `${random.pick(['min', 'max', 'sum', 'avg'])}(${random.chance(0.5) ? numbers() : `${number()}, ${number()}`})`
    if (choice < 22)
      return `${this.#objectPath(scope)}.${random.pick(['qty', 'price', 'qty', 'price', 'missing', 'note'])}`
    if (choice < 23)
      return `size(${this.write(random.pick<Type>(['string', 'numbers', 'objects', 'object']), scope)})`
    if (choice < 24) return `count(${this.write(random.pick<Type>(['numbers', 'strings']), scope)})`
    if (choice < 25) return `indexOf(${string()}, ${string()}${random.pick(['', ', 1', ', 9'])})`
    if (choice < 26)
      return `number(${random.pick(['"12.50"', '"-1e3"', '"x"', number(), string()])})`
    if (choice < 27) return `${numbers()}[${random.pick(['0', '1', '5', number()])}]`
    if (choice < 28) return `${random.pick(['year', 'month', 'day', 'weekday'])}(${date()})`
    if (choice < 29) return `daysBetween(${date()}, ${date()})`
    return `sum(${this.#mapped('number', scope)})`
  }

  #string(scope: Scope): string {
    const random = this.#random
    const number = (): string => this.write('number', scope)
    const string = (): string => this.write('string', scope)
    switch (random.below(14)) {
      case 0:
      case 1:
        return `(${string()} + ${string()})`
      case 2:
        return `string(${this.write(random.pick<Type>(['number', 'boolean', 'string']), scope)})`
      case 3:
        return `${random.pick(['lower', 'upper', 'trim'])}(${string()})`
      case 4:
        return `substring(${string()}, ${random.below(3)}${random.pick(['', ', 2', `, ${number()}`])})`
      case 5:
        return `replace(${string()}, ${string()}, ${string()})`
      case 6:
        return `join(${this.write('strings', scope)}${random.pick(['', ', ", "', ', ""'])})`
      case 7:
        return `${this.#bracketed(number())}.fixed(${random.pick(['', '0', '3'])})`
      case 8:
        return `money(${number()}${random.pick(['', ', "€"', ', "", 0'])})`
      case 9:
        return `percent(${number()}${random.pick(['', ', 1'])})`
      case 10:
        return `thousands(${number()})`
      case 11:
        return `pad(${random.pick([string(), number()])}, ${random.below(8)}${random.pick(['', ', "*"', ', "0", "end"'])})`
      case 12:
        return `${this.#objectPath(scope)}.${random.pick(['name', 'name', 'note'])}`
      default:
        return `${this.write('strings', scope)}[${random.below(3)}]`
    }
  }

  #date(scope: Scope): string {
    const random = this.#random
    const date = this.write('date', { ...scope, depth: Math.min(scope.depth, 1) })
    const days = this.write('number', { ...scope, depth: 0 })
    return random.pick([
      `addDays(${date}, ${random.pick([days, '-1', '400'])})`,
      `addMonths(${date}, ${random.pick([days, '1', '-13'])})`,
      `date(${random.pick(['2026, 2, 28', '2024, 2, 30', date, '"2026-01-02T03:04:05Z"'])})`,
    ])
  }

  #boolean(scope: Scope): string {
    const random = this.#random
    const boolean = (): string => this.write('boolean', scope)
    const compared = random.pick<Type>(['number', 'number', 'number', 'string', 'date'])
    const comparison = random.pick(['<', '<=', '>', '>=', '==', '!='])
    switch (random.below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `${this.write(compared, scope)} ${comparison} ${this.write(compared, scope)}`
      case 4:
        return `(${boolean()} && ${boolean()})`
      case 5:
        return `(${boolean()} || ${boolean()} || ${boolean()})`
      case 6:
        return `!${this.#bracketed(boolean())}`
      case 7:
        return `${this.write('any', scope)} ${random.pick(['==', '!='])} ${this.write('any', scope)}`
      case 8:
        return `${this.write('number', scope)} in ${this.write('numbers', scope)}`
      case 9:
        return `${this.write('string', scope)} in ${this.write(random.pick<Type>(['object', 'strings']), scope)}`
      case 10:
        return `has(${this.#objectPath(scope)}.${random.pick(['qty', 'note', 'missing'])})`
      case 11:
        return `${random.pick(['contains', 'startsWith', 'endsWith'])}(${this.write('string', scope)}, ${this.write('string', scope)})`
      case 12:
      case 13:
        return this.#macro(random.pick(['all', 'exists', 'exists_one']), 'boolean', scope)
      case 14:
        return `(${this.write('numbers', scope)} == ${this.write('numbers', scope)})`
      default:
        return `(${this.write('number', scope)} ${comparison} ${this.write('number', scope)})`
    }
  }

  #array(type: Type, scope: Scope): string {
    const random = this.#random
    const same = (): string => this.write(type, scope)
    const item: Type = type === 'numbers' ? 'number' : type === 'strings' ? 'string' : 'object'
    switch (random.below(11)) {
      case 0:
        return `(${same()} + ${same()})`
      case 1:
        return item === 'object'
          ? `reverse(${same()})`
          : `sort(${same()}${random.pick(['', ', "desc"', ', "asc"'])})`
      case 2:
        return `${random.pick(['reverse', 'distinct'])}(${same()})`
      case 3:
        return `slice(${same()}, ${random.below(2)}${random.pick(['', ', 2', ', 9'])})`
      case 4:
        return this.#filtered(type, scope)
      case 5:
        return item === 'string'
          ? `split(${this.write('string', scope)}, ${random.pick(['""', '" "', '"b"'])})`
          : this.#filtered(type, scope)
      case 6:
        return `[${Array.from({ length: random.below(4) }, () => this.write(item, scope)).join(', ')}]`
      default:
        return this.#mapped(item, scope)
    }
  }

  #objectPath(scope: Scope): string {
    const random = this.#random
    const objects = scope.variables.filter(({ type }) => type === 'object')
    return objects.length > 0 && random.chance(0.8)
      ? `${random.pick(objects).name}${random.chance(0.1) ? '.inner' : ''}`
      : `${this.write('objects', { ...scope, depth: 0 })}[${random.below(2)}]`
  }

  #source(scope: Scope): { readonly list: string; readonly item: Type } {
    const type = this.#random.pick<Type>(['numbers', 'objects', 'objects', 'strings'])
    const item: Type = type === 'numbers' ? 'number' : type === 'strings' ? 'string' : 'object'
    return { list: this.write(type, { ...scope, depth: scope.depth - 1 }), item }
  }

  #bound(scope: Scope, item: Type): { readonly name: string; readonly inner: Scope } {
    const name = this.freshName()
    const variables = scope.variables.filter((variable) => variable.name !== name)
    return {
      name,
      inner: {
        variables: [...variables, { name, type: item }, { name, type: item }],
        depth: scope.depth,
      },
    }
  }

  #macro(macro: string, body: Type, scope: Scope): string {
    const { list, item } = this.#source(scope)
    const { name, inner } = this.#bound(scope, item)
    const text = this.write(body, inner)
    return this.#random.chance(0.5)
      ? `${macro}(${list}, ${name}, ${text})`
      : `${this.#bracketed(list)}.${macro}(${name}, ${text})`
  }

  #mapped(body: Type, scope: Scope): string {
    if (this.#random.chance(0.75)) return this.#macro('map', body, scope)
    const { list, item } = this.#source(scope)
    const { name, inner } = this.#bound(scope, item)
    return `map(${list}, ${name}, ${this.write('boolean', inner)}, ${this.write(body, inner)})`
  }

  #filtered(type: Type, scope: Scope): string {
    const item: Type = type === 'numbers' ? 'number' : type === 'strings' ? 'string' : 'object'
    const list = this.write(type, { ...scope, depth: scope.depth - 1 })
    const { name, inner } = this.#bound(scope, item)
    return `filter(${list}, ${name}, ${this.write('boolean', inner)})`
  }

  #bracketed(text: string): string {
    return `(${text})`
  }

  template(scope: Scope): string {
    const random = this.#random
    const parts = Array.from({ length: random.below(4) }, () => {
      const type = random.pick<Type>(['number', 'string', 'boolean', 'any'])
      const filter =
        type === 'number'
          ? random.pick(['', ' | fixed(2)', ' | money', ' | fixed(1) | pad(8)'])
          : ''
      return `${random.pick(['', 'is ', '$'])}{{ ${this.write(type, scope)}${filter} }}`
    })
    return parts.join(' ')
  }
}

type Step = ComputeLogic['steps'][number]

/** Writes steps, with the variables that are there at each. */
class StepWriter {
  readonly #random: Random
  readonly #expressions: ExpressionWriter
  #outputs = 0

  constructor(random: Random) {
    this.#random = random
    this.#expressions = new ExpressionWriter(random)
  }

  list(scope: Scope, count: number, nesting: number): Step[] {
    return Array.from({ length: count }, () => this.#step(scope, nesting))
  }

  end(scope: Scope): Step {
    const random = this.#random
    const write = (): string =>
      this.#expressions.write(random.chance(0.5) ? 'number' : 'any', scope)
    return random.chance(0.7)
      ? { op: 'return', value: write() }
      : {
          op: 'return',
          fields: { a: write(), b: write(), toString: write() },
        }
  }

  #output(scope: Scope, type: Type): string {
    const random = this.#random
    const reused = scope.variables.filter((variable) => variable.type === type)
    const name =
      reused.length > 0 && random.chance(0.4) ? random.pick(reused).name : `v${this.#outputs++}`
    return name
  }

  #assigned(scope: Scope, name: string, type: Type): string {
    scope.variables.push({ name, type })
    return name
  }

  #step(scope: Scope, nesting: number): Step {
    const random = this.#random
    const write = (type: Type, within: Scope = scope): string =>
      this.#expressions.write(type, within)
    const inner = (): Scope => ({ ...scope, variables: [...scope.variables] })
    const choice = random.below(nesting > 0 ? 15 : 11)
    switch (choice) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const expression = write('number')
        return {
          op: 'math',
          expression,
          output: this.#assigned(scope, this.#output(scope, 'number'), 'number'),
        }
      }
      case 4:
      case 5: {
        const type = random.pick(types)
        const value = write(type)
        return { op: 'set', value, output: this.#assigned(scope, this.#output(scope, type), type) }
      }
      case 6: {
        const template = this.#expressions.template(scope)
        return {
          op: 'format',
          template,
          output: this.#assigned(scope, this.#output(scope, 'string'), 'string'),
        }
      }
      case 7:
        return this.#lookup(scope)
      case 8: {
        const list = write(random.pick<Type>(['numbers', 'objects', 'strings']))
        const [as, acc] = [this.#expressions.freshName(), 'acc']
        const init = write('number', { ...scope, depth: 0 })
        const variables = scope.variables.filter(({ name }) => name !== as && name !== acc)
        const item = random.pick<Type>(['number', 'object'])
        const value = write('number', {
          variables: [
            ...variables,
            { name: acc, type: 'number' },
            { name: as, type: item },
            { name: as, type: item },
          ],
          depth: 2,
        })
        return {
          op: 'fold',
          list,
          as,
          acc,
          init,
          value,
          output: this.#assigned(scope, this.#output(scope, 'number'), 'number'),
        }
      }
      case 9: {
        const type = random.pick<Type>(['numbers', 'objects', 'strings'])
        const list = write(type)
        const desc = random.chance(0.5)
        const as = this.#expressions.freshName()
        const item: Type = type === 'numbers' ? 'number' : type === 'strings' ? 'string' : 'object'
        const variables = [
          ...scope.variables.filter(({ name }) => name !== as),
          { name: as, type: item },
        ]
        const by = write(random.pick<Type>(['number', 'string']), { variables, depth: 2 })
        const output = this.#assigned(scope, this.#output(scope, type), type)
        return random.chance(0.3) && type !== 'objects'
          ? { op: 'sort', list, desc, output }
          : { op: 'sort', list, as, by, desc, output }
      }
      case 10:
        return {
          op: 'check',
          that: random.chance(0.7) ? 'n == n || true' : write('boolean'),
          message: this.#expressions.template(scope),
        }
      case 11:
      case 12:
      case 13: {
        const test =
          random.chance(0.2) && scope.variables.length > 0
            ? random.pick(scope.variables).name
            : write('boolean')
        const steps = this.list(inner(), 1 + random.below(2), nesting - 1)
        if (random.chance(0.15)) steps.push(this.end(scope))
        const otherwise = this.list(inner(), random.below(2), nesting - 1)
        // oxlint-disable-next-line unicorn/no-thenable -- the name that the language has for it
        return random.chance(0.5)
          ? { op: 'condition', if: test, then: steps, else: otherwise }
          : { op: 'condition', if: test, then: steps }
      }
      default: {
        const cases = Array.from({ length: 1 + random.below(3) }, () => ({
          when: write('boolean'),
          // oxlint-disable-next-line unicorn/no-thenable -- the name that the language has for it
          then: this.list(inner(), 1, nesting - 1),
        }))
        return { op: 'switch', cases, else: this.list(inner(), random.below(2), nesting - 1) }
      }
    }
  }

  #lookup(scope: Scope): Step {
    const random = this.#random
    const table = random.pick(['rates', 'rates', 'levels', 'obj', 'list', 'items'])
    const isArray = table === 'levels' || table === 'list' || table === 'items'
    const type: Type = table === 'items' ? 'object' : 'number'
    const key = random.chance(0.5)
      ? {
          key: random.pick(
            isArray ? ['0', '1', '7', '01', 'length'] : ['AT', 'DE', 'qty', 'missing', 'toString'],
          ),
        }
      : {
          keyFrom: random.pick([
            this.#expressions.write(isArray ? 'number' : 'string', scope),
            isArray ? '"1"' : '"AT"',
          ]),
        }
    const fallback = random.chance(0.3) ? { default: random.pick([0, null, 'none']) } : {}
    return {
      op: 'lookup',
      table,
      ...key,
      ...fallback,
      output: this.#assigned(scope, this.#output(scope, type), type),
    }
  }
}

/** Makes arguments that fit, and hostile ones. */
class ArgumentMaker {
  readonly #random: Random
  readonly #hostility: number

  constructor(random: Random, hostility: number) {
    this.#random = random
    this.#hostility = hostility
  }

  make(names: readonly string[]): unknown {
    const random = this.#random
    const args: Record<string, unknown> = {}
    const ordered = random.chance(0.3) ? names.toReversed() : names
    for (const name of ordered) {
      if (random.chance(this.#hostility)) continue
      if (random.chance(0.05)) args[`other_${name}`] = 1
      const value = this.#value(argumentTypes[name] ?? 'number')
      if (random.chance(this.#hostility))
        Object.defineProperty(args, name, { get: () => value, enumerable: random.chance(0.7) })
      else args[name] = value
    }
    if (!random.chance(this.#hostility)) return args
    return random.pick<() => unknown>([
      () => null,
      () => [],
      () => Object.assign(Object.create(null) as object, args),
      () => Object.assign(Object.create({ n: 5, s: 'inherited' }) as object, args),
      () => new Proxy(args, {}),
      () => Object.assign(new (class Holder {})(), args),
      () => Object.freeze(args),
    ])()
  }

  #value(type: Type): unknown {
    const random = this.#random
    if (random.chance(this.#hostility)) return this.#hostile()
    switch (type) {
      case 'number':
        return random.pick([0, 1, 2, 3.5, -4, 0.1, 10, 12.25, 99.99, 1e15, -0.5, 7, 100, 1e-9])
      case 'string':
        return random.pick(words)
      case 'boolean':
        return random.chance(0.5)
      case 'date':
        return random.pick(dates)
      case 'numbers':
        return this.#array('number')
      case 'strings':
        return this.#array('string')
      case 'objects':
        return this.#array('object')
      default:
        return this.#object(2)
    }
  }

  #array(type: Type): unknown[] {
    const random = this.#random
    const length = random.chance(0.02) ? 600 + random.below(900) : random.below(7)
    const list = Array.from({ length }, () => this.#value(type))
    if (random.chance(this.#hostility) && length > 0)
      Reflect.deleteProperty(list, random.below(length))
    return list
  }

  #object(depth: number): object {
    const random = this.#random
    const object: Record<string, unknown> = {}
    const keys = random.chance(0.1) ? ['price', 'qty', 'name'] : ['qty', 'price', 'name']
    for (const key of keys) {
      if (random.chance(this.#hostility)) continue
      const value = this.#value(key === 'name' ? 'string' : 'number')
      if (random.chance(this.#hostility / 2))
        Object.defineProperty(object, key, { get: () => value, enumerable: true })
      else object[key] = value
    }
    if (random.chance(0.2)) object['note'] = random.pick(['n', null, true, 3])
    if (depth > 0 && random.chance(0.3)) object['inner'] = this.#object(depth - 1)
    if (!random.chance(this.#hostility / 2)) return object
    return random.pick<() => object>([
      () => Object.assign(Object.create(null) as object, object),
      () => Object.assign(Object.create({ qty: 3, price: 2 }) as object, object),
      () => Object.assign(new (class Line {})(), object),
      () => new Proxy(object, {}),
    ])()
  }

  #hostile(): unknown {
    return this.#random.pick<() => unknown>([
      () => Number.NaN,
      () => Number.POSITIVE_INFINITY,
      () => -0,
      () => 2 ** 53,
      () => 1e21,
      () => 1.7e308,
      () => -1e308,
      () => 5e-324,
      () => null,
      () => undefined,
      () => '5',
      () => 'x'.repeat(300),
      () => true,
      () => [],
      () => [1, 'a', null],
      () => ({}),
      () => new Date(0),
      () => new Map(),
      () => Symbol('s'),
      () => () => 1,
      () => 10n,
      () => Object(5) as unknown,
      () => new Proxy([1, 2], {}),
      () => {
        const cycle: unknown[] = []
        cycle.push(cycle)
        return cycle
      },
      () =>
        new (class Amount {
          qty = 1
        })(),
    ])()
  }
}

const declarations: Readonly<Record<string, NonNullable<ComputeLogic['inputs']>[string]>> = {
  n: { type: 'number' },
  m: { type: 'number', min: -100, max: 1000 },
  k: { type: 'integer', default: 3 },
  s: { type: 'string', maxLength: 20 },
  t: { type: 'string', default: null },
  flag: { type: 'boolean', default: true },
  list: { type: 'array', items: { type: 'number' } },
  words: { type: 'array', maxItems: 10, items: { type: 'string' } },
  items: {
    type: 'array',
    items: {
      type: 'object',
      fields: { qty: { type: 'number' }, price: { type: 'number', min: 0 } },
    },
  },
  obj: { type: 'object', fields: { qty: { type: 'number' } } },
  day: { type: 'string', format: 'date' },
}

const limitChoices: readonly Partial<ComputeLimits>[] = [
  { maxRunUnits: 10 },
  { maxRunUnits: 60 },
  { maxRunUnits: 400 },
  { maxListLength: 2 },
  { maxListLength: 5 },
  { maxTextLength: 4 },
  { maxTextLength: 12 },
  { maxReturnedValues: 3 },
  { maxNesting: 6 },
]

/** The case that follows from a seed. */
export function generateCase(seed: number): GeneratedCase {
  const random = new Random(seed)
  const scope: Scope = {
    variables: Object.entries(argumentTypes).map(([name, type]) => ({ name, type })),
    depth: random.pick([1, 2, 2, 3, 4]),
  }
  const writer = new StepWriter(random)
  const steps = writer.list(scope, random.below(5), 2)
  steps.push(writer.end(scope))
  const numbers = random.chance(0.35) ? { numbers: 'decimal' as const } : {}
  const rounding = random.chance(0.3) ? { rounding: 'half_even' as const } : {}
  const inputs = random.chance(0.3) ? { inputs: declarations } : {}
  const output = random.chance(0.1)
    ? {
        output: random.pick([
          { type: 'number', max: 50 },
          { type: 'string' },
          { type: 'any' },
          { type: 'integer' },
          { type: 'array', items: { type: 'number' } },
        ] as const),
      }
    : {}
  const logic = {
    ...numbers,
    ...rounding,
    ...inputs,
    ...output,
    tables: { rates: { AT: 0.2, DE: 0.19, zero: 0 }, levels: [1, 2.5, 40] },
    steps,
  } as ComputeLogic
  const limits = random.chance(0.15) ? random.pick(limitChoices) : {}
  const hostility = random.pick([0, 0, 0, 0.01, 0.05])
  const argumentSeed = random.below(2 ** 31)
  return {
    logic,
    limits,
    isPolluted: random.chance(0.02),
    makeArguments: () =>
      new ArgumentMaker(new Random(argumentSeed), hostility).make(Object.keys(argumentTypes)),
  }
}

/**
 * The workloads of the compute benchmark in the languages of the peers. A peer takes a text (or a rule), prepares it
 * once and runs it; where a peer has no way to say a workload, it is left out.
 */
import { Environment } from '@marcbachmann/cel-js'
import { celEnv, celFunc, CelScalar, listType, parse as parseBufCel, plan } from '@bufbuild/cel'
import { Parser as ExprEvalParser } from 'expr-eval-fork'
import jexl from 'jexl'
import jsonLogic from 'json-logic-js'
import { LogicEngine } from 'json-logic-engine'
import jsonata from 'jsonata'
import { compile as compileMathjs } from 'mathjs'
import subscript from 'subscript'
import justin from 'subscript/justin'
import { brackets, formula } from '../packages/compute/bench/workloads.ts'

type Run = (values: never) => unknown

export interface Peer {
  readonly name: string
  readonly isAsync?: boolean
  /** False where there is no text to parse, which makes cold figures not comparable. */
  readonly parsesText: boolean
  /** Prepares workload `id`; programs of one kind differ by `variation`. */
  readonly prepare: (id: string, variation: number) => Run | undefined
}

interface Dialect {
  /** A number in the language. */
  readonly number: (value: number) => string
  readonly choose: (test: string, then: string, otherwise: string) => string
  /** Parts to one text: names of variables as they are, texts in quotes. */
  readonly join: (parts: readonly string[]) => string
  /** The variable as text. */
  readonly text: (name: string) => string
  readonly invoice?: (variation: number) => string
  readonly hasRemainder?: boolean
}

const plain: Dialect = {
  number: (value) => String(value),
  choose: (test, then, otherwise) => `${test} ? ${then} : ${otherwise}`,
  join: (parts) => parts.join(' + '),
  text: (name) => name,
}
const celDialect: Dialect = {
  ...plain,
  number: (value) => (Number.isInteger(value) ? `${value}.0` : String(value)),
  text: (name) => `string(${name})`,
  invoice: (variation) =>
    `sum(items.map(i, i.qty * i.price * (1.0 - i.discount))) + ${variation}.0`,
}

/** Texts of a workload: `a` is two, the cost and the text it is put into. */
function writeExpressions(id: string, variation: number, dialect: Dialect): string[] | undefined {
  const { number, choose, join, text } = dialect
  const base = `weight_kg * ${number(2.5)} + ${number(5 + variation)}`
  const cost = choose(`weight_kg > ${number(10)}`, `(${base}) * ${number(0.9)}`, base)
  switch (id) {
    case 'a':
      return [cost, join(['"Shipping cost: $"', text('base_cost')])]
    case 'a2':
      return [cost]
    case 'b':
      return [writeTax(0, variation, dialect)]
    case 'c':
      return dialect.invoice && [dialect.invoice(variation)]
    case 'd': {
      const varied = formula.replace(/\b1\b/g, number(1)).replace(number(1), number(1 + variation))
      return [dialect.hasRemainder === false ? varied.replace('%', '-') : varied]
    }
    default:
      return [
        join([
          '"Dear "',
          'name',
          '", order "',
          'order',
          '" of "',
          text('count'),
          `" items (${variation}) comes to "`,
          text('total'),
          '" EUR, "',
          'note',
          '"."',
        ]),
      ]
  }
}

function writeTax(bracket: number, variation: number, dialect: Dialect): string {
  const { number, choose } = dialect
  const [end = 0, due = 0, begin = 0, rate = 0] = brackets[bracket] ?? []
  const tax = `${number(due + variation)} + (income - ${number(begin)}) * ${number(rate)}`
  if (bracket === brackets.length - 1) return tax
  return choose(`income <= ${number(end)}`, tax, `(${writeTax(bracket + 1, variation, dialect)})`)
}

/** A peer whose language is texts. */
function textPeer(
  name: string,
  dialect: Dialect,
  prepare: (text: string, id: string) => Run,
): Peer {
  const isAsync = name === 'jsonata'
  return {
    name,
    isAsync,
    parsesText: true,
    prepare: (id, variation) => {
      const [first, second] = writeExpressions(id, variation, dialect) ?? []
      if (first === undefined) return undefined
      const run = prepare(first, id)
      if (second === undefined) return run
      const say = prepare(second, 'text')
      return isAsync
        ? async (values) => say({ base_cost: await run(values) } as never)
        : (values) => say({ base_cost: run(values) } as never)
    },
  }
}

const variable = (name: string): object => ({ var: name })

function writeRule(id: string, variation: number): object | undefined {
  const base = { '+': [{ '*': [variable('weight_kg'), 2.5] }, 5 + variation] }
  const cost = { if: [{ '>': [variable('weight_kg'), 10] }, { '*': [base, 0.9] }, base] }
  const v = variable
  switch (id) {
    case 'a':
      return { cat: ['Shipping cost: $', cost] }
    case 'a2':
      return cost
    case 'b':
      return {
        if: brackets.flatMap(([end = 0, due = 0, begin = 0, rate = 0], index) => {
          const tax = {
            '+': [due + variation, { '*': [{ '-': [v('income'), begin] }, rate] }],
          }
          return index === brackets.length - 1 ? [tax] : [{ '<=': [v('income'), end] }, tax]
        }),
      }
    case 'c': {
      const line = {
        '*': [v('current.qty'), v('current.price'), { '-': [1, v('current.discount')] }],
      }
      return { reduce: [v('items'), { '+': [v('accumulator'), line] }, variation] }
    }
    case 'd':
      return {
        '-': [
          {
            '+': [
              {
                '-': [
                  { '*': [{ '+': [v('a'), v('b')] }, v('c')] },
                  { '/': [v('d'), { '+': [v('e'), 1 + variation] }] },
                ],
              },
              { '*': [v('f'), v('g')] },
              { '*': [-1, { '%': [v('h'), { '+': [v('i'), 1] }] }] },
              { '*': [v('a'), v('b'), v('c')] },
              { '*': [-1, { '-': [v('d'), v('e')] }, { '-': [v('f'), v('g')] }] },
              { '*': [v('h'), v('i')] },
              { '*': [-1, { '/': [v('a'), { '+': [v('b'), 1] }] }] },
              v('c'),
            ],
          },
          v('d'),
        ],
      }
    default:
      return {
        cat: [
          'Dear ',
          v('name'),
          ', order ',
          v('order'),
          ' of ',
          v('count'),
          ` items (${variation}) comes to `,
          v('total'),
          ' EUR, ',
          v('note'),
          '.',
        ],
      }
  }
}

/** A peer whose language is rules as JSON. */
function rulePeer(name: string, prepare: (rule: object) => Run): Peer {
  return {
    name,
    parsesText: false,
    prepare: (id, variation) => {
      const rule = writeRule(id, variation)
      return rule === undefined ? undefined : prepare(rule)
    },
  }
}

function createCelJs(): Peer {
  const environment = new Environment({ unlistedVariablesAreDyn: true })
    .registerOperator('double % double', (left: number, right: number) => left % right)
    .registerFunction('sum(list): double', (list: number[]) =>
      list.reduce((total, value) => total + value, 0),
    )
  return textPeer('cel-js 8', celDialect, (text) => environment.parse(text) as Run)
}

function createBufCel(): Peer {
  const sum = celFunc('sum', [listType(CelScalar.DYN)], CelScalar.DOUBLE, (list) => {
    let total = 0
    for (const value of list) total += value as number
    return total
  })
  const environment = celEnv({ funcs: [sum] })
  const dialect = { ...celDialect, hasRemainder: false }
  return textPeer('@bufbuild/cel', dialect, (text) => plan(environment, parseBufCel(text)) as Run)
}

/** All peers. json-logic-engine runs interpreted: its `build()` makes code from text. */
export function createPeers(): Peer[] {
  const logicEngine = new LogicEngine()
  const exprEval = new ExprEvalParser()
  return [
    textPeer(
      'subscript',
      {
        ...plain,
        invoice: (variation) =>
          `items.reduce((s, i) => s + i.qty * i.price * (1 - i.discount), ${variation})`,
      },
      (text, id) => (id === 'c' ? justin(text) : subscript(text)) as Run,
    ),
    createCelJs(),
    rulePeer('json-logic-engine', (rule) => (values) => logicEngine.run(rule, values) as unknown),
    textPeer(
      'expr-eval-fork',
      {
        ...plain,
        join: (parts) => parts.join(' || '),
        invoice: (variation) =>
          `f(s, i) = s + i.qty * i.price * (1 - i.discount); fold(f, ${variation}, items)`,
      },
      (text) => {
        const expression = exprEval.parse(text)
        return (values) => expression.evaluate(values) as unknown
      },
    ),
    textPeer(
      'mathjs',
      {
        ...plain,
        join: (parts) => `concat(${parts.join(', ')})`,
        text: (name) => `string(${name})`,
        invoice: (variation) =>
          `sum(map(items, f(i) = i.qty * i.price * (1 - i.discount))) + ${variation}`,
      },
      (text) => {
        const code = compileMathjs(text)
        return (values) => code.evaluate(values) as unknown
      },
    ),
    rulePeer('json-logic-js', (rule) => (values) => jsonLogic.apply(rule, values)),
    createBufCel(),
    textPeer('jexl', plain, (text) => {
      const expression = jexl.compile(text)
      return (values) => expression.evalSync(values)
    }),
    textPeer(
      'jsonata',
      {
        ...plain,
        join: (parts) => parts.join(' & '),
        invoice: (variation) => `$sum(items.(qty * price * (1 - discount))) + ${variation}`,
      },
      (text) => {
        const expression = jsonata(text)
        return (values) => expression.evaluate(values)
      },
    ),
  ]
}

import type { ComputeLogic } from '@toolcrib/compute'

/** What the records hold, each workload's a part of it. */
export interface Values extends Readonly<Record<Letter, number>> {
  readonly weight_kg: number
  readonly income: number
  readonly items: readonly InvoiceLine[]
  readonly name: string
  readonly order: string
  readonly count: number
  readonly total: number
  readonly note: string
}

type Letter = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i'

export interface InvoiceLine {
  readonly qty: number
  readonly price: number
  readonly discount: number
}

/** A calculation, as a program and by hand. */
export interface Workload {
  readonly id: string
  readonly title: string
  /** One program of a kind: others differ in their constants, so that nothing can be remembered by text. */
  readonly program: (variation: number) => ComputeLogic
  readonly byHand: (values: Values) => unknown
  /** Different records as JSON text. */
  readonly records: readonly string[]
}

/** Calls in one batch. */
export const batchSize = 1_024
const listCount = 8
const listLength = 1_000

const cost = (variation: number): ComputeLogic['steps'] => [
  { op: 'math', expression: `weight_kg * 2.50 + ${5 + variation}.00`, output: 'base_cost' },
  {
    op: 'condition',
    if: 'weight_kg > 10',
    then: [{ op: 'math', expression: 'base_cost * 0.9', output: 'base_cost' }],
  },
]

/** Upper end of each income bracket, tax due below it, its beginning and its rate. */
export const brackets: readonly (readonly number[])[] = [
  [11_600, 0, 0, 0.1],
  [47_150, 1_160, 11_600, 0.12],
  [100_525, 5_426, 47_150, 0.22],
  [191_950, 17_168.5, 100_525, 0.24],
  [243_725, 39_110.5, 191_950, 0.32],
  [609_350, 55_678.5, 243_725, 0.35],
  [Infinity, 183_647.25, 609_350, 0.37],
]

function taxSteps(bracket: number, variation: number): ComputeLogic['steps'] {
  const [end = 0, due = 0, begin = 0, rate = 0] = brackets[bracket] ?? []
  const expression = `${due + variation} + (income - ${begin}) * ${rate}`
  const math = { op: 'math', expression, output: 'tax' } as const
  if (bracket === brackets.length - 1) return [math]
  return [
    {
      op: 'condition',
      if: `income <= ${end}`,
      // oxlint-disable-next-line unicorn/no-thenable -- the name that the language has for it
      then: [math],
      else: taxSteps(bracket + 1, variation),
    },
  ]
}

/** The 22 operators of workload d. */
export const formula =
  '(a + b) * c - d / (e + 1) + f * g - h % (i + 1) + a * b * c - (d - e) * (f - g) + h * i - a / (b + 1) + c - d'

const makeRecords = (count: number, make: (index: number) => object): string[] =>
  Array.from({ length: count }, (_, index) => JSON.stringify(make(index)))

const discounts = [0, 0.05, 0.1, 0.15, 0.2]

/** An invoice of 1,000 lines, no two alike. */
export function makeInvoice(seed: number): object {
  const items = Array.from({ length: listLength }, (_, index) => ({
    sku: `A-${(index * 7_919 + seed) % 10_007}`,
    qty: 1 + ((index * 31 + seed) % 19),
    price: ((index * 7_919 + seed * 104_729) % 20_000) / 100,
    discount: discounts[(index + seed) % 5],
  }))
  return { items }
}

const names = ['Ada Lovelace', 'Bo', 'Carla Montez', 'Dirk', 'Eve Kovács-Lang']

/** What is measured, in the order of the table. */
export const workloads: readonly Workload[] = [
  {
    id: 'a',
    title: 'shipping cost as text',
    program: (variation) => ({
      steps: [
        ...cost(variation),
        { op: 'format', template: 'Shipping cost: ${{base_cost}}', output: 'message' },
        { op: 'return', value: 'message' },
      ],
    }),
    byHand: ({ weight_kg: weight }) => {
      const base = weight * 2.5 + 5
      return `Shipping cost: $${weight > 10 ? base * 0.9 : base}`
    },
    records: makeRecords(batchSize, (index) => ({ weight_kg: ((index * 37) % 401) / 10 })),
  },
  {
    id: 'a2',
    title: 'shipping cost',
    program: (variation) => ({
      steps: [...cost(variation), { op: 'return', value: 'base_cost' }],
    }),
    byHand: ({ weight_kg: weight }) => {
      const base = weight * 2.5 + 5
      return weight > 10 ? base * 0.9 : base
    },
    records: makeRecords(batchSize, (index) => ({ weight_kg: ((index * 37) % 401) / 10 })),
  },
  {
    id: 'b',
    title: '6 nested conditions',
    program: (variation) => ({
      steps: [...taxSteps(0, variation), { op: 'return', value: 'tax' }],
    }),
    byHand: ({ income }) => {
      if (income <= 11_600) return income * 0.1
      if (income <= 47_150) return 1_160 + (income - 11_600) * 0.12
      if (income <= 100_525) return 5_426 + (income - 47_150) * 0.22
      if (income <= 191_950) return 17_168.5 + (income - 100_525) * 0.24
      if (income <= 243_725) return 39_110.5 + (income - 191_950) * 0.32
      if (income <= 609_350) return 55_678.5 + (income - 243_725) * 0.35
      return 183_647.25 + (income - 609_350) * 0.37
    },
    records: makeRecords(batchSize, (index) => ({ income: (index * 7_919) % 800_000 })),
  },
  {
    id: 'c',
    title: 'invoice of 1,000 items',
    program: (variation) => ({
      steps: [
        {
          op: 'math',
          expression: `sum(map(items, i, i.qty * i.price * (1 - i.discount))) + ${variation}`,
          output: 'total',
        },
        { op: 'return', value: 'total' },
      ],
    }),
    byHand: ({ items }) => {
      let total = 0
      for (const { qty, price, discount } of items) total += qty * price * (1 - discount)
      return total
    },
    records: makeRecords(listCount, makeInvoice),
  },
  {
    id: 'd',
    title: '22 operators, 9 arguments',
    program: (variation) => ({
      steps: [
        { op: 'math', expression: formula.replace('+ 1', `+ ${1 + variation}`), output: 'x' },
        { op: 'return', value: 'x' },
      ],
    }),
    byHand: ({ a, b, c, d, e, f, g, h, i }) =>
      (a + b) * c -
      d / (e + 1) +
      f * g -
      (h % (i + 1)) +
      a * b * c -
      (d - e) * (f - g) +
      h * i -
      a / (b + 1) +
      c -
      d,
    records: makeRecords(batchSize, (index) =>
      Object.fromEntries(
        Array.from('abcdefghi', (name, place) => [name, ((index * 7) % 37) + place + 0.5]),
      ),
    ),
  },
  {
    id: 'e',
    title: 'text with 5 placeholders',
    program: (variation) => ({
      steps: [
        {
          op: 'format',
          template: `Dear {{name}}, order {{order}} of {{count}} items (${variation}) comes to {{total}} EUR, {{note}}.`,
          output: 'text',
        },
        { op: 'return', value: 'text' },
      ],
    }),
    byHand: ({ name, order, count, total, note }) =>
      `Dear ${name}, order ${order} of ${count} items (0) comes to ${total} EUR, ${note}.`,
    records: makeRecords(batchSize, (index) => ({
      name: names[index % names.length],
      order: `R${(index * 7_919) % 65_537}`,
      count: 1 + (index % 30),
      total: ((index * 104_729) % 100_000) / 100,
      note: index % 2 === 0 ? 'paid' : 'due on receipt',
    })),
  },
]

/** Copies of a workload's records that belong to one engine alone. */
export function parseRecords({ records }: Workload): Values[] {
  return records.map((text) => JSON.parse(text) as Values)
}

/** Invoice lines to the cent: exact decimals of our own, plain floats of our own, and decimal.js by hand. */
import { type ComputeLogic, compileCompute } from '@toolcrib/compute'
import { Decimal } from 'decimal.js'
import { type Contestant, measureAll } from '../packages/compute/bench/measure.ts'
import { type InvoiceLine, makeInvoice } from '../packages/compute/bench/workloads.ts'
import type { BenchmarkRow } from './benchmark-row.ts'

const lineCount = 1_000
const program = (numbers: 'float' | 'decimal'): object => ({
  numbers,
  rounding: 'half_even',
  steps: [
    {
      op: 'set',
      value: 'sum(map(items, i, round(i.qty * i.price * (1 - i.discount), 2)))',
      output: 'total',
    },
    { op: 'return', value: 'total' },
  ],
})

function byDecimalJs({ items }: { readonly items: readonly InvoiceLine[] }): number {
  let total = new Decimal(0)
  for (const { qty, price, discount } of items)
    total = total.plus(
      new Decimal(qty)
        .times(price)
        .times(new Decimal(1).minus(discount))
        .toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN),
    )
  return total.toNumber()
}

function compile(numbers: 'float' | 'decimal'): (values: never) => unknown {
  // oxlint-disable-next-line typescript/unbound-method -- it uses no `this`, and a wrapper would be measured too
  return compileCompute(program(numbers) as ComputeLogic).run
}

/** Nanoseconds per invoice line. */
export async function measureMoney(): Promise<BenchmarkRow[]> {
  const texts = Array.from({ length: 8 }, (_, seed) => JSON.stringify(makeInvoice(seed)))
  const contestant = (engine: string, run: (values: never) => unknown): Contestant => ({
    engine,
    workload: 'money',
    run,
    records: texts.map((text) => JSON.parse(text) as object),
  })
  const contestants = [
    contestant('decimal', compile('decimal')),
    contestant('float', compile('float')),
    contestant('decimal.js', byDecimalJs),
  ]
  // Floats miss a cent now and then, which is why there are decimals.
  for (const { engine, run, records } of contestants)
    for (const values of engine === 'float' ? [] : records)
      if (Math.abs(Number(run(values as never)) - byDecimalJs(values as never)) > 0.01)
        throw new Error('A total is wrong.')
  const figures = await measureAll(contestants)
  const [decimal = 0, float = 0, peer = 0] = figures.map((value) => value / lineCount)
  const row = { part: 'compute', unit: 'ns' }
  return [
    {
      ...row,
      what: 'invoice line to the cent, decimal mode',
      value: decimal,
      baseline: { name: 'float mode', value: float },
      goal: { text: '≤ 12 ×', isMet: decimal <= 12 * float },
    },
    {
      ...row,
      what: 'invoice line to the cent, decimal.js',
      value: peer,
      baseline: { name: 'decimal mode', value: decimal },
      goal: { text: '≥ 50 ×', isMet: peer >= 50 * decimal },
    },
  ]
}

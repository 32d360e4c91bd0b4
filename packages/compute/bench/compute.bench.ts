/**
 * Time per run of three programs, as a ratio to the same calculation written by hand.
 * Run: node --conditions=@toolcrib/source packages/compute/bench/compute.bench.ts
 */
import { compileCompute, type ComputeLogic, evaluateComputeDSL } from '@toolcrib/compute'

type Values = Readonly<Record<string, number>>

const batch = 1_024
const rounds = 400

const cost: ComputeLogic['steps'] = [
  { op: 'math', expression: 'weight_kg * 2.50 + 5.00', output: 'base_cost' },
  {
    op: 'condition',
    if: 'weight_kg > 10',
    then: [{ op: 'math', expression: 'base_cost * 0.9', output: 'base_cost' }],
  },
]
const shippingText: ComputeLogic = {
  steps: [
    ...cost,
    { op: 'format', template: 'Shipping cost: ${{base_cost}}', output: 'message' },
    { op: 'return', value: 'message' },
  ],
}
const shipping: ComputeLogic = { steps: [...cost, { op: 'return', value: 'base_cost' }] }
const formula: ComputeLogic = {
  steps: [
    {
      op: 'math',
      expression:
        '(a + b) * c - d / (e + 1) + f * g - h % (i + 1) + a * b * c - (d - e) * (f - g) + h * i - a / (b + 1) + c - d',
      output: 'x',
    },
    { op: 'return', value: 'x' },
  ],
}

const byHandCost = ({ weight_kg: weight = 0 }: Values): number => {
  const base = weight * 2.5 + 5
  return weight > 10 ? base * 0.9 : base
}
const byHandFormula = (values: Values): number => {
  const { a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0 } = values
  return (
    (a + b) * c -
    d / (e + 1) +
    f * g -
    (h % (i + 1)) +
    a * b * c -
    (d - e) * (f - g) +
    h * i -
    a / (b + 1) +
    c -
    d
  )
}

const inputs: Values[] = Array.from({ length: batch }, (_, index) => {
  const fields = Array.from('abcdefghi', (name, place) => `"${name}":${(index % 37) + place + 0.5}`)
  return JSON.parse(`{"weight_kg":${index % 40},${fields.join(',')}}`) as Values
})

let sink = 0

/** Nanoseconds per call: the fastest of many batches. */
function measure(run: (values: Values) => unknown): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    for (const values of inputs) sink += run(values) === undefined ? 1 : 0
    fastest = Math.min(fastest, performance.now() - started)
  }
  return (fastest * 1e6) / batch
}

function report(name: string, logic: ComputeLogic, byHand: (values: Values) => unknown): string {
  const program = compileCompute(logic)
  const hand = measure(byHand)
  const times = {
    compiled: measure((values) => program.run(values)),
    'in one call': measure((values) => evaluateComputeDSL(logic, values)),
    'compiled each time': measure((values) => compileCompute(logic).run(values)),
  }
  const columns = Object.entries(times).map(
    ([label, time]) => `${label} ${time.toFixed(0)} ns (${(time / hand).toFixed(1)} x)`,
  )
  return `${name.padEnd(16)} by hand ${hand.toFixed(1)} ns, ${columns.join(', ')}\n`
}

for (let pass = 0; pass < 2; pass++) {
  const lines = [
    report('shipping text', shippingText, (values) => `Shipping cost: $${byHandCost(values)}`),
    report('shipping', shipping, byHandCost),
    report('22 operators', formula, byHandFormula),
  ]
  // The first pass only warms up every program.
  if (pass === 1) process.stdout.write(lines.join(''))
}
if (sink > 0) throw new Error('a program gave nothing')

/** Time per run of three programs, beside the same calculation written by hand. Run by `pnpm bench compute`. */
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

/** How long one run of a program takes, in one of the ways to run it. */
export interface ComputeMeasurement {
  readonly program: string
  readonly way: string
  readonly nanoseconds: number
  readonly byHandNanoseconds: number
}

function measureProgram(
  program: string,
  logic: ComputeLogic,
  byHand: (values: Values) => unknown,
): ComputeMeasurement[] {
  const compiled = compileCompute(logic)
  const ways: Readonly<Record<string, (values: Values) => unknown>> = {
    compiled: (values) => compiled.run(values),
    'in one call': (values) => evaluateComputeDSL(logic, values),
    'compiled each time': (values) => compileCompute(logic).run(values),
  }
  const byHandNanoseconds = measure(byHand)
  return Object.entries(ways).map(([way, run]) => ({
    program,
    way,
    nanoseconds: measure(run),
    byHandNanoseconds,
  }))
}

function measureAll(): ComputeMeasurement[] {
  return [
    ...measureProgram(
      'shipping text',
      shippingText,
      (values) => `Shipping cost: $${byHandCost(values)}`,
    ),
    ...measureProgram('shipping', shipping, byHandCost),
    ...measureProgram('22 operators', formula, byHandFormula),
  ]
}

/** Measures every program in every way. */
export function measureCompute(): readonly ComputeMeasurement[] {
  // The first pass only warms up every program.
  measureAll()
  const measurements = measureAll()
  if (sink > 0) throw new Error('a program gave nothing')
  return measurements
}

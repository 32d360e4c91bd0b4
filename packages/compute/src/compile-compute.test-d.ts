import { expectTypeOf, test } from 'vitest'
import { compileCompute, type ComputeLogic, evaluateComputeDSL } from './index.ts'

const order = compileCompute({
  inputs: {
    items: {
      type: 'array',
      items: { type: 'object', fields: { price: { type: 'number' }, name: { type: 'string' } } },
    },
    tier: { type: 'string', enum: ['gold', 'basic'] },
    rate: { type: 'number', default: 0.2 },
    note: { type: 'string', default: null },
    extra: { type: 'any', default: 1 },
  },
  output: { type: 'object', fields: { total: { type: 'integer' }, names: { type: 'array' } } },
  steps: [{ op: 'return', fields: { total: '1', names: '[]' } }],
})

test('arguments are typed by their declarations, optional where they have a default', () => {
  expectTypeOf<Parameters<typeof order.run>[0]>().toEqualTypeOf<{
    readonly items: readonly { readonly price: number; readonly name: string }[]
    readonly tier: 'gold' | 'basic'
    readonly rate?: number | undefined
    readonly note?: string | null | undefined
    readonly extra?: unknown
  }>()
})

test('results are typed by the declared output', () => {
  expectTypeOf<ReturnType<typeof order.run>>().toEqualTypeOf<{ total: number; names: unknown[] }>()
  const flags = compileCompute({
    output: { type: 'array', items: { type: 'boolean' } },
    steps: [{ op: 'return', value: '[true]' }],
  })
  expectTypeOf<ReturnType<typeof flags.run>>().toEqualTypeOf<boolean[]>()
  const tier = evaluateComputeDSL(
    { output: { type: 'string', enum: ['a', 'b'] }, steps: [{ op: 'return', value: '"a"' }] },
    {},
  )
  expectTypeOf(tier).toEqualTypeOf<'a' | 'b'>()
})

test('a program that declares nothing takes any arguments and gives unknown', () => {
  const free = compileCompute({ steps: [{ op: 'return', value: 'a' }] })
  expectTypeOf<Parameters<typeof free.run>[0]>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
  expectTypeOf<ReturnType<typeof free.run>>().toEqualTypeOf<unknown>()
})

test('so does one of which nothing is known before it is there', () => {
  const logic: ComputeLogic = JSON.parse('{"steps":[]}')
  const program = (): ReturnType<typeof compileCompute<ComputeLogic>> => compileCompute(logic)
  expectTypeOf<ReturnType<typeof program>['run']>().toEqualTypeOf<
    (args: Readonly<Record<string, unknown>>) => unknown
  >()
})

test('a program that cannot be one is refused', () => {
  // @ts-expect-error -- there is no such op
  expectTypeOf(() => compileCompute({ steps: [{ op: 'eval', value: '1' }] })).toBeFunction()
  // @ts-expect-error -- an argument is missing
  expectTypeOf(() => order.run({ tier: 'gold' })).toBeFunction()
  // @ts-expect-error -- no such tier
  expectTypeOf(() => order.run({ tier: 'silver', items: [] })).toBeFunction()
})

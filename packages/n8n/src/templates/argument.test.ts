import { validateWithSchema } from '@toolcrib/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  amountArgument,
  type Argument,
  argumentProblems,
  argumentsSchema,
  currencyArgument,
  instantArgument,
  integerArgument,
  listArgument,
  optional,
  phoneArgument,
  textArgument,
} from './argument.ts'

function problemsOf(given: Readonly<Record<string, Argument>>, value: unknown): readonly string[] {
  // oxlint-disable-next-line typescript/no-implied-eval -- what n8n would do with it
  const check = new Function('body', `return ${argumentProblems(given, 'body')}`) as (
    body: unknown,
  ) => readonly string[]
  return check(value)
}

interface Samples {
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
}

const kinds: readonly (readonly [string, Argument, Samples])[] = [
  [
    'text',
    textArgument('', 5),
    { right: ['a', '12345', '{{x}}'], wrong: ['', ' ', '123456', 5, null, ['a']] },
  ],
  [
    'phone',
    phoneArgument(''),
    {
      right: ['+2348012345678', '+1234567'],
      wrong: [
        '+123456',
        '+0123456789',
        '2348012345678',
        '+2348012345678901',
        '+234 801',
        ['+1234567'],
      ],
    },
  ],
  [
    'integer',
    integerArgument('', { min: 1, max: 3 }),
    { right: [1, 3], wrong: [0, 4, 1.5, '2', null, true] },
  ],
  [
    'instant',
    instantArgument(''),
    {
      right: ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.5+01:00'],
      wrong: ['2026-01-31', 'now', '2026-13-01T00:00:00Z', '2026-01-31T09:00:00', 5],
    },
  ],
  ['amount', amountArgument(''), { right: [0.01, 1e12], wrong: [0, -1, 1e12 + 1, '1', null] }],
  ['currency', currencyArgument(''), { right: ['NGN'], wrong: ['ngn', 'NAIRA', 5, ['NGN']] }],
  [
    'list',
    listArgument('', { sku: textArgument('', 5) }, 2),
    {
      right: [[{ sku: 'a' }], [{ sku: 'a' }, { sku: 'b' }]],
      wrong: [
        [],
        [{}],
        [{ sku: 'a', x: 1 }],
        [null],
        ['a'],
        { sku: 'a' },
        [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }],
      ],
    },
  ],
]

describe.each(kinds)('%s', (_, argument, { right, wrong }) => {
  test('is taken when it is right', () => {
    for (const value of right) expect(problemsOf({ field: argument }, { field: value })).toEqual([])
  })
  test('is refused with its rule when it is wrong or missing, and may be missing when optional', () => {
    for (const value of wrong)
      expect(problemsOf({ field: argument }, { field: value })).toEqual([
        `field must be ${argument.rule}.`,
      ])
    expect(problemsOf({ field: argument }, {})).toEqual([
      `field is missing; it must be ${argument.rule}.`,
    ])
    expect(problemsOf({ field: optional(argument) }, {})).toEqual([])
  })
  test('whatever the workflow takes, the schema for callers takes too', () => {
    const schema = z.toJSONSchema(argumentsSchema({ field: argument })) as never
    for (const value of right)
      expect(validateWithSchema(schema, { field: value })).toMatchObject({ valid: true })
  })
})

test('what is no object is refused, and unknown arguments are named', () => {
  for (const value of [null, [], 'x', 5]) expect(problemsOf({}, value)).toHaveLength(1)
  expect(problemsOf({}, JSON.parse('{ "__proto__": 1, "x": 2 }'))).toEqual([
    'There is no argument __proto__.',
    'There is no argument x.',
  ])
})

test('the check never throws, whatever it is given', () => {
  const given = Object.fromEntries(kinds.map(([name, argument]) => [name, argument]))
  const field = fc.constantFrom(...Object.keys(given))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (value) => {
      expect(problemsOf(given, value)).toBeInstanceOf(Array)
    }),
  )
})

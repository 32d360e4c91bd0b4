import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ComputeError } from '../language/compute-error.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import { readProgram } from '../read/read-program.ts'
import { stepFields } from '../read/step-fields.ts'
import { declarationDescriptions, declarationShapes } from './declaration-shapes.ts'
import { computeLogicSchema } from './index.ts'
import { eitherFields, stepDescriptions } from './step-descriptions.ts'

const { validate, jsonSchema } = computeLogicSchema['~standard']
const targets = ['draft-2020-12', 'draft-07'] as const
const end = { op: 'return', value: '1' }

/** A program that reads whatever it assigns, so that only its shape is at stake. */
const everything = {
  description: 'Every operation and every declaration.',
  inputs: {
    amount: { type: 'number', min: 0, max: 100, description: 'Euro', default: 5 },
    count: { type: 'integer', enum: [1, 2] },
    country: { type: 'string', maxLength: 2, enum: ['de', 'fr'] },
    day: { type: 'string', format: 'date' },
    flag: { type: 'boolean', enum: [true] },
    items: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', fields: { price: { type: 'number' } } },
    },
    other: { type: 'any', enum: [null, 1, 'x'], default: null },
  },
  output: { type: 'object', fields: { text: { type: 'string' }, rate: { type: 'number' } } },
  tables: { rates: { de: 19, fr: 20 }, steps: [1, 2] },
  numbers: 'decimal',
  rounding: 'half_even',
  steps: [
    { op: 'math', expression: 'amount * count', output: 'net' },
    { op: 'set', value: '[day, string(flag), string(other == null)]', output: 'parts' },
    { op: 'lookup', table: 'rates', keyFrom: 'country', default: 0, output: 'rate' },
    { op: 'lookup', table: 'steps', key: '0', output: 'first' },
    {
      op: 'condition',
      if: 'amount > 10',
      then: [{ op: 'math', expression: 'net * 2', output: 'net' }],
      else: [],
    },
    {
      op: 'switch',
      cases: [{ when: 'net > 100', then: [{ op: 'return', fields: { text: '""', rate: '0' } }] }],
      else: [{ op: 'check', that: 'net >= 0', message: 'net is {{net}}' }],
    },
    {
      op: 'fold',
      list: 'items',
      as: 'item',
      acc: 'sum',
      init: '0',
      value: 'sum + item.price',
      output: 'sum',
    },
    { op: 'sort', list: 'items', as: 'item', by: 'item.price', desc: true, output: 'sorted' },
    { op: 'sort', list: 'parts', output: 'parts' },
    { op: 'format', template: '{{sum | money}} {{first}} {{size(sorted)}}', output: 'text' },
    { op: 'return', fields: { text: 'text + join(parts)', rate: 'rate' } },
  ],
}

const errorPaths = (value: unknown): unknown => validate(value).issues?.map(({ path }) => path)

describe('the tables behind the schema', () => {
  it('describe every operation and every field of the reader, and nothing else', () => {
    expect(Object.keys(stepDescriptions)).toEqual([...stepFields.keys()])
    for (const [op, fields] of stepFields) {
      expect(Object.keys(stepDescriptions[op]?.fields ?? {})).toEqual(
        fields.map(({ name }) => name),
      )
    }
    for (const [op, either] of Object.entries(eitherFields)) {
      const optional = stepFields.get(op)?.filter((field) => field.optional) ?? []
      expect(optional.map(({ name }) => name)).toEqual(expect.arrayContaining([...either]))
    }
  })
})

describe('the schema of the language', () => {
  it('gives a copy of a valid program', () => {
    const result = validate(everything)
    expect(result).toEqual({ value: everything })
    expect(result.issues === undefined && result.value.steps === everything.steps).toBe(false)
  })

  it('gives every problem with the keys that lead to it', () => {
    const inner = [{ op: 'math', expression: '1', output: '1' }]
    expect(errorPaths({ steps: [{ op: 'condition', if: '', then: inner }, end] })).toEqual([
      ['steps', 0, 'if'],
      ['steps', 0, 'then', 0, 'output'],
    ])
    expect(
      errorPaths({ steps: [{ op: 'return', fields: { 'a.b[0]': '+', '0': '1 1' } }] }),
    ).toEqual([
      ['steps', 0, 'fields', '0'],
      ['steps', 0, 'fields', 'a.b[0]'],
    ])
    expect(errorPaths({ inputs: { a: { type: 'text' } }, steps: [end] })).toEqual([
      ['inputs', 'a', 'type'],
    ])
    expect(errorPaths(5)).toEqual([[]])
  })

  it('says what to do about a problem', () => {
    const { issues } = validate({ steps: [{ op: 'maths' }] })
    expect(issues?.[0]?.message).toContain('Did you mean "math"?')
  })

  it.each(targets)('takes every operation and every declaration as JSON Schema %s', (target) => {
    const validator = validatorFor(target)
    expect(validator.validate(everything)).toMatchObject({ valid: true, errors: [] })
  })

  it('gives a JSON Schema that the caller may change', () => {
    const first = jsonSchema.input({ target: 'draft-07' })
    const mark = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.values(value).forEach(mark)
      Object.assign(value, { spoilt: true })
    }
    mark(first)
    expect(JSON.stringify(jsonSchema.input({ target: 'draft-07' }))).not.toContain('spoilt')
  })

  it('refuses a JSON Schema target it does not know', () => {
    expect(() => jsonSchema.output({ target: 'openapi-3.0' })).toThrow('draft-2020-12, draft-07')
  })
})

/** Where the reader finds fault, before names and types are looked at. */
function problemPaths(program: unknown): readonly string[] {
  try {
    return readProgram(program, defaultLimits).collector.issues.map(({ path }) => path)
  } catch (error) {
    return ComputeError.is(error) ? error.issues.map(({ path }) => path) : []
  }
}

function validatorFor(target: (typeof targets)[number]): Validator {
  const draft = target === 'draft-07' ? '7' : '2020-12'
  return new Validator(jsonSchema.input({ target }), draft, false)
}

/** Every step of the example with one field taken away, replaced or added. */
function spoil(step: object): readonly unknown[] {
  const wrong = [null, 5, [], {}, [5], { '': 5 }, [end]]
  const added = ['more', 'else', 'default', 'by', 'as', 'key', 'keyFrom', 'value', 'fields']
  return [
    ...Object.keys(step).flatMap((key) => [
      Object.fromEntries(Object.entries(step).filter(([name]) => name !== key)),
      ...wrong.map((value) => ({ ...step, [key]: value })),
    ]),
    ...added.map((key) => ({ [key]: 'a', ...step })),
  ]
}

describe('as JSON Schema the language has the shape of its reader:', () => {
  const validator = validatorFor('draft-2020-12')

  it('in both dialects alike', () => {
    const [newer, older] = targets.map((target) => JSON.stringify(jsonSchema.input({ target })))
    const { $schema: _newer, ...left } = JSON.parse(newer ?? '') as object & { $schema: string }
    const same = (older ?? '').replaceAll('"definitions"', '"$defs"')
    const { $schema: _older, ...right } = JSON.parse(
      same.replaceAll('#/definitions/', '#/$defs/'),
    ) as object & { $schema: string }
    expect(right).toEqual(left)
  })

  const isShaped = (program: unknown): boolean => problemPaths(program).length === 0
  const judge = (program: unknown): boolean => validator.validate(program).valid

  it('steps with a field missing, wrong or too many', () => {
    for (const step of everything.steps.flatMap(spoil)) {
      const program = { ...everything, steps: [step, ...everything.steps] }
      expect([judge(program), step]).toEqual([isShaped(program), step])
    }
  })

  it('every field of a declaration with every type', () => {
    const values = [0, 2, -1, 1.5, 'date', 'x', true, null, [], ['x'], {}, { type: 'any' }]
    const inner = { a: { type: 'any' } }
    for (const type of [...Object.keys(declarationShapes), 'text', 5]) {
      for (const field of [...Object.keys(declarationDescriptions), 'more']) {
        for (const value of [...values, inner]) {
          const declaration = { type, [field]: value }
          for (const place of [{ inputs: { a: declaration } }, { output: declaration }]) {
            const program = { ...place, steps: [{ op: 'return', value: 'b' }] }
            const shaped = problemPaths(program).length === 0
            expect([judge(program), place]).toEqual([shaped, place])
          }
        }
      }
    }
  })

  it('programs with a field missing, wrong or too many', () => {
    const values = [null, 5, 'x', true, [], {}, [5], { a: 5 }, { a: {} }, { 'a-b': {} }, 'float']
    for (const field of [...Object.keys(everything), 'more']) {
      for (const value of values) {
        const program = { ...everything, [field]: value }
        const shaped = problemPaths(program).length === 0
        expect([judge(program), field, value]).toEqual([shaped, field, value])
      }
    }
  })

  it('arbitrary JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(judge(value)).toBe(isShaped(value))
      }),
    )
  })
})

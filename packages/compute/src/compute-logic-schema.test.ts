import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { checkCompute, computeLogicSchema } from './index.ts'

const { validate, jsonSchema } = computeLogicSchema['~standard']
const end = { op: 'return', value: 'a' }
const shipping = {
  steps: [
    { op: 'math', expression: 'a * 2', output: 'b' },
    { op: 'lookup', table: 't', key: 'k', output: 'c' },
    { op: 'format', template: '{{b}}', output: 'd' },
    { op: 'condition', if: 'a > 1', then: [end], else: [{ op: 'condition', if: 'a', then: [] }] },
    end,
  ],
}

describe('the schema of the language', () => {
  it('gives a copy of a valid program', () => {
    const result = validate(shipping)
    expect(result).toEqual({ value: shipping })
    expect(result.issues === undefined && result.value === shipping).toBe(false)
  })

  it('gives every problem with the keys that lead to it', () => {
    const result = validate({
      steps: [{ op: 'condition', if: '', then: [{ op: 'math', expression: '1', output: '1' }] }],
    })
    expect(result.issues?.map(({ path }) => path)).toEqual([
      ['steps', 0, 'if'],
      ['steps', 0, 'then', 0, 'output'],
    ])
    expect(validate(5).issues?.[0]?.path).toEqual([])
  })

  it.each(['draft-2020-12', 'draft-07'] as const)(
    'as JSON Schema %s agrees with the check on shapes',
    (target) => {
      const draft = target === 'draft-07' ? '7' : '2020-12'
      const validator = new Validator(jsonSchema.input({ target }), draft)
      const shapes: unknown[] = [
        shipping,
        { steps: [end] },
        {},
        { steps: {} },
        { steps: [{}] },
        { steps: [end], more: 1 },
        { steps: [{ ...end, more: 1 }] },
        { steps: [{ op: 'return' }] },
        { steps: [{ op: 'return', value: 1 }] },
        { steps: [{ op: 'eval', code: '1' }, end] },
        { steps: [{ op: 'condition', if: 'a' }, end] },
        { steps: [{ op: 'condition', if: 'a', then: [{ op: 'eval' }] }, end] },
        { steps: [{ op: 'math', expression: '1', output: '2x' }, end] },
      ]
      const judged = shapes.map((shape) => validator.validate(shape).valid)
      expect(judged).toEqual(shapes.map((shape) => checkCompute(shape).length === 0))
      expect(judged.filter(Boolean)).toHaveLength(2)
    },
  )

  it('refuses a JSON Schema target it does not know', () => {
    expect(() => jsonSchema.output({ target: 'openapi-3.0' })).toThrow('draft-2020-12, draft-07')
  })
})

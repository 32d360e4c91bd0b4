import { describe, expect, it } from 'vitest'
import { checkCompute } from '../index.ts'

const problemOf = (output: object, step: object): string | undefined => {
  const inputs = { any: { type: 'any' }, tier: { type: 'string', enum: ['gold', 'lead'] } }
  const issue = checkCompute({ inputs, output, steps: [{ op: 'return', ...step }] })[0]
  return issue?.severity === 'error' ? `${issue.code} ${issue.path}: ${issue.message}` : undefined
}

describe('a return that can never give what the output declares', () => {
  it.each([
    [{ type: 'number' }, { value: '"a"' }, 'the result is declared as number, got string'],
    [{ type: 'integer' }, { value: '[1]' }, 'the result is declared as integer, got array'],
    [{ type: 'array' }, { value: 'any == 1' }, 'the result is declared as array, got boolean'],
    [{ type: 'string' }, { value: 'null' }, 'the result is declared as string, got null'],
    [
      { type: 'string', enum: ['silver'] },
      { value: 'tier' },
      'the result is none of the values that are declared',
    ],
  ])('is an error: %j, %j', (output, step, message) => {
    expect(problemOf(output, step)).toBe(`bad_output steps[0].value: ${message}`)
  })

  it('is one for a field of the wrong type or without a value, at any level', () => {
    const output = {
      type: 'object',
      fields: { total: { type: 'number' }, note: { type: 'string' } },
    }
    expect(problemOf(output, { fields: { total: '1', note: 'string(any)', more: '1' } })).toBe(
      undefined,
    )
    expect(problemOf(output, { fields: { total: '"1"', note: '""' } })).toBe(
      'bad_output steps[0].fields.total: the result.total is declared as number, got string',
    )
    expect(problemOf(output, { fields: { total: '1' } })).toBe(
      'bad_output steps[0].fields.total: the result.note is declared and missing',
    )
    expect(problemOf({ type: 'number' }, { fields: { a: '1' } })).toBe(
      'bad_output steps[0].fields.a: the result is declared as number, got object',
    )
  })

  it('is none for a field of an argument that was not declared', () => {
    const logic = {
      inputs: { o: { type: 'object', fields: { a: { type: 'number' } } } },
      output: { type: 'object', fields: { a: { type: 'number' }, b: { type: 'string' } } },
      steps: [{ op: 'return', value: 'o' }],
    }
    expect(checkCompute(logic)).toEqual([])
  })

  it.each([
    [{ type: 'number' }, { value: 'any' }],
    [{ type: 'number' }, { value: 'tier == "gold" ? "a" : 1' }],
    [{ type: 'any' }, { value: '[tier]' }],
    [{ type: 'array', items: { type: 'number' } }, { value: '[tier].filter(x, x == "a")' }],
    [{ type: 'object', fields: { a: { type: 'number' } } }, { value: 'any' }],
    [{ type: 'string', enum: ['lead'] }, { value: 'tier' }],
  ])('is none where it may: %j, %j', (output, step) => {
    expect(problemOf(output, step)).toBe(undefined)
  })
})

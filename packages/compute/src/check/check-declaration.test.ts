import { expect, it } from 'vitest'
import { checkCompute } from '../index.ts'

const problemsOf = (declaration: object): string[] => {
  const steps = [{ op: 'return', value: 'a' }]
  const inputs = { a: declaration }
  return checkCompute({ inputs, steps }).map(({ code, path }) => `${code} ${path}`)
}

it.each([
  [{ type: 'number', min: 5, max: 1 }, 'a.max'],
  [{ type: 'integer', min: 1.2, max: 1.8 }, 'a.max'],
  [{ type: 'number', enum: ['x'] }, 'a.enum'],
  [{ type: 'integer', enum: [1.5] }, 'a.enum'],
  [{ type: 'number', enum: [3, 4], min: 5 }, 'a.enum'],
  [{ type: 'string', enum: ['abc'], maxLength: 2 }, 'a.enum'],
  [{ type: 'string', enum: ['2026-02-30'], format: 'date' }, 'a.enum'],
  [{ type: 'array', items: { type: 'number', min: 5, max: 1 } }, 'a.items.max'],
  [{ type: 'object', fields: { b: { type: 'boolean', enum: [1] } } }, 'a.fields.b.enum'],
])('a declaration that no value fits is an error: %j', (declaration, path) => {
  expect(problemsOf(declaration)).toEqual([`bad_program inputs.${path}`])
})

it.each([
  { type: 'number', min: 1, max: 1 },
  { type: 'integer', min: 0.5, max: 1.5 },
  { type: 'string', enum: ['a', null] },
  { type: 'any', enum: [null] },
])('one that some value fits is none: %j', (declaration) => {
  expect(problemsOf(declaration)).toEqual([])
})

it('holds for the output as well', () => {
  const logic = {
    output: { type: 'number', min: 5, max: 1 },
    steps: [{ op: 'return', value: '1' }],
  }
  expect(checkCompute(logic).map(({ path }) => path)).toEqual(['output.max'])
})

import { describe, expect, it } from 'vitest'
import { checkCompute, compileCompute, type ComputeLogic } from '../index.ts'

const steps = [{ op: 'return', value: '1' }]
const problemsOf = (program: object): string[] =>
  checkCompute({ steps, ...program })
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, message }) => `${code} ${path}: ${message}`)

describe('a declaration', () => {
  it.each([
    [{ type: 'number', min: 0, max: 1.5, enum: [1], description: 'x', default: 1 }],
    [{ type: 'integer', min: 0, default: null }],
    [{ type: 'string', maxLength: 5, enum: ['a', null] }],
    [{ type: 'string', format: 'date' }],
    [{ type: 'boolean' }],
    [{ type: 'any', enum: [1, 'a', null, true] }],
    [{ type: 'array', maxItems: 0, items: { type: 'array', items: { type: 'any' } } }],
    [{ type: 'object', fields: { 'any name': { type: 'object', fields: {} } } }],
  ])('is taken: %j', (declaration) => {
    expect(problemsOf({ inputs: { a: declaration } })).toEqual([])
  })

  it.each<[unknown, string]>([
    ['number', 'bad_program inputs.a: must be a declaration, got string'],
    [{}, 'bad_program inputs.a.type: there is no type undefined'],
    [{ type: 'text' }, 'bad_program inputs.a.type: there is no type "text"'],
    [{ type: 'toString' }, 'bad_program inputs.a.type: there is no type "toString"'],
    [{ type: 'any', description: 1 }, 'bad_program inputs.a.description: must be a string'],
    [
      { type: 'any', optional: true },
      'bad_program inputs.a: a declaration has no field "optional"',
    ],
    [{ type: 'any', toString: 1 }, 'bad_program inputs.a: a declaration has no field "toString"'],
    [{ type: 'string', min: 1 }, 'bad_program inputs.a.min: is not for the type string'],
    [
      { type: 'number', maxLength: 1 },
      'bad_program inputs.a.maxLength: is not for the type number',
    ],
    [{ type: 'number', min: '1' }, 'bad_program inputs.a.min: must be a number'],
    [{ type: 'number', enum: [] }, 'bad_program inputs.a.enum: must be an array of values'],
    [{ type: 'any', enum: [[1]] }, 'bad_program inputs.a.enum: must be an array of values'],
    [{ type: 'array', maxItems: -1 }, 'bad_program inputs.a.maxItems: must be a whole number'],
    [{ type: 'string', maxLength: 1.5 }, 'bad_program inputs.a.maxLength: must be a whole number'],
    [{ type: 'string', format: 'time' }, 'bad_program inputs.a.format: must be "date"'],
    [{ type: 'array', items: [] }, 'bad_program inputs.a.items: must be a declaration'],
    [
      { type: 'array', items: { type: 'x' } },
      'bad_program inputs.a.items.type: there is no type "x"',
    ],
    [
      { type: 'object', fields: { b: { type: 'number', default: 1 } } },
      'bad_program inputs.a.fields.b: a declaration has no field "default"',
    ],
  ])('is refused: %j', (declaration, problem) => {
    expect(problemsOf({ inputs: { a: declaration } })).toEqual([problem])
  })

  it('of the output has no default', () => {
    expect(problemsOf({ output: { type: 'number', default: 1 } })).toEqual([
      'bad_program output: a declaration has no field "default"',
    ])
  })

  it('takes nothing from a prototype that somebody has changed', () => {
    const logic: ComputeLogic = {
      inputs: { a: { type: 'number' } },
      steps: [{ op: 'return', value: 'a' }],
    }
    Object.assign(Object.prototype, { max: 1, default: 5, enum: [2] })
    try {
      const program = compileCompute(logic)
      expect(program.run({ a: 7 })).toBe(7)
      expect(() => program.run({})).toThrow('the argument a is missing')
    } finally {
      for (const key of ['max', 'default', 'enum']) Reflect.deleteProperty(Object.prototype, key)
    }
  })
})

describe('the fields of a program', () => {
  it.each<[object, string]>([
    [{ inputs: [] }, 'bad_program inputs: must be an object, got array'],
    [{ inputs: { 'a b': { type: 'any' } } }, 'bad_name inputs.a b: "a b" is no variable name'],
    [
      { inputs: { true: { type: 'any' } } },
      'reserved_name inputs.true: the name "true" is reserved',
    ],
    [{ tables: null }, 'bad_program tables: must be an object, got null'],
    [{ tables: { t: 1 } }, 'bad_program tables.t: must be an object or an array, got number'],
    [{ numbers: 'double' }, 'bad_program numbers: must be float or decimal'],
    [{ rounding: 'down' }, 'bad_program rounding: must be half_up or half_even'],
    [{ description: {} }, 'bad_program description: must be a string'],
    [{ output: 'number' }, 'bad_program output: must be a declaration, got string'],
    [{ step: 1 }, 'bad_program : a program has no field "step"'],
    [{ steps: {} }, 'bad_program steps: must be an array of steps, got object'],
    [{ steps: undefined }, 'bad_program steps: must be an array of steps, got undefined'],
  ])('are refused where they are wrong: %j', (program, problem) => {
    expect(problemsOf(program)).toEqual([problem])
  })

  it('may be undefined, as if they were left out', () => {
    expect(
      problemsOf({ inputs: undefined, output: undefined, tables: undefined, numbers: undefined }),
    ).toEqual([])
  })
})

import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import type { ComputeLogic, ComputeStep, InputDeclaration } from '../language/compute-logic.ts'
import { stepFields } from '../read/step-fields.ts'
import { computeFlatSchema, computeLogicSchema, fromFlatCompute, toFlatCompute } from './index.ts'
import { howOften } from '../../test/how-often.ts'

const { validate, jsonSchema } = computeFlatSchema['~standard']
const flatJsonSchema = jsonSchema.input({ target: 'draft-2020-12' })
const validator = new Validator(flatJsonSchema, '2020-12', false)

const tiers = {
  description: '',
  numbers: 'float',
  rounding: 'half_up',
  declarations: [
    {
      path: 'inputs.amount',
      type: 'number',
      description: 'Euro',
      min: 0,
      max: null,
      enum: '',
      format: '',
      maxLength: null,
      maxItems: null,
      default: '',
    },
  ],
  tables: [{ name: 'rates', json: '{"small":0,"large":0.1}' }],
  steps: [
    { id: 's1', in: '', op: 'set', value: '"small"', output: 'kind' },
    { id: 's2', in: '', op: 'switch', cases: [{ when: 'amount > 9' }, { when: 'amount > 5' }] },
    { id: 's3', in: 's2.cases[0]', op: 'set', value: '"large"', output: 'kind' },
    { id: 's4', in: 's2.else', op: 'condition', if: 'amount > 1' },
    { id: 's5', in: 's4.then', op: 'set', value: '"tiny"', output: 'kind' },
    {
      id: 's6',
      in: '',
      op: 'lookup',
      table: 'rates',
      key: '',
      keyFrom: 'kind',
      default: '0.5',
      output: 'rate',
    },
    { id: 's7', in: '', op: 'return', value: '', fields: [{ name: 'rate', value: 'rate' }] },
  ],
}

/** The example with one step changed. */
const changed = (index: number, change: object): unknown => ({
  ...tiers,
  steps: tiers.steps.map((step, at) => (at === index ? { ...step, ...change } : step)),
})

const problemsOf = (flat: unknown): readonly ComputeIssue[] => {
  try {
    fromFlatCompute(flat)
  } catch (error) {
    if (ComputeError.is(error)) return error.issues
    throw error
  }
  return []
}

describe('the flat form', () => {
  it('becomes the program it stands for', () => {
    expect(fromFlatCompute(tiers)).toEqual({
      inputs: { amount: { type: 'number', description: 'Euro', min: 0 } },
      tables: { rates: { small: 0, large: 0.1 } },
      steps: [
        { op: 'set', value: '"small"', output: 'kind' },
        {
          op: 'switch',
          cases: [
            { when: 'amount > 9', then: [{ op: 'set', value: '"large"', output: 'kind' }] },
            { when: 'amount > 5', then: [] },
          ],
          else: [
            {
              op: 'condition',
              if: 'amount > 1',
              then: [{ op: 'set', value: '"tiny"', output: 'kind' }],
            },
          ],
        },
        { op: 'lookup', table: 'rates', keyFrom: 'kind', default: 0.5, output: 'rate' },
        { op: 'return', fields: { rate: 'rate' } },
      ],
    })
    expect(validator.validate(tiers)).toMatchObject({ valid: true, errors: [] })
  })

  it('is written by toFlatCompute with ids in reading order', () => {
    expect(toFlatCompute(fromFlatCompute(tiers))).toEqual(tiers)
  })

  it('validates to a program', () => {
    expect(validate(tiers)).toEqual({ value: fromFlatCompute(tiers) })
    expect(validate(changed(0, { value: '1 +' })).issues).toEqual([
      { path: ['steps', 0, 'value'], message: expect.stringMatching(/^step "s1": .*too early/) },
    ])
    expect(jsonSchema.output({ target: 'draft-07' })).toEqual(
      computeLogicSchema['~standard'].jsonSchema.output({ target: 'draft-07' }),
    )
    expect(() => jsonSchema.input({ target: 'x' })).toThrow('draft-07')
  })

  it.each<[object | number, string, RegExp, RegExp]>([
    [
      changed(2, { in: 's9.then' }) as object,
      'steps[2].in',
      /step "s3": .*"s9\.then"/,
      /Use "" for|Did you mean/,
    ],
    [
      changed(2, { in: 's2' }) as object,
      'steps[2].in',
      /no step before it/,
      /s2\.cases\[0\], s2\.cases\[1\], s2\.else/,
    ],
    [
      changed(2, { in: 's2.cases[2]' }) as object,
      'steps[2].in',
      /"s2\.cases\[2\]"/,
      /Did you mean "s2\.cases\[0\]"/,
    ],
    [
      changed(0, { in: 's4.then' }) as object,
      'steps[0].in',
      /step "s1": no step before it/,
      /Use "" for the program itself\.$/,
    ],
    [
      changed(3, { in: 's4.else' }) as object,
      'steps[3].in',
      /no step before it/,
      /Did you mean "s2\.else"/,
    ],
    [changed(0, { in: 5 }) as object, 'steps[0].in', /"number"/, /Use ""/],
    [changed(4, { id: 's1' }) as object, 'steps[4]', /another step has this id/, /id of its own/],
    [changed(0, { id: '' }) as object, 'steps[0]', /^must be an object with an id/, /"id": "s1"/],
    [changed(0, { op: 'sett' }) as object, 'steps[0]', /no operation "sett"/, /Did you mean "set"/],
    [changed(0, { op: 7 }) as object, 'steps[0]', /no operation number/, /math, set/],
    [changed(0, { outputs: 'a' }) as object, 'steps[0]', /no field "outputs"/, /"output"/],
    [changed(3, { then: [] }) as object, 'steps[3]', /no field "then"/, /"in": "s4\.then"/],
    [
      changed(0, { value: 5 }) as object,
      'steps[0].value',
      /must be a string, got number/,
      /flat form/,
    ],
    [changed(1, { cases: {} }) as object, 'steps[1].cases', /must be an array/, /flat form/],
    [
      changed(1, { cases: [{ when: '1', then: [] }] }) as object,
      'steps[1].cases',
      /a case must be/,
      /flat form/,
    ],
    [
      changed(5, { default: 'abc' }) as object,
      'steps[5].default',
      /"abc" is no JSON text/,
      /quotes/,
    ],
    [changed(5, { default: 5 }) as object, 'steps[5].default', /must be JSON text/, /quotes/],
    [changed(5, { key: 'small' }) as object, 'steps[5]', /either key or keyFrom/, /empty/],
    [changed(6, { value: 'rate' }) as object, 'steps[6]', /either value or fields/, /empty/],
    [changed(6, { fields: [] }) as object, 'steps[6]', /either value or fields/, /empty/],
    [
      changed(6, { fields: [{ name: 'a' }, 5] }) as object,
      'steps[6].fields',
      /a field must be/,
      /flat form/,
    ],
    [
      changed(6, { fields: {} }) as object,
      'steps[6].fields',
      /must be an array, got object/,
      /flat form/,
    ],
    [
      changed(6, {
        fields: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      }) as object,
      'steps[6].fields',
      /the same name/,
      /flat form/,
    ],
    [{ ...tiers, tables: [5] }, 'tables[0]', /object with a name/, /json/],
    [
      { ...tiers, tables: [{ name: 'a', json: '{' }] },
      'tables[0]',
      /table "a": "\{" is no JSON/,
      /JSON/,
    ],
    [
      { ...tiers, tables: [{ name: 'a', json: '5' }] },
      'tables[0]',
      /table "a": .*object or an array/,
      /key/,
    ],
    [
      { ...tiers, tables: [...tiers.tables, ...tiers.tables] },
      'tables[1]',
      /two tables of this name/,
      /another name/,
    ],
    [{ ...tiers, steps: {} }, 'steps', /must be an array, got object/, /\[/],
    [{ ...tiers, step: [] }, '', /no field "step"/, /Did you mean "steps"/],
    [5, '', /must be an object, got number/, /steps/],
  ])('%# names the step, the place and the way out', (flat, ...expected) => {
    const [path, message, hint] = expected
    const [first] = problemsOf(flat)
    expect(first?.path).toBe(path)
    expect(first?.message).toMatch(message)
    expect(first?.hint).toMatch(hint)
  })

  it('tells what the check finds in terms of the flat form', () => {
    const [inner] = problemsOf(changed(4, { value: 'amount +' }))
    expect(inner).toMatchObject({
      path: 'steps[4].value',
      code: 'bad_token',
      offset: 8,
      message: expect.stringMatching(/^step "s5": /),
    })
    const [test] = problemsOf(changed(1, { cases: [{ when: 'amount >' }, { when: 'true' }] }))
    expect(test).toMatchObject({ path: 'steps[1].cases[0].when' })
    const [field] = problemsOf(
      changed(6, {
        fields: [
          { name: 'a', value: '1' },
          { name: 'a.b', value: '+' },
        ],
      }),
    )
    expect(field).toMatchObject({ path: 'steps[6].fields[1].value' })
    const [declared] = problemsOf({
      ...tiers,
      declarations: [{ ...tiers.declarations[0], type: 'numbr' }],
    })
    expect(declared).toMatchObject({
      path: 'declarations[0].type',
      message: expect.stringMatching(/^"inputs\.amount": there is no type "numbr"/),
      hint: 'Did you mean "number"?',
    })
  })

  it('is either a program or wrong, whatever it holds', () => {
    const spoilt = fc
      .tuple(
        fc.nat(6),
        fc.constantFrom('id', 'in', 'op', 'value', 'cases', 'fields', 'key', 'default'),
        fc.jsonValue(),
      )
      .map(([index, field, value]) => changed(index, { [field]: value }))
    const parts = fc
      .tuple(
        fc.constantFrom('declarations', 'tables', 'steps', 'description', 'numbers'),
        fc.jsonValue(),
      )
      .map(([field, value]) => ({ ...tiers, [field]: value }))
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), spoilt, parts), (flat) => {
        const result = validate(flat)
        if (result.issues !== undefined) expect(result.issues.length).toBeGreaterThan(0)
        else expect(computeLogicSchema['~standard'].validate(result.value)).toEqual(result)
      }),
      { numRuns: howOften(500) },
    )
  })

  it('never lets a key change a prototype', () => {
    const problems = problemsOf({
      ...tiers,
      tables: [{ name: '__proto__', json: '{"a":1}' }],
      steps: [
        ...tiers.steps.slice(0, 6),
        { id: 's7', in: '', op: 'return', value: '', fields: [{ name: '__proto__', value: '1' }] },
      ],
    })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain('"__proto__"')
  })
})

describe('declarations of the flat form', () => {
  const declare = (path: string, type: string, more: object = {}): object => ({
    path,
    type,
    ...more,
  })
  const end = { id: 's1', in: '', op: 'return', value: '1', fields: [] }
  const withAll = (declarations: readonly unknown[]): unknown => ({ declarations, steps: [end] })

  it('nest by path, whatever the fields are called', () => {
    const logic = fromFlatCompute(
      withAll([
        declare('inputs.order', 'object'),
        declare('inputs.order.lines', 'array', { maxItems: 5 }),
        declare('inputs.order.lines[]', 'object'),
        declare('inputs.order.lines[].price', 'number', { enum: '[1,2.5]' }),
        declare('inputs.order["a.b[]\\"\\u0063"]', 'string', { format: 'date' }),
        declare('inputs.note', 'string', { default: 'null' }),
      ]),
    )
    const line = { type: 'object', fields: { price: { type: 'number', enum: [1, 2.5] } } }
    expect(logic.inputs).toEqual({
      order: {
        type: 'object',
        fields: {
          lines: { type: 'array', maxItems: 5, items: line },
          'a.b[]"c': { type: 'string', format: 'date' },
        },
      },
      note: { type: 'string', default: null },
    })
    expect(fromFlatCompute(toFlatCompute(logic))).toEqual(logic)
  })

  it.each([
    ['inputs', /no path of a declaration/],
    ['inputs[]', /no path of a declaration/],
    ['input.a', /no path of a declaration/],
    ['inputs.', /no path of a declaration/],
    ['inputs.a["b"', /no path of a declaration/],
    ['inputs.a["\\x"]', /no path of a declaration/],
    ['inputs.a.b', /no object "inputs\.a" declared before it/],
    ['inputs.a[]', /no array "inputs\.a" declared before it/],
    ['output.b', /no object "output" declared before it/],
  ])('refuse the path %s', (path, message) => {
    const [first] = problemsOf(withAll([declare(path, 'number')]))
    expect(first?.path).toBe('declarations[0]')
    expect(first?.message).toMatch(message)
  })

  it('refuse what is no declaration, is there twice or has other fields', () => {
    const twice = [declare('inputs.a', 'number'), declare('inputs.a', 'string')]
    expect(problemsOf(withAll(twice))[0]?.message).toContain('declared twice')
    expect(problemsOf(withAll([5]))[0]?.message).toContain('object with a path')
    const more = problemsOf(withAll([declare('inputs.a', 'number', { minimum: 1 })]))
    expect(more[0]?.message).toContain('no field "minimum"')
    const text = problemsOf(withAll([declare('inputs.a', 'number', { default: 'x' })]))
    expect(text[0]).toMatchObject({ path: 'declarations[0].default' })
  })
})

describe('the flat JSON Schema', () => {
  const allowed = new Set([
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'enum',
    'anyOf',
    'description',
  ])

  const schemasIn = (schema: unknown): readonly Record<string, unknown>[] => {
    if (typeof schema !== 'object' || schema === null) return []
    if (Array.isArray(schema)) return schema.flatMap(schemasIn)
    const own = schema as Record<string, unknown>
    const { properties = {}, items, anyOf } = own
    return [
      own,
      ...Object.values(properties as object).flatMap(schemasIn),
      ...schemasIn(items),
      ...schemasIn(anyOf),
    ]
  }

  it('keeps to what strict structured output takes', () => {
    const schemas = schemasIn(flatJsonSchema)
    expect(schemas.length).toBeGreaterThan(60)
    for (const schema of schemas) {
      expect(Object.keys(schema).filter((keyword) => !allowed.has(keyword))).toEqual([])
      if (schema['type'] !== 'object') continue
      expect(schema['additionalProperties']).toBe(false)
      expect(schema['required']).toEqual(Object.keys(schema['properties'] as object))
    }
    expect(flatJsonSchema['type']).toBe('object')
    const unions = schemas.filter(({ type, anyOf }) => Array.isArray(type) || anyOf !== undefined)
    expect(unions).toHaveLength(5)
    expect(JSON.stringify(flatJsonSchema)).not.toContain('undefined')
  })

  it('has every operation with every field that is no list of steps', () => {
    const { steps } = flatJsonSchema['properties'] as {
      steps: { items: { anyOf: { properties: Record<string, { enum: string[] }> }[] } }
    }
    const { anyOf } = steps.items
    const fields = anyOf.map(({ properties }) => [
      properties['op']?.enum[0],
      Object.keys(properties),
    ])
    const [, , lookup, , , , , sort] = anyOf.map(
      ({ properties }) => properties,
    ) as unknown as Record<string, { description: string }>[]
    expect(lookup?.['key']?.description).toMatch(/digits\. Empty for none\.$/)
    expect(lookup?.['table']?.description).toBe('Name of the variable or the table.')
    expect(lookup?.['default']?.description).toMatch(/Empty for none\. JSON text\.$/)
    expect(sort?.['desc']?.description).toBe('Largest first.')
    expect(fields).toEqual(
      [...stepFields].map(([op, known]) => [
        op,
        ['id', 'in', 'op', ...known.flatMap(({ name, kind }) => (kind === 'steps' ? [] : [name]))],
      ]),
    )
  })
})

const expression = fc.constantFrom('1', 'a', '"x"', 'a + 1', '[1, 2]', 'true')
const output = fc.constantFrom('a', 'b', 'c')
const anyValue = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as never)
const leaf: fc.Arbitrary<ComputeStep> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), value: expression, output }),
  fc.record({
    op: fc.constant('math' as const),
    expression: fc.constantFrom('1', '2 * 3'),
    output,
  }),
  fc.record({
    op: fc.constant('format' as const),
    template: fc.constantFrom('', 'x', '{{1 | money}}'),
    output,
  }),
  fc.record(
    {
      op: fc.constant('lookup' as const),
      table: fc.constant('t'),
      key: fc.string(),
      default: anyValue,
      output,
    },
    { requiredKeys: ['op', 'table', 'key', 'output'] },
  ),
  fc.record(
    {
      op: fc.constant('lookup' as const),
      table: fc.constant('t'),
      keyFrom: fc.constant('"k"'),
      default: anyValue,
      output,
    },
    { requiredKeys: ['op', 'table', 'keyFrom', 'output'] },
  ),
  fc.record({
    op: fc.constant('fold' as const),
    list: fc.constant('[1]'),
    as: output,
    acc: fc.constant('acc'),
    init: expression,
    value: fc.constantFrom('acc', '0'),
    output,
  }),
  fc.record({ op: fc.constant('sort' as const), list: fc.constant('[2, 1]'), output }),
  fc.record({
    op: fc.constant('sort' as const),
    list: fc.constant('[2, 1]'),
    as: fc.constant('item'),
    by: fc.constant('-item'),
    desc: fc.constant(true),
    output,
  }),
  fc.record({
    op: fc.constant('check' as const),
    that: fc.constant('true'),
    message: fc.constant('no'),
  }),
)
const { steps: nested } = fc.letrec<{ steps: ComputeStep[]; step: ComputeStep }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({ then: tie('steps'), else: tie('steps') })
      .map((lists) => ({ op: 'condition' as const, if: 'true', ...lists })),
    fc
      .record({ cases: fc.array(tie('steps'), { minLength: 1, maxLength: 3 }), else: tie('steps') })
      .map(({ cases, else: otherwise }) => ({
        op: 'switch' as const,
        cases: cases.map((then) => ({ when: 'true', then })),
        else: otherwise,
      })),
  ),
  steps: fc.array(tie('step'), { maxLength: 4 }),
}))
const declaration: fc.Arbitrary<InputDeclaration> = fc.letrec<{ any: InputDeclaration }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record(
      {
        type: fc.constantFrom('number', 'integer'),
        min: fc.integer(),
        max: fc.double({ noNaN: true, noDefaultInfinity: true }),
      },
      { requiredKeys: ['type'] },
    ) as fc.Arbitrary<InputDeclaration>,
    fc.record(
      {
        type: fc.constant('string' as const),
        description: fc.string({ minLength: 1 }),
        maxLength: fc.nat(),
        format: fc.constant('date' as const),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constant('any' as const),
      enum: fc.array(fc.oneof(fc.string(), fc.boolean(), fc.integer()), { minLength: 1 }),
    }),
    fc.record(
      { type: fc.constant('array' as const), items: tie('any'), maxItems: fc.nat() },
      { requiredKeys: ['type'] },
    ),
    fc
      .array(
        fc.tuple(
          fc.string().filter((name) => name !== '__proto__'),
          tie('any'),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((fields) => ({ type: 'object' as const, fields: Object.fromEntries(fields) })),
  ),
})).any
const programs: fc.Arbitrary<ComputeLogic> = fc
  .record(
    {
      description: fc.string({ minLength: 1 }),
      inputs: fc.record({ first: declaration, second: declaration }, { requiredKeys: ['first'] }),
      output: fc.constant({ type: 'any' as const }),
      numbers: fc.constant('decimal' as const),
      rounding: fc.constant('half_even' as const),
      steps: nested,
      end: fc.oneof(
        fc.constant({ op: 'return' as const, value: '1' }),
        fc
          .array(
            fc.tuple(
              fc.string().filter((name) => name !== '__proto__'),
              expression,
            ),
            { minLength: 1 },
          )
          .map((fields) => ({ op: 'return' as const, fields: Object.fromEntries(fields) })),
      ),
    },
    { requiredKeys: ['steps', 'end'] },
  )
  .map(({ steps, end, ...rest }) => ({
    ...rest,
    tables: { t: { k: 1 } },
    steps: [{ op: 'set' as const, value: '1', output: 'a' }, ...steps, end],
  }))

/** The program without what the flat form cannot tell from nothing, written without help from the code under test. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'else' && Array.isArray(inner) && inner.length === 0),
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]))
}

describe('a program', () => {
  it('comes back from its flat form, which satisfies the flat schema', () => {
    fc.assert(
      fc.property(programs, (program) => {
        fc.pre(computeLogicSchema['~standard'].validate(program).issues === undefined)
        const flat = JSON.parse(JSON.stringify(toFlatCompute(program))) as unknown
        expect(validator.validate(flat)).toMatchObject({ valid: true })
        // JSON has no -0.
        expect(plain(fromFlatCompute(flat))).toEqual(plain(JSON.parse(JSON.stringify(program))))
      }),
      { numRuns: howOften(150) },
    )
  })

  it('that is wrong has no flat form', () => {
    expect(() => toFlatCompute({ steps: [{ op: 'return', value: '+' }] })).toThrow('unexpected')
  })
})

describe('problems of returned fields', () => {
  const fieldsOf = (fields: readonly object[]): object => ({
    steps: [{ id: 's1', in: '', op: 'return', value: '', fields }],
  })
  const pathOf = (flat: object): string => {
    try {
      fromFlatCompute(flat)
    } catch (error) {
      if (ComputeError.is(error)) return error.path
    }
    return ''
  }

  it('are told at the field of the list, also where names are like numbers or not ASCII', () => {
    const good = { name: '1', value: '2' }
    expect(pathOf(fieldsOf([{ name: 'b', value: '1 +' }, good]))).toBe('steps[0].fields[0].value')
    expect(pathOf(fieldsOf([good, { name: 'größe', value: '1 +' }]))).toBe(
      'steps[0].fields[1].value',
    )
  })

  it('show ids with what is invisible in them escaped', () => {
    const step = { id: 'x\u202e\n', in: '', op: 'condition', if: 'true', then: [] }
    const inside = { id: 's2', in: 'x', op: 'return', value: '1', fields: [] }
    for (const flat of [{ steps: [step] }, { steps: [{ ...step, then: undefined }, inside] }]) {
      expect(() => fromFlatCompute(flat)).toThrow(
        expect.objectContaining({
          issues: expect.not.arrayContaining([
            expect.objectContaining({ hint: expect.stringMatching(/[\u202e\n]/) as unknown }),
          ]) as unknown,
        }),
      )
    }
  })
})

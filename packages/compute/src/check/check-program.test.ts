import { describe, expect, it } from 'vitest'
import { checkCompute, compileCompute, type ComputeLogic, type ComputeOptions } from '../index.ts'

/** Every problem of a program, as code, place and offset. */
const issuesOf = (logic: object, options?: ComputeOptions): string[] =>
  checkCompute(logic, options).map(
    ({ code, path, offset }) => `${code} ${path}${offset === undefined ? '' : ` @${offset}`}`,
  )

const hintsOf = (logic: object, options?: ComputeOptions): string[] =>
  checkCompute(logic, options).map(({ hint }) => hint)

const end = { op: 'return', value: '1' } as const
const set = (output: string, value = '1'): object => ({ op: 'set', value, output })

/** Problems of one expression that is returned. */
const issuesOfValue = (value: string, program: object = {}): string[] =>
  issuesOf({ ...program, steps: [{ op: 'return', value }] })

describe('names', () => {
  const inputs = { weight: { type: 'number' }, label: { type: 'string', default: '' } }

  it('are those of declared inputs, tables and variables', () => {
    const tables = { rates: { a: 1 } }
    expect(issuesOfValue('weight * rates.a + size(label)', { inputs, tables })).toEqual([])
    const unknown = { inputs, tables, steps: [{ op: 'return', value: '[wieght, rate, label]' }] }
    expect(issuesOf(unknown)).toEqual([
      'unknown_variable steps[0].value @1',
      'unknown_variable steps[0].value @9',
      'unused_input inputs.weight',
    ])
    expect(hintsOf(unknown).slice(0, 2)).toEqual([
      'Did you mean "weight"?',
      'Did you mean "rates"?',
    ])
  })

  it('of declared inputs have to be among those the caller passes, unless they have a default', () => {
    const logic = { inputs, steps: [{ op: 'return', value: '[string(weight), label]' }] }
    expect(issuesOf(logic, { inputs: ['weight'] })).toEqual([])
    expect(issuesOf(logic, { inputs: ['weigth', 'label'] })).toEqual([
      'unknown_variable inputs.weight',
    ])
    expect(hintsOf(logic, { inputs: ['weigth'] })).toEqual(['Did you mean "weigth"?'])
  })

  it('of tables cannot be assigned, those of inputs can', () => {
    const steps = [set('t'), set('a'), { op: 'return', value: '[t, a]' }]
    expect(issuesOf({ tables: { t: [] }, inputs: { a: { type: 'number' } }, steps })).toEqual([
      'duplicate_name steps[0].output',
      'unused_input inputs.a',
    ])
    expect(
      issuesOf({ tables: { a: [] }, inputs: { a: { type: 'number' } }, steps: [end] }),
    ).toEqual(['duplicate_name tables.a'])
  })

  it('of items are known inside the expression that runs for each item only', () => {
    const fold = { op: 'fold', list: '[1]', as: 'i', acc: 'total', init: '0', value: 'total + i' }
    const steps = (value: string): object => ({
      steps: [
        { ...fold, output: 'x' },
        { op: 'return', value },
      ],
    })
    expect(issuesOf(steps('x'), { inputs: [] })).toEqual([])
    expect(issuesOf(steps('x + i + total'), { inputs: [] })).toEqual([
      'unknown_variable steps[1].value @4',
      'unknown_variable steps[1].value @8',
    ])
    expect(issuesOfValue('[1].map(i, i) + [i]', { inputs: {} })).toEqual([
      'unknown_variable steps[0].value @17',
    ])
    const sort = { op: 'sort', list: '[1]', as: 'i', by: 'i', output: 'x' }
    const last = { op: 'return', value: '[x, [i]]' }
    expect(issuesOf({ inputs: {}, steps: [sort, last] })).toEqual([
      'unknown_variable steps[1].value @5',
    ])
  })

  it('are assigned for sure only when every case of a switch that goes on assigns them', () => {
    const program = (...thens: readonly (readonly object[])[]): object => ({
      steps: [
        {
          op: 'switch',
          cases: thens.slice(1).map((then) => ({ when: 'a > 1', then })),
          else: thens[0],
        },
        { op: 'return', value: 'x' },
      ],
    })
    const options = { inputs: ['a'] }
    expect(issuesOf(program([set('x')], [set('x')], [end]), options)).toEqual([])
    expect(issuesOf(program([set('x')], [set('x')], []), options)).toEqual([
      'unknown_variable steps[1].value @0',
    ])
    expect(issuesOf(program([], [set('x')]), options)).toEqual([
      'unknown_variable steps[1].value @0',
    ])
  })

  it('are read from the arguments in reading order, and never twice', () => {
    const { inputsUsed } = compileCompute({
      steps: [
        { op: 'switch', cases: [{ when: 'c > b', then: [{ op: 'return', value: 'a' }] }] },
        { op: 'fold', list: 'd', as: 'i', acc: 's', init: 'e', value: 's + i + b', output: 'f' },
        { op: 'return', fields: { x: 'f', y: 'g + c' } },
      ],
    })
    expect(inputsUsed).toEqual(['c', 'b', 'a', 'd', 'e', 'g'])
  })
})

describe('warnings', () => {
  it('refuse nothing and are given beside the compiled program', () => {
    const program = compileCompute({ steps: [set('unused'), end] } as ComputeLogic)
    expect(program.run({})).toBe(1)
    expect(program.warnings).toEqual([
      {
        code: 'unused_output',
        severity: 'warning',
        path: 'steps[0].output',
        message: 'nothing reads it',
        hint: 'Use it, or leave the step out.',
      },
    ])
  })

  it('name outputs that nothing reads, once each', () => {
    const steps = [set('a'), set('a'), set('b'), { op: 'return', value: 'b' }]
    expect(issuesOf({ steps })).toEqual(['unused_output steps[0].output'])
  })

  it('name inputs that are declared and not read, but not those that are only passed', () => {
    expect(issuesOf({ inputs: { a: { type: 'any' } }, steps: [end] })).toEqual([
      'unused_input inputs.a',
    ])
    expect(issuesOf({ steps: [end] }, { inputs: ['a'] })).toEqual([])
  })

  it('name the first step that is never reached', () => {
    const both = { op: 'condition', if: 'a', then: [end], else: [end] }
    expect(issuesOf({ steps: [both, set('x'), end] })).toEqual([
      'unreachable_step steps[1]',
      'unused_output steps[1].output',
    ])
    expect(issuesOf({ steps: [{ ...both, then: [end, end] }] })).toEqual([
      'unreachable_step steps[0].then[1]',
    ])
  })

  it.each([
    'true',
    '1 < 2',
    '!false',
    'size([1]) == 1',
    'flag',
    'tier == "silver"',
    'tier in ["silver", "lead"]',
    'n == "1"',
    '"1" in [1, 2]',
    '(n == null ? true : false) == 1',
  ])('name a condition that is always the same: %s', (test) => {
    const inputs = {
      tier: { type: 'string', enum: ['gold', 'lead'] },
      n: { type: 'number' },
    }
    const steps = [
      set('flag', 'true'),
      { op: 'switch', cases: [{ when: test, then: [end] }] },
      { op: 'return', value: '[string(n), tier, string(flag)]' },
    ]
    const isKnown = test === 'tier in ["silver", "lead"]'
    const found = issuesOf({ inputs, steps })
    expect(found.filter((issue) => issue.startsWith('constant_condition')).length > 0).toBe(
      !isKnown,
    )
    expect(found.filter((issue) => !issue.startsWith('constant_condition'))).toEqual([])
  })

  it.each(['n == 1', 'n > 1 && true', 'tier == "gold"', 'x == "gold"', 'has(o.a)', 'any == 1'])(
    'name no condition that can go either way: %s',
    (test) => {
      const inputs = {
        tier: { type: 'string', enum: ['gold', 'lead'] },
        n: { type: 'number' },
        o: { type: 'object' },
        any: { type: 'any' },
      }
      const steps = [
        { op: 'condition', if: 'n > 0', then: [set('x', '"gold"')], else: [set('x', '"lead"')] },
        { op: 'check', that: test, message: '{{x}}{{tier}}{{n}}' },
        { op: 'return', value: '[[o], [any]]' },
      ]
      expect(issuesOf({ inputs, steps })).toEqual([])
    },
  )

  it('are left out while a part of the program could not be read', () => {
    expect(issuesOf({ steps: [set('x'), { op: 'set', value: '1 +', output: 'y' }, end] })).toEqual([
      'bad_token steps[1].value @3',
    ])
  })
})

describe('types', () => {
  it.each([
    ['"a" - 1', 'type steps[0].value @0'],
    ['1 + "a"', 'type steps[0].value @4'],
    ['[1] + 1', 'type steps[0].value @6'],
    ['1 + 1 + "a"', 'type steps[0].value @8'],
    ['-"a"', 'type steps[0].value @1'],
    ['!1', 'type steps[0].value @1'],
    ['false && 3', 'type steps[0].value @9'],
    ['1 < "a"', 'type steps[0].value @4'],
    ['null < 1', 'type steps[0].value @0'],
    ['"a" in "abc"', 'type steps[0].value @7'],
    ['1 ? 2 : 3', 'type steps[0].value @0'],
    ['a > 1 ? b - "x" : 2', 'type steps[0].value @12'],
    ['"a".b', 'type steps[0].value @0'],
    ['[1].b', 'type steps[0].value @0'],
    ['[1]["b"]', 'type steps[0].value @0'],
    ['[1][true]', 'type steps[0].value @4'],
    ['(1)[0]', 'type steps[0].value @1'],
    ['has((1).a)', 'type steps[0].value @5'],
    ['upper(1)', 'type steps[0].value @6'],
    ['min("a", 1)', 'type steps[0].value @4'],
    ['sum(["a"])', 'type steps[0].value @4'],
    ['join([1, 2])', 'type steps[0].value @5'],
    ['sort([true])', 'type steps[0].value @5'],
    ['map(1, x, x)', 'type steps[0].value @4'],
    ['filter([1], x, x)', 'type steps[0].value @15'],
    ['map([1], x, "a" < "b", x.y)', 'type steps[0].value @23'],
    ['["a"].map(x, size(x))[0].b', 'type steps[0].value @21'],
    ['split("a", ",")[0] * 2', 'type steps[0].value @15'],
    ['[1, 2].filter(x, x > 1)[0].z', 'type steps[0].value @23'],
    ['(a == 1 ? "x" : "y") * 2', 'type steps[0].value @8'],
  ])('that can never fit are errors: %s', (value, expected) => {
    expect(issuesOfValue(value).filter((issue) => !issue.startsWith('constant'))).toEqual([
      expected,
    ])
  })

  it.each([
    'a + 1',
    'a + b',
    '(a == 1 ? "x" : 2) * 2',
    '[].map(x, x.y + 1)',
    'sum([])',
    '[1, "a"][b] * 2',
    'a[b]',
    '[[1], "x"][0][0]',
    'min(a)',
    'min([])',
    'date(a)',
    'string(true)',
    'a == null ? 0 : a + 1',
    '"k" in a',
    '1 in a',
  ])('that may fit are none: %s', (value) => {
    expect(issuesOfValue(value)).toEqual([])
  })

  it('follow assignments and are merged where branches meet', () => {
    const branch = (one: string, other: string): object => ({
      op: 'condition',
      if: 'flag',
      then: [set('x', one)],
      else: [set('x', other)],
    })
    const last = { op: 'return', value: 'x * 2' }
    expect(issuesOf({ steps: [branch('1', '"a"'), last] })).toEqual([])
    expect(issuesOf({ steps: [branch('[]', '"a"'), last] })).toEqual(['type steps[1].value @0'])
    expect(issuesOf({ steps: [branch('[]', '"a"'), set('x', '1'), last] })).toEqual([])
    expect(issuesOf({ steps: [set('x', '"a"'), branch('x', 'x + "b"'), last] })).toEqual([
      'type steps[2].value @0',
    ])
  })

  it('of an argument that only one branch assigns may still be the argument', () => {
    const steps = [
      { op: 'condition', if: 'a > 1', then: [set('a', '"x"')] },
      { op: 'return', value: 'a + 1' },
    ]
    expect(issuesOf({ steps })).toEqual([])
    expect(issuesOf({ inputs: { a: { type: 'number' } }, steps })).toEqual([])
    const declared = { inputs: { a: { type: 'boolean' }, b: { type: 'any' } } }
    const other = [
      { op: 'condition', if: 'b == 1', then: [set('a', '"x"')] },
      { op: 'return', value: 'a + 1' },
    ]
    expect(issuesOf({ ...declared, steps: other })).toEqual(['type steps[1].value @4'])
  })

  it('of steps are checked by what the step needs', () => {
    const steps = [
      set('s', '"text"'),
      { op: 'math', expression: 's', output: 'm' },
      { op: 'lookup', table: 's', key: 'k', output: 'l' },
      { op: 'lookup', table: 't', keyFrom: 'true', output: 'l' },
      { op: 'format', template: '{{t}} {{s | fixed}}', output: 'f' },
      { op: 'condition', if: 's + s', then: [] },
      { op: 'condition', if: 's', then: [] },
      { op: 'switch', cases: [{ when: 's', then: [] }] },
      { op: 'fold', list: 's', as: 'i', acc: 'c', init: '0', value: 'c', output: 'o' },
      { op: 'sort', list: 's', output: 'o' },
      { op: 'sort', list: '[[1]]', output: 'o' },
      { op: 'sort', list: '[[1]]', as: 'i', by: 'i', output: 'o' },
      { op: 'check', that: '1', message: '{{null}}' },
      { op: 'return', value: '[m, l, f, o]' },
    ]
    expect(issuesOf({ tables: { t: { a: 1 } }, steps })).toEqual([
      'type steps[1].expression @0',
      'type steps[2].table @0',
      'type steps[3].keyFrom @0',
      'type steps[4].template @2',
      'type steps[4].template @8',
      'type steps[5].if @2',
      'type steps[7].cases[0].when @0',
      'type steps[8].list @0',
      'type steps[9].list @0',
      'type steps[10].list @0',
      'type steps[11].by @0',
      'type steps[12].that @0',
      'type steps[12].message @2',
    ])
  })

  it('of what a fold carries are those of its beginning and of every round', () => {
    const fold = (init: string, value: string): string[] =>
      issuesOf({
        steps: [
          { op: 'fold', list: '["a"]', as: 'i', acc: 'c', init, value, output: 'x' },
          { op: 'return', value: 'x' },
        ],
      })
    expect(fold('0', 'c + 1')).toEqual([])
    expect(fold('[]', 'c + [i]')).toEqual([])
    expect(fold('0', 'c == 0 ? 1 : 2')).toEqual([])
    expect(fold('0', 'i')).toEqual([])
    expect(fold('null', 'c == null ? [1] : c + [2]')).toEqual([])
    expect(fold('[]', '[c]')).toEqual([])
    expect(fold('0', 'c + i')).toEqual(['type steps[0].value @4'])
    expect(fold('true', 'c - 1')).toEqual([])
    expect(fold('true', '!c && 1')).toEqual(['type steps[0].value @6'])
  })
})

describe('declared structure', () => {
  const inputs = {
    order: {
      type: 'object',
      fields: {
        lines: {
          type: 'array',
          items: { type: 'object', fields: { price: { type: 'number' }, sku: { type: 'string' } } },
        },
      },
    },
    list: { type: 'array', maxItems: 3 },
    note: { type: 'string', default: null },
  }
  const tables = { rates: { small: { fee: 5 }, large: { fee: 9, text: 'x' } }, tiers: [1, 2] }
  const errorsOf = (value: string): string[] =>
    issuesOfValue(value, { inputs, tables }).filter((issue) => !issue.startsWith('unused'))

  it.each([
    ['sum(order.lines.map(l, l.price))', []],
    ['order.lines.map(l, l.prize)', ['unknown_key steps[0].value @21']],
    ['order.lines[0].sku * 2', ['type steps[0].value @15']],
    ['order.note', ['unknown_key steps[0].value @6']],
    ['has(order.note) ? order.note : ""', []],
    ['"note" in order ? order.note : ""', []],
    ['rates.small.fee + tiers[1]', []],
    ['rates.medium.fee', ['unknown_key steps[0].value @6']],
    ['rates["small"].text', ['unknown_key steps[0].value @15']],
    ['rates[note].text + 1', ['type steps[0].value @19']],
    ['tiers[2]', ['unknown_key steps[0].value @6']],
    ['list[2]', []],
    ['list[3]', ['unknown_key steps[0].value @5']],
    ['[1, 2][2]', ['unknown_key steps[0].value @7']],
    ['note == null ? 0 : size(note)', []],
    ['note + 1', ['type steps[0].value @7']],
  ])('is followed: %s', (value, expected) => {
    expect(errorsOf(value)).toEqual(expected)
  })

  it.each([
    ['"note" in order ? order["note"] : ""', []],
    ['key in order ? order[key] + "!" : ""', []],
    ['order[key] == null ? 0 : order[key] + 1', []],
    ['extra == null ? 0 : extra + 1', []],
    ['size(extra) + order.extra', []],
    ['[order, rates][0].note', ['unknown_key steps[1].value @18']],
    ['(key == "" ? order : rates).small.fee + 1', []],
    ['(key == "" ? order : rates).small + 1', []],
    ['(key == "" ? order : rates).lines + 1', ['type steps[1].value @36']],
    ['(key == "" ? rates : order).lines + 1', ['type steps[1].value @36']],
  ])('lets other fields of an argument pass: %s', (value, expected) => {
    const steps = [
      { op: 'lookup', table: 'order', key: 'extra', default: null, output: 'extra' },
      { op: 'return', value },
    ]
    const found = issuesOf({ inputs: { ...inputs, key: { type: 'string' } }, tables, steps })
    expect(found.filter((issue) => !issue.startsWith('unused'))).toEqual(expected)
  })

  it('has no item at a place between two', () => {
    expect(issuesOfValue('[1, 2][2.5]')).toEqual(['type steps[0].value @7'])
    expect(issuesOfValue('[1, 2][1.0]')).toEqual([])
  })

  it('of what a fold carries is known at every level', () => {
    const fold = (init: string, value: string, read: string): string[] =>
      issuesOf({
        inputs: { list: { type: 'array' } },
        steps: [
          { op: 'fold', list: 'list', as: 'i', acc: 'c', init, value, output: 'x' },
          { op: 'return', value: read },
        ],
      })
    expect(fold('[[0]]', '[c[0] + [i]]', 'x[0][10]')).toEqual([])
    expect(fold('[[0]]', '[[c[0][0]]]', 'x[0][10]')).toEqual(['unknown_key steps[1].value @5'])
    expect(fold('[["a"]]', '[[c[0][0] + "b"]]', 'x[0][0] + 1')).toEqual(['type steps[1].value @10'])
    expect(fold('0', 'c == 0 ? "a" : [c]', 'x + 1')).toEqual([])
  })

  it('gives the key that was probably meant', () => {
    expect(hintsOf({ tables, steps: [{ op: 'return', value: 'rates.smal' }] })).toEqual([
      'Did you mean "small"?',
    ])
  })

  it('is looked up by literal keys that exist, unless there is a default', () => {
    const lookup = (table: string, key: string, more: object = {}): string[] =>
      issuesOf({
        tables,
        steps: [
          { op: 'lookup', table, key, output: 'x', ...more },
          { op: 'return', value: 'x' },
        ],
      })
    expect(lookup('rates', 'small')).toEqual([])
    expect(lookup('rates', 'smal')).toEqual(['unknown_key steps[0].key @0'])
    expect(lookup('rates', 'toString')).toEqual(['unknown_key steps[0].key @0'])
    expect(lookup('rates', 'smal', { default: null })).toEqual([])
    expect(lookup('tiers', '1')).toEqual([])
    expect(lookup('tiers', '2')).toEqual(['unknown_key steps[0].key @0'])
    expect(lookup('tiers', 'length')).toEqual(['unknown_key steps[0].key @0'])
  })

  it('of what is looked up is known', () => {
    const program = (more: object): string[] =>
      issuesOf({
        inputs: { k: { type: 'string' } },
        tables: { t: { a: 'x', b: 'y' } },
        steps: [
          { op: 'lookup', table: 't', keyFrom: 'k', output: 'x', ...more },
          { op: 'return', value: 'x * 2' },
        ],
      })
    expect(program({})).toEqual(['type steps[1].value @0'])
    expect(program({ default: 0 })).toEqual([])
  })
})

describe('a declared default', () => {
  it('has to fit its own declaration; null always does', () => {
    const input = (declaration: object): string[] =>
      issuesOf({ inputs: { a: declaration }, steps: [{ op: 'return', value: 'a' }] })
    expect(input({ type: 'number', default: 1 })).toEqual([])
    expect(input({ type: 'number', default: null })).toEqual([])
    expect(input({ type: 'number', default: '1' })).toEqual(['bad_program inputs.a.default'])
    expect(input({ type: 'string', enum: ['x'], default: 'y' })).toEqual([
      'bad_program inputs.a.default',
    ])
    expect(input({ type: 'array', items: { type: 'integer', min: 0 }, default: [1, 0.5] })).toEqual(
      ['bad_program inputs.a.default'],
    )
  })
})

describe('issues', () => {
  it('are in reading order, errors before warnings, whichever check found them', () => {
    const steps = [
      set('unused'),
      { op: 'condition', if: 'true', then: [set('x', '"a" - 1')], else: [set('x', '1 +')] },
      { op: 'condition', if: 'y >', then: [] },
      ...Array.from({ length: 8 }, () => set('x')),
      { op: 'set', value: 'x.upper().nope()', output: 'z' },
      { op: 'return', value: '!1' },
    ]
    expect(issuesOf({ steps, more: 1 })).toEqual([
      'bad_program ',
      'type steps[1].then[0].value @0',
      'bad_token steps[1].else[0].value @3',
      'bad_token steps[2].if @3',
      'unknown_function steps[11].value @10',
      'type steps[12].value @1',
    ])
    expect(issuesOf({ steps: [set('unused'), { op: 'check', that: '1', message: '' }] })).toEqual([
      'type steps[1].that @0',
      'unused_output steps[0].output',
    ])
  })

  it('are a hundred at most', () => {
    const steps = [...Array.from({ length: 300 }, (_, index) => set(`x${index}`)), end]
    expect(checkCompute({ steps })).toHaveLength(100)
    expect(compileCompute({ steps } as unknown as ComputeLogic).warnings).toHaveLength(100)
    const wrong = Array.from({ length: 300 }, () => ({ op: 'return', value: '-"a"' }))
    expect(checkCompute({ steps: wrong })).toHaveLength(100)
  })
})

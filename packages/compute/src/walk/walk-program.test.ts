import { describe, expect, it } from 'vitest'
import { issueOf, problemOf, walkLogic } from '../../test/walk-logic.ts'

const end = { op: 'return', value: 'x' }
const result = (step: object, args: object = {}, program: object = {}): unknown =>
  walkLogic({ ...program, steps: [step, end] }, { args })
const problem = (step: object, args: object = {}, program: object = {}): string =>
  problemOf(() => result(step, args, program))

describe('math and set', () => {
  it('assign a number, and any value', () => {
    expect(result({ op: 'math', expression: 'a * 2', output: 'x' }, { a: 2 })).toBe(4)
    expect(result({ op: 'set', value: '[a, "t"]', output: 'x' }, { a: 2 })).toEqual([2, 't'])
    expect(result({ op: 'math', expression: 'x + 1', output: 'x' }, { x: 2 })).toBe(3)
  })

  it('math refuses what is no number', () => {
    expect(problem({ op: 'math', expression: ' a', output: 'x' }, { a: 't' })).toBe(
      'type steps[0].expression@1',
    )
  })
})

describe('lookup', () => {
  const lookup = (table: unknown, more: object, args: object = {}): unknown =>
    result({ op: 'lookup', table: 't', output: 'x', ...more }, { t: table, ...args })
  const refusal = (table: unknown, more: object, args: object = {}): string =>
    problemOf(() => lookup(table, more, args))

  it('takes a literal key, an index in digits, and a key worked out', () => {
    expect(lookup({ small: 5 }, { key: 'small' })).toBe(5)
    expect(lookup({ '': 5 }, { key: '' })).toBe(5)
    expect(lookup([7, 8], { key: '1' })).toBe(8)
    expect(lookup({ small: 5 }, { keyFrom: 'k' }, { k: 'small' })).toBe(5)
    expect(lookup([7, 8], { keyFrom: 'size(t) - 1' })).toBe(8)
    expect(lookup([7, 8], { keyFrom: '"1"' })).toBe(8)
  })

  it('gives the default for an own key or an index that is not there', () => {
    expect(lookup({}, { key: 'toString', default: 0 })).toBe(0)
    expect(lookup([7], { keyFrom: '1', default: null })).toBe(null)
    expect(lookup([7], { key: 'length', default: { a: [1] } })).toEqual({ a: [1] })
    expect(lookup({ a: undefined }, { key: 'a', default: 'none' })).toBe('none')
    expect(lookup({ a: 0 }, { key: 'a', default: 1 })).toBe(0)
  })

  it.each<[unknown, object, string]>([
    [{ a: 1 }, { key: 'b' }, 'unknown_key steps[0].key@0'],
    [{ a: 1 }, { key: '__proto__' }, 'unknown_key steps[0].key@0'],
    [[7], { key: '1' }, 'unknown_key steps[0].key@0'],
    [[7], { key: '00' }, 'unknown_key steps[0].key@0'],
    [[7], { key: '-1' }, 'unknown_key steps[0].key@0'],
    [[7], { key: '1e0' }, 'unknown_key steps[0].key@0'],
    [[7], { key: 'map' }, 'unknown_key steps[0].key@0'],
    ['text', { key: 'length' }, 'type steps[0].table@0'],
    [null, { key: 'a', default: 1 }, 'type steps[0].table@0'],
    [{ a: 1 }, { keyFrom: ' 1' }, 'type steps[0].keyFrom@1'],
    [[7], { keyFrom: 'true', default: 1 }, 'type steps[0].keyFrom@0'],
    [[7], { keyFrom: '0.5', default: 1 }, 'type steps[0].keyFrom@0'],
    [[7], { keyFrom: '1 + 1' }, 'unknown_key steps[0].keyFrom@2'],
    [{ a: Number.NaN }, { key: 'a', default: 1 }, 'bad_argument steps[0].key@0'],
  ])('in %j with %j is refused with %s', (table, more, expected) => {
    expect(refusal(table, more)).toBe(expected)
  })

  it('finds tables of the program, which arguments cannot replace', () => {
    const program = { tables: { rates: { a: 0.1 }, days: ['mon'] } }
    const step = { op: 'lookup', table: 'rates', key: 'a', output: 'x' }
    expect(result(step, { rates: { a: 9 } }, program)).toBe(0.1)
    expect(result({ op: 'set', value: 'days[0]', output: 'x' }, {}, program)).toBe('mon')
  })

  it('names the key that was probably meant', () => {
    expect(issueOf(() => lookup({ small: 1 }, { key: 'smal' })).hint).toBe('Did you mean "small"?')
  })
})

describe('format', () => {
  const format = (template: string, args: object = {}, program: object = {}): unknown =>
    result({ op: 'format', template, output: 'x' }, args, program)

  it('puts values and filters into text once', () => {
    expect(format('{{a}}|{{ b }}|', { a: '{{b}} $& $1', b: 'SECRET' })).toBe('{{b}} $& $1|SECRET|')
    expect(format('${{n | fixed(1) | pad(6)}} {{"}}"}}{{true}}', { n: 31.25 })).toBe(
      '$  31.3 }}true',
    )
    expect(format('{{0.1 + 0.2}}')).toBe('0.3')
    expect(format('{{0.1 + 0.2}} {{1e30}}', {}, { numbers: 'decimal' })).toBe(
      `0.3 1${'0'.repeat(30)}`,
    )
  })

  it.each([
    ['ab {{v}}', { v: null }, 'type steps[0].template@5'],
    ['{{v}}', { v: [1] }, 'type steps[0].template@2'],
    ['{{ v }}', { v: {} }, 'type steps[0].template@3'],
    ['{{v.w}}', { v: {} }, 'unknown_key steps[0].template@4'],
    ['{{v}} {{w}}', { v: 1 }, 'unknown_variable steps[0].template@8'],
    ['{{v | fixed(99)}}', { v: 1 }, 'bad_value steps[0].template@6'],
  ])('%s with %j is refused with %s', (template, args, expected) => {
    expect(problemOf(() => format(template, args))).toBe(expected)
  })
})

describe('condition and switch', () => {
  const tell = (x: string): object[] => [{ op: 'set', value: `"${x}"`, output: 'x' }]
  const test = (text: string, args: object, program: object = {}): unknown =>
    result({ op: 'condition', if: text, then: tell('then'), else: tell('else') }, args, program)

  it.each<[unknown, string]>([
    [false, 'else'],
    [0, 'else'],
    ['', 'else'],
    [null, 'else'],
    [true, 'then'],
    [-1, 'then'],
    ['0', 'then'],
    [[], 'then'],
    [{}, 'then'],
  ])('a bare variable holding %j leads to %s', (v, expected) => {
    expect(test('v', { v })).toBe(expected)
    expect(test('v', { v }, { numbers: 'decimal' })).toBe(expected)
  })

  it('a decimal zero that was worked out is false', () => {
    const logic = {
      numbers: 'decimal',
      steps: [
        { op: 'math', expression: '0.1 - 0.1', output: 'v' },
        { op: 'condition', if: 'v', then: tell('then'), else: tell('else') },
        end,
      ],
    }
    expect(walkLogic(logic)).toBe('else')
  })

  it('everything but a bare variable has to be true or false', () => {
    expect(problemOf(() => test('v + 0', { v: 1 }))).toBe('type steps[0].if@2')
    expect(problemOf(() => test('v.w', { v: { w: 1 } }))).toBe('type steps[0].if@2')
  })

  it('a condition may lack else, and a return inside ends the program', () => {
    const logic = {
      steps: [
        { op: 'condition', if: 'a > 1', then: [{ op: 'return', value: '"early"' }] },
        { op: 'return', value: '"late"' },
      ],
    }
    expect(walkLogic(logic, { args: { a: 2 } })).toBe('early')
    expect(walkLogic(logic, { args: { a: 1 } })).toBe('late')
  })

  const cases = [
    { when: 'a > 10', then: tell('large') },
    { when: 'a > 5', then: tell('middle') },
  ]
  it('a switch takes the first case that is true, otherwise else', () => {
    const step = { op: 'switch', cases, else: tell('small') }
    expect([11, 10, 5].map((a) => result(step, { a }))).toEqual(['large', 'middle', 'small'])
    expect(problem({ op: 'switch', cases }, { a: 1 })).toBe('unknown_variable steps[1].value@0')
  })

  it('a switch is strict, and stops at the first that is true', () => {
    const step = { op: 'switch', cases: [{ when: 'a', then: tell('t') }] }
    expect(problem(step, { a: 1 })).toBe('type steps[0].cases[0].when@0')
    const later = { op: 'switch', cases: [...cases, { when: '1 / 0 > 1', then: [] }] }
    expect(result(later, { a: 6 })).toBe('middle')
    expect(problem(later, { a: 1 })).toBe('division_by_zero steps[0].cases[2].when@2')
  })

  it('errors inside name the way there', () => {
    const inner = { op: 'math', expression: '1 / a', output: 'x' }
    const step = {
      op: 'condition',
      if: 'true',
      then: [{ op: 'switch', cases: [{ when: 'true', then: [inner] }] }],
    }
    expect(problem(step, { a: 0 })).toBe(
      'division_by_zero steps[0].then[0].cases[0].then[0].expression@2',
    )
    expect(problem({ op: 'condition', if: 'false', then: [], else: [inner] }, { a: 0 })).toBe(
      'division_by_zero steps[0].else[0].expression@2',
    )
  })
})

describe('fold', () => {
  const fold = { op: 'fold', list: 'l', as: 'i', acc: 'a', init: '0', value: 'a + i', output: 'x' }

  it('carries a value through an array', () => {
    expect(result(fold, { l: [1, 2, 3] })).toBe(6)
    expect(result(fold, { l: [] })).toBe(0)
    expect(result({ ...fold, init: '[]', value: '[i] + a' }, { l: [1, 2] })).toEqual([2, 1])
    expect(result({ ...fold, value: 'a + i * b' }, { l: [1, 2], b: 2, a: 'outer', i: 9 })).toBe(6)
  })

  it('its names are known inside its value only', () => {
    expect(result({ ...fold, init: 'a' }, { l: [1], a: 10 })).toBe(11)
    expect(problem({ ...fold, init: 'i' }, { l: [1] })).toBe('unknown_variable steps[0].init@0')
    const after = { steps: [fold, { op: 'return', value: 'a' }] }
    expect(problemOf(() => walkLogic(after, { args: { l: [1] } }))).toBe(
      'unknown_variable steps[1].value@0',
    )
  })

  it.each([
    [{ list: '"t"' }, 'type steps[0].list@0'],
    [{ init: '"t"' }, 'type steps[0].value@4'],
    [{ value: 'a / 0' }, 'division_by_zero steps[0].value@2'],
    [{ list: '[1, null]' }, 'type steps[0].value@4'],
  ])('with %j is refused with %s', (more, expected) => {
    expect(problem({ ...fold, ...more }, { l: [1] })).toBe(expected)
  })
})

describe('sort', () => {
  const people = [
    { name: 'b', age: 3 },
    { name: 'a', age: 3 },
    { name: 'c', age: 1 },
  ]
  const sort = { op: 'sort', list: 'l', as: 'p', by: 'p.age', output: 'x' }
  const order = (step: object): unknown =>
    (result(step, { l: people }) as { name: string }[]).map(({ name }) => name).join('')

  it('puts items in the order of a number or a string, equal ones as they were', () => {
    expect(order(sort)).toBe('cba')
    expect(order({ ...sort, desc: true })).toBe('bac')
    expect(order({ ...sort, by: 'p.name' })).toBe('abc')
    expect(order({ ...sort, by: '-p.age' })).toBe('bac')
    expect(result({ op: 'sort', list: 'l', output: 'x' }, { l: ['b', 'a'] })).toEqual(['a', 'b'])
    expect(people[0]?.name).toBe('b')
  })

  it.each([
    [{ by: 'p.name == "a" ? 1 : p.name' }, 'type steps[0].by@14'],
    [{ by: 'p.age > 1' }, 'type steps[0].by@6'],
    [{ by: 'p.gone' }, 'unknown_key steps[0].by@2'],
    [{ list: '5' }, 'type steps[0].list@0'],
  ])('with %j is refused with %s', (more, expected) => {
    expect(problem({ ...sort, ...more }, { l: people })).toBe(expected)
  })

  it('without by needs items that have an order', () => {
    expect(problem({ op: 'sort', list: 'l', output: 'x' }, { l: people })).toBe(
      'type steps[0].list@0',
    )
  })
})

describe('check', () => {
  const check = { op: 'check', that: 'x > 0', message: 'x is {{x | fixed}}, not {{"positive"}}' }

  it('lets go on, or ends with its message', () => {
    expect(result(check, { x: 1 })).toBe(1)
    expect(issueOf(() => result(check, { x: -1 }))).toMatchObject({
      code: 'check_failed',
      path: 'steps[0].that',
      offset: 2,
      message: 'x is -1.00, not positive',
    })
  })

  it('is strict, and its message may fail as any template', () => {
    expect(problem({ ...check, that: 'x' }, { x: 1 })).toBe('type steps[0].that@0')
    expect(problem({ ...check, message: '{{y}}' }, { x: 0 })).toBe(
      'unknown_variable steps[0].message@2',
    )
    expect(result({ ...check, message: '{{y}}' }, { x: 1 })).toBe(1)
  })
})

describe('return', () => {
  const returned = (step: object, args: object = {}, program: object = {}): unknown =>
    walkLogic({ ...program, steps: [{ op: 'return', ...step }] }, { args })

  it('gives a value, or an object of several', () => {
    expect(returned({ value: 'a' }, { a: null })).toBe(null)
    expect(
      returned({ fields: { total: 'a + 1', 'odd key': '[a]', constructor: '"c"' } }, { a: 1 }),
    ).toEqual({
      total: 2,
      'odd key': [1],
      constructor: 'c',
    })
    expect(Object.is(returned({ value: 'a' }, { a: -0 }), 0)).toBe(true)
  })

  it('gives copies that share nothing with arguments and tables', () => {
    const given = { list: [1, { deep: 'x' }] }
    const copy = returned({ value: 'x' }, { x: given }) as typeof given
    expect(copy).toEqual(given)
    expect(copy.list).not.toBe(given.list)
    expect(copy.list[1]).not.toBe(given.list[1])
    const tables = { t: { a: [1] } }
    const logic = { tables, steps: [{ op: 'return', value: 't' }] }
    expect((walkLogic(logic) as typeof tables.t).a).not.toBe(tables.t.a)
  })

  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  let doubled: unknown = [1]
  for (let level = 0; level < 60; level++) doubled = [doubled, doubled]
  it.each<[string, unknown, string]>([
    ['undefined', { a: undefined }, 'bad_argument'],
    ['a hole', Object.assign([], { length: 1 }), 'bad_argument'],
    ['a function', [() => 1], 'bad_argument'],
    ['NaN', [[Number.NaN]], 'bad_argument'],
    ['the key __proto__', JSON.parse('{"__proto__": {"admin": true}}'), 'bad_argument'],
    ['itself', cyclic, 'limit'],
    ['itself many times', doubled, 'limit'],
  ])('refuses a value that contains %s', (_, x, code) => {
    expect(problemOf(() => returned({ value: 'x' }, { x }))).toBe(`${code} steps[0].value`)
    expect(problemOf(() => returned({ value: 'x' }, { x }, { numbers: 'decimal' }))).toBe(
      `${code} steps[0].value`,
    )
    expect(problemOf(() => returned({ fields: { f: '[x]' } }, { x }))).toBe(
      `${code} steps[0].fields`,
    )
  })

  it('names the place inside the value', () => {
    expect(
      issueOf(() => returned({ value: 'x' }, { x: { a: [1, Number.NaN] } })).message,
    ).toContain('result.a[1] is NaN')
  })

  it('is told when no step returns', () => {
    expect(problemOf(() => walkLogic({ steps: [] }))).toBe('no_return steps')
  })
})

describe('the declared output', () => {
  const output = (declaration: object, x: unknown, program: object = {}): unknown =>
    walkLogic({ ...program, output: declaration, steps: [end] }, { args: { x } })

  it.each<[object, unknown]>([
    [{ type: 'number', min: 0, max: 2 }, 1.5],
    [{ type: 'integer' }, 3],
    [{ type: 'string', enum: ['a', 'b'] }, 'b'],
    [{ type: 'string', format: 'date', maxLength: 10 }, '2026-02-28'],
    [{ type: 'array', items: { type: 'integer' }, maxItems: 2 }, [1, 2]],
    [
      { type: 'object', fields: { a: { type: 'any' } } },
      { a: null, more: 1 },
    ],
    [{ type: 'any' }, null],
  ])('%j takes %j', (declaration, x) => {
    expect(output(declaration, x)).toEqual(x)
  })

  it.each<[object, unknown, string]>([
    [{ type: 'number' }, '1', 'result must be number, got "1"'],
    [{ type: 'integer' }, 1.5, 'result must be integer, got 1.5'],
    [{ type: 'number', min: 0 }, -1, 'result must be at least 0, got -1'],
    [{ type: 'number', max: 0 }, 1, 'result must be at most 0, got 1'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'result must be one of "a", "b", got "c"'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'YYYY-MM-DD'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'at most 1 characters'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'at most 1 items, got array'],
    [
      { type: 'array', items: { type: 'string' } },
      ['a', null],
      'result[1] must be string, got null',
    ],
    [{ type: 'object', fields: { a: { type: 'any' } } }, {}, 'result.a is missing'],
    [{ type: 'object', fields: { toString: { type: 'any' } } }, {}, 'result.toString is missing'],
    [{ type: 'object' }, [], 'result must be object, got array'],
  ])('%j refuses %j', (declaration, x, message) => {
    const issue = issueOf(() => output(declaration, x))
    expect(issue).toMatchObject({ code: 'bad_output', path: 'steps[0].value' })
    expect(issue.message).toContain(message)
  })
})

describe('an observer', () => {
  it('is told of every step with what it came to', () => {
    const told: unknown[] = []
    const logic = {
      steps: [
        { op: 'math', expression: '1 + 1', output: 'a' },
        {
          op: 'switch',
          cases: [
            { when: 'a > 5', then: [] },
            { when: 'true', then: [{ op: 'check', that: 'true', message: '' }] },
          ],
        },
        { op: 'condition', if: 'false', then: [] },
        { op: 'return', value: 'a' },
      ],
    }
    walkLogic(logic, {
      observer: {
        enter: ({ path }) => told.push(path),
        leave: (_, outcome) => told.push(outcome),
      },
    })
    expect(told).toEqual([
      'steps[0]',
      { value: 2 },
      'steps[1]',
      { branch: 'steps[1].cases[1].then' },
      'steps[1].cases[1].then[0]',
      {},
      'steps[2]',
      { branch: undefined },
      'steps[3]',
      { value: 2 },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { issueOf, problemOf, programOf, walkLogic } from '../../test/walk-logic.ts'
import { loadArguments } from './load-arguments.ts'

const end = { op: 'return', value: 'x' }
const load = (logic: object, args: unknown): unknown =>
  walkLogic({ ...logic, steps: [end] }, { args })
const undeclared = (x: unknown): unknown => load({}, { x })
const declared = (declaration: object, x: unknown): unknown =>
  load({ inputs: { x: declaration } }, { x })

describe('arguments without declarations', () => {
  class Rates {
    x = 1
  }
  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['an instance of a class', new Rates()],
  ])('are refused when one is %s', (_, value) => {
    expect(problemOf(() => undeclared(value))).toBe('bad_argument args.x')
  })

  it.each([[null], [undefined], [[1]], ['text'], [5], [new Rates()]])(
    'are refused as a whole when they are %s',
    (args) => {
      expect(problemOf(() => load({}, args))).toBe('bad_argument args')
    },
  )

  it('are refused where a proxy was revoked', () => {
    expect(problemOf(() => undeclared(revoked))).toBe('bad_argument args.x')
    expect(problemOf(() => load({}, revoked))).toBe('bad_argument args')
  })

  it('are refused when a whole number may have lost digits', () => {
    expect(problemOf(() => undeclared(2 ** 53))).toBe('precision args.x')
    expect(undeclared(2 ** 53 - 1)).toBe(2 ** 53 - 1)
    expect(undeclared(1e21)).toBe(1e21)
  })

  it('are read once each, own ones only, and no other', () => {
    const reads: string[] = []
    const args = new Proxy(
      { x: 1, unused: 2 },
      {
        get(target, key) {
          reads.push(String(key))
          return Reflect.get(target, key)
        },
      },
    )
    const template = { op: 'format', template: '{{x}}{{x}}', output: 'y' }
    const program = programOf({ steps: [template, end] })
    expect(loadArguments(program, [program.names.indexOf('x')], args)[0]).toBe(1)
    expect(reads).toEqual(['x'])
    expect(
      problemOf(() => load({}, Object.create(Object.assign(Object.create(null), { x: 1 })))),
    ).toBe('unknown_variable steps[0].value@0')
  })

  it('may have no prototype', () => {
    expect(load({}, Object.assign(Object.create(null), { x: 1 }))).toBe(1)
  })

  it('that throw when they are read are a ComputeError at their place', () => {
    const args = {
      get x(): never {
        throw new Error('host trouble')
      },
    }
    const issue = issueOf(() => load({}, args))
    expect(issue).toMatchObject({ code: 'bad_argument', path: 'args.x' })
    expect(issue.message).not.toContain('host')
  })

  it('that are missing are told by the step that needs them, with the name that was meant', () => {
    expect(issueOf(() => walkLogic({ steps: [end] }, { args: { X1: 1 } }))).toMatchObject({
      code: 'unknown_variable',
      path: 'steps[0].value',
      offset: 0,
    })
    const logic = { steps: [{ op: 'return', value: 'weight' }] }
    expect(issueOf(() => walkLogic(logic, { args: { weigth: 1 } })).hint).toBe(
      'Did you mean "weigth"?',
    )
    expect(issueOf(() => walkLogic(logic)).hint).toContain('Pass it as an argument')
    const hiding = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    )
    expect(problemOf(() => walkLogic(logic, { args: hiding }))).toBe(
      'unknown_variable steps[0].value@0',
    )
  })
})

describe('declared arguments', () => {
  it('are all there is: others are not looked at', () => {
    const args = {
      x: 1,
      get other(): never {
        throw new Error('no')
      },
    }
    expect(load({ inputs: { x: { type: 'number' } } }, args)).toBe(1)
    const logic = { inputs: {}, steps: [end] }
    expect(problemOf(() => walkLogic(logic, { args: { x: 1 } }))).toBe(
      'unknown_variable steps[0].value@0',
    )
  })

  it.each<[object, unknown]>([
    [{ type: 'number' }, -0.5],
    [{ type: 'integer', min: 1, max: 3 }, 3],
    [{ type: 'integer', min: 1, max: 3 }, 1],
    [{ type: 'string', maxLength: 2 }, 'ab'],
    [{ type: 'string', format: 'date' }, '2024-02-29'],
    [{ type: 'string', enum: ['a'] }, 'a'],
    [{ type: 'boolean' }, false],
    [{ type: 'any', enum: [null, 1] }, null],
    [{ type: 'array', maxItems: 2, items: { type: 'array', items: { type: 'any' } } }, [[1], []]],
    [
      { type: 'object', fields: { a: { type: 'object', fields: { b: { type: 'integer' } } } } },
      { a: { b: 1, c: 2 } },
    ],
    [{ type: 'number', default: null }, null],
  ])('%j takes %j', (declaration, x) => {
    expect(declared(declaration, x)).toEqual(x)
  })

  it.each<[object, unknown, string]>([
    [{ type: 'number' }, '5', 'bad_argument args.x'],
    [{ type: 'number' }, null, 'bad_argument args.x'],
    [{ type: 'number' }, Number.NaN, 'bad_argument args.x'],
    [{ type: 'number' }, 2 ** 60, 'precision args.x'],
    [{ type: 'integer' }, 1.5, 'bad_argument args.x'],
    [{ type: 'number', min: 0 }, -0.1, 'bad_argument args.x'],
    [{ type: 'number', max: 0 }, 0.1, 'bad_argument args.x'],
    [{ type: 'string' }, 5, 'bad_argument args.x'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'bad_argument args.x'],
    [{ type: 'string', format: 'date' }, '2023-02-29', 'bad_argument args.x'],
    [{ type: 'string', format: 'date' }, '2024-02-29T00:00', 'bad_argument args.x'],
    [{ type: 'string', enum: ['1'] }, '2', 'bad_argument args.x'],
    [{ type: 'any', enum: [1] }, '1', 'bad_argument args.x'],
    [{ type: 'boolean' }, 0, 'bad_argument args.x'],
    [{ type: 'any' }, () => 1, 'bad_argument args.x'],
    [{ type: 'array' }, {}, 'bad_argument args.x'],
    [{ type: 'object' }, [], 'bad_argument args.x'],
    [{ type: 'object' }, null, 'bad_argument args.x'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'bad_argument args.x'],
    [{ type: 'array', items: { type: 'number' } }, [1, '2'], 'bad_argument args.x[1]'],
    [
      { type: 'array', items: { type: 'number' } },
      Object.assign([], { length: 1 }),
      'bad_argument args.x[0]',
    ],
    [{ type: 'array', items: { type: 'number' } }, [2 ** 60], 'precision args.x[0]'],
    [
      { type: 'array', items: { type: 'object', fields: { price: { type: 'number' } } } },
      [{ price: 1 }, { price: '2' }],
      'bad_argument args.x[1].price',
    ],
    [{ type: 'object', fields: { a: { type: 'any' } } }, {}, 'bad_argument args.x.a'],
    [{ type: 'object', fields: { toString: { type: 'any' } } }, {}, 'bad_argument args.x.toString'],
    [{ type: 'object', fields: { a: { type: 'any' } } }, { a: undefined }, 'bad_argument args.x.a'],
    [{ type: 'number', default: 1 }, null, 'bad_argument args.x'],
  ])('%j refuses %j', (declaration, x, expected) => {
    expect(problemOf(() => declared(declaration, x))).toBe(expected)
  })

  it('say what was wanted and what came', () => {
    expect(issueOf(() => declared({ type: 'integer' }, 1.5)).message).toBe(
      'x must be integer, got 1.5',
    )
    expect(
      issueOf(() => declared({ type: 'array', items: { type: 'boolean' } }, ['\u202e'])).message,
    ).toBe(String.raw`x[0] must be boolean, got "\u{202e}"`)
  })

  it('that are missing or undefined take their default; without one that is an error', () => {
    const logic = { inputs: { x: { type: 'array', default: [1] } } }
    expect(load(logic, {})).toEqual([1])
    expect(load(logic, { x: undefined })).toEqual([1])
    expect(load({ inputs: { x: { type: 'number', default: null } } }, {})).toBe(null)
    expect(problemOf(() => load({ inputs: { x: { type: 'any' } } }, {}))).toBe(
      'bad_argument args.x',
    )
    expect(problemOf(() => load({ inputs: { x: { type: 'any' } } }, Object.create(null)))).toBe(
      'bad_argument args.x',
    )
  })

  it('are read once each, inside as well: what was checked is what the program gets', () => {
    let reads = 0
    const args = {
      get x() {
        reads++
        return {
          get v() {
            return reads++ === 1 ? 1 : Number.NaN
          },
        }
      },
    }
    const inputs = { x: { type: 'object', fields: { v: { type: 'number' } } } }
    const logic = { inputs, steps: [{ op: 'return', value: 'x.v' }] }
    expect(walkLogic(logic, { args })).toBe(1)
    expect(reads).toBe(2)
  })
})

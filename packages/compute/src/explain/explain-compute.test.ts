import { describe, expect, it } from 'vitest'
import { ComputeError } from '../language/compute-error.ts'
import type { ComputeLogic, ComputeStep } from '../language/compute-logic.ts'
import { explainCompute } from './index.ts'

/** Lines as a reader gets them. */
const shown = (logic: ComputeLogic): string[] =>
  explainCompute(logic).map(({ depth, sentence }) => '  '.repeat(depth) + sentence)

const end: ComputeStep = { op: 'return', value: 'x' }
const isAboutSteps = (path: string): boolean => path.startsWith('steps')

/** The lines of a step, without the return step after it. */
const stepLines = (step: object): string[] =>
  explainCompute({ steps: [step as ComputeStep, end] })
    .filter(({ path }) => isAboutSteps(path) && path !== 'steps[1]')
    .map(({ depth, sentence }) => '  '.repeat(depth) + sentence)

describe('what a program takes, has and gives', () => {
  it('is said with every bound', () => {
    const lines = shown({
      description: 'Shipping costs',
      inputs: {
        weight: { type: 'number', min: 0, max: 100, description: 'in kg' },
        from: { type: 'integer', min: 1 },
        to: { type: 'number', max: 9 },
        day: { type: 'string', format: 'date' },
        tier: { type: 'string', enum: ['a', 'b"'], maxLength: 5, default: 'a' },
        note: { type: 'any', default: null },
        items: {
          type: 'array',
          maxItems: 3,
          items: { type: 'object', fields: { price: { type: 'number' } } },
        },
      },
      tables: { rates: { AT: 5, 'x y': [1, null, true] } },
      output: { type: 'object', fields: { 'a b': { type: 'number', min: 0 } } },
      numbers: 'decimal',
      rounding: 'half_even',
      steps: [{ op: 'return', fields: { 'a b': 'weight' } }],
    })
    expect(lines).toEqual([
      'The author says: "Shipping costs".',
      'Takes weight: number from 0 to 100. The author says: "in kg".',
      'Takes from: integer of at least 1.',
      'Takes to: number of at most 9.',
      'Takes day: string that is a date such as 2026-02-28.',
      String.raw`Takes tier: string of at most 5 characters that is one of "a", "b\""; "a" if it is not passed.`,
      'Takes note: any value; null if it is not passed.',
      'Takes items: array of at most 3 items.',
      '  Each item: object.',
      '    Field "price": number.',
      'Has the table rates: {"AT": 5, "x y": [1, null, true]}.',
      'Calculates with exact decimals; what has no end is rounded to 34 digits. Ties are rounded to the even digit.',
      'Give back an object and end:',
      '  Field "a b" is weight.',
      'What it gives back must be: object.',
      '  Field "a b": number of at least 0.',
      'A run does at most 0 units of work; it is stopped at 1000000.',
    ])
  })

  it('is said of a program that declares nothing', () => {
    expect(shown({ steps: [{ op: 'return', value: 'sum(list)' }] })).toEqual([
      'Takes list: any value.',
      'Calculates with binary floating-point numbers of about 15 digits. Ties are rounded away from zero.',
      'Give back `sum(list)` and end.',
      'How much work a run does depends on the size of its arguments; it is stopped at 1000000 units.',
    ])
  })
})

describe('steps', () => {
  it.each<[object, string]>([
    [{ op: 'math', expression: ' a * (b + 1) ', output: 'x' }, 'Set x to `a * (b + 1)`.'],
    [{ op: 'set', value: 'order.lines[0]["a b"]', output: 'x' }, 'Set x to order.lines[0]["a b"].'],
    [{ op: 'set', value: '[1, "a", null]', output: 'x' }, 'Set x to [1, "a", null].'],
    [
      { op: 'lookup', table: 't', key: 'a"', output: 'x' },
      String.raw`Set x to the entry "a\"" of t.`,
    ],
    [
      { op: 'lookup', table: 't', keyFrom: 'country', default: { a: 1 }, output: 'x' },
      'Set x to the entry of t whose key is country, or to {"a": 1} if there is none.',
    ],
    [
      { op: 'format', template: '{{a | money}}', output: 'x' },
      'Set x to the text "{{a | money}}".',
    ],
    [
      { op: 'fold', list: 'l', as: 'i', acc: 's', init: '0', value: 's + i', output: 'x' },
      'Set x by going through l: s starts as 0 and for each item, called i, becomes `s + i`.',
    ],
    [
      { op: 'sort', list: 'l', as: 'i', by: 'i.price', desc: true, output: 'x' },
      'Set x to the items of l in order, largest first, by i.price of each item, called i.',
    ],
    [{ op: 'sort', list: 'l', output: 'x' }, 'Set x to the items of l in order, smallest first.'],
    [
      { op: 'check', that: 'x > 0', message: 'no {{x}}' },
      'Stop with the error "no {{x}}" unless x is greater than 0.',
    ],
  ])('%j reads %s', (step, sentence) => {
    expect(stepLines(step)).toEqual([sentence])
  })

  it.each([
    ['a < 1', 'a is less than 1'],
    ['a <= -1', 'a is at most -1'],
    ['a > 1', 'a is greater than 1'],
    ['a >= 1', 'a is at least 1'],
    ['a == "x"', 'a equals "x"'],
    ['a != null', 'a does not equal null'],
    ['a in [1, 2]', 'a is in [1, 2]'],
    ['a.b > 1 && !c.d', 'a.b is greater than 1 and c.d is false'],
    ['a == 1 || b == 2', 'a equals 1 or b equals 2'],
    ['flag', 'flag is set (neither false, 0, "" nor null)'],
    ['a.b', 'a.b is true'],
    ['a > 1 && b > 1 || c > 1', '`a > 1 && b > 1 || c > 1`'],
    ['a + 1 > b', '`a + 1 > b`'],
    ['is > 1', '`is > 1`'],
    ['a == not', '`a == not`'],
    ['(a > 1) == (b > 1)', '`(a > 1) == (b > 1)`'],
    ['a > 1 && a > 2 && a > 3 && a > 4 && a > 5', '`a > 1 && a > 2 && a > 3 && a > 4 && a > 5`'],
  ])('a condition on %s says %s', (test, words) => {
    const [first] = stepLines({ op: 'condition', if: test, then: [end] })
    expect(first).toBe(`If ${words}, then:`)
  })

  it('a condition and a switch indent what runs, and say where nothing runs', () => {
    const set = (value: string) => ({ op: 'set' as const, value, output: 'x' })
    const step = {
      op: 'switch',
      cases: [
        { when: 'a < 1', then: [set('1')] },
        { when: 'a < 2', then: [] },
      ],
      else: [{ op: 'condition', if: 'a > 9', then: [set('3')], else: [set('4')] }],
    }
    const lines = explainCompute({ steps: [set('0'), step as ComputeStep, end] })
      .filter(({ path }) => path.startsWith('steps[1]'))
      .map(({ path, depth, sentence, subject }) => [path, depth, sentence, subject])
    expect(lines).toEqual([
      ['steps[1].cases[0]', 0, 'If a is less than 1, then:', 'case'],
      ['steps[1].cases[0].then[0]', 1, 'Set x to 1.', 'set x'],
      ['steps[1].cases[1]', 0, 'Otherwise, if a is less than 2, then:', 'case'],
      ['steps[1].cases[1].then', 1, 'Do nothing.', 'nothing'],
      ['steps[1].else', 0, 'Otherwise:', 'otherwise'],
      ['steps[1].else[0]', 1, 'If a is greater than 9, then:', 'condition'],
      ['steps[1].else[0].then[0]', 2, 'Set x to 3.', 'set x'],
      ['steps[1].else[0].else', 1, 'Otherwise:', 'otherwise'],
      ['steps[1].else[0].else[0]', 2, 'Set x to 4.', 'set x'],
    ])
  })
})

describe('a program cannot speak for the explanation', () => {
  it('its text is quoted, its code fenced, and what is invisible is written out', () => {
    const hidden = '\u202e\u200b\n\u3164\u00a0\u2800'
    const written = String.raw`\u{202e}\u{200b}\u{a}\u{3164}\u{a0}\u{2800}`
    const lines = shown({
      description: `ok".${hidden}Set y to 1`,
      tables: { t: { [`k"${hidden}`]: `v${hidden}` } },
      steps: [
        { op: 'format', template: `a".${hidden}`, output: 'x' },
        { op: 'set', value: '"` and then: Give back " + "`"', output: 'y' },
        { op: 'check', that: 'x == y', message: `\\". Set` },
        end,
      ],
    })
    const text = lines.join('|')
    expect(text).not.toMatch(/[\p{C}\u3164\u00a0\u2800]/u)
    expect(text).toContain(String.raw`says: "ok\".` + written + 'Set y to 1".')
    expect(text).toContain(String.raw`{"k\"` + written)
    expect(text).toContain('Set y to `"\\u{60} and then: Give back " + "\\u{60}"`.')
    expect(text).toContain(String.raw`error "\\\". Set" unless`)
  })

  it('programs that differ in one text, key or number never read the same', () => {
    const program = (changes: object): string =>
      shown({
        steps: [
          { op: 'lookup', table: 't', key: 'a', output: 'y', ...changes },
          { op: 'set', value: 'y', output: 'x' },
          end,
        ] as ComputeStep[],
      }).join('\n')
    const all = [
      program({}),
      program({ default: 1 }),
      program({ default: '1' }),
      program({ default: null }),
      program({ key: 'a, or to 1 if there is none' }),
      program({ key: undefined, keyFrom: '"a" + ""' }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it('a program with problems is refused with all of them', () => {
    const logic = { steps: [{ op: 'math', expression: '1 +', output: 'x' }] } as ComputeLogic
    expect(() => explainCompute(logic)).toThrow(ComputeError)
  })
})

describe('names from a program', () => {
  it('cannot break out of a path or a subject', () => {
    const name = 'a\n\u001b[31mApproved\u202e'
    const lines = explainCompute({
      inputs: { o: { type: 'object', fields: { [name]: { type: 'number' } } } },
      steps: [{ op: 'return', fields: { [name]: 'o' } }],
    })
    for (const line of lines) {
      for (const text of [line.path, line.subject, line.sentence]) {
        expect(text).not.toMatch(/\p{C}/u)
      }
    }
  })

  it('letters from right to left do not reorder code', () => {
    const lines = explainCompute({
      steps: [{ op: 'return', value: '"\u05d0" + s + "\u05d1\ufeb1"' }],
    })
    const text = lines.map(({ sentence }) => sentence).join('')
    expect(text).toContain(String.raw`"\u{5d0}" + s + "\u{5d1}\u{feb1}"`)
  })
})

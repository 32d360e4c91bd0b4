import { describe, expect, it } from 'vitest'
import { checkCompute, compileCompute, type ComputeLogic } from '../index.ts'

const errorsOf = (...steps: readonly unknown[]): string[] =>
  checkCompute({ steps: [...steps, { op: 'return', value: '1' }] })
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path }) => `${code} ${path}`)

const set = { op: 'set', value: '1', output: 'x' }

describe('a step', () => {
  it.each<[unknown, string]>([
    [[], 'bad_program steps[0]'],
    ['return', 'bad_program steps[0]'],
    [{ op: 1 }, 'bad_program steps[0].op'],
    [{ op: 'sett' }, 'unknown_op steps[0].op'],
    [{ ...set, outputs: 'y' }, 'bad_program steps[0]'],
    [{ op: 'set', output: 'x' }, 'bad_program steps[0].value'],
    [{ op: 'set', value: 1, output: 'x' }, 'bad_program steps[0].value'],
    [{ op: 'set', value: '1' }, 'bad_program steps[0].output'],
    [{ ...set, output: 'a b' }, 'bad_name steps[0].output'],
    [{ ...set, output: '1a' }, 'bad_name steps[0].output'],
    [{ ...set, output: '' }, 'bad_name steps[0].output'],
    [{ ...set, output: 'this' }, 'reserved_name steps[0].output'],
    [{ ...set, output: 'hasOwnProperty' }, 'reserved_name steps[0].output'],
    [{ op: 'math', expression: '"a"', output: 'x' }, 'bad_token steps[0].expression'],
    [{ op: 'math', expression: 'a > 1', output: 'x' }, 'bad_token steps[0].expression'],
    [{ op: 'math', expression: '!a', output: 'x' }, 'bad_token steps[0].expression'],
    [{ op: 'lookup', table: 't', output: 'x' }, 'bad_program steps[0]'],
    [{ op: 'lookup', table: 't', key: 'a', keyFrom: 'b', output: 'x' }, 'bad_program steps[0]'],
    [{ op: 'lookup', table: 't', key: 1, output: 'x' }, 'bad_program steps[0].key'],
    [{ op: 'lookup', table: 't.u', key: 'a', output: 'x' }, 'bad_name steps[0].table'],
    [{ op: 'format', template: '{{a', output: 'x' }, 'bad_template steps[0].template'],
    [{ op: 'format', template: '{{ }}', output: 'x' }, 'bad_template steps[0].template'],
    [{ op: 'format', template: '{{a | nope}}', output: 'x' }, 'unknown_function steps[0].template'],
    [
      { op: 'format', template: '{{a | round(1, 2, 3)}}', output: 'x' },
      'wrong_arguments steps[0].template',
    ],
    [{ op: 'format', template: '{{a | 1}}', output: 'x' }, 'bad_token steps[0].template'],
    [{ op: 'format', template: '{{a} }', output: 'x' }, 'bad_template steps[0].template'],
    [{ op: 'condition', if: 'a' }, 'bad_program steps[0].then'],
    [{ op: 'condition', if: 'a', then: {} }, 'bad_program steps[0].then'],
    [{ op: 'condition', if: 'a', then: [], else: null }, 'bad_program steps[0].else'],
    [{ op: 'condition', if: 'a', then: [{ op: 'x' }] }, 'unknown_op steps[0].then[0].op'],
    [{ op: 'switch' }, 'bad_program steps[0].cases'],
    [{ op: 'switch', cases: [] }, 'bad_program steps[0].cases'],
    [{ op: 'switch', cases: [1] }, 'bad_program steps[0].cases[0]'],
    [{ op: 'switch', cases: [{ when: 'a' }] }, 'bad_program steps[0].cases[0].then'],
    [{ op: 'switch', cases: [{ then: [] }] }, 'bad_program steps[0].cases[0].when'],
    [{ op: 'switch', cases: [{ when: 'a', then: [], do: 1 }] }, 'bad_program steps[0].cases[0]'],
    [
      { op: 'fold', list: 'a', acc: 'c', init: '0', value: 'c', output: 'x' },
      'bad_program steps[0].as',
    ],
    [
      { op: 'fold', list: 'a', as: 'i', acc: 'c d', init: '0', value: '1', output: 'x' },
      'bad_name steps[0].acc',
    ],
    [{ op: 'sort', list: 'a', by: 'i', output: 'x' }, 'bad_program steps[0].as'],
    [{ op: 'sort', list: 'a', as: 'in', output: 'x' }, 'reserved_name steps[0].as'],
    [{ op: 'sort', list: 'a', desc: 'yes', output: 'x' }, 'bad_program steps[0].desc'],
    [{ op: 'check', that: 'a' }, 'bad_program steps[0].message'],
    [{ op: 'check', that: 'a', message: '{{' }, 'bad_template steps[0].message'],
    [{ op: 'return' }, 'bad_program steps[0]'],
    [{ op: 'return', value: '1', fields: { a: '1' } }, 'bad_program steps[0]'],
    [{ op: 'return', fields: {} }, 'bad_program steps[0].fields'],
    [{ op: 'return', fields: { a: 1 } }, 'bad_program steps[0].fields.a'],
    [{ op: 'return', fields: { 'a b': '1 +' } }, 'bad_token steps[0].fields.a b'],
  ])('is refused where it is wrong: %j', (step, problem) => {
    expect(errorsOf(step)).toEqual([problem])
  })

  it('of every kind is taken, with and without what it may leave out', () => {
    const list = { list: '[1]', as: 'i' }
    expect(
      errorsOf(
        { op: 'math', expression: '1', output: 'a' },
        set,
        { op: 'lookup', table: 't', key: '', output: 'b' },
        { op: 'lookup', table: 't', keyFrom: '"a"', default: null, output: 'b' },
        { op: 'format', template: '', output: 'd' },
        { op: 'condition', if: 'a > 1', then: [] },
        { op: 'condition', if: 'a > 1', then: [], else: [] },
        { op: 'switch', cases: [{ when: 'a > 1', then: [] }] },
        { op: 'switch', cases: [{ when: 'a > 1', then: [] }], else: [] },
        { op: 'fold', ...list, acc: 'c', init: '0', value: 'c', output: 'e' },
        { op: 'sort', list: '[1]', output: 'f' },
        { op: 'sort', ...list, by: 'i', desc: true, output: 'f' },
        { op: 'check', that: 'a == 1', message: '' },
        { op: 'return', fields: { 'any key': '1' } },
      ),
    ).toEqual([])
  })

  it('that could not be read hides no mistake of the others', () => {
    expect(
      errorsOf({ op: 'set', value: '[1].map(x, +)', output: 'y' }, { ...set, value: 'x +' }),
    ).toEqual(['bad_token steps[0].value', 'bad_token steps[1].value'])
  })

  it('names the field that was probably meant', () => {
    const [issue] = checkCompute({ steps: [{ ...set, ouput: 'x' }] })
    expect(issue?.hint).toBe('Did you mean "output"?')
  })
})

describe('a name that an item takes', () => {
  it('is the variable again after it, whatever went wrong inside', () => {
    const logic: ComputeLogic = {
      steps: [
        { op: 'set', value: '[1, 2].map(a, [a].map(a, a + 1)[0])', output: 'x' },
        { op: 'fold', list: 'x', as: 'a', acc: 'b', init: 'a', value: 'a + b', output: 'y' },
        { op: 'sort', list: 'x', as: 'a', by: '-a', output: 'z' },
        { op: 'return', value: '[x, [y], z, [a]]' },
      ],
    }
    expect(compileCompute(logic).run({ a: 10 })).toEqual([[2, 3], [15], [3, 2], [10]])
    const issues = checkCompute({
      inputs: {},
      steps: [
        { op: 'set', value: '[1].map(a, [1].map(b, ?))', output: 'x' },
        { op: 'return', value: 'a' },
      ],
    })
    expect(issues.map(({ path }) => path)).toEqual(['steps[0].value', 'steps[1].value'])
  })
})

describe('a template', () => {
  const fill = (template: string, args: Record<string, unknown> = {}): unknown => {
    const steps: ComputeLogic['steps'] = [
      { op: 'format', template, output: 'x' },
      { op: 'return', value: 'x' },
    ]
    return compileCompute({ steps }).run(args)
  }

  it.each([
    ['{{a}}', '3'],
    ['{{ a + 1 }}{{a}}', '43'],
    ['{{a | fixed(2) | pad(6, "*")}}', '**3.00'],
    ['{{a|fixed}}', '3.00'],
    ['{{ a > 1 || a < 0 }}', 'true'],
    ['{{ "}}" }}', '}}'],
    ['{{ "{{" }}', '{{'],
    ["{{ '\\'}}' }}", "'}}"],
    ['{{{a}}}', '{3}'],
    ['{ {a} } }}', '{ {a} } }}'],
    ['{{ [a, 4][1] }}', '4'],
    ['{{ a\n}}', '3'],
  ])('%s gives %s', (template, text) => {
    expect(fill(template, { a: 3 })).toBe(text)
  })

  it('has placeholders as long as an expression may be', () => {
    const check = (length: number): number =>
      checkCompute(
        {
          steps: [
            { op: 'format', template: `{{${' '.repeat(length - 1)}1}}`, output: 'x' },
            { op: 'return', value: 'x' },
          ],
        },
        { limits: { maxExpressionLength: 20 } },
      ).length
    expect([check(20), check(21)]).toEqual([0, 1])
  })
})

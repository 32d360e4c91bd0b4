import type { JsonValue } from '@toolcrib/registry'
import type { EvidenceRun, ToolProposal, ValidationCheck } from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import { proposalOf } from '../test/compute-proposal.ts'
import { createComputeKind } from './index.ts'

const kind = createComputeKind({ now: () => 0 })
const { signal } = new AbortController()

const check = async (proposal: ToolProposal): Promise<readonly ValidationCheck[]> =>
  kind.check(proposal, { signal })

const failures = async (proposal: ToolProposal): Promise<readonly string[]> =>
  (await check(proposal)).filter(({ pass }) => !pass).map(({ message }) => message)

const messageOf = async (proposal: ToolProposal, name: string): Promise<string | undefined> =>
  (await check(proposal)).find((entry) => entry.name === name)?.message

const evidence = async (proposal: ToolProposal): Promise<readonly EvidenceRun[]> =>
  kind.gatherEvidence(proposal, { signal })

const returning = (value: string): object => ({ op: 'return', value })
const program = (definition: object, properties: Record<string, JsonValue> = {}): ToolProposal =>
  proposalOf([], properties, { definition: definition as JsonValue })

describe('types of the input schema', () => {
  test.each<[string, Record<string, JsonValue>, string, RegExp]>([
    [
      'a text in arithmetic',
      { a: { type: 'string' } },
      'a * 2',
      /^steps\[0\]\.value at character 0: .*number.*string/,
    ],
    ['a number as a text', { a: { type: 'integer' } }, 'a.upper()', /string.*number/],
    ['a condition that is no boolean', { a: { type: 'number' } }, 'a ? 1 : 2', /boolean/],
    [
      'a field of a list item that is misspelt',
      {
        a: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
      },
      'a.map(i, i.prize)',
      /"prize".*Did you mean "price"\?/,
    ],
    [
      'the type of such a field',
      {
        a: { type: 'array', items: { type: 'object', properties: { price: { type: 'string' } } } },
      },
      'sum(a.map(i, i.price))',
      /number/,
    ],
    ['a value that may be null only', { a: { type: ['null', 'string'] } }, 'a * 2', /number/],
  ])('shows %s before anything runs', async (...row) => {
    const [, properties, value, message] = row
    expect(await failures(proposalOf([returning(value)], properties))).toEqual([
      expect.stringMatching(message),
    ])
  })

  test.each<[string, JsonValue, string]>([
    ['of two types', { type: ['number', 'string'] }, 'a == 1 || a == "x"'],
    ['of a reference', { $ref: '#/$defs/x' }, 'a.b.c'],
    ['of a choice of schemas', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'a + a'],
    [
      'that allows other fields',
      { type: 'object', properties: { b: {} }, additionalProperties: true },
      'a.c',
    ],
    ['without properties', { type: 'object' }, 'a.c.d'],
    [
      'with a field that need not be there',
      { type: 'object', properties: { b: { type: 'number' } } },
      'has(a.b) ? a.b : 0',
    ],
    [
      'whose items differ',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      'a[0].upper()',
    ],
    ['that may be null', { type: ['number', 'null'] }, 'a == null ? 0 : a * 2'],
    ['with a list of choices', { enum: ['x', 1] }, 'a == 1'],
    ['with a constant', { type: 'string', const: 'x' }, 'a + "y"'],
    ['without a type', {}, 'a.b'],
  ])('never refuse what an input %s allows', async (_what, schema, value) => {
    expect(
      await failures(
        proposalOf([returning(value)], { a: schema }, { examples: [{ input: { a: 1 } }] }),
      ),
    ).toEqual([])
  })

  test('bound the cost of a call', async () => {
    const list = { type: 'array', maxItems: 10, items: { type: 'number' } }
    const bounded = proposalOf([returning('sum(a)')], { a: list })
    expect(await messageOf(bounded, 'cost')).toMatch(
      /^A call needs at most \d+ run units; .* 1000000 is stopped/,
    )
    const open = proposalOf([returning('sum(a)')], { a: { type: 'array' } })
    expect(await messageOf(open, 'cost')).toMatch(/sizes that the input schema leaves open/)
    const large = proposalOf([returning('a.map(x, a.map(y, x * y))')], {
      a: { ...list, maxItems: 10_000 },
    })
    expect(await messageOf(large, 'cost')).toMatch(/may need up to \d{9,} run units; .*maxItems/)
    expect(await failures(large)).toEqual([])
  })

  test('take no room from the program', async () => {
    const limited = createComputeKind({ limits: { maxProgramBytes: 60, maxVariables: 1 } })
    const properties = {
      a: { type: 'number', description: 'x'.repeat(500) },
      b: { type: 'number' },
    }
    const edge = proposalOf([returning(`a${' '.repeat(21)}`)], properties)
    expect(JSON.stringify(edge.spec.definition)).toHaveLength(60)
    const passes = async (proposal: ToolProposal): Promise<readonly ValidationCheck[]> =>
      (await limited.check(proposal, { signal })).filter(({ pass }) => !pass)
    expect(await passes(edge)).toEqual([])
    const over = proposalOf([returning(`a${' '.repeat(22)}`)], properties)
    expect(await passes(over)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('larger than 60 bytes') }),
    ])
  })
})

describe('inputs that a program declares itself', () => {
  const declared = { inputs: { a: { type: 'number' } }, steps: [returning('a * 2')] }

  test('are taken when the tool has them', async () => {
    expect(await failures(program(declared, { a: { type: 'number' } }))).toEqual([])
  })

  test('are refused by name when the tool has no such parameter', async () => {
    const problems = await failures(program(declared, { amount: { type: 'number' } }))
    expect(problems).toEqual([expect.stringMatching(/^inputs\.a: .*"a".*leave "inputs" out/)])
  })

  test('hide the parameters that they leave out, and the problem says what to do', async () => {
    const problems = await failures(
      program(
        { ...declared, steps: [returning('a * b')] },
        { a: { type: 'number' }, b: { type: 'number' } },
      ),
    )
    expect(problems).toEqual([
      expect.stringMatching(
        /^steps\[0\]\.value at character 4: unknown variable "b".*leave "inputs" out/,
      ),
    ])
  })

  test('may have a default of their own', async () => {
    const { spec } = program(
      { inputs: { a: { type: 'number', default: 5 } }, steps: [returning('a * 2')] },
      { a: { type: 'number' } },
    )
    const inputSchema = { ...spec.inputSchema, required: [] }
    expect(await failures({ spec: { ...spec, inputSchema } })).toEqual([])
    expect(await kind.compile({ ...spec, inputSchema }).execute({}, signal, {} as never)).toBe(10)
  })
})

describe('problems and warnings', () => {
  test('are told in reading order, each with place, text and hint', async () => {
    const steps = [
      { op: 'math', expression: 'a +', output: 'b' },
      { op: 'set', value: 'uper(a)', output: 'c' },
      { op: 'condition', if: 'a = 1', then: [{ op: 'lookup', table: 'a', output: 'd' }] },
      { op: 'fold', list: '[1]', as: 'x', acc: 'y', init: '0', value: 'y + ', output: 'e' },
      { op: 'check', that: 'a > 1', message: 'no {{a' },
      { op: 'return', fields: { total: 'round(a, 2, 3, 4)' } },
    ]
    const problems = await failures(proposalOf(steps, { a: { type: 'number' } }))
    expect(problems.map((text) => text.split(/[ :]/)[0])).toEqual([
      'steps[0].expression',
      'steps[1].value',
      'steps[2].if',
      'steps[2].then[0]',
      'steps[2].then[0].table',
      'steps[3].value',
      'steps[4].message',
      'steps[5].fields.total',
    ])
    for (const problem of problems) expect(problem).toMatch(/^steps.*: .+\. .+[.?]$/)
    expect(problems[1]).toContain('Did you mean "upper"?')
    expect(problems[2]).toContain('To compare, use ==.')
  })

  test('warnings are shown and refuse nothing', async () => {
    const steps = [
      { op: 'math', expression: 'a * 2', output: 'unused' },
      { op: 'condition', if: '1 > 2', then: [] },
      returning('a'),
      { op: 'math', expression: 'a', output: 'late' },
    ]
    const checks = await check(proposalOf(steps, { a: { type: 'number' } }))
    expect(checks.every(({ pass }) => pass)).toBe(true)
    const warnings = checks.filter(({ name }) => name.startsWith('program-warning-'))
    expect(warnings.map(({ message }) => message.split(/[ :]/)[0])).toEqual([
      'steps[0].output',
      'steps[1].if',
      'steps[3]',
      'steps[3].output',
    ])
  })
})

describe('evidence', () => {
  test('inputs are made up from what the program does with them', async () => {
    const steps = [
      { op: 'check', that: 'size(order.lines) > 0', message: 'An order needs lines' },
      {
        op: 'sort',
        list: 'order.lines.filter(l, l.qty > 2)',
        as: 'l',
        by: 'l.price',
        output: 'lines',
      },
      {
        op: 'fold',
        list: 'lines',
        as: 'l',
        acc: 't',
        init: '0',
        value: 't + l.qty * l.price',
        output: 'net',
      },
      { op: 'lookup', table: 'rates', keyFrom: 'country', output: 'rate' },
      { op: 'set', value: 'addDays(day, 14)', output: 'due' },
      {
        op: 'switch',
        cases: [{ when: 'kind == "gross"', then: [{ op: 'return', value: 'net * (1 + rate)' }] }],
        else: [{ op: 'return', value: 'net' }],
      },
    ]
    const types = {
      order: 'object',
      rates: 'object',
      country: 'string',
      day: 'string',
      kind: 'string',
    }
    const properties = Object.fromEntries(
      Object.entries(types).map(([name, type]) => [name, { type }]),
    )
    const runs = await evidence(proposalOf(steps, properties))
    expect(runs.length).toBeGreaterThan(3)
    expect(runs.every(({ pass }) => pass)).toBe(true)
    expect(runs.some(({ error }) => error === undefined)).toBe(true)
    const kinds = runs.map(({ input }) => (input as { kind: string }).kind)
    expect(kinds).toContain('gross')
    expect(kinds.some((value) => value !== 'gross')).toBe(true)
  })

  test.each([
    [
      'check_failed',
      { op: 'check', that: 'a > 0', message: 'a must be above 0' },
      'a must be above 0',
    ],
    [
      'bad_value',
      { op: 'set', value: 'substring("ab", 0, a > 0 ? 1 : 9)', output: 'b' },
      'steps[0].value',
    ],
  ])('%s on a generated input is an answer', async (_code, step, message) => {
    const runs = await evidence(proposalOf([step, returning('a')], { a: { type: 'integer' } }))
    const answers = runs.filter(({ error }) => error !== undefined)
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.length).toBeLessThan(runs.length)
    for (const answer of answers)
      expect(answer).toMatchObject({ pass: true, error: expect.stringContaining(message) })
  })

  test('a date in the schema gives dates', async () => {
    const runs = await evidence(
      proposalOf([returning('weekday(d)')], { d: { type: 'string', format: 'date' } }),
    )
    expect(runs.map(({ input }) => (input as { d: string }).d)).toContain('2024-02-29')
    expect(runs.every(({ error }) => error === undefined)).toBe(true)
  })
})

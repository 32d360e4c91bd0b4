import type { ComputeError } from '@toolcrib/compute'
import { type JsonValue, ToolError, type ToolContext } from '@toolcrib/registry'
import type { EvidenceRun, ToolProposal, ValidationCheck } from '@toolcrib/toolsmaker'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proposalOf, shippingLogic, shippingSpec } from '../test/compute-proposal.ts'
import { createComputeKind } from './index.ts'

const kind = createComputeKind({ now: () => 0 })
const { signal } = new AbortController()
const context = {} as ToolContext

const check = async (proposal: ToolProposal): Promise<readonly ValidationCheck[]> =>
  kind.check(proposal, { signal })

const failures = async (proposal: ToolProposal): Promise<readonly string[]> => {
  const checks = await check(proposal)
  return checks.filter(({ pass }) => !pass).map(({ name, message }) => `${name}: ${message}`)
}

const evidence = async (proposal: ToolProposal): Promise<readonly EvidenceRun[]> =>
  kind.gatherEvidence(proposal, { signal })

const returning = (value: string): object => ({ op: 'return', value })

describe('checks', () => {
  test('a sound program passes named checks', async () => {
    const checks = await check({ spec: shippingSpec() })
    expect(checks.map(({ name }) => name)).toEqual([
      'no-powers',
      'input-names',
      'defaults',
      'program',
      'cost',
      'inputs-present',
      'inputs-used',
      'program-warning-1',
      'can-be-tried',
    ])
    expect(checks.every(({ pass }) => pass)).toBe(true)
    expect(checks.find(({ name }) => name === 'defaults')?.message).toBe(
      'Inputs with a default that fits: none.',
    )
  })

  test('anything may stand in the place of a program: it is checked, never thrown', async () => {
    const step = fc.record(
      {
        op: fc.constantFrom('math', 'set', 'lookup', 'condition', 'switch', 'fold', 'return'),
        value: fc.oneof(fc.constantFrom('a', 'a.b + 1', 'b'), fc.jsonValue()),
        fields: fc.jsonValue(),
        cases: fc.jsonValue(),
        output: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: ['op'] },
    )
    const definition = fc.oneof(
      fc.jsonValue(),
      fc.record({ steps: fc.array(step) }),
      fc.record({ inputs: fc.jsonValue(), tables: fc.jsonValue(), steps: fc.array(step) }),
    )
    await fc.assert(
      fc.asyncProperty(definition, fc.jsonValue(), async (value, a) => {
        const proposal = proposalOf([], { a: a as JsonValue }, { definition: value as JsonValue })
        const checks = await check(proposal)
        expect(checks.length).toBeGreaterThan(3)
        await kind.describeSteps(proposal)
        if (checks.every(({ pass }) => pass)) await evidence(proposal)
      }),
      { numRuns: 300 },
    )
  })

  test('every problem of a program is a check with path, character and hint', async () => {
    const steps = [
      { op: 'math', expression: 'wieght_kg * 2', output: 'cost' },
      { op: 'maths', expression: '1', output: 'b' },
      { op: 'math', expression: '1 +', output: 'c' },
      returning('cost'),
    ]
    const problems = await failures(proposalOf(steps, { weight_kg: { type: 'number' } }))
    expect(problems.join('\n')).toContain('steps[1].op: there is no operation "maths"')
    expect(problems.join('\n')).toContain('Did you mean "math"?')
    expect(problems.join('\n')).toMatch(/steps\[2\]\.expression at character 3/)
    expect(problems.map((text) => text.split(':')[0])).toEqual(
      problems.map((_, index) => `program-problem-${index + 1}`),
    )
    const [unknown] = await failures(
      proposalOf([steps[0], returning('cost')], { weight_kg: { type: 'number' } }),
    )
    expect(unknown).toMatch(
      /^program-problem-1: steps\[0\]\.expression at character 0: unknown variable "wieght_kg" .*Did you mean "weight_kg"\?/,
    )
  })

  test('at most 20 problems are listed', async () => {
    const wrong = Array.from({ length: 30 }, (_, index) => ({ op: `no_${index}` }))
    expect(await failures(proposalOf(wrong))).toHaveLength(20)
  })

  test.each(['capabilities', 'allowedPaths', 'allowedDomains', 'secrets', 'callees'])(
    'a tool that asks for %s is refused',
    async (field) => {
      const spec = shippingSpec({
        [field]: [field === 'callees' ? { name: 'x', hash: null } : 'x'],
      })
      expect(await failures({ spec })).toEqual([expect.stringMatching(`no-powers: .*${field}`)])
    },
  )

  test.each(['weight-kg', '2x', '__proto__', 'constructor', ''])(
    'an input called %j cannot be a variable',
    async (name) => {
      const properties = Object.fromEntries([[name, { type: 'number' }]])
      const spec = shippingSpec({
        definition: { steps: [{ op: 'math', expression: '1', output: 'a' }, returning('a')] },
        inputSchema: { type: 'object', properties },
      } as never)
      expect(await failures({ spec })).toEqual([expect.stringMatching('input-names: ')])
    },
  )

  test('an input that may be missing when the program reads it is refused', async () => {
    const proposal = proposalOf([returning('a')], { a: { type: 'number' } })
    const inputSchema = { ...proposal.spec.inputSchema, required: [] }
    expect(await failures({ spec: { ...proposal.spec, inputSchema } })).toEqual([
      expect.stringMatching(/inputs-present: .* a, .*required.*default/),
    ])
  })

  test('a default that does not fit its schema is refused by name', async () => {
    const problems = await failures(
      proposalOf([returning('a')], { a: { type: 'number', default: 'ten' } }),
    )
    expect(problems[0]).toMatch(/^defaults: The default of a does not fit/)
  })

  test('an input that is never read is remarked, not refused', async () => {
    const checks = await check(
      proposalOf([returning('a')], { a: { type: 'number' }, b: { type: 'number' } }),
    )
    const remark = checks.find(({ name }) => name === 'inputs-used')
    expect(remark).toMatchObject({ pass: true, message: expect.stringMatching('Never read: b') })
  })

  test('a schema that gives no input asks for an example', async () => {
    const impossible = { a: { type: 'string', minLength: 5_000 } }
    expect(await failures(proposalOf([returning('a')], impossible))).toEqual([
      expect.stringMatching('can-be-tried: .*Add at least one example'),
    ])
    const examples = [{ input: { a: 'x'.repeat(5_000) } }]
    expect(await failures(proposalOf([returning('a')], impossible, { examples }))).toEqual([])
  })

  test('limits of the kind hold, at their edge', async () => {
    const limited = createComputeKind({ limits: { maxSteps: 2 } })
    const one = { op: 'math', expression: '1', output: 'a' }
    const allowed = await limited.check(proposalOf([one, returning('a')]), { signal })
    expect(allowed.every(({ pass }) => pass)).toBe(true)
    const refused = await limited.check(proposalOf([one, one, returning('a')]), { signal })
    expect(refused.find(({ pass }) => !pass)?.message).toContain('more than 2 steps')
  })

  test('an option that is out of range is refused at once', () => {
    expect(() => createComputeKind({ limits: { maxSteps: 0 } })).toThrow(
      expect.objectContaining({ code: 'bad_argument' } satisfies Partial<ComputeError>),
    )
    expect(() => createComputeKind({ maxGeneratedInputs: 0 })).toThrow(RangeError)
    expect(() => createComputeKind({ maxGeneratedInputs: 101 })).toThrow(RangeError)
    expect(() => createComputeKind({ maxRecordedLength: 1.5 })).toThrow(RangeError)
  })
})

describe('evidence', () => {
  test('examples are run and compared as JSON', async () => {
    const examples = [
      { input: { weight_kg: 12 }, expected: 31.5 },
      { input: { weight_kg: 12 }, expected: 31 },
      { input: { weight_kg: 'heavy' } },
      { input: { weight_kg: 1 } },
    ]
    const runs = await evidence({ spec: shippingSpec({ examples }) })
    expect(runs).toEqual([
      {
        input: { weight_kg: 12 },
        expected: 31.5,
        actual: 31.5,
        pass: true,
        durationMs: 0,
        origin: 'author',
      },
      expect.objectContaining({ pass: false, actual: 31.5, error: 'Expected 31, got 31.5' }),
      expect.objectContaining({
        pass: false,
        error: expect.stringMatching('does not fit the input schema: weight_kg'),
      }),
      expect.objectContaining({ pass: true, actual: 7.5 }),
    ])
  })

  test('the order of keys in an expected object does not matter', async () => {
    const proposal = proposalOf(
      [returning('a')],
      { a: { type: 'object' } },
      {
        examples: [{ input: { a: { x: 1, y: [2] } }, expected: { y: [2], x: 1 } }],
      },
    )
    expect(await evidence(proposal)).toEqual([expect.objectContaining({ pass: true })])
  })

  test("an author's example that fails is a failure, whatever the error", async () => {
    const steps = [{ op: 'math', expression: '1 / a', output: 'b' }, returning('b')]
    const runs = await evidence(
      proposalOf(steps, { a: { type: 'number' } }, { examples: [{ input: { a: 0 } }] }),
    )
    expect(runs).toEqual([
      expect.objectContaining({
        pass: false,
        error: expect.stringContaining('steps[0].expression at character 2'),
      }),
    ])
  })

  test('without examples both branches of a condition are tried', async () => {
    const runs = await evidence({ spec: shippingSpec() })
    expect(runs.every(({ pass, origin }) => pass && origin === 'generated')).toBe(true)
    expect(runs).toHaveLength(5)
    const weights = runs.map(({ input }) => (input as { weight_kg: number }).weight_kg)
    expect(weights.some((weight) => weight > 10)).toBe(true)
    expect(weights.some((weight) => weight <= 10)).toBe(true)
  })

  test('a division by zero on a generated input is an answer', async () => {
    const steps = [{ op: 'math', expression: '1 / a', output: 'b' }, returning('b')]
    const runs = await evidence(proposalOf(steps, { a: { type: 'integer' } }))
    const zero = runs.find(({ input }) => (input as { a: number }).a === 0)
    expect(zero).toMatchObject({ pass: true, error: expect.stringContaining('division') })
  })

  test('a type that the schema allows and the program cannot take is a failure', async () => {
    const steps = [{ op: 'math', expression: 'a + 1', output: 'b' }, returning('b')]
    const runs = await evidence(proposalOf(steps, { a: { type: ['number', 'string'] } }))
    expect(runs.some(({ pass }) => !pass)).toBe(true)
    expect(runs.some(({ pass }) => pass)).toBe(true)
  })

  test('when no generated input gives a value all fail and an example is asked for', async () => {
    const steps = [{ op: 'math', expression: '1 / 0', output: 'b' }, returning('b')]
    const runs = await evidence(proposalOf(steps, { a: { type: 'number' } }))
    expect(runs.length).toBeGreaterThan(0)
    for (const run of runs)
      expect(run).toMatchObject({ pass: false, error: expect.stringContaining('add an example') })
  })

  test('a table is generated with the keys that the program looks up', async () => {
    const steps = [
      { op: 'lookup', table: 'rates', key: 'europe', output: 'region' },
      { op: 'lookup', table: 'region', key: 'express', output: 'rate' },
      { op: 'lookup', table: 'weights', key: '2', output: 'third' },
      { op: 'math', expression: 'rate * third', output: 'b' },
      returning('b'),
    ]
    const runs = await evidence(
      proposalOf(steps, { rates: { type: 'object' }, weights: { type: 'array' } }),
    )
    expect(runs.length).toBeGreaterThan(0)
    expect(runs.every(({ pass, error }) => pass && error === undefined)).toBe(true)
  })

  test('an output that breaks the output schema is a failure', async () => {
    const outputSchema = { type: 'string' }
    const runs = await evidence({ spec: shippingSpec({ outputSchema }) })
    expect(runs.every(({ pass }) => !pass)).toBe(true)
    expect(runs[0]?.error).toContain('output schema')
  })

  test('a long output is recorded as a text that says so, at the limit', async () => {
    const limited = createComputeKind({ maxRecordedLength: 12 })
    const run = async (a: string): Promise<readonly EvidenceRun[]> =>
      limited.gatherEvidence(
        proposalOf([returning('a')], { a: { type: 'string' } }, { examples: [{ input: { a } }] }),
        { signal },
      )
    expect((await run('0123456789'))[0]).toMatchObject({ actual: '0123456789', pass: true })
    expect((await run('0123456789a'))[0]).toMatchObject({
      actual: expect.stringContaining('13 characters of JSON, too long'),
      pass: true,
    })
  })

  test('the number of generated inputs is bounded', async () => {
    const limited = createComputeKind({ maxGeneratedInputs: 2 })
    expect(await limited.gatherEvidence({ spec: shippingSpec() }, { signal })).toHaveLength(2)
  })

  test('it ends once two runs used up their work: others wait meanwhile', async () => {
    const limited = createComputeKind({ limits: { maxRunUnits: 2_000 } })
    const sum = returning('items.map(i, items.map(j, i * j).sum()).sum()')
    const items = Array.from({ length: 60 }, (_item, index) => index)
    const proposal = proposalOf(
      [sum],
      { items: { type: 'array', items: { type: 'number' } } },
      {
        examples: [
          { input: { items: [2] }, expected: 4 },
          ...Array.from({ length: 48 }, (_example, index) => ({
            input: { items: [...items, index] },
          })),
        ],
      },
    )
    const runs = await limited.gatherEvidence(proposal, { signal })
    expect(runs.map(({ pass }) => pass)).toEqual([true, false, false])
  })

  test('an abort ends it between two runs', async () => {
    const controller = new AbortController()
    const pending = kind.gatherEvidence({ spec: shippingSpec() }, { signal: controller.signal })
    controller.abort(new Error('time is over'))
    await expect(pending).rejects.toThrow('time is over')
  })
})

describe('explanations', () => {
  test('a compute tool has no powers', async () => {
    expect(await kind.describePowers({ spec: shippingSpec() })).toEqual([])
  })

  test('steps are plain sentences, branches indented', async () => {
    const spec = shippingSpec({
      definition: {
        steps: [
          ...shippingLogic.steps.slice(0, 1),
          {
            op: 'condition',
            if: 'weight_kg > 10',
            then: [{ op: 'lookup', table: 'weight_kg', key: 'x', output: 'y' }],
            else: [{ op: 'return', value: 'base_cost' }],
          },
          ...shippingLogic.steps.slice(2),
        ],
      },
    })
    const sentences = await kind.describeSteps({ spec })
    const wanted = [
      /^Calculates with .*floating-point/,
      /^Set base_cost to .*weight_kg \* 2\.50 \+ 5\.00.*\.$/,
      /^If weight_kg .*10, then:$/,
      /^ {2}Set y to the entry "x" of weight_kg\.$/,
      /^Otherwise:$/,
      /^ {2}Give back base_cost and end\.$/,
      /^Set message to the text "Shipping cost: \$\{\{base_cost\}\}"\.$/,
      /^Give back base_cost and end\.$/,
    ]
    expect(sentences).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)))
  })

  test('characters that disguise a text are shown as what they are', async () => {
    const template = 'pay\u202Emoc\u0000\n\u2028\u00A0"\\u{a}'
    const [, sentence] = await kind.describeSteps(
      proposalOf([{ op: 'format', template, output: 'a' }, returning('a')]),
    )
    expect(sentence).toBe(
      String.raw`Set a to the text "pay\u{202e}moc\u{0}\u{a}\u{2028}\u{a0}\"\\u{a}".`,
    )
  })

  test('a definition that is no program is explained, not thrown', async () => {
    for (const definition of [null, 5, { steps: [{ op: 'x' }] }])
      expect(await kind.describeSteps({ spec: shippingSpec({ definition }) })).toEqual([
        expect.stringContaining('cannot be read'),
      ])
  })

  test('a program that is too long for a review says what is missing', async () => {
    const sum = (index: number): object => ({ op: 'math', expression: '1', output: `a${index}` })
    const describeMany = async (count: number): Promise<readonly string[]> =>
      kind.describeSteps(
        proposalOf([
          ...Array.from({ length: count - 1 }, (_, index) => sum(index)),
          returning('a0'),
        ]),
      )
    expect(await describeMany(199)).toHaveLength(200)
    const cut = await describeMany(200)
    expect(cut).toHaveLength(200)
    expect(cut.at(-1)).toBe('… and 2 more lines are not shown: read the source.')
    const [, first] = await kind.describeSteps(
      proposalOf([{ op: 'format', template: 'x'.repeat(5_000), output: 'a' }, returning('a')]),
    )
    expect(first?.length).toBeLessThanOrEqual(2_000)
    expect(first).toMatch(/ \(3081 more characters: read the source\)$/)
  })

  test('a change names what was removed, changed and added', async () => {
    const steps = [
      ...shippingLogic.steps.slice(0, 1),
      {
        op: 'condition',
        if: 'weight_kg > 10',
        then: [{ op: 'math', expression: 'base_cost * 0.8', output: 'base_cost' }],
      },
      { op: 'math', expression: 'base_cost + 1', output: 'handled' },
      ...shippingLogic.steps.slice(3),
    ]
    const spec = shippingSpec({ definition: { steps } })
    expect(await kind.describeChange?.({ spec, previous: shippingSpec() })).toEqual([
      expect.stringMatching(
        /^Changed steps\[1\]\.then\[0\]: .*base_cost \* 0\.9.* → .*base_cost \* 0\.8/,
      ),
      'Removed steps[2]: Set message to the text "Shipping cost: ${{base_cost}}".',
      expect.stringMatching(/^Added steps\[2\]: Set handled to .*base_cost \+ 1.{0,1}\.$/),
    ])
  })

  test('the same steps are said to be the same', async () => {
    expect(await kind.describeChange?.({ spec: shippingSpec(), previous: shippingSpec() })).toEqual(
      ['The program is the same.'],
    )
  })

  test('two programs with too many lines that differ are not compared line by line', async () => {
    const tables = (start: number): object =>
      Object.fromEntries(
        Array.from({ length: 2_001 }, (_, index) => [`t${index}`, [start + index]]),
      )
    const of = (start: number): ToolProposal =>
      proposalOf(
        [],
        {},
        { definition: { tables: tables(start), steps: [returning('1')] } as never },
      )
    const { spec } = of(1)
    expect(await kind.describeChange?.({ spec, previous: of(0).spec })).toEqual([
      '2001 lines became 2001, too many to be compared: read both sources.',
    ])
  })

  test('a step that moves out of a condition is a change', async () => {
    const inside = [
      {
        op: 'condition',
        if: 'a > 1',
        then: [
          { op: 'math', expression: 'a + 1', output: 'a' },
          { op: 'math', expression: 'a * 2', output: 'a' },
        ],
      },
      returning('a'),
    ]
    const outside = [
      {
        op: 'condition',
        if: 'a > 1',
        then: [{ op: 'math', expression: 'a + 1', output: 'a' }],
      },
      { op: 'math', expression: 'a * 2', output: 'a' },
      returning('a'),
    ]
    const { spec } = proposalOf(outside, { a: { type: 'number' } })
    const previous = proposalOf(inside, { a: { type: 'number' } }).spec
    expect(await kind.describeChange?.({ spec, previous })).toEqual([
      expect.stringMatching(/^Removed steps\[0\]\.then\[1\]: Set a to .*a \* 2/),
      expect.stringMatching(/^Added steps\[1\]: Set a to .*a \* 2/),
    ])
  })

  test('the source is the program as readable JSON', async () => {
    const source = await kind.renderSource?.(shippingSpec())
    expect(source?.extension).toBe('json')
    expect(JSON.parse(source?.text ?? '')).toEqual(shippingLogic)
    expect(source?.text.split('\n').length).toBeGreaterThan(10)
  })

  test('the custom tool file gets the program as logic', async () => {
    expect(await kind.toCustomTool?.(shippingSpec())).toEqual({ logic: shippingLogic })
  })
})

describe('the compiled tool', () => {
  test('gives the value itself', async () => {
    const { execute } = kind.compile(shippingSpec())
    expect(await execute({ weight_kg: 12 }, signal, context)).toBe(31.5)
  })

  test('says in one line what a call is', () => {
    const { describeCall } = kind.compile(shippingSpec())
    expect(describeCall?.({ weight_kg: 12 })).toBe('shipping_cost({ weight_kg: 12 })')
    expect(describeCall?.({})).toBe('shipping_cost({})')
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`a${index}`, index]))
    expect(describeCall?.(many)).toMatch(/a7: 7, … \}\)$/)
    expect(describeCall?.({ a: 'x'.repeat(50), b: [1, 2], c: { d: 1 }, e: '\u202E' })).toBe(
      `shipping_cost({ a: "${'x'.repeat(40)}"…, b: [2 items], c: {1 fields}, e: "\\u{202e}" })`,
    )
  })

  test('a failed run is TOOL_FAILED with code, path and hint', async () => {
    const { spec } = proposalOf(
      [{ op: 'math', expression: '1 / a', output: 'b' }, returning('b')],
      { a: { type: 'number' } },
    )
    const { execute } = kind.compile(spec)
    const call = async (): Promise<unknown> => execute({ a: 0 }, signal, context)
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(ToolError.is(error, 'TOOL_FAILED')).toBe(true)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^steps\[0\]\.expression at character 2: /),
      data: {
        computeCode: 'division_by_zero',
        path: 'steps[0].expression',
        offset: 2,
        hint: expect.any(String),
        snippet: '1 / a',
      },
    })
  })

  test('does not run after an abort', () => {
    const { execute } = kind.compile(shippingSpec())
    expect(() => execute({ weight_kg: 12 }, AbortSignal.abort(new Error('stop')), context)).toThrow(
      'stop',
    )
  })

  test('changing the spec later changes nothing', async () => {
    const spec = structuredClone(shippingSpec())
    const { execute } = kind.compile(spec)
    ;(spec.definition as typeof shippingLogic).steps[0] = {
      op: 'math',
      expression: '0',
      output: 'base_cost',
    }
    expect(await execute({ weight_kg: 12 }, signal, context)).toBe(31.5)
  })
})

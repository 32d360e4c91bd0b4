import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateWorkflow } from './validate-workflow.ts'
import type { WorkflowCheck } from './workflow-check.ts'

const hook = {
  name: 'Webhook',
  type: 'n8n-nodes-base.webhook',
  parameters: { httpMethod: 'POST', path: 'a' } as Record<string, unknown>,
}
const workflow = (more: object = {}): Record<string, unknown> => ({
  name: 'W',
  nodes: [hook],
  connections: {},
  ...more,
})
const codes = (check: WorkflowCheck): readonly string[] => check.problems.map(({ code }) => code)
const withParameter = (value: unknown): object =>
  workflow({ nodes: [{ ...hook, parameters: { ...hook.parameters, x: value } }] })

const cyclic = workflow()
cyclic['settings'] = cyclic
const revoked = Proxy.revocable({}, {})
revoked.revoke()

test.each([
  ['a cycle', cyclic, 'not-json'],
  [
    'a getter',
    Object.defineProperty(workflow(), 'name', { enumerable: true, get: () => 'x' }),
    'not-json',
  ],
  [
    'a getter in a list',
    withParameter(Object.defineProperty([1], 0, { get: () => 1 })),
    'not-json',
  ],
  ['a proxy that throws', new Proxy({}, { ownKeys: () => [].at(5)! }), 'not-json'],
  ['a revoked proxy', withParameter(revoked.proxy), 'not-json'],
  ['a date', withParameter(new Date()), 'not-json'],
  ['a map', withParameter(new Map()), 'not-json'],
  ['a function', withParameter(() => 1), 'not-json'],
  ['a bigint', withParameter(1n), 'not-json'],
  ['a symbol', withParameter(Symbol('x')), 'not-json'],
  ['not a number', withParameter(Number.NaN), 'not-json'],
  ['infinity', withParameter(Number.POSITIVE_INFINITY), 'not-json'],
  [
    'a key __proto__',
    withParameter(JSON.parse('{"__proto__":{"polluted":true}}')),
    'forbidden-key',
  ],
  [
    'a node called __proto__ in connections',
    workflow({ connections: JSON.parse('{"__proto__":{}}') }),
    'forbidden-key',
  ],
  ['half a character', withParameter('\uD800'), 'broken-text'],
  ['half a character in a key', withParameter({ '\uDC00': 1 }), 'broken-text'],
  ['20 MB of text', withParameter('x'.repeat(20_000_000)), 'too-large'],
  [
    '10,000 nodes',
    workflow({
      nodes: Array.from({ length: 10_000 }, (_, index) => ({ ...hook, name: `N${index}` })),
    }),
    'too-large',
  ],
  ['a depth of 1,000', withParameter(nested(1000)), 'too-large'],
  [
    'a list of a billion holes',
    withParameter(Array.from({ length: 0 }).concat(Object.assign([], { length: 4_000_000_000 }))),
    'too-large',
  ],
  [
    'one object a million times',
    withParameter(Array.from({ length: 1_000_000 }, () => hook)),
    'too-large',
  ],
])('%s', (_title, input, code) => {
  const started = process.cpuUsage()
  const check = validateWorkflow(input)
  expect(check.ok).toBe(false)
  expect(codes(check)).toContain(code)
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5000)
  expect({}).not.toHaveProperty('polluted')
})

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

const counted = workflow({
  nodes: [{ ...hook, id: 'w', typeVersion: 2.1, position: [0, 0], webhookId: 'w' }],
  settings: { executionOrder: 'v1' },
})
const characters = countCharacters(counted)
const values = countValues(counted)

test.each([
  ['maxNodes', 1],
  ['maxCharacters', characters],
  ['maxValues', values],
  // workflow, nodes, node, parameters
  ['maxDepth', 4],
] as const)('the limit %s holds at its edge', (limit, edge) => {
  const withLimit = (size: number): WorkflowCheck =>
    validateWorkflow(
      limit === 'maxNodes'
        ? workflow({
            nodes: Array.from({ length: size }, (_, i) => ({
              ...hook,
              name: `N${i}`,
              parameters: { ...hook.parameters, path: `${i}` },
            })),
          })
        : counted,
      { limits: { [limit]: limit === 'maxNodes' ? edge : size } },
    )
  const inside = withLimit(edge)
  const outside = withLimit(limit === 'maxNodes' ? edge + 1 : edge - 1)
  expect(codes(inside)).toEqual([])
  expect(codes(outside)).toEqual(['too-large'])
})

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [key, entry]) => sum + (Array.isArray(value) ? 0 : key.length) + countCharacters(entry),
    0,
  )
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, entry) => sum + countValues(entry), 1)
}

test('problems beyond the limit are counted, and errors come before warnings', () => {
  const nodes = [
    hook,
    ...Array.from({ length: 30 }, (_, index) => ({
      name: `A${index}`,
      type: 'n8n-nodes-base.noOp',
    })),
    { name: 'Z', type: 'n8n-nodes-base.nothing' },
  ]
  const check = validateWorkflow(workflow({ nodes }), { maxProblems: 10 })
  expect(check.ok).toBe(false)
  expect(check.problems).toHaveLength(10)
  expect(check.problems[0]?.code).toBe('unknown-node-type')
  expect(check.omittedProblems).toBe(21)
})

test.each([
  ['brackets', `={{ ${'('.repeat(100_000)} }}`],
  ['a long sum', `={{ ${'1+'.repeat(100_000)}1 }}`],
  ['many expressions', `=${'{{ 1 }}'.repeat(50_000)}`],
  ['many open braces', `=${'{{'.repeat(100_000)}`],
  ['backslashes', `=${'\\'.repeat(500_000)}{{ 1 }}`],
  ['an address of colons', `https://${':'.repeat(500_000)}`],
  ['words that are nearly secrets', 'password= Bearer eyJeyJ. https://a:'.repeat(20_000)],
])('%s take bounded time', (_title, text) => {
  const started = process.cpuUsage()
  validateWorkflow(withParameter(text), { policy: { hosts: [] } })
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5000)
})

test('any JSON gives a check and never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
      expect(validateWorkflow(json).ok).toBe(false)
    }),
  )
})

const text = fc.oneof(
  fc.constantFrom(
    'A',
    'B',
    'Webhook',
    'main',
    '={{ $json.a }}',
    "={{ $('A').first() }}",
    "={{ $('B') }}",
    'POST',
    'constructor',
  ),
  fc.string({ maxLength: 8 }),
)
const parameters = fc.dictionary(
  fc.oneof(
    fc.constantFrom('url', 'mode', 'path', 'httpMethod', 'rule', 'responseMode', 'jsCode'),
    text,
  ),
  fc.oneof(text, fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 4 },
)
const loose = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })
const anyNode = fc.record(
  {
    name: loose(text),
    type: loose(
      fc.constantFrom(
        ...[
          'webhook',
          'set',
          'httpRequest',
          'scheduleTrigger',
          'if',
          'respondToWebhook',
          'code',
          'nothing',
        ].map((type) => `n8n-nodes-base.${type}`),
      ),
    ),
    typeVersion: loose(fc.constantFrom(1, 2, 3, 3.4)),
    id: loose(text),
    position: loose(fc.tuple(fc.integer(), fc.integer())),
    parameters: loose(parameters),
    credentials: loose(fc.dictionary(text, fc.record({ id: text, name: text }))),
    disabled: loose(fc.boolean()),
    notes: loose(text),
  },
  { requiredKeys: ['name', 'type'] },
)
const anyWorkflow = fc.record({
  name: loose(fc.constant('W')),
  nodes: loose(fc.array(anyNode, { maxLength: 5 })),
  connections: loose(
    fc.dictionary(
      text,
      fc.dictionary(
        fc.constantFrom('main', 'ai_tool'),
        fc.array(
          fc.array(fc.record({ node: text, type: fc.constant('main'), index: fc.nat(2) }), {
            maxLength: 2,
          }),
          { maxLength: 2 },
        ),
        { maxKeys: 2 },
      ),
      { maxKeys: 3 },
    ),
  ),
  settings: loose(fc.dictionary(fc.constantFrom('timezone', 'executionOrder', 'foo'), text)),
})

test('whatever looks like a workflow gives a check, the same one in any order of keys', () => {
  fc.assert(
    fc.property(anyWorkflow, (input) => {
      const check = validateWorkflow(input)
      const again = validateWorkflow(reversed(input))
      expect(again).toEqual(check)
    }),
    { numRuns: 300 },
  )
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => reversed(entry))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, entry]) => [key, reversed(entry)]))
}

const runnable = fc
  .uniqueArray(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((name) => name.trim() !== '' && name !== '__proto__' && name !== 'Webhook'),
    { maxLength: 6 },
  )
  .chain((names) =>
    fc.record({
      names: fc.constant(names),
      ids: fc.constantFrom('none', 'some', 'as keys'),
      positions: fc.boolean(),
      junk: fc.dictionary(
        fc.constantFrom('id', 'active', 'meta', 'tags', 'versionId'),
        fc.jsonValue({ maxDepth: 1 }),
      ),
    }),
  )
  .map(({ names, ids, positions, junk }) => {
    const all = ['Webhook', ...names]
    const key = (name: string): string => (ids === 'as keys' ? `id-of-${all.indexOf(name)}` : name)
    return {
      ...junk,
      name: 'W',
      nodes: all.map((name, index) => ({
        name,
        type: index === 0 ? 'n8n-nodes-base.webhook' : 'n8n-nodes-base.noOp',
        ...((ids === 'as keys' || (ids === 'some' && index % 2 === 0)) && { id: `id-of-${index}` }),
        ...(positions && { position: [index, 0] }),
        ...(index === 0 && { parameters: hook.parameters }),
      })),
      connections: Object.fromEntries(
        names.map((name, index) => [
          key(all[index] ?? ''),
          { main: [[{ node: key(name), type: 'main', index: 0 }]] },
        ]),
      ),
    }
  })

test('a repaired workflow passes again and stays as it is', () => {
  fc.assert(
    fc.property(runnable, (input) => {
      const first = validateWorkflow(input)
      if (!first.ok) throw new Error(JSON.stringify(first.problems))
      expect(first.repairs.length).toBeGreaterThan(0)
      const second = validateWorkflow(first.workflow)
      expect(second).toEqual({
        ok: true,
        workflow: first.workflow,
        problems: first.problems,
        repairs: [],
      })
      const ids = first.workflow.nodes.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(validateWorkflow(reversed(input))).toEqual(first)
    }),
    { numRuns: 200 },
  )
})

import { describe, expect, it } from 'vitest'
import { addition, node, setNode, webhook, workflowOf } from '../test/function-workflows.ts'
import { hashWorkflow } from './canonical-workflow.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { findDifferences } from './workflow-difference.ts'

const schedule = node('Every day', 'scheduleTrigger@1.2', { rule: {} })
const scheduled = workflowOf([webhook, setNode('Result', '{}'), schedule])

function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, entry]) => [key, reversed(entry)]),
  ) as Value
}

async function isSame(left: N8nWorkflow, right: N8nWorkflow): Promise<boolean> {
  const hashes = await Promise.all([hashWorkflow(left), hashWorkflow(right)])
  expect(findDifferences(left, right).length === 0).toBe(hashes[0] === hashes[1])
  return hashes[0] === hashes[1]
}

describe('hashWorkflow', () => {
  it.each<[string, N8nWorkflow]>([
    ['another order of keys', reversed(addition)],
    [
      'null in place of static and pinned data',
      { ...addition, staticData: null, pinData: null as never },
    ],
    ['empty static and pinned data', { ...addition, staticData: {}, pinData: {} }],
    [
      'the settings that n8n 1.x adds, at their defaults',
      {
        ...addition,
        settings: {
          ...addition.settings,
          callerPolicy: 'workflowsFromSameOwner',
          availableInMCP: false,
        },
      },
    ],
    [
      'settings that say what leaving them out says',
      {
        ...addition,
        settings: {
          ...addition.settings,
          timezone: 'DEFAULT',
          errorWorkflow: '',
          executionTimeout: -1,
        },
      },
    ],
    [
      'a key that is undefined',
      { ...addition, settings: { ...addition.settings, timezone: undefined as never } },
    ],
  ])('is indifferent to %s', async (_what, same) => {
    expect(await isSame(addition, same)).toBe(true)
  })

  it.each<[string, N8nWorkflow]>([
    [
      'another caller policy',
      { ...addition, settings: { ...addition.settings, callerPolicy: 'any' } },
    ],
    [
      'being open to MCP',
      { ...addition, settings: { ...addition.settings, availableInMCP: true } },
    ],
    ['a setting', { ...addition, settings: { executionOrder: 'v0' } }],
    ['a time limit of 0', { ...addition, settings: { ...addition.settings, executionTimeout: 0 } }],
    ['an error workflow', { ...addition, settings: { ...addition.settings, errorWorkflow: 'W2' } }],
    [
      'a setting called like a method',
      { ...addition, settings: { ...addition.settings, toString: '' } },
    ],
    ['static data', { ...addition, staticData: { global: {} } }],
    ['pinned data', { ...addition, pinData: { Result: [] } }],
    ['pinned data that is empty for a node', { ...addition, pinData: { Result: {} } }],
    ['the name', { ...addition, name: 'other' }],
    ['a connection', { ...addition, connections: {} }],
    ['the order of nodes', { ...addition, nodes: addition.nodes.toReversed() }],
    [
      'a position',
      { ...addition, nodes: addition.nodes.map((one) => ({ ...one, position: [1, 1] as const })) },
    ],
    [
      'a key of a node that nobody knows',
      { ...addition, nodes: addition.nodes.map((one) => ({ ...one, extra: 1 })) },
    ],
  ])('differs with %s', async (_what, other) => {
    expect(await isSame(addition, other)).toBe(false)
  })

  it.each([
    { recurrenceRules: [] },
    { recurrenceRules: [12, null] },
    { recurrenceRules: [null], recurrenceRuleSignatures: ['hours:3', null] },
  ])('leaves out what a schedule trigger notes itself: %j', async (note) => {
    expect(await isSame(scheduled, { ...scheduled, staticData: { 'node:Every day': note } })).toBe(
      true,
    )
  })

  it.each([
    { 'node:Every day': { recurrenceRules: [], evil: 1 } },
    { 'node:Every day': { recurrenceRules: ['x'] } },
    { 'node:Every day': { recurrenceRules: [{}] } },
    { 'node:Every day': { recurrenceRuleSignatures: [] } },
    { 'node:Every day': { recurrenceRules: [], recurrenceRuleSignatures: [1] } },
    { 'node:Every day': {} },
    { 'node:Every day': [] },
    { 'node:Result': { recurrenceRules: [] } },
    { global: { recurrenceRules: [] } },
    { 'node:Every day': { recurrenceRules: [] }, global: { x: 1 } },
  ])('counts everything else in static data: %j', async (staticData) => {
    expect(await isSame(scheduled, { ...scheduled, staticData })).toBe(false)
  })

  it('tells in words where two differ, and says how many more there are', () => {
    const many = workflowOf(Array.from({ length: 30 }, (_, index) => setNode(`N${index}`, '{}')))
    const fields = findDifferences(addition, many)
    expect(fields).toHaveLength(21)
    expect(fields[0]).toBe('node "Result" removed or renamed')
    expect(fields.at(-1)).toMatch(/^\d+ more$/)
    expect(findDifferences(addition, { ...addition, nodes: addition.nodes.toReversed() })).toEqual([
      'order of the nodes',
    ])
  })
})

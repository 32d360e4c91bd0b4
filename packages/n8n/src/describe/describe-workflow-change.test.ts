import type { JsonObject, JsonValue } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type N8nNode,
  type N8nWorkflow,
  describeWorkflow,
  describeWorkflowChange,
} from '../workflow.ts'

const request: N8nNode = {
  id: 'b',
  name: 'Send',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  position: [200, 0],
  parameters: { method: 'POST', url: 'https://a.example/', options: { timeout: 1_000 } },
  credentials: { httpHeaderAuth: { id: 'C1', name: 'key' } },
}
const schedule: N8nNode = {
  id: 'a',
  name: 'Daily',
  type: 'n8n-nodes-base.scheduleTrigger',
  typeVersion: 1.2,
  position: [0, 0],
  parameters: { rule: { interval: [{ field: 'days', triggerAtHour: 9 }] } },
}
const workflow: N8nWorkflow = {
  name: 'w',
  nodes: [schedule, request],
  connections: { Daily: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
  settings: { timezone: 'Africa/Lagos' },
}
const withRequest = (more: Partial<N8nNode>): N8nWorkflow => ({
  ...workflow,
  nodes: [schedule, { ...request, ...more }],
})
const changeTo = (after: N8nWorkflow): string => describeWorkflowChange(workflow, after).join('\n')

test('the same workflow, written in another order of keys, has not changed', () => {
  const { connections, name, nodes, settings } = workflow
  expect(describeWorkflowChange(workflow, { settings, nodes, connections, name })).toEqual([])
})

test('values that changed, came or went are told with what they were and are', () => {
  const parameters = { method: 'POST', url: 'https://evil.example/', body: 'x', options: {} }
  expect(describeWorkflowChange(workflow, withRequest({ parameters }))).toEqual([
    'Node "Send" (n8n-nodes-base.httpRequest): parameters.url was "https://a.example/" and is "https://evil.example/".',
    'Node "Send" (n8n-nodes-base.httpRequest): removed parameters.options.timeout, which was 1000.',
    'Node "Send" (n8n-nodes-base.httpRequest): added parameters.body: "x".',
  ])
})

test('nodes that came, went or have another name are told', () => {
  const added = { ...request, id: 'c', name: 'Second' }
  expect(changeTo({ ...workflow, nodes: [schedule, request, added] })).toBe(
    'Added the node "Second" (n8n-nodes-base.httpRequest).',
  )
  expect(changeTo({ ...workflow, nodes: [schedule] })).toBe(
    'Removed the node "Send" (n8n-nodes-base.httpRequest).',
  )
  expect(changeTo(withRequest({ name: 'Harmless' }))).toBe(
    'Renamed the node "Send" (n8n-nodes-base.httpRequest) to "Harmless".',
  )
})

test('another type under the same name is told', () => {
  expect(changeTo(withRequest({ type: 'n8n-nodes-base.code' }))).toContain(
    'type was "n8n-nodes-base.httpRequest" and is "n8n-nodes-base.code"',
  )
})

test('connections, schedules, settings and credentials are told', () => {
  expect(changeTo({ ...workflow, connections: {} })).toBe(
    'Removed the connection from output 1 of "Daily" (main) to input 1 of "Send".',
  )
  const rule = { interval: [{ field: 'days', triggerAtHour: 3 }] }
  expect(
    changeTo({ ...workflow, nodes: [{ ...schedule, parameters: { rule } }, request] }),
  ).toContain(
    'No longer runs every day at 09:00, time zone Africa/Lagos.\nNow runs every day at 03:00, time zone Africa/Lagos.',
  )
  expect(changeTo({ ...workflow, settings: { timezone: 'UTC', errorWorkflow: 'x' } })).toContain(
    'Workflow: settings.timezone was "Africa/Lagos" and is "UTC".',
  )
  expect(
    changeTo(withRequest({ credentials: { httpHeaderAuth: { id: 'C2', name: 'key' } } })),
  ).toContain('credentials.httpHeaderAuth.id was "C1" and is "C2"')
})

test('what has no effect is told too: places, order, empty parts', () => {
  expect(changeTo(withRequest({ position: [1, 1] }))).toContain('moved on the canvas')
  expect(changeTo({ ...workflow, nodes: [request, schedule] })).toContain(
    'order in which the nodes',
  )
  expect(changeTo({ ...workflow, pinData: {} })).toContain(
    'empty or deeply nested parts have changed',
  )
  expect(
    changeTo({ ...workflow, connections: { ...workflow.connections, Send: { main: [] } } }),
  ).toContain('Connections are in another order, or written down in another way.')
})

test('a difference deep in a long text is shown, not cut away', () => {
  const long = 'x'.repeat(50_000)
  const before = withRequest({ parameters: { body: `${long}good${long}` } })
  const after = withRequest({ parameters: { body: `${long}evil${long}` } })
  const [sentence] = describeWorkflowChange(before, after)
  expect(sentence).toContain('xgood')
  expect(sentence).toContain('xevil')
  expect(sentence).toContain('at character 50001; 100004 and 100004 characters long')
})

test('names and values cannot begin a line or hide', () => {
  const lie = '\n1. Approved\u202E'
  const sentences = describeWorkflowChange(
    workflow,
    withRequest({ name: lie, parameters: { [lie]: lie }, notes: lie }),
  )
  for (const sentence of sentences) expect(sentence).not.toMatch(/[\n\u202E]/)
})

test('thousands of changes are bounded, and what is missing is said', () => {
  const nodes = Array.from({ length: 6_000 }, (_, index) => ({
    ...request,
    id: `${index}`,
    name: `${index}${'n'.repeat(99)}`,
  }))
  const sentences = describeWorkflowChange(workflow, { ...workflow, nodes })
  expect(sentences).toHaveLength(200)
  expect(sentences.at(-1)).toMatch(/^NOT SHOWN: \d+ more/)
})

interface Place {
  readonly path: readonly (string | number)[]
  readonly value: JsonValue
}

const placesOf = (value: JsonValue, path: readonly (string | number)[] = []): readonly Place[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value as JsonObject).flatMap(([key, entry]) =>
        placesOf(entry, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [{ path, value }]

function replaceAt(value: JsonValue, { path, value: fresh }: Place): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return fresh
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as Record<
    string | number,
    JsonValue
  >
  copy[step] = replaceAt(copy[step] ?? null, { path: rest, value: fresh })
  return copy
}

const everything: N8nWorkflow = {
  ...workflow,
  nodes: [
    schedule,
    {
      ...request,
      webhookId: 'w',
      disabled: true,
      notes: 'n',
      notesInFlow: true,
      onError: 'continueErrorOutput',
      retryOnFail: true,
      maxTries: 2,
      waitBetweenTries: 5,
      alwaysOutputData: true,
      executeOnce: true,
      continueOnFail: true,
    },
  ],
  settings: { timezone: 'Africa/Lagos', executionTimeout: 60, availableInMCP: true },
  staticData: { a: [1, null] },
  pinData: { Send: [{ json: { b: 'c' } }] },
}

test('no single value can change without a sentence', () => {
  const places = placesOf(everything as unknown as JsonValue)
  for (const { path, value } of places) {
    const fresh =
      typeof value === 'string'
        ? `${value}!`
        : typeof value === 'number'
          ? value + 1
          : value !== true
    const after = replaceAt(everything as unknown as JsonValue, {
      path,
      value: fresh,
    }) as unknown as N8nWorkflow
    expect(describeWorkflowChange(everything, after), path.join('.')).not.toEqual([])
    expect(describeWorkflowChange(after, everything), path.join('.')).not.toEqual([])
  }
  expect(places.length).toBe(40)
})

test('of any two sets of parameters that differ the list is not empty, and it is of those that do not', () => {
  const parameters = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 3,
  })
  fc.assert(
    fc.property(parameters, parameters, (left, right) => {
      const before = withRequest({ parameters: left as JsonObject })
      const after = withRequest({ parameters: right as JsonObject })
      const isEmpty = describeWorkflowChange(before, after).length === 0
      const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
      const isSame = (() => {
        try {
          expect(plain(left)).toEqual(plain(right))
          return true
        } catch {
          return false
        }
      })()
      expect(isEmpty).toBe(isSame)
      expect(describeWorkflowChange(before, structuredClone(before))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('a description differs with every value that says what happens', () => {
  const text = (described: N8nWorkflow): string => describeWorkflow(described).steps.join('\n')
  for (const { path, value } of placesOf(everything as unknown as JsonValue)) {
    // Places on the canvas, ids of nodes and the name are not told, only their changes.
    if (path.includes('position') || (path.length === 3 && path[2] === 'id') || path[0] === 'name')
      continue
    const fresh =
      typeof value === 'string'
        ? `${value}!`
        : typeof value === 'number'
          ? value + 1
          : value !== true
    const after = replaceAt(everything as unknown as JsonValue, {
      path,
      value: fresh,
    }) as unknown as N8nWorkflow
    expect(text(after), path.join('.')).not.toBe(text(everything))
  }
})

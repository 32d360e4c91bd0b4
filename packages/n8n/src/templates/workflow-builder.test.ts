import { expect, test } from 'vitest'
import { type NodeDraft, WorkflowBuilder } from './workflow-builder.ts'

const node = (name: string): NodeDraft => ({ name, type: 't', typeVersion: 1, parameters: {} })

test('nodes get ids from their names and places from their wires', () => {
  const flow = new WorkflowBuilder()
  for (const name of ['Call', 'Is it right?', 'Yes', 'No', 'Answer']) flow.add(node(name))
  flow.wire('Call', 'Is it right?')
  flow.wire('Is it right?', 'No', 1)
  flow.wire('Is it right?', 'Yes')
  flow.wire('Yes', 'Answer')
  flow.wire('No', 'Answer')
  const { nodes, connections } = flow.build({ name: 'W', settings: {} })
  expect(nodes.map(({ id, position }) => [id, ...position])).toEqual([
    ['call', 0, 0],
    ['is-it-right', 220, 0],
    ['yes', 440, 0],
    ['no', 440, 180],
    ['answer', 660, 0],
  ])
  expect(connections['Is it right?']).toEqual({
    main: [[{ node: 'Yes', type: 'main', index: 0 }], [{ node: 'No', type: 'main', index: 0 }]],
  })
})

test('two nodes of a name, a wire to nowhere and a circle are errors', () => {
  const flow = new WorkflowBuilder()
  flow.add(node('A'))
  expect(() => flow.add(node('A'))).toThrow('two nodes "A"')
  flow.wire('A', 'B')
  expect(() => flow.build({ name: 'W', settings: {} })).toThrow('no node "B"')
  flow.add(node('B'))
  flow.add(node('C'))
  flow.wire('B', 'C')
  flow.wire('C', 'B')
  expect(() => flow.build({ name: 'W', settings: {} })).toThrow('circle')
})

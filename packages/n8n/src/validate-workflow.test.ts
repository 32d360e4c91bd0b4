import { expect, test } from 'vitest'
import { validateWorkflow } from './validate-workflow.ts'

const answer = {
  name: 'Echo',
  nodes: [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      parameters: { httpMethod: 'POST', path: 'echo', responseMode: 'lastNode' },
    },
    {
      name: 'Result',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: '={{ { sum: $json.body.a } }}' },
    },
  ],
  connections: { Webhook: { main: [[{ node: 'Result', type: 'main', index: 0 }]] } },
}

test('a workflow that only says what matters is repaired into one that n8n takes', () => {
  const check = validateWorkflow(answer)
  expect(check).toMatchObject({
    ok: true,
    problems: [],
    workflow: {
      nodes: [
        { id: 'webhook', typeVersion: 1, position: [0, 0] },
        { id: 'result', typeVersion: 3.4, position: [220, 0] },
      ],
      settings: { executionOrder: 'v1' },
    },
  })
})

import type { JsonObject } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { describeWorkflow, nodeCatalogue, type N8nNode, type N8nWorkflow } from '../workflow.ts'

function workflow(type: string, typeVersion: number, parameters: JsonObject): N8nWorkflow {
  const node = (
    name: string,
    fields: Pick<N8nNode, 'type' | 'typeVersion' | 'parameters'>,
  ): N8nNode => ({
    id: name,
    name,
    position: [0, 0],
    ...fields,
  })
  return {
    name: 'w',
    nodes: [
      node('Hook', {
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { httpMethod: 'POST', path: 'p', responseMode: 'lastNode' },
      }),
      node('Step', {
        type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
        typeVersion,
        parameters,
      }),
    ],
    connections: { Hook: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
    settings: {},
  }
}

/** What the review says of the node: as of effect, and as of none. */
function review(
  [type, version, parameters]: readonly [string, number, JsonObject],
  n8nVersion?: string,
): { readonly does: string; readonly without: string } {
  const { steps } = describeWorkflow(
    workflow(type, version, parameters),
    n8nVersion === undefined ? {} : { catalogue: nodeCatalogue(n8nVersion) },
  )
  const [does = '', without = ''] = (steps[1] ?? '').split('WITHOUT EFFECT')
  return { does, without }
}

const url = 'https://api.example.com/'
const pairs = { parameters: [{ name: 'X-Order', value: 'the-value' }] }

test.each<readonly [string, readonly [string, number, JsonObject], string]>([
  [
    'a body without its switch',
    ['httpRequest', 4.2, { url, method: 'POST', bodyParameters: pairs }],
    'X-Order',
  ],
  [
    'headers without their switch',
    ['httpRequest', 4.2, { url, headerParameters: pairs }],
    'X-Order',
  ],
  ['headers of no version', ['httpRequest', 4.2, { url, headers: { 'X-Order': '1' } }], 'X-Order'],
  ['a method of another version', ['httpRequest', 1, { url, method: 'DELETE' }], 'DELETE'],
  [
    'fields of another version',
    ['set', 3.4, { values: { string: [{ name: 'total', value: '1' }] } }],
    'total',
  ],
  ['an answer to no webhook', ['respondToWebhook', 1.1, { responseBody: 'hello' }], 'hello'],
])('%s is told as of no effect, and not as sent', (_what, node, text) => {
  const { does, without } = review(node)
  expect(does).not.toContain(text)
  expect(does).not.toMatch(/with (?:headers|a JSON body|query)/)
  expect(without).toContain(text)
})

const old = { string: [{ value1: '={{ $json.quote }}', operation: 'isNotEmpty' }] }

test('an If with conditions of another version compares nothing', () => {
  const { does, without } = review(['if', 2.2, { conditions: old }])
  expect(does).toContain('Compares nothing')
  expect(does).toContain('every item goes on as if they held')
  expect(does).not.toContain('Looks whether')
  expect(without).toContain('$json.quote')
})

test('a comparison that n8n does not know holds for no item', () => {
  const condition = {
    leftValue: '={{ $json.a }}',
    operator: { type: 'string', operation: 'isEmpty' },
  }
  const { without } = review([
    'if',
    2.2,
    { conditions: { combinator: 'and', conditions: [condition] } },
  ])
  expect(without).toContain('holds for no item')
})

test('what n8n reads is told as before', () => {
  const { does, without } = review([
    'httpRequest',
    4.2,
    { url, sendHeaders: true, headerParameters: pairs },
  ])
  expect(does).toContain('with headers')
  expect(does).toContain('the-value')
  expect(without).toBe('')
})

test('what only one line reads is of effect unless the catalogue of the other one is given', () => {
  const type = '@n8n/n8n-nodes-langchain.embeddingsGoogleVertex'
  const node = [type, 1, { modelName: 'm', location: 'europe-west4' }] as const
  expect(review(node).without).toBe('')
  expect(review(node, '2.41.1').without).toBe('')
  expect(review(node, '1.123.81').without).toContain('europe-west4')
})

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@toolcrib/registry'
import {
  node,
  respondingWorkflow,
  setNode,
  webhook,
  workflowOf,
} from '../test/function-workflows.ts'
import { answerFactsOf } from './answering-nodes.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'

const result = setNode('Result', '{ "v": 1 }')

function lastNode(parameters: JsonObject): N8nWorkflow {
  const workflow = workflowOf([result])
  const asked = { ...webhook, parameters: { ...webhook.parameters, ...parameters } }
  return {
    ...workflow,
    nodes: workflow.nodes.map((each) => (each.name === webhook.name ? asked : each)),
  }
}

function respond(parameters: JsonObject): N8nWorkflow {
  const workflow = respondingWorkflow([])
  return {
    ...workflow,
    nodes: workflow.nodes.map((each) => (each.name === 'Respond' ? { ...each, parameters } : each)),
  }
}

describe('answerFactsOf', () => {
  it.each<[string, N8nWorkflow]>([
    ['its last node', lastNode({})],
    ['all entries of its last node', lastNode({ responseData: 'allEntries' })],
    [
      'its last node, with a status of success',
      lastNode({ options: { responseCode: { values: { responseCode: 201 } } } }),
    ],
    [
      'options that are about the request',
      lastNode({ options: { rawBody: true, ipWhitelist: '10.0.0.1' } }),
    ],
    ['a Respond node with its first item', respond({})],
    [
      'a Respond node with all items',
      respond({ respondWith: 'allIncomingItems', options: { responseCode: 201 } }),
    ],
  ])('knows that a workflow gives JSON only by %s', (_what, workflow) => {
    expect(answerFactsOf(workflow)).toEqual({ givesOnlyJson: true, givesOnlySuccess: true })
  })

  it.each<[string, N8nWorkflow]>([
    [
      'a status that is no success',
      lastNode({ options: { responseCode: { values: { responseCode: 503 } } } }),
    ],
    [
      'a status that is told in the run',
      lastNode({ options: { responseCode: { values: { responseCode: '={{ 200 }}' } } } }),
    ],
    ['the status of a webhook of version 1', lastNode({ responseCode: 503 })],
    [
      'one property, which may be any text',
      lastNode({ options: { responsePropertyName: 'page' } }),
    ],
    ['another content type', lastNode({ options: { responseContentType: 'text/html' } })],
    ['headers of its own', lastNode({ options: { responseHeaders: { entries: [] } } })],
    ['a file', lastNode({ responseData: 'firstEntryBinary' })],
    ['what is told in the run', lastNode({ responseData: '={{ "firstEntryBinary" }}' })],
    ['options that are told in the run', lastNode({ options: '={{ {} }}' })],
    ['a text', respond({ respondWith: 'text', responseBody: 'hello' })],
    ['JSON that may be a text', respond({ respondWith: 'json', responseBody: '={{ "n8n" }}' })],
    ['a Respond node with a status', respond({ options: { responseCode: 404 } })],
    ['a Respond node with headers', respond({ options: { responseHeaders: { entries: [] } } })],
    ['a way that is told in the run', respond({ respondWith: '={{ "text" }}' })],
    ['another workflow', workflowOf([node('Run', 'executeWorkflow@1.2', {}), result])],
  ])('is not certain of it where a workflow answers with %s', (_what, workflow) => {
    expect(answerFactsOf(workflow)).not.toHaveProperty('givesOnlyJson')
  })

  it.each<[string, N8nWorkflow, boolean]>([
    ['a text', respond({ respondWith: 'text', responseBody: 'hello' }), true],
    ['JSON', respond({ respondWith: 'json', responseBody: '{}' }), true],
    ['a redirect', respond({ respondWith: 'redirect', redirectURL: 'https://a.example' }), false],
    ['a status of its own', respond({ options: { responseCode: '={{ 404 }}' } }), false],
    ['a file', lastNode({ responseData: 'firstEntryBinary' }), true],
  ])('knows whether a workflow with %s answers with success only', (_what, workflow, isSure) => {
    expect(answerFactsOf(workflow).givesOnlySuccess).toBe(isSure ? true : undefined)
  })
})

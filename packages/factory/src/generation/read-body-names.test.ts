import type { N8nWorkflow } from '@toolcrib/n8n'
import { describe, expect, test } from 'vitest'
import { readBodyNames } from './read-body-names.ts'

const node = (name: string, type: string, parameters: object): N8nWorkflow['nodes'][number] => ({
  id: name,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters: parameters as N8nWorkflow['nodes'][number]['parameters'],
})

const workflowWith = (expression: string, others: N8nWorkflow['nodes'] = []): N8nWorkflow => ({
  name: 'x',
  nodes: [node('Call', 'webhook', {}), node('Later', 'set', { a: [{ b: expression }] }), ...others],
  connections: { Call: { main: [[{ node: 'First', type: 'main', index: 0 }]] } },
  settings: {},
})

test.each([
  ['={{ $json.body.order_id }}', ['order_id']],
  ['={{ $json.body?.a + $json?.body.b }}', ['a', 'b']],
  ['={{ $json["body"]["a-b"] }}', ['a-b']],
  ["={{ $json.body['x'] }}", ['x']],
  ['={{ $("Call").first().json.body.a }}', ['a']],
  ["={{ $('Call').item.json.body.a }} {{ $input.first().json.body.b }}", ['a', 'b']],
  ['={{ JSON.stringify({ a: $json.body.a, b: $json.body.b.c, a2: $json.body.a }) }}', ['a', 'b']],
  ['={{ $("Other").first().json.body.a }}', []],
  ['={{ $json.bodyguard.a }}', []],
  ['={{ $json.body.hasOwnProperty("a") }}', []],
  ['no expression: $json.body.a', []],
])('%s reads %j', (expression, names) => {
  expect(readBodyNames(workflowWith(expression)).names).toEqual(names)
})

test('using the arguments as a whole is seen', () => {
  expect(readBodyNames(workflowWith('={{ JSON.stringify($json.body) }}')).isWholeUsed).toBe(true)
  expect(readBodyNames(workflowWith('={{ $json.body.a }}')).isWholeUsed).toBe(false)
})

test('the body of an answer is no argument', () => {
  const full = { options: { response: { response: { fullResponse: true } } } }
  const ask = node('First', 'httpRequest', { ...full, url: '={{ $json.body.path }}' })
  expect(readBodyNames(workflowWith('={{ $json.body.answer }}', [ask])).names).toEqual(['path'])
})

describe('a hostile expression costs little', () => {
  test.each([
    '$json'.repeat(30_000),
    `$json${' '.repeat(150_000)}`,
    `$json.body[${' '.repeat(150_000)}`,
    `$(${'"'.repeat(150_000)}`,
    `$("${'a'.repeat(190_000)}`,
    '$("a'.repeat(40_000),
    `$json.body.${'a'.repeat(190_000)}`,
  ])('%.20s…', (expression) => {
    const started = process.cpuUsage()
    readBodyNames(workflowWith(`=${expression}`))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
  })
})

import { expect, test } from 'vitest'
import { findNodeFacts, nodeCatalogue } from './node-catalogue.ts'

test('both release lines are known, and what only one of them has', () => {
  const first = nodeCatalogue('1.123.81')
  const second = nodeCatalogue()
  expect([first.n8nVersion, second.n8nVersion]).toEqual(['1.123.81', '2.41.1'])
  expect(first.nodes['n8n-nodes-base.httpRequest']?.versions.at(-1)).toBe(4.3)
  expect(second.nodes['n8n-nodes-base.httpRequest']?.versions.at(-1)).toBe(4.5)
  const onlyInSecond = Object.keys(second.nodes).filter((type) => !(type in first.nodes))
  expect(onlyInSecond.length).toBeGreaterThan(20)
})

test('an unknown release gets the newest catalogue, another one of 1.x that of 1.x', () => {
  expect(nodeCatalogue('9.0.0')).toBe(nodeCatalogue())
  expect(nodeCatalogue('1.90.0')).toBe(nodeCatalogue('1.123.81'))
})

test('commands are excluded by default since 2.x', () => {
  const isExcluded = (version: string): boolean | undefined =>
    nodeCatalogue(version).nodes['n8n-nodes-base.executeCommand']?.isExcluded
  expect([isExcluded('1.123.81'), isExcluded('2.41.1')]).toEqual([undefined, true])
})

test('nodes that agents may use have a form that ends with Tool', () => {
  const catalogue = nodeCatalogue()
  expect(findNodeFacts(catalogue, 'n8n-nodes-base.httpRequestTool')?.isTool).toBe(true)
  // Agents cannot use the older versions.
  const versions = findNodeFacts(catalogue, 'n8n-nodes-base.httpRequestTool')?.versions
  expect([versions?.includes(1), versions?.includes(4.2)]).toEqual([false, true])
  expect(findNodeFacts(catalogue, 'n8n-nodes-base.ifTool')).toBeUndefined()
  expect(findNodeFacts(catalogue, 'constructor')).toBeUndefined()
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readInstalledCatalogue, writeCatalogueModule } from '../scripts/build-node-catalogue.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-catalogue-'))
  put('n8n/package.json', { version: '9.9.9' })
  put('@n8n/n8n-nodes-langchain/dist/types/nodes.json', [])
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, content: unknown): void {
  const full = join(folder, 'node_modules', path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content))
}

function putNodes(...nodes: readonly object[]): void {
  put('n8n-nodes-base/dist/types/nodes.json', nodes)
}

const request = {
  name: 'httpRequest',
  version: [1, 2],
  group: ['output'],
  displayName: 'Words that are not taken over',
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { name: 'basic', required: true, displayOptions: { show: { authentication: ['basic'] } } },
    {
      name: 'later',
      required: true,
      displayOptions: { show: { '@version': [{ _cnd: { gte: 2 } }] } },
    },
    { name: 'unclear', required: true, displayOptions: { show: { 'a.b': ['x'] } } },
  ],
  properties: [
    {
      name: 'authentication',
      type: 'options',
      default: 'none',
      options: [{ value: 'none' }, { value: 'basic' }],
    },
    { name: 'method', type: 'options', options: [{ value: 'GET' }] },
    { name: 'url', type: 'string', default: '', required: true },
    { name: 'preset', type: 'string', default: 'x', required: true },
  ],
}

test('entries of one type become one, with facts and no words', () => {
  putNodes(request, {
    ...request,
    version: 3,
    properties: [
      { name: 'method', type: 'options', options: [{ value: 'GET' }, { value: 'POST' }] },
      { name: 'authentication', type: 'string', default: 'none' },
      { name: 'url', type: 'string', default: '', required: true },
    ],
  })
  const { n8nVersion, nodes } = readInstalledCatalogue(folder)
  expect(n8nVersion).toBe('9.9.9')
  expect(nodes).toEqual({
    'n8n-nodes-base.httpRequest': {
      versions: [1, 2, 3],
      inputs: 1,
      outputs: 1,
      credentials: [
        { name: 'basic', show: { authentication: ['basic'] } },
        { name: 'later', versions: [2, 3] },
        { name: 'unclear', optional: true },
      ],
      required: [{ name: 'url' }],
      defaults: { authentication: 'none' },
      values: { method: ['GET', 'POST'] },
    },
  })
})

test('what a release leaves out by default is read from its settings', () => {
  putNodes({ name: 'executeCommand', version: 1, properties: [] })
  put(
    '@n8n/config/dist/configs/nodes.config.js',
    "this.exclude = ['n8n-nodes-base.executeCommand']",
  )
  expect(readInstalledCatalogue(folder).nodes['n8n-nodes-base.executeCommand']).toEqual({
    versions: [1],
    isExcluded: true,
  })
})

test('the module says facts once where releases agree', () => {
  const same = { versions: [1] }
  const text = writeCatalogueModule([
    {
      n8nVersion: '1.0.0',
      nodes: { 'a.same': same, 'a.old': same, 'a.other': { versions: [1], outputs: 2 } },
    },
    {
      n8nVersion: '2.0.0',
      nodes: {
        'a.same': same,
        'a.new': { versions: [2] },
        'a.other': { versions: [1], inputs: 1 },
      },
    },
  ])
  const json = text.slice(text.indexOf('`') + 1, text.lastIndexOf('`'))
  expect(JSON.parse(json)).toEqual({
    releases: ['1.0.0', '2.0.0'],
    nodes: {
      'a.same': same,
      'a.old': [null, same],
      'a.new': [{ versions: [2] }, null],
      'a.other': [
        { versions: [1], inputs: 1 },
        { outputs: 2, inputs: null },
      ],
    },
  })
})

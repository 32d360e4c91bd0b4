import { expect, test } from 'vitest'
import type { N8nReport } from '../../tools/n8n/n8n-report.ts'
import type { N8nState } from '../../operations/n8n-operations.ts'
import { describeN8nState } from './doctor-n8n-tools.ts'

const baseUrl = 'http://127.0.0.1:5678'
const report: N8nReport = {
  server: { isReady: true, ms: 3, isKeyAccepted: true, major: 2, missingScopes: [] },
  tools: [{ toolName: 'a', baseUrl, isReachable: true, state: 'intact' }],
  leftBehind: [],
}
const state: N8nState = {
  isOn: true,
  because: 'the settings name a server',
  baseUrl,
  webhookBaseUrl: baseUrl,
  deployments: '/trust/n8n',
  nodes: {},
  privateAddresses: [],
  inspectEveryMs: 30_000,
  report,
}
const said = (more: Partial<N8nState>): readonly string[] =>
  describeN8nState({ ...state, ...more }, 'toolcrib').map(({ level, what }) => `${level}: ${what}`)
const saidOf = (more: Partial<N8nReport>): string =>
  said({ report: { ...report, ...more } }).join('\n')

test('a server that is ready, with a key that may do everything, is fine', () => {
  expect(said({})).toEqual([
    'ok: n8n 2.x at http://127.0.0.1:5678 is ready, asking took 3 ms',
    'ok: n8n takes the API key, and it may do everything that is needed',
    'ok: Workflows in use on n8n are as they were approved: 1',
  ])
  expect(saidOf({ tools: [] })).toContain('ok: No workflow of a tool is in use on n8n')
})

test('a server that is down, a key that is refused or lacks scopes, and an old release are said', () => {
  expect(saidOf({ server: { isReady: false, ms: 1, problem: 'refused' } })).toContain(
    'problem: n8n at http://127.0.0.1:5678 is not ready, so n8n tools fail: refused',
  )
  const server = { isReady: true, ms: 1 }
  expect(saidOf({ server: { ...server, isKeyAccepted: false, problem: 'no' } })).toContain(
    'problem: n8n does not take the API key: no',
  )
  expect(saidOf({ server: { ...server, problem: 'a proxy' } })).toContain(
    'problem: Whether n8n takes the API key is not known: a proxy',
  )
  const missingScopes = ['workflow:delete']
  expect(saidOf({ server: { ...server, isKeyAccepted: true, major: 2, missingScopes } })).toContain(
    'problem: The API key of n8n may not do what is needed. Give it: workflow:delete',
  )
  const old = saidOf({ server: { ...server, isKeyAccepted: true, major: 1 } })
  expect(old).toContain('ok: n8n takes the API key; what the key may do this release does not say')
  expect(old).toContain('advice: n8n 1.x keeps no versions')
})

test('changed workflows and what was left behind are problems, five by name', () => {
  const tools = Array.from({ length: 7 }, (_, index) => ({
    toolName: `tool_${index}`,
    baseUrl,
    isReachable: true,
    state: 'changed' as const,
    reason: 'its nodes\nare others',
  }))
  const left = Array.from({ length: 6 }, (_, index) => ({
    toolName: `left_${index}`,
    baseUrl,
    workflowId: 'W1',
    reason: 'n8n was down',
  }))
  const text = saidOf({ tools, leftBehind: left })
  expect(text).toContain('The workflow of tool_4 was changed in n8n: its nodes are others.')
  expect(text).not.toContain('tool_5')
  expect(text).toContain('2 more workflows were changed')
  expect(text).toContain('Something of left_4 may still be on n8n (workflow W1): n8n was down')
  expect(text).toContain('1 more such things on n8n')
})

test('a missing key is a problem, switched off on purpose is none, and code is warned of', () => {
  const { report: _report, ...off } = { ...state, isOn: false }
  expect(describeN8nState({ ...off, because: 'no key' }, '')).toMatchObject([{ level: 'problem' }])
  const because = 'n8n.enabled is false; to switch them on, set it to true'
  expect(describeN8nState({ ...off, because }, '')).toMatchObject([{ level: 'ok' }])
  expect(said({ nodes: { allowCode: true } }).join('\n')).toMatch(/advice: Workflows may hold code/)
})

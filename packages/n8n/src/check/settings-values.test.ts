import type { JsonObject } from '@toolcrib/registry'
import { expect, it } from 'vitest'
import { nodeCatalogue } from '../node-catalogue.ts'
import { validateWorkflow } from '../validate-workflow.ts'
import type { WorkflowCheck } from '../workflow-check.ts'

const check = (settings: JsonObject, release = '2.41.1', more: JsonObject = {}): WorkflowCheck =>
  validateWorkflow(
    {
      name: 'settings',
      nodes: [
        {
          name: 'Webhook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          parameters: { httpMethod: 'POST', path: 'x', responseMode: 'lastNode' },
        },
      ],
      connections: {},
      settings,
      ...more,
    },
    { catalogue: nodeCatalogue(release) },
  )
const good = (checked: WorkflowCheck): WorkflowCheck & { readonly ok: true } => {
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return checked
}
const codes = ({ problems }: WorkflowCheck): readonly string[] =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)

it('leaves out what the editor exports for what the server decides', () => {
  const checked = check({
    executionOrder: 'v1',
    saveExecutionProgress: 'DEFAULT',
    saveManualExecutions: 'DEFAULT',
    saveDataErrorExecution: 'DEFAULT',
    errorWorkflow: 'DEFAULT',
    callerPolicy: null,
    binaryMode: 'combined',
    timezone: 'DEFAULT',
  })
  const { repairs, workflow } = good(checked)
  expect(workflow.settings).toEqual({ executionOrder: 'v1', timezone: 'DEFAULT' })
  expect(repairs.join()).toContain('saveManualExecutions')
})

it('names what the server it is checked for does not have', () => {
  for (const [name, value] of Object.entries({
    redactionPolicy: 'all',
    timeSavedMode: 'dynamic',
    customTelemetryTags: [{ key: 'a', value: 'b' }],
  })) {
    expect(codes(check({ executionOrder: 'v1', [name]: value }))).toEqual([])
    expect(codes(check({ executionOrder: 'v1', [name]: value }, '1.123.81'))).toEqual([
      'bad-settings',
    ])
  }
})

it('leaves out what says the same as leaving it out, where the server has no such setting', () => {
  const same = { redactionPolicy: 'none', timeSavedMode: 'fixed', customTelemetryTags: [] }
  const { workflow } = good(check({ executionOrder: 'v1', ...same }, '1.123.81'))
  expect(workflow.settings).toEqual({ executionOrder: 'v1' })
})

it('leaves out how often a node is tried that is tried once', () => {
  const webhook = {
    name: 'Webhook',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    parameters: { httpMethod: 'POST', path: 'x', responseMode: 'lastNode' },
    waitBetweenTries: 0,
  }
  const { repairs, workflow } = good(check({}, '2.41.1', { nodes: [webhook] }))
  expect(workflow.nodes[0]).not.toHaveProperty('waitBetweenTries')
  expect(repairs.join()).toContain('waitBetweenTries')
  const tried = { nodes: [{ ...webhook, retryOnFail: true }] }
  expect(codes(check({}, '2.41.1', tried))).toEqual(['bad-node-field'])
})

it('leaves a program names of its own', () => {
  const code = (jsCode: string): WorkflowCheck =>
    validateWorkflow(
      {
        name: 'code',
        nodes: [
          {
            name: 'Webhook',
            type: 'n8n-nodes-base.webhook',
            typeVersion: 2,
            parameters: { httpMethod: 'POST', path: 'x', responseMode: 'lastNode' },
          },
          { name: 'Code', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
        ],
        connections: { Webhook: { main: [[{ node: 'Code', type: 'main', index: 0 }]] } },
      },
      { policy: { allowCode: true } },
    )
  expect(codes(code("const $ = (s) => s; return [{ json: { a: $('h1') } }]"))).toEqual([])
  expect(codes(code("return [{ json: { a: $('h1') } }]"))).toEqual(['unknown-node-reference'])
  expect(codes(code('{ let $env }\nreturn [{ json: $env }]'))).toEqual(['environment-access'])
})

it('leaves out pinned data where n8n takes none', () => {
  const pinned = { pinData: { Webhook: [{ json: {} }] } }
  expect(good(check({}, '1.123.81', pinned)).workflow).not.toHaveProperty('pinData')
  expect(good(check({}, '2.41.1', pinned)).workflow).toHaveProperty('pinData')
})

import { describe, expect, it } from 'vitest'
import { addition, setNode, webhook, workflowOf } from '../test/function-workflows.ts'
import { bindWorkflow, findWebhook } from './bind-workflow.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'

const binding = {
  name: 'tool: add',
  path: 'a'.repeat(40),
  webhookId: 'b'.repeat(40),
  credential: { id: 'C1', name: 'toolcrib aaaa', type: 'jwtAuth' },
} as const

function withWebhook(parameters: N8nNode['parameters']): N8nWorkflow {
  return workflowOf([{ ...webhook, parameters }])
}

describe('findWebhook', () => {
  it('finds the one webhook, and looks past disabled ones', () => {
    const off = { ...webhook, name: 'Off', disabled: true }
    expect(findWebhook(workflowOf([off, webhook])).name).toBe('Call')
  })

  it.each([
    ['there is none', { ...addition, nodes: [setNode('Result', '{}')] }, 'has no webhook'],
    ['there are two', workflowOf([webhook, { ...webhook, name: 'Other' }]), 'Call, Other'],
    ['it is disabled', workflowOf([{ ...webhook, disabled: true }]), 'has no webhook'],
    ['it takes GET by default', withWebhook({ responseMode: 'lastNode' }), 'GET, by default'],
    [
      'it takes several methods',
      withWebhook({ httpMethod: ['POST', 'GET'], multipleMethods: true, responseMode: 'lastNode' }),
      '["POST","GET"]',
    ],
    ['it answers before the workflow ran', withWebhook({ httpMethod: 'POST' }), 'onReceived'],
  ])('says what to do when %s', (_when, workflow, message) => {
    expect(() => findWebhook(workflow)).toThrow(
      expect.objectContaining({
        code: 'N8N_NO_WEBHOOK',
        message: expect.stringContaining(message),
      }),
    )
  })
})

describe('bindWorkflow', () => {
  it('fills in name, path, id, authentication and credential, and nothing else', () => {
    const bound = bindWorkflow(addition, binding)
    expect(bound).toEqual({
      ...addition,
      name: 'tool: add',
      nodes: [
        {
          ...webhook,
          webhookId: binding.webhookId,
          parameters: { ...webhook.parameters, path: binding.path, authentication: 'jwtAuth' },
          credentials: { jwtAuth: { id: 'C1', name: 'toolcrib aaaa' } },
        },
        addition.nodes[1],
      ],
    })
    expect(JSON.stringify(bindWorkflow(addition, binding))).toBe(JSON.stringify(bound))
  })

  it('replaces an authentication and a path that the author wrote', () => {
    const sneaky = workflowOf([
      {
        ...webhook,
        parameters: { ...webhook.parameters, path: 'guess-me', authentication: 'headerAuth' },
        credentials: { httpHeaderAuth: { id: 'X', name: 'mine' } },
      },
    ])
    const { credential: _none, ...open } = binding
    const [bound] = bindWorkflow(sneaky, open).nodes
    expect(bound?.parameters).toMatchObject({ path: binding.path, authentication: 'none' })
    expect(bound).not.toHaveProperty('credentials')
    expect(bindWorkflow(sneaky, binding).nodes[0]?.credentials).toEqual({
      jwtAuth: { id: 'C1', name: 'toolcrib aaaa' },
    })
  })

  it('drops what is no part of a workflow', () => {
    const exported = { ...addition, id: 'W1', active: true, meta: {} }
    expect(Object.keys(bindWorkflow(exported, binding)).toSorted()).toEqual([
      'connections',
      'name',
      'nodes',
      'settings',
    ])
  })

  it.each([
    ['path', { path: 'a/b' }],
    ['path', { path: ':id' }],
    ['path', { path: 'x'.repeat(101) }],
    ['webhookId', { webhookId: '' }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(129) }],
  ])('refuses a binding whose %s no webhook could have', (field, wrong) => {
    expect(() => bindWorkflow(addition, { ...binding, ...wrong })).toThrow(
      expect.objectContaining({
        code: 'N8N_OPTION_INVALID',
        message: expect.stringContaining(field),
      }),
    )
  })
})

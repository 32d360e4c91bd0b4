import { readFileSync } from 'node:fs'
import { listTemplates } from '@toolcrib/n8n/templates'
import { viewTool } from '@toolcrib/registry'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHost, type TestHost } from '../../../test/open-host.ts'
import { createScriptedN8nKind, type ScriptedN8nKind } from '../../../test/scripted-n8n-kind.ts'
import { createFactoryTools, type UsableCredential } from '../../index.ts'

let host: TestHost
let n8n: ScriptedN8nKind

const open = async (credentials?: readonly UsableCredential[]): Promise<void> => {
  n8n = createScriptedN8nKind()
  const { kind } = n8n
  host = await openHost(
    {},
    {
      kinds: [kind],
      makeTools: (toolsmaker) =>
        createFactoryTools({
          toolsmaker,
          n8n: { kind, ...(credentials === undefined ? {} : { credentials }) },
        }),
    },
  )
}

beforeEach(() => open())

afterEach(async () => {
  await host.close()
})

const proposal = {
  template: 'order-status-notify',
  tool_name: 'notify_order_status',
  tool_description: 'Tells a customer by WhatsApp what became of an order',
  customizations: { messagingBaseUrl: 'https://wa.shop.test/v1', timeZone: 'Africa/Lagos' },
}

const create = (input: object = {}, agent = 'ada'): Promise<Record<string, unknown>> =>
  host.call(agent, 'toolFactory_createFromTemplate', { ...proposal, ...input })

const shown = (): Record<string, unknown> => {
  const view = viewTool(host.registry.get('toolFactory_createFromTemplate') as never)
  if (view.problem !== undefined) throw new Error(view.problem)
  const { description, input, name } = view
  return { name, description, input_schema: input.schema }
}

describe('what a model is shown', () => {
  test('takes at most 1,500 tokens of a prompt, as many as the README says', () => {
    const tokens = encode(JSON.stringify(shown())).length
    expect(tokens).toBeLessThanOrEqual(1_500)
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(
      `\`toolFactory_createFromTemplate\` has ${tokens.toLocaleString('en-US')} tokens`,
    )
  })

  test('names every template, and every customization of each', () => {
    const text = JSON.stringify(shown())
    for (const { customizationSchema, slug } of listTemplates()) {
      expect(shown()).toMatchObject({
        input_schema: { properties: { template: { enum: expect.arrayContaining([slug]) } } },
      })
      for (const name of Object.keys(customizationSchema['properties'] as object))
        expect(text).toContain(name)
    }
  })

  test('a call in one line', () => {
    expect(host.registry.get('toolFactory_createFromTemplate')?.describeCall?.(proposal)).toBe(
      'Make the n8n tool notify_order_status({ messagingBaseUrl: "https://wa.shop.test/v1", timeZone: "Africa/Lagos" }) from the template "order-status-notify"',
    )
  })
})

describe('a tool made from a template', () => {
  test('waits for a person, whatever the template, and nothing is sent', async () => {
    expect(await create()).toEqual({
      success: true,
      toolName: 'notify_order_status',
      type: 'n8n',
      template: 'order-status-notify',
      status: 'approval_required',
      version: 1,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      parameters: ['orderId', 'status', 'phone', 'customerName'],
      message: expect.stringMatching(/waits for a person.*Nothing was sent to n8n/),
    })
    expect(n8n.asked).toEqual([])
    expect(host.registry.has('notify_order_status')).toBe(false)
  })

  test('that goes to the address of nobody says so', async () => {
    expect(await create({ customizations: {} })).toMatchObject({
      success: true,
      warnings: [expect.stringContaining('https://messaging.example')],
    })
  })

  test('has the parameters, powers and origin of its template', async () => {
    await create()
    const spec = host.toolsmaker.getSpec('notify_order_status', 1)
    expect(spec).toMatchObject({
      kind: 'n8n',
      risk: 'medium',
      capabilities: ['http'],
      allowedDomains: ['wa.shop.test'],
      inputSchema: { type: 'object', required: ['orderId', 'status', 'phone'] },
      outputSchema: { type: 'object' },
      definition: {
        template: {
          slug: 'order-status-notify',
          customizations: { ...proposal.customizations, requestTimeoutSeconds: 10 },
        },
        workflow: { nodes: expect.any(Array) },
      },
      provenance: {
        source: 'toolFactory_createFromTemplate',
        templateSource: 'order-status-notify',
      },
    })
  })

  test('is put there when a person approves it, and can be called', async () => {
    await create()
    await host.approve('notify_order_status', 1)
    expect(n8n.asked).toEqual(['deploy notify_order_status'])
    const order = { orderId: 'A-17', status: 'shipped', phone: '+2348012345678' }
    n8n.script.output = { orderId: 'A-17', messageId: 'm1' }
    expect(await host.call('ada', 'notify_order_status', order)).toEqual(n8n.script.output)
    n8n.script.output = { unexpected: true }
    await expect(host.call('ada', 'notify_order_status', order)).rejects.toThrow('OUTPUT_INVALID')
  })

  test('is the same tool when it is proposed once more', async () => {
    const first = await create()
    expect(await create()).toMatchObject({ version: 1, contentHash: first['contentHash'] })
  })

  test.each(listTemplates())(
    '$slug needs no customization but the required ones',
    async (template) => {
      const { customizationSchema, slug } = template
      const { required = [] } = customizationSchema as { required?: readonly string[] }
      const customizations = Object.fromEntries(required.map((name) => [name, '+2348012345678']))
      expect(await create({ template: slug, customizations })).toMatchObject({
        success: true,
        template: slug,
      })
    },
  )
})

describe('what a model can mend comes back as a value', () => {
  test.each([
    ['order-status-notif', 'Did you mean "order-status-notify"?'],
    ['Daily-Report', 'Did you mean "daily-report"?'],
    ['../../etc/passwd', 'Templates: lead-followup,'],
    ['__proto__', 'Templates: lead-followup,'],
  ])('an unknown template: %s', async (template, hint) => {
    expect(await create({ template })).toMatchObject({
      success: false,
      toolName: 'notify_order_status',
      errorCode: 'N8N_TEMPLATE_UNKNOWN',
      error: expect.stringContaining(hint),
    })
  })

  test('an unknown customization, with what there is', async () => {
    const customizations = { messagingBaseURL: 'https://wa.shop.test', webhookPath: 'x' }
    const answer = await create({ customizations })
    expect(answer).toMatchObject({
      success: false,
      template: 'order-status-notify',
      errorCode: 'N8N_CUSTOMIZATION_INVALID',
      error: expect.stringContaining('messagingBaseUrl='),
    })
    expect(answer['problems']).toEqual([
      expect.stringMatching(/messagingBaseURL.*messagingBaseUrl/),
      expect.stringContaining('webhookPath'),
    ])
    expect(host.toolsmaker.listVersions()).toEqual([])
  })

  test.each([
    [{ messagingBaseUrl: 'ftp://x' }, 'messagingBaseUrl'],
    [{ messagingBaseUrl: 'https://user:secret@wa.test' }, 'messagingBaseUrl'],
    [{ timeZone: 'Mars/Base' }, 'timeZone'],
    [{ requestTimeoutSeconds: 'ten' }, 'requestTimeoutSeconds'],
    [{ messagingCredential: 'sk-secret' }, 'messagingCredential'],
    [{ message: 'Hi {{password}}' }, 'message'],
  ])('a wrong customization: %j', async (customizations, field) => {
    expect(await create({ customizations })).toMatchObject({
      errorCode: 'N8N_CUSTOMIZATION_INVALID',
      problems: [expect.stringContaining(field)],
    })
  })

  test.each([
    [{ tool_name: 'new_tool' }, 'TOOL_NAME_NOT_MEANINGFUL'],
    [{ tool_name: 'toolFactory_createCompute' }, 'TOOL_NAME_TAKEN'],
    [{ tool_description: ' ' }, 'REQUEST_INVALID'],
  ])('%j', async (change, errorCode) => {
    expect(await create(change)).toMatchObject({ success: false, errorCode })
  })

  test('an address that no operator opened', async () => {
    const answer = await create({
      customizations: { messagingBaseUrl: 'http://169.254.169.254/x' },
    })
    expect(answer).toMatchObject({
      success: false,
      status: 'rejected',
      errorCode: 'PROPOSAL_REJECTED',
      problems: [expect.stringContaining('privateAddresses')],
    })
    expect(n8n.asked).toEqual([])
  })

  test('what the kind has against it', async () => {
    n8n.script.checks = [{ name: 'hosts', pass: false, message: 'It reaches too far.' }]
    expect(await create()).toMatchObject({
      success: false,
      errorCode: 'PROPOSAL_REJECTED',
      problems: ['It reaches too far.'],
    })
  })
})

describe('credentials', () => {
  const messagingCredential = { id: 'cred1', name: 'WhatsApp' }
  const customizations = { messagingCredential }

  test('any may be named where no list is given', async () => {
    expect(await create({ customizations })).toMatchObject({ success: true })
  })

  test('only those on the list, where there is one, with their type', async () => {
    await host.close()
    await open([{ ...messagingCredential, type: 'httpHeaderAuth' }])
    expect(await create({ customizations })).toMatchObject({ success: true })
    const other = { messagingCredential: { id: 'stolen', name: 'WhatsApp' } }
    expect(await create({ customizations: other })).toMatchObject({
      success: false,
      errorCode: 'CREDENTIAL_UNKNOWN',
      error: expect.stringMatching(/stolen.*cred1/),
    })
    await host.close()
    await open([{ ...messagingCredential, type: 'slackApi' }])
    expect(await create({ customizations })).toMatchObject({ errorCode: 'CREDENTIAL_UNKNOWN' })
  })
})

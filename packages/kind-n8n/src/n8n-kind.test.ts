import type { N8nNode, N8nWorkflow } from '@toolcrib/n8n'
import { createN8nClient } from '@toolcrib/n8n'
import { listTemplates, renderTemplate } from '@toolcrib/n8n/templates'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { ToolBuildRequest } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type N8nHost, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow, requestNode } from '../test/n8n-workflows.ts'
import { createMemoryN8nDeployments, createN8nKind } from './index.ts'
import { n8nRequest } from './n8n-request.ts'

// Nothing listens there: before a tool is approved nothing may be asked.
const client = createN8nClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'no-key-at-all' })
let host: N8nHost

beforeAll(async () => {
  host = await openN8nHost({ client })
})
afterAll(() => host.close())

let number = 0
/** Proposes under a name of its own; gives the status, and the checks that failed. */
async function propose(
  workflow: N8nWorkflow,
  more: Partial<ToolBuildRequest> = {},
  on = host,
): Promise<{
  readonly status: string
  readonly failed: string
  readonly checks: readonly string[]
}> {
  number += 1
  const name = `add_of_case_${number}`
  const { report, status } = await on.toolsmaker
    .forAgent({ kind: 'agent', id: 'ada' })
    .buildTool(adderRequest(workflow, { name, ...more }))
  return {
    status,
    failed: report.checks
      .filter(({ pass }) => !pass)
      .map((check) => `${check.name}: ${check.message}`)
      .join('\n'),
    checks: report.checks.map((check) => check.name),
  }
}

/** The same workflow with one node changed. */
function change(workflow: N8nWorkflow, name: string, more: Partial<N8nNode>): N8nWorkflow {
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => (node.name === name ? { ...node, ...more } : node)),
  }
}

const codeNode: N8nNode = {
  id: 'code',
  name: 'Work',
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  position: [220, 0],
  parameters: { jsCode: 'return items' },
}

type Rejection = [string, N8nWorkflow, Partial<ToolBuildRequest>, RegExp]

function stepNode(type: string, typeVersion: number, parameters: JsonObject): N8nNode {
  const full = `n8n-nodes-base.${type}`
  return { id: 'step', name: 'Step', type: full, typeVersion, position: [220, 0], parameters }
}

const asking = {
  operation: 'sendAndWait',
  fromEmail: 'ada@example.com',
  toEmail: 'grace@example.com',
  subject: 'Shall it?',
  message: 'It would.',
}

function withNode(workflow: N8nWorkflow, node: N8nNode): N8nWorkflow {
  const connections = {
    ...workflow.connections,
    [node.name]: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] },
  }
  return { ...workflow, nodes: [...workflow.nodes, node], connections }
}

describe('a workflow is proposed', () => {
  test('and waits for a person, whatever rules there are, with nothing asked of n8n', async () => {
    expect(await propose(adderWorkflow())).toMatchObject({
      status: 'approval_required',
      failed: '',
    })
    const [waiting] = host.toolsmaker.listPending()
    const review = await host.toolsmaker.readReview(waiting?.name ?? '', 1)
    expect(review?.waitsBecause).toEqual([
      'a workflow cannot be tried before it runs for real, so a person has to read what it does',
    ])
    expect(review?.evidence).toEqual([])
    expect(review?.checks.find(({ name }) => name === 'not-tried')?.message).toMatch(
      /^Nothing was run/,
    )
  })

  test.each<[string, N8nWorkflow, Partial<ToolBuildRequest>, RegExp]>([
    [
      'with a definition that is none',
      adderWorkflow(),
      { definition: { flow: 1 } },
      /^definition: definition\.workflow: must be a workflow/,
    ],
    [
      'with a field in its definition that nobody reviews',
      adderWorkflow(),
      { definition: { workflow: adderWorkflow(), evil: 1 } as unknown as JsonValue },
      /^definition: .*evil/,
    ],
    ['with examples', adderWorkflow(), { examples: [{ input: { a: 1, b: 2 } }] }, /^not-tried: /m],
    [
      'with a node that n8n does not have',
      change(adderWorkflow(), 'Sum', { type: 'n8n-nodes-base.noSuchNode' }),
      {},
      /^workflow-problem-1: nodes\[1\].*noSuchNode/,
    ],
    [
      'without a webhook',
      {
        ...adderWorkflow({ schedule: '0 9 * * *' }),
        nodes: adderWorkflow({ schedule: '0 9 * * *' }).nodes.filter(({ name }) => name !== 'Call'),
        connections: { Clock: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] } },
      },
      {},
      /Call|callable: The workflow has no webhook/,
    ],
    [
      'with a webhook that takes GET',
      change(adderWorkflow(), 'Call', {
        parameters: { httpMethod: 'GET', path: 'x', responseMode: 'lastNode', options: {} },
      }),
      {},
      /^callable: The webhook "Call" must take POST/m,
    ],
    [
      'with a host that is not declared',
      adderWorkflow({ between: [requestNode('https://crm.example.com/leads')] }),
      {},
      /^hosts-declared: The workflow reaches crm\.example\.com, which allowedDomains lacks/m,
    ],
    [
      'with a host that is never used',
      adderWorkflow({ between: [requestNode('https://crm.example.com/leads')] }),
      { capabilities: ['http'], allowedDomains: ['crm.example.com', 'evil.example.com'] },
      /^hosts-declared: allowedDomains names evil\.example\.com, which the workflow never reaches/m,
    ],
    [
      'with a host that only the run decides on',
      adderWorkflow({ between: [requestNode('={{ $json.body.url }}')] }),
      {},
      /^hosts-known: .*parameters\.url of "Ask"/m,
    ],
    [
      'with a power that a workflow has no use for',
      adderWorkflow(),
      { capabilities: ['fs_read'], allowedPaths: ['data/**'] },
      /^powers-of-a-workflow: .*capabilities must be \[\] here, got \["fs_read"\], and allowedPaths must be empty/m,
    ],
    [
      'with the power to send and no host',
      adderWorkflow(),
      { capabilities: ['http'] },
      /^powers-of-a-workflow: /m,
    ],
    [
      'that reads variables of the server',
      change(adderWorkflow(), 'Sum', {
        parameters: { mode: 'raw', jsonOutput: '={{ { "sum": $env.SECRET } }}', options: {} },
      }),
      {},
      /\$env/,
    ],
    [
      'that reads variables of n8n',
      change(adderWorkflow(), 'Sum', {
        parameters: { mode: 'raw', jsonOutput: '={{ { "sum": $vars.SECRET } }}', options: {} },
      }),
      {},
      /\$vars/,
    ],
    [
      'that runs another workflow',
      adderWorkflow({
        between: [
          {
            id: 'sub',
            name: 'Other',
            type: 'n8n-nodes-base.executeWorkflow',
            typeVersion: 1.2,
            position: [220, 0],
            parameters: { workflowId: { __rl: true, mode: 'id', value: 'Ab12' } },
          },
        ],
      }),
      {},
      /Other/,
    ],
    [
      'that has another workflow run on errors',
      { ...adderWorkflow(), settings: { executionOrder: 'v1', errorWorkflow: 'Ab12' } },
      {},
      /errorWorkflow/,
    ],
    ['that runs code', adderWorkflow({ between: [codeNode] }), {}, /runs code/],
    [
      'that others can start over MCP',
      { ...adderWorkflow(), settings: { executionOrder: 'v1', availableInMCP: true } },
      {},
      /^ways-in: .*availableInMCP/m,
    ],
    [
      'that others can start with a form',
      {
        ...adderWorkflow(),
        nodes: [
          ...adderWorkflow().nodes,
          {
            id: 'form',
            name: 'Form',
            type: 'n8n-nodes-base.formTrigger',
            typeVersion: 2.2,
            position: [0, 400],
            webhookId: 'open-to-all',
            parameters: {
              formTitle: 'Anybody',
              formFields: { values: [{ fieldLabel: 'x' }] },
              options: {},
            },
          },
        ],
        connections: {
          ...adderWorkflow().connections,
          Form: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] },
        },
      },
      {},
      /^ways-in: "Form" .*lets others start the workflow/m,
    ],
    ...(
      [
        ['a wait that others end', 'wait', { resume: 'webhook' }],
        ['a wait that may be one', 'wait', { resume: '={{ "webhook" }}' }],
        ['a page of a form', 'form', {}],
      ] as const
    ).map(([title, type, parameters]): [string, N8nWorkflow, Partial<ToolBuildRequest>, RegExp] => [
      `with ${title}`,
      adderWorkflow({
        between: [
          {
            id: 'door',
            name: 'Door',
            type: `n8n-nodes-base.${type}`,
            typeVersion: 1,
            position: [220, 0],
            webhookId: 'open-to-all',
            parameters,
          },
        ],
      }),
      {},
      /^ways-in: "Door" .*lets others go on with a run/m,
    ]),
    ...(
      [
        ['that asks a person by mail', 'emailSend', 2.1, 'smtp', asking],
        [
          'that may ask a person',
          'slack',
          2.3,
          'slackApi',
          { operation: '={{ "send" + "AndWait" }}' },
        ],
        [
          'that waits for a job of GitHub',
          'github',
          1.1,
          'githubApi',
          {
            resource: 'workflow',
            operation: 'dispatchAndWait',
            owner: { __rl: true, mode: 'name', value: 'ada' },
            repository: { __rl: true, mode: 'name', value: 'sums' },
            workflowId: { __rl: true, mode: 'name', value: 'build.yml' },
            ref: { __rl: true, mode: 'name', value: 'main' },
          },
        ],
      ] as const
    ).map(([title, type, typeVersion, credential, parameters]): Rejection => [
      title,
      adderWorkflow({
        between: [
          {
            ...stepNode(type, typeVersion, parameters),
            webhookId: 'open-to-all',
            credentials: { [credential]: { id: 'Cred4', name: 'Messages' } },
          },
        ],
      }),
      {},
      /^ways-in: "Step" .*lets others go on with a run/m,
    ]),
    ...(
      [
        ['of the editor', 'n8n-nodes-base.manualTrigger'],
        ["of the editor's chat", '@n8n/n8n-nodes-langchain.manualChatTrigger'],
        // n8n starts at it all the same.
        ['of the editor, switched off', 'n8n-nodes-base.manualTrigger', { disabled: true }],
        ['for them, switched off', 'n8n-nodes-base.executeWorkflowTrigger', { disabled: true }],
      ] as const
    ).map(([title, type, more = {}]): Rejection => [
      `that other workflows start at the trigger ${title}`,
      withNode(adderWorkflow(), { ...stepNode('noOp', 1, {}), type, ...more }),
      {},
      /^ways-in: "Step" .*lets others start the workflow/m,
    ]),
    ...(
      [
        'http://127.0.0.1:9/api/v1/workflows',
        'http://localhost:9/webhook/other',
        'http://[::1]:9/',
        'http://[::7f00:1]:9/',
        'http://ip6-localhost:9/',
      ] as const
    ).map((url): Rejection => [
      `that reaches n8n itself at ${url}`,
      adderWorkflow({ between: [requestNode(url)] }),
      {},
      /^own-server: It reaches .* which is n8n itself/m,
    ]),
    [
      'that would have to be mended',
      change(adderWorkflow(), 'Sum', { id: '' }),
      {},
      /workflow-complete: |workflow-problem-1: /,
    ],
    [
      'with a field that n8n does not know',
      change(adderWorkflow(), 'Sum', { extra: 'x' } as Partial<N8nNode>),
      {},
      /^workflow-complete: The workflow is not complete/m,
    ],
  ])('%s is rejected, and says why', async (...[, workflow, more, said]) => {
    const { failed, status } = await propose(workflow, more)
    expect(status).toBe('rejected')
    expect(failed).toMatch(said)
  })

  test('with something that may be meant is warned of, and passes', async () => {
    const lonely: N8nNode = {
      id: 'lonely',
      name: 'Lonely',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [0, 600],
      parameters: {},
    }
    const plain = adderWorkflow()
    const { checks, failed, status } = await propose({ ...plain, nodes: [...plain.nodes, lonely] })
    expect({ failed, status }).toEqual({ failed: '', status: 'approval_required' })
    expect(checks).toContain('workflow-warning-1')
  })

  test('from a template that it is not made of is rejected: a reviewer would be told so', async () => {
    const { customizations, hosts, inputSchema, outputSchema, slug, workflow } = renderTemplate(
      'order-status-notify',
      minimalCustomizations('order-status-notify'),
    )
    const request = n8nRequest({
      name: 'notify_of_orders',
      description: 'Tells customers how their order is.',
      inputSchema,
      outputSchema,
      definition: { workflow, template: { slug, customizations } },
      hosts,
      risk: 'medium',
      provenance: {},
    })
    expect(await propose(workflow, request)).toMatchObject({ failed: '' })
    const lying = { workflow: adderWorkflow(), template: { slug, customizations } }
    expect(
      (await propose(adderWorkflow(), { definition: lying as unknown as JsonValue })).failed,
    ).toMatch(/^template: The workflow is not what the template order-status-notify gives/m)
    const none = { workflow: adderWorkflow(), template: { slug: 'no-such', customizations: {} } }
    expect(
      (await propose(adderWorkflow(), { definition: none as unknown as JsonValue })).failed,
    ).toMatch(/^template: .*no-such/m)
  })

  test.each(listTemplates().map(({ slug }) => slug))(
    'from the template %s passes every check',
    async (slug) => {
      const rendered = renderTemplate(slug, minimalCustomizations(slug))
      const { customizations, hosts, inputSchema, outputSchema, workflow } = rendered
      const name = `run_${slug.replaceAll('-', '_')}`
      const definition = { workflow, template: { slug, customizations } }
      const parts = { name, description: 'As its template says.', inputSchema, outputSchema, hosts }
      const request = n8nRequest({ ...parts, definition, risk: 'medium', provenance: {} })
      const { failed, status } = await propose(workflow, request)
      expect({ failed, status }).toEqual({ failed: '', status: 'approval_required' })
    },
  )
})

/** What a template must be told, with values that it takes. */
function minimalCustomizations(slug: string): Record<string, unknown> {
  const schema = listTemplates().find((template) => template.slug === slug)?.customizationSchema
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Record<string, unknown>>
    required?: readonly string[]
  }
  return Object.fromEntries(
    required.flatMap((key) => {
      const property = properties[key] ?? {}
      if ('default' in property) return []
      return [[key, valueFor(key, property)] as const]
    }),
  )
}

function valueFor(key: string, property: Record<string, unknown>): unknown {
  if (property['type'] === 'object') return { id: 'Cred1', name: 'A credential' }
  if (/url|origin/i.test(key)) return 'https://crm.example.com'
  if (/zone/i.test(key)) return 'Africa/Lagos'
  if (/phone|recipient|to\b|number/i.test(key)) return '+2348012345678'
  return property['type'] === 'integer' || property['type'] === 'number' ? 5 : '+2348012345678'
}

describe('the risk of a tool', () => {
  const credentials = { postgres: { id: 'Cred3', name: 'Shop' } }
  const drop = {
    ...stepNode('postgres', 2.5, {
      operation: 'executeQuery',
      query: 'DROP TABLE customers',
      options: {},
    }),
    credentials,
  }

  test.each([
    ['uses a service', adderWorkflow({ between: [drop] }), 'high'],
    ['runs by itself', adderWorkflow({ schedule: '0 9 * * *' }), 'medium'],
    ['only reckons', adderWorkflow(), 'low'],
  ])(
    'whose workflow %s is at least what that implies, and the report says why',
    async (...given) => {
      const [title, workflow, risk] = given
      const name = `risk_that_${title.replaceAll(' ', '_')}`
      const version = await host.propose(adderRequest(workflow, { name, risk: 'low' }))
      expect(host.toolsmaker.getSpec(name, version)?.risk).toBe(risk)
      const review = await host.toolsmaker.readReview(name, version)
      const said = review?.checks.find((check) => check.name === 'risk')?.message ?? ''
      expect(said).toContain(
        risk === 'low' ? 'low, as its author said' : `to ${risk}: its workflow`,
      )
    },
  )
})

describe('a reviewer', () => {
  const ask = requestNode('=https://crm.example.com/leads/{{ $json.body.a }}', {
    parameters: {
      method: 'POST',
      url: '=https://crm.example.com/leads/{{ $json.body.a }}',
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      options: {},
    },
    credentials: { httpHeaderAuth: { id: 'Cred1', name: 'CRM\u202Eyek' } },
  })

  test('reads that something else than a clock starts it', async () => {
    const plain = adderWorkflow()
    const inbox: N8nNode = {
      id: 'inbox',
      name: 'Inbox',
      type: 'n8n-nodes-base.emailReadImap',
      typeVersion: 2,
      position: [0, 220],
      parameters: {},
      credentials: { imap: { id: 'Cred2', name: 'Inbox' } },
    }
    const workflow: N8nWorkflow = {
      ...plain,
      nodes: [...plain.nodes, inbox],
      connections: {
        ...plain.connections,
        Inbox: { main: [[{ node: 'Sum', type: 'main', index: 0 }]] },
      },
    }
    const request = adderRequest(workflow, { name: 'powers_of_an_inbox' })
    const version = await host.propose(request)
    const review = await host.toolsmaker.readReview('powers_of_an_inbox', version)
    expect(review?.powers.join('\n')).toMatch(
      /Runs by itself, without being called: .*emailReadImap/,
    )
  })

  test('reads what the workflow reaches, with which credentials, when it runs by itself, and where', async () => {
    const workflow = adderWorkflow({ between: [ask], schedule: '0 9 * * *' })
    const request = adderRequest(workflow, {
      name: 'powers_to_read',
      capabilities: ['http'],
      allowedDomains: ['crm.example.com'],
    })
    const version = await host.propose(request)
    const review = await host.toolsmaker.readReview('powers_to_read', version)
    const powers = review?.powers.join('\n') ?? ''
    expect(powers).toContain('Runs on n8n at http://127.0.0.1:9, outside of the sandbox')
    expect(powers).toMatch(/sends to https:\/\/crm\.example\.com\./)
    expect(powers).toContain('Follows redirects in the node "Ask"')
    expect(powers).toContain(
      String.raw`Uses the credential of n8n with the id Cred1 (httpHeaderAuth) in the node "Ask"; the workflow calls it "CRM\u{202e}yek".`,
    )
    expect(powers).toMatch(/Runs by itself, without being called: .*9:00/i)
    expect(powers.match(/Runs by itself/g)).toHaveLength(1)
    const steps = review?.steps.join('\n') ?? ''
    for (const name of ['Call', 'Ask', 'Sum', 'Clock']) expect(steps).toContain(`"${name}"`)
  })

  test('reads what changed since the version before', async () => {
    const name = 'changes_to_read'
    await host.propose(adderRequest(adderWorkflow(), { name }))
    await host.toolsmaker.approveTool(name, 1, { signer: host.signer })
    const second = adderRequest(adderWorkflow({ plus: 5, between: [ask] }), {
      name,
      capabilities: ['http'],
      allowedDomains: ['crm.example.com'],
    })
    const version = await host.propose(second)
    const review = await host.toolsmaker.readReview(name, version)
    const sentences = review?.change?.sentences.join('\n') ?? ''
    expect(sentences).toContain('Added the node "Ask"')
    expect(sentences).toMatch(/Sum.*jsonOutput/s)
    expect(review?.newPowers.join('\n')).toContain('crm.example.com')
    expect(review?.change?.diff).toContain('+      "name": "Ask"')
  })

  test('is told of the template with all that was filled in', async () => {
    const slug = 'low-stock-alert'
    const { customizations, hosts, inputSchema, outputSchema, workflow } = renderTemplate(
      slug,
      minimalCustomizations(slug),
    )
    const parts = { inputSchema, outputSchema, hosts, risk: 'medium' as const, provenance: {} }
    const request = n8nRequest({
      ...parts,
      name: 'template_to_read',
      description: 'Watches stock.',
      definition: { workflow, template: { slug, customizations } },
    })
    const version = await host.propose(request)
    const review = await host.toolsmaker.readReview('template_to_read', version)
    expect(review?.steps[0]).toMatch(/^It was made from the template "low-stock-alert" with /)
    for (const key of Object.keys(customizations)) expect(review?.steps[0]).toContain(key)
    const spec = host.toolsmaker.getSpec('template_to_read', version)
    if (spec === undefined) throw new Error('It is not there')
    expect(await host.kind.toCustomTool?.(spec)).toEqual({ templateSource: slug, workflow })
    expect(await host.kind.renderSource?.(spec)).toEqual({
      extension: 'json',
      text: `${JSON.stringify(workflow, null, 2)}\n`,
    })
  })
})

describe('the hints of a tool', () => {
  const hintsOf = async (workflow: N8nWorkflow, domains: string[]): Promise<unknown> => {
    number += 1
    const name = `hints_of_case_${number}`
    const capabilities = domains.length === 0 ? [] : (['http'] as const)
    const request = adderRequest(workflow, {
      name,
      capabilities: [...capabilities],
      allowedDomains: domains,
    })
    const version = await host.propose(request)
    const spec = host.toolsmaker.getSpec(name, version)
    return spec === undefined ? undefined : host.kind.annotate?.(spec)
  }

  test('say that it may change something, unless it only reads', async () => {
    const get = adderWorkflow({ between: [requestNode('https://crm.example.com/leads')] })
    expect(await hintsOf(get, ['crm.example.com'])).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: true,
    })
    const post = requestNode('https://crm.example.com/leads', {
      parameters: { method: 'POST', url: 'https://crm.example.com/leads', options: {} },
    })
    expect(await hintsOf(adderWorkflow({ between: [post] }), ['crm.example.com'])).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    })
  })
})

describe('the options', () => {
  const deployments = createMemoryN8nDeployments()

  test('of what workflows may contain hold', async () => {
    const allowing = await openN8nHost({ client, kindOptions: { policy: { allowCode: true } } })
    const { failed } = await propose(adderWorkflow({ between: [codeNode] }), {}, allowing)
    expect(failed).toBe('')
    // Another workflow is neither reviewed nor hashed, whatever the policy says.
    const wide = await openN8nHost({ client, kindOptions: { policy: { allowSubWorkflows: true } } })
    const settings = { executionOrder: 'v1', errorWorkflow: 'Ab12' }
    const more = await propose({ ...adderWorkflow(), settings }, {}, wide)
    expect(more.failed).toMatch(/errorWorkflow/)
    await allowing.close()
    await wide.close()
  })

  test.each([
    [{ namePrefix: '' }, /namePrefix must have 1 to 60/],
    [{ namePrefix: 'x'.repeat(61) }, /namePrefix must have 1 to 60/],
    [{ readyTimeoutMs: 0 }, /readyTimeoutMs must be a whole number from 1 to 600000, got 0/],
    [{ readyTimeoutMs: 600_001 }, /readyTimeoutMs/],
    [{ lookupTimeoutMs: -1 }, /lookupTimeoutMs/],
    [{ lookupTimeoutMs: 60_001 }, /lookupTimeoutMs/],
    [{ clearAgainMs: Number.NaN }, /clearAgainMs/],
    [{ clearAgainMs: 3_600_001 }, /clearAgainMs/],
  ])('out of range are refused at once: %j', (options, said) => {
    expect(() => createN8nKind({ client, deployments, ...options })).toThrow(said)
  })

  test('at their edges are taken', () => {
    const edges = [
      {
        namePrefix: 'x'.repeat(60),
        readyTimeoutMs: 600_000,
        lookupTimeoutMs: 60_000,
        clearAgainMs: 3_600_000,
      },
      { namePrefix: 'x', readyTimeoutMs: 1, lookupTimeoutMs: 0, clearAgainMs: 0 },
    ]
    for (const options of edges)
      expect(createN8nKind({ client, deployments, ...options }).kind).toBe('n8n')
  })
})

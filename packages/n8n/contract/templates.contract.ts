import type { JsonObject, JsonSchema, JsonValue } from '@toolcrib/registry'
import { validateWithSchema } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createN8nClient,
  deployFunction,
  executeWorkflow,
  type N8nFunction,
  type N8nWorkflow,
  retireFunction,
} from '../src/index.ts'
import {
  getTemplate,
  listTemplates,
  type RenderedTemplate,
  renderTemplate,
} from '../src/templates.ts'
import {
  type BusinessStub,
  type SeenRequest,
  startBusinessStub,
  type StubAnswer,
} from './business-stub.ts'
import { readRealServer } from './real-server.ts'
import { serviceFailures } from './service-failures.ts'
import { type TemplateCase, templateCases } from './template-cases.ts'
import { textOf } from './exchanges/text-of.ts'

const server = readRealServer()
const client = createN8nClient({ baseUrl: server.baseUrl, apiKey: server.apiKey })
const name = `templates contract ${crypto.randomUUID().slice(0, 8)}`
const live: N8nFunction[] = []
let stub: BusinessStub

beforeAll(async () => {
  stub = await startBusinessStub()
})
afterAll(async () => {
  await retireAll()
  await stub.close()
  for await (const left of client.workflows.list({ name }))
    throw new Error(`The workflow ${left.name} is left on the server.`)
})

async function retireAll(): Promise<void> {
  for (const fn of live.splice(0)) {
    const { left, reason } = await retireFunction(client, fn)
    if (left.length > 0) throw new Error(`${left.join(', ')} is left on the server: ${reason}`)
  }
}

async function deploy(
  rendered: RenderedTemplate,
  change: (workflow: N8nWorkflow) => N8nWorkflow = (workflow) => workflow,
): Promise<N8nFunction> {
  const fn = await deployFunction(client, change(rendered.workflow), {
    name: `${name} ${rendered.slug}`,
    auth: 'none',
  })
  live.push(fn)
  return fn
}

function render(
  { slug, customizations }: TemplateCase,
  business: BusinessStub = stub,
): RenderedTemplate {
  const known = Object.keys(getTemplate(slug).customizationSchema['properties'] as object)
  // Not every template has both services.
  const services = Object.entries({
    crmBaseUrl: `${business.url}/`,
    messagingBaseUrl: business.url,
  })
  return renderTemplate(slug, {
    ...Object.fromEntries(services.filter(([key]) => known.includes(key))),
    requestTimeoutSeconds: 1,
    ...customizations,
  })
}

async function call(
  fn: N8nFunction,
  body: JsonValue,
  key = 'key-1',
): Promise<{ readonly status: number; readonly envelope: JsonObject }> {
  const answer = await client.webhooks.trigger(fn.binding.path, body, {
    headers: { 'idempotency-key': key },
  })
  expect(answer.json, answer.body).toBeTypeOf('object')
  return { status: answer.status, envelope: answer.json as JsonObject }
}

function asked(): readonly JsonObject[] {
  return stub.seen.map(({ method, path, body, headers }) => ({
    at: `${method} ${path}`,
    ...(body === '' ? {} : { body }),
    ...(headers['idempotency-key'] === undefined
      ? {}
      : { key: String(headers['idempotency-key']) }),
  }))
}

function withCron(workflow: N8nWorkflow, cron: string): N8nWorkflow {
  const nodes = workflow.nodes.map((node) =>
    node.type === 'n8n-nodes-base.scheduleTrigger'
      ? {
          ...node,
          parameters: { rule: { interval: [{ field: 'cronExpression', expression: cron }] } },
        }
      : node,
  )
  return { ...workflow, nodes }
}

async function lastExecution(fn: N8nFunction): Promise<unknown> {
  for await (const execution of client.executions.list({ workflowId: fn.workflowId }))
    return client.executions.get(execution.id)
  return undefined
}

test('every template has a case here', () => {
  expect(templateCases.map(({ slug }) => slug)).toEqual(listTemplates().map(({ slug }) => slug))
})

// Up to 28 calls in turn, on a server that others may be using.
describe.each(templateCases)('$slug', { timeout: 240_000 }, (given) => {
  let rendered: RenderedTemplate
  let fn: N8nFunction
  beforeAll(async () => {
    rendered = render(given)
    fn = await deploy(rendered)
  })
  afterAll(retireAll)
  test('does its work with good arguments, and gives what its schema says', async () => {
    stub.reset(given.answers)
    expect(validateWithSchema(rendered.inputSchema, given.arguments)).toMatchObject({
      valid: true,
    })
    const outcome = await executeWorkflow(client, fn, given.arguments, { idempotencyKey: 'key-1' })
    expect(outcome).toMatchObject({
      ok: true,
      result: given.result,
      executionId: expect.any(String),
    })
    expect(outcome.ok && Object.keys(outcome.result as object).toSorted()).toEqual(
      Object.keys(given.result).toSorted(),
    )
    expectValid(rendered.outputSchema, given.result)
    const keyed = given.asks.map(({ key, ...ask }) =>
      key === undefined ? ask : { ...ask, key: `key-1:${key}` },
    )
    // Requests for many items go out at once.
    expect(asked().toSorted(byText)).toEqual(keyed.toSorted(byText))
  })

  test('refuses bad arguments itself, and asks no service', async () => {
    stub.reset(given.answers)
    for (const [wrong, message] of given.refused) {
      const body = JSON.parse(JSON.stringify({ ...given.arguments, ...wrong })) as JsonObject
      const { status, envelope } = await call(fn, body)
      expect({ status, envelope }).toMatchObject({
        status: 400,
        envelope: {
          ok: false,
          error: { code: 'invalid_arguments', message: expect.stringContaining(message) },
          executionId: expect.any(String),
        },
      })
    }
    for (const body of [[], 'text', 5, JSON.parse('{ "__proto__": { "polluted": true } }')])
      expect(await call(fn, body as JsonValue)).toMatchObject({
        status: 400,
        envelope: { ok: false, error: { code: 'invalid_arguments' } },
      })
    expect(stub.seen).toEqual([])
  })

  test('says of each service what was wrong with it, and what had been done before', async () => {
    for (const route of Object.keys(given.answers))
      for (const [what, answer, error, httpStatus] of serviceFailures) {
        stub.reset({ ...given.answers, [route]: answer })
        const { status, envelope } = await call(fn, given.arguments)
        expect({ what, route, status, envelope }).toMatchObject({
          status: httpStatus,
          envelope: { ok: false, error, executionId: expect.any(String) },
        })
        expect(stub.seen.filter(({ path }) => path === '/elsewhere')).toEqual([])
      }
    await vi.waitFor(
      async () => {
        expect(await lastExecution(fn)).toMatchObject({ status: 'error' })
      },
      { timeout: 10_000, interval: 200 },
    )
  })
})

const scheduled = listTemplates().flatMap(({ slug, trigger }) =>
  trigger === 'schedule' ? templateCases.filter((given) => given.slug === slug) : [],
)

test.each(scheduled)(
  '$slug runs by itself, and a run that fails is seen as failed',
  async (given) => {
    // Of its own, for runs that are under way when it is retired go on asking it.
    const business = await startBusinessStub()
    business.reset(given.answers)
    const fn = await deploy(render(given, business), (workflow) =>
      withCron(workflow, '*/2 * * * * *'),
    )
    const posts = (): readonly SeenRequest[] =>
      business.seen.filter(({ method }) => method === 'POST')
    await vi.waitFor(
      () => {
        expect(posts().length).toBeGreaterThan(0)
      },
      { timeout: 180_000, interval: 200 },
    )
    const key = new RegExp(`^${given.slug}:\\d{4}-\\d\\d-\\d\\d:`, 'u')
    for (const { headers } of posts()) expect(headers['idempotency-key']).toMatch(key)
    business.reset({})
    await vi.waitFor(
      async () => {
        expect(await lastExecution(fn)).toMatchObject({ status: 'error', mode: 'trigger' })
      },
      { timeout: 180_000, interval: 500 },
    )
    await retireAll()
    await business.close()
  },
)

function leads(count: number): StubAnswer {
  return {
    body: {
      leads: Array.from({ length: count }, (_, id) => ({
        id,
        name: `Lead ${id}`,
        phone: `+23480000000${String(id).padStart(2, '0')}`,
        lastContactAt: '2026-01-01T00:00:00Z',
      })),
    },
  }
}

function drafted(seen: SeenRequest): StubAnswer {
  return { body: { id: `d-${(seen.body as { leadId: string }).leadId}` } }
}

describe('many items', () => {
  const [followup] = templateCases
  test('none, 60, some of 60 and all of 60 failing are told apart', async () => {
    if (followup === undefined) throw new Error('There is no case.')
    const fn = await deploy(render(followup))

    stub.reset({ 'GET /leads': leads(0) })
    expect((await call(fn, {})).envelope).toMatchObject({
      ok: true,
      result: { drafted: 0, drafts: [] },
    })
    expect(stub.seen).toHaveLength(1)

    stub.reset({ 'GET /leads': leads(60), 'POST /drafts': drafted })
    expect((await call(fn, {})).envelope).toMatchObject({
      ok: true,
      result: { drafted: 60, failed: 0 },
    })
    expect(new Set(stub.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(61)

    const wrong: Readonly<Record<string, StubAnswer>> = {
      3: { status: 422, body: { message: 'blocked' } },
      4: { body: 'x', type: 'text/html' },
      5: 'drop',
      6: 'hang',
    }
    stub.reset({
      'GET /leads': leads(60),
      'POST /drafts': (seen) =>
        wrong[(seen.body as { leadId: string }).leadId] ?? { body: { id: 'd' } },
    })
    const { envelope } = await call(fn, {})
    expect(envelope).toMatchObject({
      ok: true,
      result: {
        drafted: 56,
        failed: 4,
        failures: [
          { leadId: '3', code: 'upstream_failed', message: 'HTTP 422: blocked', status: 422 },
          { leadId: '4', code: 'upstream_invalid' },
          { leadId: '5', code: 'upstream_unreachable' },
          { leadId: '6', code: 'upstream_timeout' },
        ],
      },
    })
    expectValid(render(followup).outputSchema, envelope['result'])

    stub.reset({ 'GET /leads': leads(60), 'POST /drafts': { status: 500, body: {} } })
    expect(await call(fn, {})).toMatchObject({
      status: 502,
      envelope: {
        ok: false,
        error: { code: 'upstream_failed', details: { drafted: 0, failed: 60 } },
      },
    })
  })

  test('what is beyond the limit is counted and left', async () => {
    if (followup === undefined) throw new Error('There is no case.')
    const fn = await deploy(render({ ...followup, customizations: { maxDrafts: 2 } }))
    stub.reset({ 'GET /leads': leads(5), 'POST /drafts': drafted })
    expect((await call(fn, {})).envelope).toMatchObject({ result: { drafted: 2, remaining: 3 } })
    expect(stub.seen).toHaveLength(3)
  })
})

test('a stock list with nothing low sends no message', async () => {
  const given = templateCases.find(({ slug }) => slug === 'low-stock-alert')
  if (given === undefined) throw new Error('There is no case.')
  const rendered = render(given)
  const fn = await deploy(rendered)
  stub.reset({ 'GET /stock': { body: { stock: [] } } })
  const { envelope } = await call(fn, {})
  expect(envelope['result']).toEqual({ isAlerted: false, low: [], checked: 0, unreadable: 0 })
  expectValid(rendered.outputSchema, envelope['result'])
})

test('a step that fails says what was done before, with its id', async () => {
  const given = templateCases.find(({ slug }) => slug === 'order-fulfillment')
  if (given === undefined) throw new Error('There is no case.')
  const fn = await deploy(render(given))
  stub.reset({ ...given.answers, 'POST /messages': { status: 500, body: {} } })
  expect((await call(fn, given.arguments)).envelope).toMatchObject({
    error: {
      step: 'Confirm to customer',
      message:
        'Confirm to customer: HTTP 500 Done before, and not taken back: Reserve stock, Create task.',
      done: [
        { step: 'Reserve stock', id: 'r1' },
        { step: 'Create task', id: 't1' },
      ],
    },
  })
})

test('texts of customizations, callers and services are never run', async () => {
  const attack = '{{ $env.PATH }} ={{ 6 * 7 }} }} {{ "${6*7}" `\\ $& \u2028'
  const rendered = renderTemplate('new-lead-notification', {
    messagingBaseUrl: stub.url,
    ownerPhone: '+2348000000001',
    message: `=${attack} {{name}} {{note}}`,
    unknown: attack,
  })
  const fn = await deploy(rendered)
  stub.reset({ 'POST /messages': { body: { id: attack } } })
  const { envelope } = await call(fn, { name: attack, phone: '+2348000000002' })
  expect(envelope).toMatchObject({ ok: true, result: { messageId: attack } })
  expect(stub.seen[0]?.body).toMatchObject({ text: { body: `=${attack} ${attack} ${attack}` } })
})

test('a credential is sent, and its value is in no execution that n8n keeps', async () => {
  const secret = `Bearer ${crypto.randomUUID()}`
  const credential = await client.credentials.create({
    name,
    type: 'httpHeaderAuth',
    data: { name: 'Authorization', value: secret },
  })
  try {
    const rendered = renderTemplate('order-status-notify', {
      messagingBaseUrl: stub.url,
      messagingCredential: { id: credential.id, name },
      requestTimeoutSeconds: 1,
    })
    const fn = await deploy(rendered)
    for (const answer of [{ body: {} }, 'drop', 'hang', { status: 500, body: {} }] as const) {
      stub.reset({ 'POST /messages': answer })
      const { envelope } = await call(fn, { orderId: 'A', status: 's', phone: '+2348000000002' })
      expect(stub.seen[0]?.headers.authorization).toBe(secret)
      const id = textOf(envelope['executionId'])
      await client.executions.waitFor(id)
      const kept = JSON.stringify(await client.executions.get(id, { includeData: true }))
      expect(kept).toContain('Send message')
      expect(kept).not.toContain(secret)
    }
  } finally {
    await client.credentials.remove(credential.id)
  }
})

function expectValid(schema: JsonSchema, value: unknown): void {
  expect(validateWithSchema(schema, value)).toMatchObject({ valid: true })
}

function byText(left: JsonObject, right: JsonObject): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}

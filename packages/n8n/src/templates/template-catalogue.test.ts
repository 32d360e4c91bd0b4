import { readFileSync } from 'node:fs'
import {
  assertStoredSchema,
  canonicalJson,
  type JsonObject,
  validateWithSchema,
} from '@toolcrib/registry'
import { type Identifier, parseExpressionAt } from 'acorn'
import { describe, expect, test } from 'vitest'
import type { N8nWorkflow } from '../n8n-workflow.ts'
import { getTemplate, listTemplates, renderTemplate } from '../templates.ts'
import { validateWorkflow } from '../validate-workflow.ts'
import type { RenderedTemplate } from '../workflow-template.ts'

const slugs = listTemplates().map(({ slug }) => slug)

function fieldsOf(slug: string): Readonly<Record<string, JsonObject>> {
  return getTemplate(slug).customizationSchema['properties'] as Record<string, JsonObject>
}

/** With what has no default. */
function render(slug: string, customizations: JsonObject = {}): RenderedTemplate {
  const owner = 'ownerPhone' in fieldsOf(slug) ? { ownerPhone: '+2348000000001' } : {}
  return renderTemplate(slug, { ...owner, ...customizations })
}

function refusal(slug: string, customizations: unknown): string {
  try {
    renderTemplate(slug, customizations)
  } catch (error) {
    expect(error).toMatchObject({ code: 'N8N_CUSTOMIZATION_INVALID' })
    return (error as Error).message
  }
  return 'not refused'
}

/** Names that code in expressions refers to, constants left out. */
function identifiers(workflow: N8nWorkflow): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'Identifier') found.add((value as Identifier).name)
    for (const part of Object.values(value)) visit(part)
  }
  for (const code of expressions(workflow)) visit(parseExpressionAt(code, 0, { ecmaVersion: 2024 }))
  return found
}

function expressions(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith('=') ? [value.slice(3, -2)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(expressions)
}

test('there are the ten, with what starts them', () => {
  expect(listTemplates().map(({ slug, trigger }) => `${slug} ${trigger}`)).toMatchInlineSnapshot(`
    [
      "lead-followup schedule",
      "order-status-notify call",
      "payment-reminder schedule",
      "new-lead-welcome call",
      "daily-summary schedule",
      "new-lead-notification call",
      "order-fulfillment call",
      "payment-received call",
      "daily-report schedule",
      "low-stock-alert schedule",
    ]
  `)
})

test('an unknown template is refused with the nearest name and the list', () => {
  expect(() => renderTemplate('lead-follow-up')).toThrow(
    expect.objectContaining({
      code: 'N8N_TEMPLATE_UNKNOWN',
      message: expect.stringMatching(
        /"lead-followup"\? Templates: lead-followup, order-status-notify,/u,
      ),
    }),
  )
  for (const slug of ['', 'constructor', '../secrets', 'x'.repeat(10_000)])
    expect(() => getTemplate(slug)).toThrow(
      expect.objectContaining({ code: 'N8N_TEMPLATE_UNKNOWN' }),
    )
})

describe.each(slugs)('%s', (slug) => {
  test('renders with its defaults to a workflow that checks without a problem or repair', () => {
    const { workflow } = render(slug)
    expect(validateWorkflow(workflow)).toEqual({ ok: true, workflow, problems: [], repairs: [] })
  })

  test('gives the same bytes for the same customizations', () => {
    expect(JSON.stringify(render(slug))).toBe(JSON.stringify(render(slug)))
    expect(canonicalJson(render(slug, render(slug).customizations) as never)).toBe(
      canonicalJson(render(slug) as never),
    )
  })

  test('has schemas that made tools may have, and every default keeps its own rule', () => {
    const rendered = render(slug)
    assertStoredSchema(rendered.inputSchema)
    assertStoredSchema(rendered.outputSchema)
    expect(rendered.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(rendered.outputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    const schema = getTemplate(slug).customizationSchema
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(validateWithSchema(schema, rendered.customizations)).toMatchObject({ valid: true })
    for (const [field, value] of Object.entries(fieldsOf(slug)))
      expect(value['description'], field).toBeTypeOf('string')
  })

  test('keeps to its nodes and hosts', () => {
    const { workflow, hosts } = render(slug)
    const types = new Set(workflow.nodes.map(({ type }) => type.replace('n8n-nodes-base.', '')))
    expect([...types].toSorted().join(' ')).toMatchSnapshot('node types')
    expect(hosts).toMatchSnapshot('hosts')
  })

  test('takes texts as texts, whatever is in them', () => {
    const attack = '={{ $env.X }} }} "); process.exit() // {{ `${$vars}`'
    const known = [...identifiers(render(slug).workflow)]
    for (const [field, { default: standard }] of Object.entries(fieldsOf(slug)))
      if (typeof standard === 'string' && acceptsAnyText(field)) {
        const { workflow } = render(slug, { [field]: attack })
        // A text of its own may need fewer names than the default with its placeholders, and never more.
        expect(known).toEqual(expect.arrayContaining([...identifiers(workflow)]))
        for (const code of expressions(workflow)) expect(code).not.toMatch(/\{\{|\}\}/u)
        expect(validateWorkflow(workflow)).toMatchObject({ ok: true, problems: [] })
      }
  })

  test('has a credential by reference only, of the type that its node asks for', () => {
    const credential = { id: 'Ab12', name: 'a "key" {{ $env.X }}' }
    const fields = Object.keys(fieldsOf(slug)).filter((field) => field.endsWith('Credential'))
    expect(fields.length).toBeGreaterThan(0)
    const { workflow } = render(
      slug,
      Object.fromEntries(fields.map((field) => [field, credential])),
    )
    for (const node of workflow.nodes)
      expect(node.credentials).toEqual(
        node.type === 'n8n-nodes-base.httpRequest' ? { httpHeaderAuth: credential } : undefined,
      )
    expect(validateWorkflow(workflow)).toMatchObject({ ok: true, problems: [] })
  })

  test('refuses what it does not know', () => {
    expect(refusal(slug, { ...render(slug).customizations, timezone: 'UTC' })).toContain(
      'There is no customization "timezone". Did you mean "timeZone"? There are: ',
    )
    for (const wrong of [null, [], 'x', 5])
      expect(refusal(slug, wrong)).toContain('must be a JSON object')
    expect(refusal(slug, JSON.parse('{ "__proto__": { "timeZone": "UTC" } }'))).toContain(
      '"__proto__"',
    )
  })
})

describe('wrong values are refused with field, rule and value', () => {
  test.each([
    ['crmBaseUrl', 'ftp://crm.example'],
    ['crmBaseUrl', 'https://user:secret@crm.example'],
    ['crmBaseUrl', 'https://crm.example/api?key=1'],
    ['crmBaseUrl', 'https://crm.example/#x'],
    ['crmBaseUrl', 'https://crm.example/../x'],
    ['crmBaseUrl', 'https://crm.example/{{ $env.X }}'],
    ['crmBaseUrl', '={{ $env.X }}'],
    ['crmBaseUrl', 'https://crm.example\\@evil.example'],
    ['crmBaseUrl', 'https://crm.example/%2e%2e/x y'],
    ['crmBaseUrl', 5],
    ['leadsPath', 'leads'],
    ['leadsPath', '//evil.example/leads'],
    ['leadsPath', '/leads/../secrets'],
    ['leadsPath', '/leads?x=1'],
    ['leadsPath', '/{{ $env.X }}'],
    ['leadsPath', '/'],
    ['time', '9:00'],
    ['time', '24:00'],
    ['time', '09:60'],
    ['timeZone', 'Mars/Base'],
    ['timeZone', '+01:00'],
    ['timeZone', ''],
    ['inactiveDays', 0],
    ['inactiveDays', 366],
    ['inactiveDays', 1.5],
    ['inactiveDays', '3'],
    ['maxDrafts', 501],
    ['requestTimeoutSeconds', 121],
    ['requestTimeoutSeconds', 0],
    ['message', ''],
    ['message', 'x'.repeat(1_001)],
    ['message', 'Hi {{nmae}}'],
    ['message', 'Hi {{constructor}}'],
    ['crmCredential', 'Ab12'],
    ['crmCredential', { id: 'Ab12' }],
    ['crmCredential', { id: 'a b', name: 'key' }],
    ['crmCredential', { id: 'Ab12', name: 'key', data: { value: 'secret' } }],
  ])('%s: %j', (field, value) => {
    expect(refusal('lead-followup', { [field]: value })).toContain(`"${field}`)
  })

  test('what has no default has to be given', () => {
    expect(refusal('daily-summary', {})).toContain(
      "got nothing. (The owner's phone, in E.164. Required.)",
    )
  })

  test('the values at the edges are taken', () => {
    for (const customizations of [
      { crmBaseUrl: 'http://localhost:8080/api/v1/' },
      { crmBaseUrl: 'https://[::1]:8443' },
      { leadsPath: '/v1/crm.leads/all' },
      { time: '00:00' },
      { time: '23:59' },
      { timeZone: 'Africa/Lagos' },
      { inactiveDays: 365, maxDrafts: 500, requestTimeoutSeconds: 120 },
      { message: 'x'.repeat(1_000) },
    ])
      expect(render('lead-followup', customizations).customizations).toMatchObject(customizations)
  })
})

test('time, time zone, addresses and timeouts reach the nodes', () => {
  const { workflow, hosts, longestRunMs } = render('lead-followup', {
    crmBaseUrl: 'https://crm.shop.example:8443/api/',
    leadsPath: '/v2/leads',
    time: '18:05',
    timeZone: 'Africa/Lagos',
    requestTimeoutSeconds: 3,
  })
  const byName = (name: string): JsonObject =>
    workflow.nodes.find((node) => node.name === name)?.parameters ?? {}
  expect(byName('Schedule')).toMatchObject({ rule: { interval: [{ expression: '5 18 * * *' }] } })
  expect(workflow.settings).toMatchObject({ timezone: 'Africa/Lagos', executionTimeout: 66 })
  expect(byName('Get leads')).toMatchObject({
    url: 'https://crm.shop.example:8443/api/v2/leads',
    options: { timeout: 3_000 },
  })
  expect(hosts).toEqual(['https://crm.shop.example:8443'])
  expect(longestRunMs).toBe(66_000)
})

test('the README has every template, with what it takes', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const squeezed = readme.replaceAll(/ +/gu, ' ')
  for (const slug of slugs) {
    const { trigger } = getTemplate(slug)
    const { inputSchema, customizations, hosts } = render(slug)
    const argumentNames = Object.keys(inputSchema['properties'] as object)
    const required = (inputSchema['required'] ?? []) as readonly string[]
    const cells = [
      `\`${slug}\``,
      trigger === 'schedule' ? `daily at ${customizations['time'] as string}, and calls` : 'calls',
      argumentNames.map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`).join(', '),
      Object.keys(fieldsOf(slug))
        .filter((field) => !['timeZone', 'requestTimeoutSeconds'].includes(field))
        .map((field) => `\`${field}\``)
        .join(', '),
      hosts.map((host) => (host.includes('crm') ? 'CRM' : 'messaging')).join(', '),
    ]
    expect(squeezed).toContain(`| ${cells.join(' | ')} |`)
  }
})

function acceptsAnyText(field: string): boolean {
  return ['message', 'nameFallback', 'unknown', 'stage'].includes(field)
}

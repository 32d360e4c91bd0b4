import { expect, test } from 'vitest'
import { validateWorkflow } from '../validate-workflow.ts'

const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6lM9'

/** Texts come together only when the tests run. */
const part = (text: string): string => text

/** Made here, so that nothing that looks like a secret stands in the repository. */
const secrets = {
  'an Anthropic key': `sk-${part('ant')}-api03-${letters}`,
  'an OpenAI key': `sk-${letters}`,
  'a Stripe key': `sk_${part('live')}_${letters}`,
  'a GitHub token': `${part('ghp')}_${letters}`,
  'a GitLab token': `${part('glpat')}-${letters}`,
  'a Slack token': `${part('xoxb')}-1234567890-${letters}`,
  'an AWS access key': `${part('AKIA')}ABCDEFGHIJKLMNOP`,
  'a Google API key': `${part('AIza')}${letters.slice(0, 35)}`,
  'a SendGrid key': `SG.${letters.slice(0, 22)}.${letters}`,
  'a Telegram bot token': `123456789:${part('AA')}${letters.slice(0, 33)}`,
  'a WhatsApp token': `${part('EAA')}${letters}${letters}`,
  'a JSON web token': `${part('eyJ')}hbGciOiJIUzI1NiJ9.${part('eyJ')}zdWIiOiIxIn0.${letters}`,
  'a private key': `-----BEGIN ${part('RSA PRIVATE')} KEY-----\n${letters}\n`,
}

function workflow(nodeFields: object, more: object = {}): object {
  return {
    name: 'W',
    nodes: [
      {
        name: 'Webhook',
        type: 'n8n-nodes-base.webhook',
        parameters: { httpMethod: 'POST', path: 'a' },
      },
      { name: 'Get', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, ...nodeFields },
    ],
    connections: { Webhook: { main: [[{ node: 'Get', type: 'main', index: 0 }]] } },
    ...more,
  }
}

const header = (name: string, value: string): object => ({
  parameters: {
    url: 'https://api.example.com/',
    sendHeaders: true,
    headerParameters: { parameters: [{ name, value }] },
  },
})
const url = (address: string): object => ({ parameters: { url: address } })

/** Where a secret may stand, and the path that is told. */
const places: readonly (readonly [string, string, (secret: string) => object])[] = [
  [
    'a header',
    'nodes[1].parameters.headerParameters.parameters[0].value',
    (secret) => workflow(header('x-any', secret)),
  ],
  [
    'a body',
    'nodes[1].parameters.jsonBody',
    (secret) =>
      workflow({
        parameters: { url: 'https://a.example/', jsonBody: JSON.stringify({ k: secret }) },
      }),
  ],
  [
    'an expression',
    'nodes[1].parameters.url',
    (secret) =>
      workflow(url(`={{ "https://a.example/?x=" + "${secret.replaceAll('\n', '\\n')}" }}`)),
  ],
  [
    'a note',
    'nodes[1].notes',
    (secret) => workflow({ ...url('https://a.example/'), notes: `Use ${secret} here` }),
  ],
  [
    'pinned data',
    'pinData.Get[0].json.k',
    (secret) =>
      workflow(url('https://a.example/'), { pinData: { Get: [{ json: { k: secret } }] } }),
  ],
  [
    'static data',
    'staticData.k',
    (secret) => workflow(url('https://a.example/'), { staticData: { k: secret } }),
  ],
]

test.each(Object.entries(secrets))(
  '%s is found wherever it stands, and never repeated whole',
  (_kind, secret) => {
    for (const [, path, make] of places) {
      const check = validateWorkflow(make(secret))
      expect(check.ok).toBe(false)
      const found = check.problems.filter(({ code }) => code === 'secret-in-workflow')
      expect(found.map((problem) => problem.path)).toEqual([path])
      expect(JSON.stringify(check.problems)).not.toContain(secret.trim())
    }
  },
)

test.each([
  ['a bearer token', header('Authorization', `Bearer ${letters}`)],
  [
    'a password of basic authentication',
    header('Authorization', `Basic ${btoa(`user:${letters}`)}`),
  ],
  ['a header that is a secret by its name', header('X-Api-Key', 'q7w8e9r0t1')],
  ['a cookie', header('Cookie', 'session=0123456789')],
  ['a password in an address', url('https://user:hunter2hunter2@api.example.com/')],
  ['a key in an address', url('https://api.example.com/?api_key=q7w8e9r0t1')],
  [
    'a key in an address with an expression',
    url('=https://api.example.com/{{ $json.id }}?token=q7w8e9r0t1'),
  ],
  [
    'a password in code',
    { type: 'n8n-nodes-base.code', parameters: { jsCode: 'const password = "q7w8e9r0t1"' } },
  ],
  [
    'a parameter that is a secret by its name',
    { parameters: { url: 'https://a.example/', options: { apiKey: 'q7w8e9r0t1' } } },
  ],
])('%s', (_kind, fields) => {
  const check = validateWorkflow(workflow(fields))
  expect(check.problems).toContainEqual(
    expect.objectContaining({ code: 'secret-in-workflow', node: 'Get', severity: 'error' }),
  )
  expect(JSON.stringify(check.problems)).not.toMatch(/q7w8e9r0t1|hunter2hunter2|aB3dE6gH9jK2mN5p/)
})

test('a secret in a place of which another problem tells is not repeated there', () => {
  const secret = secrets['a GitHub token']
  const check = validateWorkflow(
    workflow({
      type: `n8n-nodes-base.${secret}`,
      parameters: { url: `={{ $('${secret}').first() }}`, method: secret },
    }),
  )
  expect(check.problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['secret-in-workflow', 'unknown-node-type', 'unknown-node-reference']),
  )
  expect(JSON.stringify(check)).not.toContain(secret)
})

test.each([
  ['an expression for a token', header('Authorization', '=Bearer {{ $json.body.token }}')],
  ['a placeholder', header('X-Api-Key', 'YOUR-API-KEY-1')],
  ['a name of a header', header('Authorization', 'none')],
  ['a page token that is computed', url('=https://api.example.com/?token={{ $json.next }}')],
  ['an address with a port and an at sign', url('https://api.example.com:8443/users/@me')],
  [
    'a field of the call',
    {
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: {
        mode: 'raw',
        jsonOutput: '={{ { password: $json.body.password, token: $json.token } }}',
      },
    },
  ],
  [
    'words',
    {
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      parameters: {
        mode: 'raw',
        jsonOutput: '{ "text": "Basic training for bearers of secrets" }',
      },
    },
  ],
])('%s is no secret', (_kind, fields) => {
  const check = validateWorkflow(workflow(fields))
  expect(check.problems).toEqual([])
})

test.each([
  'Basic understanding of n8n is enough.',
  'Bearer authentication is what it takes.',
  'Basic qualifications, normalization and sanitization.',
])('%s holds no secret', (notes) => {
  const { problems } = validateWorkflow(workflow({ ...url('https://api.example.com/'), notes }))
  expect(problems.filter(({ code }) => code === 'secret-in-workflow')).toEqual([])
})

test('a name and password as they are sent are a secret', () => {
  const sent = `Basic ${btoa(`ada:${part('correct-horse')}`)}`
  expect(validateWorkflow(workflow(header('x-any', sent))).problems).toContainEqual(
    expect.objectContaining({ code: 'secret-in-workflow' }),
  )
})

import { SignJWT } from 'jose'
import type { JsonObject } from '@toolcrib/registry'
import { code, fixed, newPath, node, respond, webhook, workflowOf } from './recorded-workflows.ts'
import { type ScriptRun, pause, makeLive } from './script-run.ts'
import { idOf } from './text-of.ts'

const respondText = node(
  { name: 'Last', type: 'respondToWebhook', version: 1.4 },
  {
    respondWith: 'text',
    responseBody: 'hello',
    options: {},
  },
)
const respondBroken = node(
  { name: 'Last', type: 'respondToWebhook', version: 1.4 },
  { respondWith: 'json', responseBody: '{ no JSON', options: {} },
)
const respondNothing = node(
  { name: 'Last', type: 'respondToWebhook', version: 1.4 },
  { respondWith: 'noData', options: {} },
)
const wait = node(
  { name: 'Last', type: 'wait', version: 1.1 },
  { resume: 'webhook', options: {} },
  { webhookId: crypto.randomUUID() },
)

/** Calls of webhooks: results, failures, waiting, time limits, addresses. */
export async function recordCalls(run: ScriptRun): Promise<void> {
  const { record } = run.recorder
  const call = async (title: string, workflow: (path: string) => JsonObject): Promise<string> => {
    const path = newPath()
    const made = workflow(path)
    await makeLive(run, made, path)
    await record(title, `POST /webhook/${path}`, {
      body: { a: 1 },
      headers: { 'x-toolcrib-call-id': 'call-1' },
    })
    return path
  }
  await call('a result', (path) => workflowOf('result', [webhook(path), fixed({ sum: 3 })]))
  await call('a failing node', (path) =>
    workflowOf('fails', [webhook(path), code('throw new Error("no such order")')]),
  )
  await call('no items', (path) => workflowOf('nothing', [webhook(path), code('return []')]))
  await call('every item', (path) =>
    workflowOf('all', [
      webhook(path, { responseData: 'allEntries' }),
      code('return [{ json: { a: 1 } }, { json: { a: 2 } }]'),
    ]),
  )
  await call('no data', (path) =>
    workflowOf('silent', [webhook(path, { responseData: 'noData' }), fixed({})]),
  )
  await call('nothing but a webhook', (path) => workflowOf('echo', [webhook(path)]))
  await call('an answer before the run', (path) =>
    workflowOf('early', [webhook(path, { responseMode: 'onReceived' }), fixed({})]),
  )
  await call('a Respond node', (path) =>
    workflowOf('responds', [webhook(path, { responseMode: 'responseNode' }), respond]),
  )
  await call('a Respond node with text', (path) =>
    workflowOf('responds text', [webhook(path, { responseMode: 'responseNode' }), respondText]),
  )
  await call('a node that fails before a Respond node', (path) =>
    workflowOf('fails before', [
      webhook(path, { responseMode: 'responseNode' }),
      code('throw new Error("no such order")', 'Look up'),
      respond,
    ]),
  )
  await call('a Respond node that fails', (path) =>
    workflowOf('fails to respond', [
      webhook(path, { responseMode: 'responseNode' }),
      respondBroken,
    ]),
  )
  await call('a node that fails after a Respond node', (path) =>
    workflowOf('fails after', [
      webhook(path, { responseMode: 'responseNode' }),
      respond,
      code('throw new Error("no such order")', 'Clean up'),
    ]),
  )
  await call('no items before a Respond node', (path) =>
    workflowOf('nothing before', [
      webhook(path, { responseMode: 'responseNode' }),
      code('return []', 'Look up'),
      respond,
    ]),
  )
  await call('a Respond node that sends nothing', (path) =>
    workflowOf('responds nothing', [
      webhook(path, { responseMode: 'responseNode' }),
      respondNothing,
    ]),
  )
  await call('a workflow over its time before a Respond node', (path) =>
    workflowOf(
      'over time before',
      [
        webhook(path, { responseMode: 'responseNode' }),
        code('await new Promise((resolve) => setTimeout(resolve, 20000)); return []', 'Look up'),
        respond,
      ],
      { settings: { executionOrder: 'v1', executionTimeout: 1 } },
    ),
  )
  await call('a Respond node that is missing', (path) =>
    workflowOf('mute', [webhook(path, { responseMode: 'responseNode' }), fixed({})]),
  )
  await call('a workflow that waits', (path) => workflowOf('waits', [webhook(path), wait]))
  await call('a workflow over its time', (path) =>
    workflowOf(
      'over time',
      [
        webhook(path),
        code('await new Promise((resolve) => setTimeout(resolve, 20000)); return []'),
      ],
      {
        settings: { executionOrder: 'v1', executionTimeout: 1 },
      },
    ),
  )
  const path = await call('a result for addresses', (each) =>
    workflowOf('address', [webhook(each), fixed({ sum: 3 })]),
  )
  await record('another method', `GET /webhook/${path}`)
  await record('another method with a body', `PUT /webhook/${path}`, { body: {} })
  await record('a path in capitals', `POST /webhook/${path.toUpperCase()}`, { body: {} })
  await record('a path with an end that is not its own', `POST /webhook/${path}/x`, { body: {} })
  await record('no such webhook', 'POST /webhook/record-nothing', { body: {} })
  await record('no such webhook, read', 'GET /webhook/record-nothing')
  await record('no such webhook, asked as a browser does', 'OPTIONS /webhook/record-nothing', {
    headers: { origin: 'http://localhost', 'access-control-request-method': 'POST' },
  })
  await record('broken JSON', `POST /webhook/${path}`, { text: '{"a":' })
  await record('broken JSON for no such webhook', 'POST /webhook/record-nothing', { text: '{"a":' })
  await record('no body', `POST /webhook/${path}`)
  await record('plain text', `POST /webhook/${path}`, {
    text: 'hello',
    headers: { 'content-type': 'text/plain' },
  })
  await record('more than 16 MiB', `POST /webhook/${path}`, {
    text: JSON.stringify({ x: 'x'.repeat(17_000_000) }),
  })
  await record('more than 16 MiB for no such webhook', 'POST /webhook/record-nothing', {
    text: JSON.stringify({ x: 'x'.repeat(17_000_000) }),
  })
  await recordOldAddress(run)
}

/** 1.x makes up an address for a webhook without an id of its own; 2.x gives it one. */
async function recordOldAddress(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const path = newPath()
  const { webhookId: _left, ...hook } = webhook(path)
  const { json } = await send('POST /api/v1/workflows', {
    body: workflowOf('no id', [hook, fixed({})]),
  })
  const id = idOf(json)
  run.created.workflows.add(id)
  await send(`POST /api/v1/workflows/${id}/activate`)
  await pause(run)
  await record('a webhook without an id, at its path', `POST /webhook/${path}`, { body: {} })
  await record(
    'a webhook without an id, at the address of 1.x',
    `POST /webhook/${id}/webhook/${path}`,
    { body: {} },
  )
}

const secret = 'a-secret-for-contract-tests-only-0123'

async function token(
  claims: { readonly expires?: number; readonly notBefore?: number; readonly key?: string },
  algorithm = 'HS256',
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const made = new SignJWT({})
    .setProtectedHeader({ alg: algorithm })
    .setExpirationTime(now + (claims.expires ?? 60))
  if (claims.notBefore !== undefined) made.setNotBefore(now + claims.notBefore)
  return await made.sign(
    new TextEncoder().encode(
      (claims.key ?? secret)
        .padEnd(64, '0')
        .slice(0, algorithm === 'HS256' ? (claims.key?.length ?? secret.length) : 64),
    ),
  )
}

/** Who may call, and what callers are told. */
export async function recordCallers(run: ScriptRun): Promise<void> {
  const { record, send } = run.recorder
  const credential = async (type: string, data: JsonObject): Promise<string> => {
    const { json } = await send('POST /api/v1/credentials', {
      body: { name: 'record', type, data },
    })
    const id = idOf(json)
    run.created.credentials.add(id)
    return id
  }
  const jwt = await credential('jwtAuth', {
    keyType: 'passphrase',
    secret,
    privateKey: '',
    publicKey: '',
    algorithm: 'HS256',
  })
  const path = newPath()
  const hook = (type: string, id: string, at = path): JsonObject =>
    webhook(
      at,
      { authentication: type === 'httpHeaderAuth' ? 'headerAuth' : type },
      { credentials: { [type]: { id, name: 'record' } } },
    )
  await makeLive(run, workflowOf('callers', [hook('jwtAuth', jwt), fixed({ sum: 3 })]), path)
  const call = async (title: string, authorization?: string): Promise<void> => {
    await record(title, `POST /webhook/${path}`, {
      body: {},
      ...(authorization === undefined ? {} : { headers: { authorization } }),
    })
  }
  await call('no token')
  await call('a token', `Bearer ${await token({})}`)
  await call('a token that is too old', `Bearer ${await token({ expires: -60 })}`)
  await call('a token that is too young', `Bearer ${await token({ notBefore: 600 })}`)
  await call(
    'a token of another secret',
    `Bearer ${await token({ key: 'another-secret-for-contract-tests-0' })}`,
  )
  await call('a token of another algorithm', `Bearer ${await token({}, 'HS512')}`)
  await call('no token but a word', 'Bearer nonsense')
  await call('a token of three words', 'Bearer one.two.three')
  await call('a password in place of a token', 'Basic dXNlcjpwYXNz')
  await call('a token without its word', await token({}))
  await call('an empty token', 'Bearer ')
  const unsigned = [{ alg: 'none' }, {}].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  await call('a token without a signature', `Bearer ${unsigned.join('.')}.`)
  await record('broken JSON without a token', `POST /webhook/${path}`, { text: '{"a":' })
  await send(`DELETE /api/v1/credentials/${jwt}`)
  await call('a token, with the credential gone', `Bearer ${await token({})}`)
  const key = await credential('httpHeaderAuth', { name: 'x-key', value: 'for-contract-tests' })
  const at = newPath()
  await makeLive(
    run,
    workflowOf('header', [hook('httpHeaderAuth', key, at), fixed({ sum: 3 })]),
    at,
  )
  await record('no key in a header', `POST /webhook/${at}`, { body: {} })
  await record('a wrong key in a header', `POST /webhook/${at}`, {
    body: {},
    headers: { 'x-key': 'wrong' },
  })
  await record('a key in a header', `POST /webhook/${at}`, {
    body: {},
    headers: { 'x-key': 'for-contract-tests' },
  })
}

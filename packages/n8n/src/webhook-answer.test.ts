import { describe, expect, it } from 'vitest'
import type { WebhookAnswer } from './n8n-client.ts'
import { readWebhookAnswer } from './webhook-answer.ts'

/** n8n sends a header with these; a workflow may say the same, without it. */
const n8nRefusals: ReadonlySet<unknown> = new Set([
  'No token provided',
  'jwt expired',
  'No authentication data defined on node!',
])

function answer(status: number, body: unknown): WebhookAnswer {
  const isText = typeof body === 'string'
  return {
    status,
    headers: {
      'content-type': isText ? 'text/html' : 'application/json',
      ...(n8nRefusals.has(body) ? { 'www-authenticate': 'Basic realm="Webhook"' } : {}),
    },
    body: isText ? body : JSON.stringify(body),
    ...(isText ? {} : { json: body as never }),
    ms: 1,
  }
}

const call = { callId: 'C', path: 'x', givesOnlyJson: true } as const
const notRegistered = {
  code: 404,
  message: 'The requested webhook "POST x" is not registered.',
  hint: '',
}
const echo = {
  headers: { 'x-toolcrib-call-id': 'C' },
  params: {},
  query: {},
  body: {},
  webhookUrl: 'http://x/webhook/y',
  executionMode: 'production',
}

/** What it means where the workflow did not run. */
const answered = (code: string): object => ({
  kind: 'look-up',
  reason: 'answered',
  otherwise: { code },
})

describe('readWebhookAnswer', () => {
  it.each<[string, number, unknown, object]>([
    ['JSON', 200, { sum: 3 }, { kind: 'result', result: { sum: 3 } }],
    ['null', 200, null, { kind: 'result', result: null }],
    ['another success', 201, [1], { kind: 'result', result: [1] }],
    [
      'an envelope',
      200,
      { ok: true, result: 1, executionId: '7' },
      { kind: 'result', result: 1, executionId: '7' },
    ],
    [
      'what only looks like one',
      200,
      { ok: true, total: 1 },
      { kind: 'result', result: { ok: true, total: 1 } },
    ],
    [
      'an error envelope with 200',
      200,
      { ok: false, error: { code: 'A', message: 'no', node: 'N' } },
      { code: 'N8N_EXECUTION_FAILED', message: 'no', node: 'N', details: { code: 'A' } },
    ],
    [
      'an error envelope with more in it',
      200,
      { ok: false, error: 'E1', chargedId: 'c' },
      { message: 'E1', details: { ok: false, error: 'E1', chargedId: 'c' } },
    ],
    [
      'no error',
      200,
      { ok: false, error: null, id: 7 },
      { kind: 'result', result: { ok: false, error: null, id: 7 } },
    ],
    [
      'an error envelope with 403',
      403,
      { ok: false, error: { message: 'no' } },
      {
        kind: 'look-up',
        reason: 'answered',
        otherwise: { code: 'N8N_CALL_REFUSED', message: expect.stringContaining('403: no') },
      },
    ],
    [
      'an error envelope with 500',
      500,
      { ok: false, error: 'no' },
      {
        kind: 'look-up',
        reason: 'gateway',
        otherwise: { code: 'N8N_OUTCOME_UNKNOWN', message: expect.stringContaining('500: no') },
      },
    ],
    [
      'a success envelope with 500',
      500,
      { ok: true, result: 1 },
      { kind: 'look-up', reason: 'gateway' },
    ],
    ['nothing', 200, '', { kind: 'look-up', reason: 'empty' }],
    ['next to nothing', 201, ' \n', { kind: 'look-up', reason: 'empty' }],
    [
      'that a time limit ended it before a Respond node',
      500,
      { code: 0, message: 'The execution was cancelled because it timed out' },
      { kind: 'look-up', reason: 'problem' },
    ],
    ['a page', 200, '<html>hello</html>', { code: 'N8N_RESULT_INVALID' }],
    [
      'the page of a server that starts',
      200,
      '<html>n8n is starting up. Please wait</html>',
      { code: 'N8N_STARTING', isUnsent: true },
    ],
    [
      'that it was only started',
      200,
      { message: 'Workflow was started' },
      { kind: 'look-up', reason: 'notice', otherwise: { code: 'N8N_RESULT_INVALID' } },
    ],
    [
      'that the last node gave nothing',
      200,
      { message: 'Workflow executed successfully but the last node did not return any data' },
      { kind: 'look-up', reason: 'notice', otherwise: { code: 'N8N_RESULT_INVALID' } },
    ],
    [
      'a result with a message of its own',
      200,
      { message: 'Workflow was not started' },
      { kind: 'result' },
    ],
    ['the request of this call', 200, echo, { kind: 'look-up', reason: 'echo' }],
    ['the request of this call in a list', 200, [echo], { kind: 'look-up', reason: 'echo' }],
    ['the request of this call and more', 200, { ...echo, sum: 2 }, { kind: 'result' }],
    [
      'the request of another call',
      200,
      { ...echo, headers: { 'x-toolcrib-call-id': 'D' } },
      { kind: 'result' },
    ],
    ['a redirect', 302, '', answered('N8N_RESPONSE_INVALID')],
    ['a text of the workflow with 403', 403, 'Not for you', answered('N8N_CALL_REFUSED')],
    ['one that n8n has too', 403, 'invalid token', answered('N8N_CALL_REFUSED')],
    [
      'an address that may not call',
      403,
      'IP is not allowed to access the webhook!',
      { code: 'N8N_CALL_REFUSED' },
    ],
    [
      'that n8n refuses to start it',
      500,
      { code: 0, message: 'Unused Respond to Webhook node found in the workflow' },
      { code: 'N8N_NO_WEBHOOK', message: expect.stringMatching(/^Nothing ran/) },
    ],
    ['JSON that it is not registered', 404, notRegistered, { code: 'N8N_NOT_CALLABLE' }],
    [
      'a page that it cannot post',
      404,
      '<pre>Cannot POST /webhook/x</pre>',
      { code: 'N8N_STARTING', isUnsent: true },
    ],
    [
      'a 404 of the workflow itself',
      404,
      { message: 'No such order' },
      {
        kind: 'look-up',
        reason: 'answered',
        otherwise: {
          code: 'N8N_RESPONSE_INVALID',
          message: 'The webhook answered with status 404: No such order.',
          details: { message: 'No such order' },
        },
      },
    ],
    ['no token', 401, 'No token provided', { code: 'N8N_CALL_REFUSED' }],
    [
      'an expired token',
      403,
      'jwt expired',
      { code: 'N8N_CALL_REFUSED', message: expect.stringContaining('clocks') },
    ],
    [
      'a lost credential',
      500,
      'No authentication data defined on node!',
      { code: 'N8N_CALL_REFUSED' },
    ],
    [
      'that a node failed',
      500,
      { message: 'Error in workflow' },
      { kind: 'look-up', reason: 'failed' },
    ],
    [
      'a problem',
      500,
      { code: 0, message: 'There was a problem executing the workflow' },
      { kind: 'look-up', reason: 'problem' },
    ],
    [
      'no item',
      500,
      { code: 0, message: 'No item to return was found' },
      { code: 'N8N_RESULT_INVALID' },
    ],
    [
      'no Respond node',
      500,
      { code: 0, message: 'No Respond to Webhook node found in the workflow' },
      { code: 'N8N_RESULT_INVALID' },
    ],
    [
      'no database',
      503,
      { code: 503, message: 'Database is not ready!' },
      { code: 'N8N_STARTING', isUnsent: true },
    ],
    ['a 503 of nobody knows whom', 503, 'busy', { kind: 'look-up', reason: 'gateway' }],
    ['a gateway that gave up', 504, '<html>', { kind: 'look-up', reason: 'gateway' }],
    ['a gateway with JSON', 524, { error: 'timeout' }, { kind: 'look-up', reason: 'gateway' }],
    ['too many', 429, 'slow down', answered('N8N_REQUEST_REFUSED')],
    ['too large', 413, '<html>', answered('N8N_REQUEST_TOO_LARGE')],
    ['a page with 404', 404, '<html>gone</html>', answered('N8N_RESPONSE_INVALID')],
  ])('reads %s', (...[, status, body, meaning]) => {
    expect(readWebhookAnswer(answer(status, body), call)).toMatchObject(meaning)
  })

  it.each([
    ['JSON', { v: 1 }],
    ['an envelope', { ok: true, result: 1 }],
  ])('looks %s up where the workflow may have stopped to wait', (_what, body) => {
    expect(readWebhookAnswer(answer(200, body), { ...call, mayWait: true })).toMatchObject({
      kind: 'look-up',
      reason: 'echo',
    })
  })

  it.each<[string, number, unknown, string]>([
    ['a page of a server that starts', 200, 'n8n is starting up. Please wait', 'N8N_STARTING'],
    ['the same with 503', 503, '<html>n8n is starting up</html>', 'N8N_STARTING'],
    ['a page without routes', 404, '<pre>Cannot POST /webhook/x</pre>', 'N8N_STARTING'],
    ['no database', 503, { code: 503, message: 'Database is not ready!' }, 'N8N_STARTING'],
    ['not registered', 404, notRegistered, 'N8N_NOT_CALLABLE'],
    ['no workflow', 404, { message: 'Could not find workflow with id 7' }, 'N8N_NOT_CALLABLE'],
    [
      'an unused Respond node',
      500,
      { code: 0, message: 'Unused Respond to Webhook node' },
      'N8N_NO_WEBHOOK',
    ],
    ['a refusal with its header', 401, 'No token provided', 'N8N_CALL_REFUSED'],
    [
      'an address that may not call',
      403,
      'IP is not allowed to access the webhook!',
      'N8N_CALL_REFUSED',
    ],
    ['a lost credential', 500, 'No authentication data defined on node!', 'N8N_CALL_REFUSED'],
  ])('looks %s up where the workflow may have passed it on', (...[, status, body, code]) => {
    const meaning = readWebhookAnswer(answer(status, body), { callId: 'C', path: 'x' })
    expect(meaning).toMatchObject({ kind: 'look-up', reason: 'answered', otherwise: { code } })
    expect(JSON.stringify(meaning)).not.toMatch(/isUnsent|othing ran/)
  })

  it('takes words with a status that the workflow cannot give for those of n8n', () => {
    const ours = { callId: 'C', path: 'x', givesOnlySuccess: true } as const
    expect(readWebhookAnswer(answer(404, notRegistered), ours)).toMatchObject({
      kind: 'failure',
      code: 'N8N_NOT_CALLABLE',
    })
    expect(readWebhookAnswer(answer(200, 'n8n is starting up'), ours)).toMatchObject({
      kind: 'look-up',
    })
  })

  it('says that nothing ran only where n8n itself was not there yet', () => {
    for (const status of [200, 201, 302, 401, 403, 404, 413, 422, 429, 500, 502, 503, 504])
      for (const body of ['', 'text', '<html></html>', { message: 'x' }, notRegistered])
        expect(readWebhookAnswer(answer(status, body), call)).not.toHaveProperty('isUnsent')
  })
})

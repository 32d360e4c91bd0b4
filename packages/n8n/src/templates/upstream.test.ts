import { expect, test } from 'vitest'
import { createdId, failureOf, hasWorked, requestNode } from './upstream.ts'

const run = (code: string, answer: unknown): unknown =>
  // oxlint-disable-next-line typescript/no-implied-eval -- what n8n would do with it
  (new Function('answer', `return ${code}`) as (given: unknown) => unknown)(answer)

test('success is a status of 200 to 299 with JSON or nothing', () => {
  const worked = (answer: object): unknown => run(`!!(${hasWorked('answer')})`, answer)
  for (const answer of [
    { statusCode: 200, body: {} },
    { statusCode: 204 },
    { statusCode: 299, data: '' },
  ])
    expect(worked(answer)).toBe(true)
  for (const answer of [
    { statusCode: 199 },
    { statusCode: 300 },
    { statusCode: 200, data: '<p>' },
    { error: { message: 'x' } },
  ])
    expect(worked(answer)).toBe(false)
})

test.each([
  [
    { statusCode: 422, body: { error: { message: 'no' } } },
    { code: 'upstream_failed', message: 'HTTP 422: no', status: 422 },
  ],
  [
    { statusCode: 500, body: { message: 'm' } },
    { code: 'upstream_failed', message: 'HTTP 500: m', status: 500 },
  ],
  [
    { statusCode: 500, body: { error: 'e' } },
    { code: 'upstream_failed', message: 'HTTP 500: e', status: 500 },
  ],
  [
    { statusCode: 503, data: '<p>' },
    { code: 'upstream_failed', message: 'HTTP 503', status: 503 },
  ],
  [
    { statusCode: 500, body: { error: { message: { a: 1 } } } },
    { code: 'upstream_failed', message: 'HTTP 500', status: 500 },
  ],
  [
    { statusCode: 200, data: '<p>' },
    { code: 'upstream_invalid', status: 200 },
  ],
  [
    { error: { message: 'timeout of 1 ms exceeded', code: 'ECONNABORTED' } },
    { code: 'upstream_timeout' },
  ],
  [
    { error: { message: 'socket hang up', code: 'ECONNRESET' } },
    { code: 'upstream_unreachable', reason: 'ECONNRESET' },
  ],
  [
    { error: { message: 'getaddrinfo', code: 'key=secret' } },
    { code: 'upstream_unreachable', reason: undefined },
  ],
  [{ error: 'The URL is wrong' }, { code: 'upstream_invalid', message: 'The URL is wrong' }],
])('%j is told apart', (answer, failure) => {
  expect(run(`${failureOf}(answer)`, answer)).toMatchObject(failure)
})

test('what a service says is bounded', () => {
  const { message } = run(`${failureOf}(answer)`, {
    statusCode: 400,
    body: { message: 'x'.repeat(9_999) },
  }) as { message: string }
  expect(message).toHaveLength(310)
})

test('ids are texts, wherever the service puts them', () => {
  expect(run(createdId('answer'), { id: 0 })).toBe('0')
  expect(run(createdId('answer'), { messages: [{ id: 'm' }] })).toBe('m')
  for (const answer of [{}, { id: null }, { messages: [] }, undefined, []])
    expect(run(createdId('answer'), answer)).toBeUndefined()
})

test('only writes carry a key of idempotency, no request follows redirects, a credential is a reference', () => {
  const common = { url: 'https://a.example/x', credential: undefined, timeoutSeconds: 2 }
  const read = requestNode('Get', { ...common, method: 'GET' })
  const write = requestNode('Send it', {
    ...common,
    method: 'POST',
    body: '{}',
    credential: { id: 'c1', name: 'key' },
  })
  expect(JSON.stringify(read)).not.toContain('Idempotency-Key')
  expect(write.parameters).toMatchObject({
    genericAuthType: 'httpHeaderAuth',
    headerParameters: {
      parameters: [
        {},
        {
          name: 'Idempotency-Key',
          value: '={{ [$("Arguments").first().json.key, "send-it"].join(":") }}',
        },
      ],
    },
  })
  expect(write.credentials).toEqual({ httpHeaderAuth: { id: 'c1', name: 'key' } })
  for (const node of [read, write])
    expect(node.parameters['options']).toMatchObject({
      timeout: 2_000,
      redirect: { redirect: { followRedirects: false } },
    })
})

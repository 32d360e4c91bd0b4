import { describe, expect, test } from 'vitest'
import { createN8nClient } from './got-client.ts'
import type { N8nClientOptions } from './n8n-client.ts'
import { createN8nClient as createCoreClient } from './create-client.ts'

const good = { baseUrl: 'http://127.0.0.1:5678', apiKey: 'a-good-key' }

function refusalOf(options: object): { message: string; data: object } {
  try {
    createN8nClient(options as N8nClientOptions)
  } catch (error) {
    return error as { message: string; data: object }
  }
  return expect.unreachable('it was taken')
}

test.each([
  ['http://127.0.0.1:5678', 'http://127.0.0.1:5678'],
  ['http://127.0.0.1:5678/', 'http://127.0.0.1:5678'],
  ['https://example.com/n8n//', 'https://example.com/n8n'],
  ['HTTP://EXAMPLE.com:80/', 'http://example.com'],
])('takes %s', (baseUrl, shown) => {
  expect(createN8nClient({ ...good, baseUrl }).baseUrl).toBe(shown)
})

test.each([
  ['127.0.0.1:5678', 'an http or https URL'],
  ['ftp://example.com', 'an http or https URL'],
  ['', 'an http or https URL'],
  [undefined, 'an http or https URL'],
  [5678, 'an http or https URL'],
  ['http://ann:pass-word@example.com', 'without user name and password'],
  ['http://example.com/?key=pass-word', 'without query'],
  ['http://example.com/#x', 'without query'],
  ['http://example.com/api/v1', 'without /api/v1'],
  ['http://example.com/n8n/api/v1/', 'without /api/v1'],
  ['http://example.com/webhook', 'without /webhook'],
])('refuses %s as baseUrl and as webhookBaseUrl', (url, rule) => {
  for (const field of ['baseUrl', 'webhookBaseUrl']) {
    if (url === undefined && field === 'webhookBaseUrl') continue
    const { message, data } = refusalOf({ ...good, [field]: url })
    expect(message).toContain(rule)
    expect(message).not.toContain('pass-word')
    expect(data).toMatchObject({ field, fix: expect.any(String) })
  }
})

test('an address that is wrong and holds a password does not show it', () => {
  expect(refusalOf({ ...good, baseUrl: 'htp://ann:pass-word@x' }).message).not.toContain(
    'pass-word',
  )
})

test('says what to use in place of an address of the API', () => {
  expect(refusalOf({ ...good, baseUrl: 'https://example.com/n8n/api/v1/' }).message).toContain(
    'Use https://example.com/n8n;',
  )
})

describe('the key', () => {
  test.each([
    ['a-key\n'],
    [' a-key-x'],
    ['short'],
    [''],
    ['käse-käse'],
    [undefined],
    [7],
    ['k'.repeat(4_097)],
  ])('is refused as %j, without being shown', (apiKey) => {
    const { message, data } = refusalOf({ ...good, apiKey })
    expect(data).toMatchObject({ field: 'apiKey' })
    if (typeof apiKey === 'string' && apiKey !== '') expect(message).not.toContain(apiKey)
  })

  test.each([['a-key-'], ['k'.repeat(4_096)], [() => 'later']])('is taken as %s', (apiKey) => {
    expect(() => createN8nClient({ ...good, apiKey })).not.toThrow()
  })
})

test.each([
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 1.5 }],
  ['timeoutMs', { timeoutMs: 2_147_483_648 }],
  ['timeoutMs', { timeoutMs: '30' }],
  ['retry.retries', { retry: { retries: 11 } }],
  ['retry.retries', { retry: { retries: -1 } }],
  ['retry.pauseMs', { retry: { pauseMs: 5_001 } }],
  ['retry.times', { retry: { times: 3 } }],
  ['retry', { retry: 3 }],
  ['maxRequestBytes', { maxRequestBytes: 0 }],
  ['maxRequestBytes', { maxRequestBytes: 1_073_741_825 }],
  ['maxResponseBytes', { maxResponseBytes: Number.NaN }],
  ['webhookEndpoint', { webhookEndpoint: '/webhook' }],
  ['webhookEndpoint', { webhookEndpoint: '../rest' }],
  ['webhookEndpoint', { webhookEndpoint: '' }],
  ['transport', { transport: {} }],
  ['sleep', { sleep: 5 }],
  ['now', { now: 5 }],
  ['options.retries', { retries: 3 }],
  ['options.baseURL', { baseURL: 'x' }],
])('names %s in %j', (field, more) => {
  const { message, data } = refusalOf({ ...good, ...more })
  expect(data).toMatchObject({ field })
  expect(message.startsWith(`${field}: must be `)).toBe(true)
})

test.each([
  { timeoutMs: 1 },
  { timeoutMs: 2_147_483_647 },
  { retry: { retries: 0, pauseMs: 0 } },
  { retry: { retries: 10, pauseMs: 5_000 } },
  { maxRequestBytes: 1, maxResponseBytes: 1_073_741_824 },
  { webhookEndpoint: 'hooks/of-n8n' },
])('takes %j', (more) => {
  expect(() => createN8nClient({ ...good, ...more })).not.toThrow()
})

test.each([[undefined], [null], ['http://127.0.0.1']])('refuses %s for options', (options) => {
  expect(() => createN8nClient(options as unknown as N8nClientOptions)).toThrow(
    expect.objectContaining({ code: 'N8N_OPTION_INVALID' }),
  )
})

test('the neutral core brings no transport and says so', () => {
  expect(() => createCoreClient(good as never)).toThrow(/transport: must be .*core` brings none/)
})

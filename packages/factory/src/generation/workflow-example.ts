import type { JsonObject } from '@toolcrib/registry'

const link = (node: string): JsonObject => ({ node, type: 'main', index: 0 })

const envelope = (body: string): string =>
  `={{ JSON.stringify({ ${body}, executionId: $execution.id }) }}`

/** What a model is to write, as short as it can be and still right: it passes every check, and it runs. */
export const workflowExample: JsonObject = {
  description: 'Looks up where an order is. Use it when a customer asks about an order.',
  inputs: {
    order_id: { type: 'string', description: 'The order, such as A-17.' },
    language: { type: 'string', description: 'Of the answer, such as en.', default: 'en' },
  },
  output: {
    type: 'object',
    properties: { status: { type: 'string' } },
    required: ['status'],
  },
  workflow: {
    name: 'Order status',
    nodes: [
      {
        id: 'call',
        name: 'Call',
        type: 'n8n-nodes-base.webhook',
        webhookId: 'call',
        typeVersion: 2,
        position: [0, 0],
        parameters: { httpMethod: 'POST', path: 'call', responseMode: 'responseNode', options: {} },
      },
      {
        id: 'ask',
        name: 'Ask shop',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [220, 0],
        onError: 'continueErrorOutput',
        parameters: {
          method: 'POST',
          url: 'https://shop.example/orders/find',
          sendBody: true,
          specifyBody: 'json',
          jsonBody:
            '={{ JSON.stringify({ id: $json.body.order_id, language: $json.body.language }) }}',
          options: { timeout: 10_000, redirect: { redirect: { followRedirects: false } } },
        },
      },
      {
        id: 'done',
        name: 'Answer',
        type: 'n8n-nodes-base.respondToWebhook',
        typeVersion: 1.1,
        position: [440, -100],
        parameters: {
          respondWith: 'json',
          responseBody: envelope('ok: true, result: { status: $json.status }'),
          options: {},
        },
      },
      {
        id: 'failed',
        name: 'Answer failure',
        type: 'n8n-nodes-base.respondToWebhook',
        typeVersion: 1.1,
        position: [440, 100],
        parameters: {
          respondWith: 'json',
          responseBody: envelope(
            'ok: false, error: { code: "shop_failed", message: String($json.error?.message ?? $json.error) }',
          ),
          options: { responseCode: 502 },
        },
      },
    ],
    connections: {
      Call: { main: [[link('Ask shop')]] },
      'Ask shop': { main: [[link('Answer')], [link('Answer failure')]] },
    },
    settings: { executionOrder: 'v1', executionTimeout: 60 },
  },
}

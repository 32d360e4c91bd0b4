import { chain, connect, type CorpusEntry, node, webhook } from './make-workflow.ts'

const value = (expression: string): CorpusEntry => ({
  title: `the expression ${expression}`,
  status: 200,
  workflow: chain([
    webhook(),
    node('Value', 'set', {
      assignments: { assignments: [{ id: '1', name: 'v', value: expression, type: 'string' }] },
      options: { ignoreConversionErrors: true },
    }),
  ]),
})

const respond = (parameters: Readonly<Record<string, unknown>>, status: number): CorpusEntry => ({
  title: `an answer by a node: ${JSON.stringify(parameters)}`,
  status,
  workflow: chain([
    webhook({ responseMode: 'responseNode' }),
    node('Respond', 'respondToWebhook', { options: {}, ...parameters }),
  ]),
})

/** Forms that look wrong at first sight, and run. */
export const oddWorkflows: readonly CorpusEntry[] = [
  ...[
    '={{ $json.body.name',
    '=$json.body.name }}',
    '={{ {a:{b:1} } }}',
    '={{ {a:1}.a }}',
    '={{ 1; 2 }}',
    '={{ 1 // a comment }}',
    '=\\{{ 1 }}',
    '={{ $json.body.name }}}',
    '={{ undefinedVariable }}',
    '={{ (() => { return 5 })() }}',
    '={{ $json.body.missing?.deep ?? "none" }}',
    '={{ $node.Webhook.json.body.name + $node["Webhook"].json.body.name }}',
    '={{ $items("Webhook")[0].json.body.name }}',
    "={{ $('Webhook').item.json.body.name }}",
    '={{ $now.toISO() + $today.toISO() }}',
    '={{ $jmespath($json, "body.items[*].sku").join() }}',
    '={{ "a {{ b" }}',
    'a text with {{ braces }} and no equals sign',
    '=',
  ].map((expression) => value(expression)),
  respond({ respondWith: 'json', responseBody: '={{ JSON.stringify({ ok: true }) }}' }, 200),
  respond({ respondWith: 'text', responseBody: 'done', options: { responseCode: 201 } }, 201),
  respond({ respondWith: 'allIncomingItems' }, 200),
  respond({ respondWith: 'noData', options: { responseCode: 204 } }, 204),
  {
    title: 'a webhook alone',
    status: 200,
    workflow: chain([webhook()]),
  },
  {
    title: 'a webhook that answers at once',
    status: 200,
    workflow: chain([webhook({ responseMode: 'onReceived' }), node('Nothing', 'noOp')]),
  },
  {
    title: 'an answer in two branches, and a node that nothing leads to',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook({ responseMode: 'responseNode' }),
        node('Any?', 'if', {
          conditions: {
            options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
            combinator: 'and',
            conditions: [
              {
                id: 'c',
                leftValue: '={{ !!$json.body.name }}',
                rightValue: true,
                operator: { type: 'boolean', operation: 'true', singleValue: true },
              },
            ],
          },
          options: {},
        }),
        node('Yes', 'respondToWebhook', { respondWith: 'json', responseBody: '{ "ok": true }' }),
        node('No', 'respondToWebhook', { respondWith: 'json', responseBody: '{ "ok": false }' }),
        node('Alone', 'noOp'),
        node('Note', 'stickyNote', { content: '## {{ $json.note }}' }),
      ],
      connections: connect(['Webhook', 'Any?'], { 'Any?': [['Yes'], ['No']] }),
    },
  },
  {
    title: 'a disabled node with parameters that make no sense',
    status: 200,
    workflow: chain([
      webhook(),
      { ...node('Off', 'httpRequest', { url: '', method: 'FETCH' }), disabled: true },
      node('After', 'noOp'),
    ]),
  },
  {
    title: 'names that are like those of objects',
    status: 200,
    workflow: chain([
      webhook(),
      node('constructor', 'noOp'),
      node('toString', 'noOp'),
      node('Ünïcode 😀 "quotes"', 'noOp'),
    ]),
  },
  {
    title: 'settings of all kinds',
    status: 200,
    workflow: chain([webhook(), node('Nothing', 'noOp')], {
      settings: {
        executionOrder: 'v0',
        timezone: 'Africa/Lagos',
        executionTimeout: 60,
        saveManualExecutions: true,
        saveDataErrorExecution: 'all',
        saveDataSuccessExecution: 'none',
        callerPolicy: 'none',
      },
    }),
  },
]

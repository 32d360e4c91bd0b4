import {
  chain,
  connect,
  type CorpusEntry,
  type CorpusNode,
  node,
  webhook,
} from './make-workflow.ts'

const result = (expression: string): CorpusNode =>
  node('Result', 'set', { mode: 'raw', jsonOutput: `={{ ${expression} }}`, options: {} })

const items = node('Items', 'splitOut', { fieldToSplitOut: 'body.items', options: {} })

const entry = (
  title: string,
  nodes: readonly CorpusNode[],
  more: Readonly<Record<string, unknown>> = {},
): CorpusEntry => ({ title, workflow: chain([webhook(), ...nodes], more), status: 200 })

const condition = (leftValue: string, operator: object, rightValue: unknown = ''): object => ({
  options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
  combinator: 'and',
  conditions: [{ id: 'c', leftValue, rightValue, operator }],
})

/** Workflows that work on data alone, and are called. */
export const dataWorkflows: readonly CorpusEntry[] = [
  entry('set, raw', [result('{ sum: $json.body.amount + 1, who: $json.body.name }')]),
  entry('set, fields', [
    node('Fields', 'set', {
      assignments: {
        assignments: [
          { id: '1', name: 'greeting', value: '=Hello {{ $json.body.name }}!', type: 'string' },
          { id: '2', name: 'amount', value: '={{ $json.body.amount }}', type: 'number' },
          { id: '3', name: 'braces', value: 'a { plain } text', type: 'string' },
        ],
      },
      includeOtherFields: true,
      options: {},
    }),
  ]),
  {
    title: 'set of version 1, as old exports have it',
    status: 200,
    workflow: chain([
      webhook(),
      {
        ...node('Old', 'set', {
          keepOnlySet: true,
          values: { string: [{ name: 'a', value: '={{$json["body"]["name"]}}' }] },
          options: {},
        }),
        typeVersion: 1,
      },
    ]),
  },
  {
    title: 'if, both branches',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        node('Big?', 'if', {
          conditions: condition(
            '={{ $json.body.amount }}',
            { type: 'number', operation: 'gt' },
            10,
          ),
          options: {},
        }),
        node('Yes', 'set', { mode: 'raw', jsonOutput: '{ "big": true }', options: {} }),
        node('No', 'set', { mode: 'raw', jsonOutput: '{ "big": false }', options: {} }),
      ],
      connections: connect(['Webhook', 'Big?'], { 'Big?': [['Yes'], ['No']] }),
    },
  },
  {
    title: 'if of version 1',
    status: 200,
    workflow: chain([
      webhook(),
      {
        ...node('Big?', 'if', {
          conditions: {
            number: [{ value1: '={{$json.body.amount}}', operation: 'larger', value2: 1 }],
          },
        }),
        typeVersion: 1,
      },
      result('$json'),
    ]),
  },
  {
    title: 'switch with rules and a fallback',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        node('Which?', 'switch', {
          rules: {
            values: [
              {
                conditions: condition(
                  '={{ $json.body.name }}',
                  { type: 'string', operation: 'equals' },
                  'Ada',
                ),
              },
              {
                conditions: condition(
                  '={{ $json.body.name }}',
                  { type: 'string', operation: 'equals' },
                  'Bob',
                ),
              },
            ],
          },
          options: { fallbackOutput: 'extra' },
        }),
        result('{ which: $json.body.name }'),
      ],
      connections: connect(['Webhook', 'Which?'], {
        'Which?': [['Result'], ['Result'], ['Result']],
      }),
    },
  },
  {
    title: 'switch by an expression',
    status: 200,
    workflow: chain([
      webhook(),
      node('Which?', 'switch', { mode: 'expression', numberOutputs: 2, output: '={{ 0 }}' }),
      result('$json'),
    ]),
  },
  entry('filter', [
    items,
    node('Twos', 'filter', {
      conditions: condition('={{ $json.quantity }}', { type: 'number', operation: 'gte' }, 2),
      options: {},
    }),
  ]),
  {
    title: 'merge, append and combine',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        node('Left', 'set', { mode: 'raw', jsonOutput: '{ "id": 1, "a": 1 }', options: {} }),
        node('Right', 'set', { mode: 'raw', jsonOutput: '{ "id": 1, "b": 2 }', options: {} }),
        node('Together', 'merge', { mode: 'combine', fieldsToMatchString: 'id', options: {} }),
      ],
      connections: connect([], {
        Webhook: [['Left', 'Right']],
        Left: [['Together']],
        Right: [['Together#1']],
      }),
    },
  },
  entry('code for all items', [
    node('Code', 'code', {
      jsCode:
        "// $('Nobody') in a comment is no reference\nconst total = $('Webhook').first().json.body.items.length;\nreturn [{ json: { total, text: \"$('Nobody')\" } }];",
    }),
  ]),
  entry('code for each item', [
    items,
    node('Code', 'code', {
      mode: 'runOnceForEachItem',
      jsCode:
        'const sku = await Promise.resolve($json.sku);\nreturn { json: { sku, index: $itemIndex } };',
    }),
  ]),
  {
    title: 'function nodes of the first years',
    status: 200,
    workflow: chain([
      webhook(),
      node('Function', 'function', { functionCode: 'items[0].json.a = 1;\nreturn items;' }),
      node('Function item', 'functionItem', { functionCode: 'item.b = 2;\nreturn item;' }),
    ]),
  },
  entry('date and time', [
    node('Later', 'dateTime', {
      operation: 'addToDate',
      magnitude: '={{ $json.body.date }}',
      timeUnit: 'days',
      duration: 3,
      options: {},
    }),
  ]),
  entry('the current date', [node('Now', 'dateTime', { options: {} })]),
  entry('a hash', [node('Hash', 'crypto', { type: 'SHA256', value: '={{ $json.body.name }}' })]),
  entry('a random value', [
    node('Uuid', 'crypto', { action: 'generate', dataPropertyName: 'uuid' }),
  ]),
  entry('an html template', [
    node('Page', 'html', { html: '<p>{{ $json.body.name }}</p><style>a { b: c }</style>' }),
  ]),
  entry('extract from html', [
    node('Extract', 'html', {
      operation: 'extractHtmlContent',
      dataPropertyName: 'body.html',
      extractionValues: { values: [{ key: 'title', cssSelector: 'h1' }] },
      options: {},
    }),
  ]),
  entry('markdown', [
    node('Markdown', 'markdown', { html: '={{ $json.body.html }}', options: {} }),
  ]),
  entry('xml', [
    result('{ data: $json.body.xml }'),
    node('Xml', 'xml', { dataPropertyName: 'data', options: {} }),
  ]),
  entry('split out and aggregate', [
    items,
    node('All', 'aggregate', { aggregate: 'aggregateAllItemData', options: {} }),
  ]),
  entry('sort, limit and remove duplicates', [
    items,
    node('Sort', 'sort', { sortFieldsUi: { sortField: [{ fieldName: 'sku' }] }, options: {} }),
    node('Unique', 'removeDuplicates', {
      compare: 'selectedFields',
      fieldsToCompare: 'sku',
      options: {},
    }),
    node('First', 'limit', { maxItems: 1 }),
  ]),
  entry('sort by code', [
    items,
    node('Sort', 'sort', { type: 'code', code: 'return a.json.sku < b.json.sku ? -1 : 1' }),
  ]),
  entry('summarize', [
    items,
    node('Sums', 'summarize', {
      fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'quantity' }] },
      fieldsToSplitBy: 'sku',
      options: {},
    }),
  ]),
  entry('rename keys', [
    node('Rename', 'renameKeys', { keys: { key: [{ currentKey: 'body', newKey: 'input' }] } }),
  ]),
  {
    title: 'a loop over batches',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        items,
        node('Loop', 'splitInBatches', { options: {} }),
        node('Work', 'noOp'),
        result("{ done: $('Items').all().length, index: $runIndex }"),
      ],
      connections: connect(['Webhook', 'Items', 'Loop'], {
        Loop: [['Result'], ['Work']],
        Work: [['Loop']],
      }),
    },
  },
  entry('a short wait', [node('Wait', 'wait', { amount: 1, unit: 'seconds' })]),
  entry('compare datasets with itself', [node('Nothing', 'noOp'), result('$json.body')]),
  entry('to a file and back', [
    items,
    node('File', 'convertToFile', { operation: 'toJson', options: {} }),
    node('Back', 'extractFromFile', { operation: 'fromJson', options: {} }),
  ]),
  {
    title: 'compare two datasets',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        items,
        node('Compare', 'compareDatasets', {
          mergeByFields: { values: [{ field1: 'sku', field2: 'sku' }] },
          options: {},
        }),
        result('{ compared: true }'),
      ],
      connections: connect(['Webhook', 'Items'], {
        Items: [['Compare', 'Compare#1']],
        Compare: [['Result'], ['Result'], ['Result'], ['Result']],
      }),
    },
  },
  {
    title: 'an error that stops',
    status: 500,
    workflow: chain([webhook(), node('Stop', 'stopAndError', { errorMessage: 'No such order' })]),
  },
  {
    title: 'an error output',
    status: 200,
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        {
          ...node('Try', 'code', { jsCode: "throw new Error('boom')" }),
          onError: 'continueErrorOutput',
        },
        node('Good', 'noOp'),
        result('{ ok: false, error: $json.error }'),
      ],
      connections: connect(['Webhook', 'Try'], { Try: [['Good'], ['Result']] }),
    },
  },
  entry('item lists of older releases', [
    {
      ...node('Lists', 'itemLists', { fieldToSplitOut: 'body.items', options: {} }),
      typeVersion: 3,
    },
  ]),
]

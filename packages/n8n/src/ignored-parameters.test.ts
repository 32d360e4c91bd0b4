import { expect, test } from 'vitest'
import { commonNodeCatalogue, nodeCatalogue, validateWorkflow } from './workflow.ts'
import type { NodeCatalogue, WorkflowCheck } from './workflow-check.ts'

type Fields = Readonly<Record<string, unknown>>

/** A webhook that leads to one node of the base package. */
function flow(type: string, typeVersion: number | undefined, parameters: Fields): object {
  const hook = { httpMethod: 'POST', path: 'a', responseMode: 'lastNode' }
  return {
    name: 'W',
    nodes: [
      { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: hook },
      {
        name: 'Step',
        type: `n8n-nodes-base.${type}`,
        ...(typeVersion !== undefined && { typeVersion }),
        parameters,
      },
    ],
    connections: { Webhook: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
  }
}

function check(
  [type, version, parameters]: readonly [string, number | undefined, Fields],
  catalogue: NodeCatalogue = nodeCatalogue(),
): WorkflowCheck {
  return validateWorkflow(flow(type, version, parameters), { catalogue })
}

function parametersAfter(result: WorkflowCheck): Fields | undefined {
  return result.ok ? result.workflow.nodes[1]?.parameters : undefined
}

const url = 'https://api.example.com/'
const pairs = (name: string): Fields => ({ parameters: [{ name, value: 'v' }] })
const oldConditions = { string: [{ value1: '={{ $json.a }}', operation: 'equal', value2: 'b' }] }
const condition = {
  id: 'c',
  leftValue: '={{ $json.a }}',
  rightValue: 'b',
  operator: { type: 'string', operation: 'equals' },
}
const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 }
const conditions = { options, combinator: 'and', conditions: [condition] }

type Case = readonly [
  what: string,
  node: readonly [string, number | undefined, Fields],
  code: 'ignored-parameter' | 'ignored-condition',
  path: string,
  fix: RegExp,
]

const ignored: readonly Case[] = [
  [
    'a body that a switch turns off',
    ['httpRequest', 4.2, { url, sendBody: false, bodyParameters: pairs('a') }],
    'ignored-parameter',
    'bodyParameters',
    /"sendBody":true/,
  ],
  [
    'a body of another version',
    ['httpRequest', 4.2, { url, sendBody: true, body: '{"a":1}' }],
    'ignored-parameter',
    'body',
    /"jsonBody"/,
  ],
  [
    'fields of Set 1 under Set 3.4',
    ['set', 3.4, { values: { string: [{ name: 'a', value: '1' }] } }],
    'ignored-parameter',
    'values',
    /"assignments":.*"name":"a".*"typeVersion": 2/,
  ],
  [
    'fields of Set 3.4 under Set 3.2',
    ['set', 3.2, { assignments: { assignments: [{ name: 'a', value: '1', type: 'string' }] } }],
    'ignored-parameter',
    'assignments',
    /"typeVersion": 3\.5/,
  ],
  [
    'JSON without the mode for it',
    ['set', 3.4, { jsonOutput: '{"a":1}' }],
    'ignored-parameter',
    'jsonOutput',
    /"mode":"raw"/,
  ],
  [
    'fields of Set that are a list',
    ['set', 3.4, { assignments: [{ name: 'a', value: '1' }] }],
    'ignored-parameter',
    'assignments',
    /./,
  ],
  [
    'a name with a slip of the pen',
    ['httpRequest', 4.2, { url, sendHeader: true }],
    'ignored-parameter',
    'sendHeader',
    /sendHeaders/,
  ],
  [
    'an option of no version',
    ['httpRequest', 4.2, { url, options: { retry: { enabled: true } } }],
    'ignored-parameter',
    'options.retry',
    /timeout/,
  ],
  [
    'a group that is a list',
    ['httpRequest', 4.2, { url, sendQuery: true, queryParameters: [{ name: 'a', value: 'b' }] }],
    'ignored-parameter',
    'queryParameters',
    /an object with "parameters"/,
  ],
  [
    'what is chosen from a list, without how',
    ['slack', 2.2, { select: 'channel', channelId: { value: 'C1' }, text: 'a' }],
    'ignored-parameter',
    'channelId',
    /"mode":"id"/,
  ],
  [
    'columns as a plain object',
    [
      'googleSheets',
      4.5,
      {
        operation: 'append',
        documentId: 'd',
        sheetName: 's',
        columns: { name: '={{ $json.name }}' },
      },
    ],
    'ignored-parameter',
    'columns',
    /editor/,
  ],
  [
    'parameters of a newer version where none is given, which is version 1',
    [
      'set',
      undefined,
      { assignments: { assignments: [{ name: 'a', value: '1', type: 'string' }] } },
    ],
    'ignored-parameter',
    'assignments',
    /"typeVersion": 3\.5/,
  ],
  [
    'conditions of If 1 under If 2.2',
    ['if', 2.2, { conditions: oldConditions }],
    'ignored-condition',
    'conditions',
    /"operation":"equals".*"typeVersion": 1/,
  ],
  [
    'conditions of If 2 under If 1',
    ['if', 1, { conditions }],
    'ignored-parameter',
    'conditions.conditions',
    /"typeVersion": 2\.\d/,
  ],
  [
    'conditions of If 2 where no version is given',
    ['if', undefined, { conditions }],
    'ignored-parameter',
    'conditions.conditions',
    /"typeVersion": 2\.\d/,
  ],
  [
    'conditions of Filter 1 under Filter 2',
    ['filter', 2, { conditions: oldConditions }],
    'ignored-condition',
    'conditions',
    /"leftValue"/,
  ],
  [
    'a list of conditions alone',
    ['if', 2.2, { conditions: [condition] }],
    'ignored-condition',
    'conditions',
    /"combinator":"and"/,
  ],
  [
    'conditions of If 1 in a rule of Switch 3',
    ['switch', 3.2, { rules: { values: [{ conditions: oldConditions }] } }],
    'ignored-condition',
    'rules.values[0].conditions',
    /"operation":"equals"/,
  ],
  [
    'rules of Switch 1 under Switch 3',
    ['switch', 3.2, { rules: { rules: [{ operation: 'equal', value2: 'a' }] } }],
    'ignored-parameter',
    'rules.rules',
    /./,
  ],
  [
    'a comparison of If 1 in a condition of If 2',
    [
      'if',
      2.2,
      {
        conditions: {
          ...conditions,
          conditions: [{ ...condition, operator: { type: 'string', operation: 'isNotEmpty' } }],
        },
      },
    ],
    'ignored-condition',
    'conditions.conditions[0].operator',
    /"operation":"notEmpty"/,
  ],
  [
    'one side of a condition under the name of If 1',
    [
      'if',
      2.2,
      { conditions: { ...conditions, conditions: [{ ...condition, value1: '={{ $json.a }}' }] } },
    ],
    'ignored-parameter',
    'conditions.conditions[0].value1',
    /./,
  ],
]

test.each(ignored)('%s is a problem with the right form', (...[, node, code, path, fix]) => {
  const { problems } = check(node)
  const problem = problems.find((each) => each.path === `nodes[1].parameters.${path}`)
  expect(problem).toMatchObject({ code, severity: 'error', node: 'Step' })
  expect(problem?.fix).toMatch(fix)
})

const repaired: readonly (readonly [string, readonly [string, number, Fields], Fields])[] = [
  [
    'a body without its switch',
    ['httpRequest', 4.2, { url, method: 'POST', bodyParameters: pairs('a') }],
    { url, method: 'POST', bodyParameters: pairs('a'), sendBody: true },
  ],
  [
    'a body of JSON without its switches',
    ['httpRequest', 4.2, { url, method: 'POST', jsonBody: '{"a":1}' }],
    { url, method: 'POST', jsonBody: '{"a":1}', sendBody: true, specifyBody: 'json' },
  ],
  [
    'headers and a query without their switches',
    ['httpRequest', 3, { url, headerParameters: pairs('h'), queryParameters: pairs('q') }],
    {
      url,
      headerParameters: pairs('h'),
      queryParameters: pairs('q'),
      sendHeaders: true,
      sendQuery: true,
    },
  ],
  [
    'headers as an object',
    ['httpRequest', 4.2, { url, headers: { Accept: 'text/plain' } }],
    {
      url,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'Accept', value: 'text/plain' }] },
    },
  ],
  [
    'the headers and the method of HTTP Request 1',
    [
      'httpRequest',
      4.2,
      {
        url,
        requestMethod: 'POST',
        headerParametersUi: { parameter: [{ name: 'h', value: 'v' }] },
      },
    ],
    { url, method: 'POST', sendHeaders: true, headerParameters: pairs('h') },
  ],
  [
    'the method of HTTP Request 3 under 1',
    ['httpRequest', 1, { url, method: 'POST' }],
    { url, requestMethod: 'POST' },
  ],
  [
    'what holds nothing and is not read',
    ['httpRequest', 4.2, { url, jsonBody: '', bodyParameters: { parameters: [{}] }, notice: '' }],
    { url },
  ],
  [
    'conditions without what joins them',
    ['if', 2.2, { conditions: { conditions: [condition] } }],
    {
      conditions: {
        options: { ...options, version: 1 },
        combinator: 'and',
        conditions: [condition],
      },
    },
  ],
]

test.each(repaired)('%s is repaired', (_what, node, parameters) => {
  const first = check(node)
  expect(parametersAfter(first)).toEqual(parameters)
  if (!first.ok) throw new Error('It was not repaired.')
  expect(first.repairs.length).toBeGreaterThan(0)
  const again = validateWorkflow(first.workflow)
  expect(again).toMatchObject({ ok: true, problems: [], repairs: [], workflow: first.workflow })
})

test.each<readonly [string, readonly [string, number, Fields]]>([
  ['conditions of its own version', ['if', 2.2, { conditions }]],
  ['old conditions of its own version', ['if', 1, { conditions: oldConditions }]],
  [
    'what depends on an expression',
    ['httpRequest', 4.2, { url, sendBody: true, contentType: '={{ $json.type }}', body: 'a' }],
  ],
  [
    'fields of its own version',
    ['set', 3.2, { fields: { values: [{ name: 'a', stringValue: '1' }] } }],
  ],
  ['conditions that an expression gives', ['if', 2.2, { conditions: '={{ $json.conditions }}' }]],
])('%s pass as they are', (_what, node) => {
  const result = check(node)
  expect(result.problems).toEqual([])
  expect(parametersAfter(result)).toEqual(node[2])
})

test('what a person set otherwise stays as it is and is told', () => {
  const result = check(['httpRequest', 4.2, { url, sendHeaders: false, headers: { a: 'b' } }])
  expect(result.ok).toBe(false)
})

test('a node that a catalogue knows no parameters of may have any', () => {
  const { parameters: _parameters, ...catalogue } = nodeCatalogue()
  expect(check(['httpRequest', 4.2, { url, anything: 1 }], catalogue).problems).toEqual([])
})

test('what only one line reads is a problem where the release of the server is not known', () => {
  const common = commonNodeCatalogue()
  expect(common.n8nVersion).toBe('1.123.81 and 2.41.1')
  expect(check(['httpRequest', 4.5, { url }], common).problems).toMatchObject([
    { code: 'unknown-node-version' },
  ])
  expect(check(['httpRequest', 4.2, { url }], common).problems).toEqual([])
})

test('tens of thousands of parameters that are not read are counted, not looked into', () => {
  const many = Object.fromEntries(
    Array.from({ length: 40_000 }, (_, index) => [`p${index}`, index % 2 === 0 ? '' : 1]),
  )
  const rules = { values: Array.from({ length: 5_000 }, () => ({ other: 1 })) }
  const result = check(['httpRequest', 4.2, { url, ...many }])
  expect(result.ok).toBe(false)
  expect(result.omittedProblems).toBeGreaterThan(10_000)
  expect(check(['switch', 3.2, { rules }]).omittedProblems).toBeGreaterThan(1_000)
})

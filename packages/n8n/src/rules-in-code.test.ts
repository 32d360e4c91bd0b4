import { describe, expect, test } from 'vitest'
import { describeWorkflow, nodeCatalogue, validateWorkflow } from './workflow.ts'
import type { WorkflowCheck, WorkflowProblem } from './workflow-check.ts'

type Fields = Readonly<Record<string, unknown>>

/** A webhook that leads to one node of the base package. */
// oxlint-disable-next-line max-params -- as short as the cases below need it
function flow(type: string, typeVersion: number, parameters: Fields, fields: Fields = {}): object {
  const hook = { httpMethod: 'POST', path: 'a', responseMode: 'lastNode' }
  return {
    name: 'W',
    nodes: [
      { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: hook },
      { name: 'Step', type: `n8n-nodes-base.${type}`, typeVersion, parameters, ...fields },
    ],
    connections: { Webhook: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
  }
}

const problemsOf = (workflow: object, release?: string): readonly WorkflowProblem[] =>
  validateWorkflow(workflow, { catalogue: nodeCatalogue(release) }).problems

function passed(check: WorkflowCheck): Extract<WorkflowCheck, { ok: true }> {
  if (!check.ok) throw new Error(JSON.stringify(check.problems))
  return check
}

const parametersAfter = (workflow: object): Fields =>
  passed(validateWorkflow(workflow)).workflow.nodes[1]?.parameters ?? {}

/** What the review says of the second step. */
const reviewOf = (workflow: object): string =>
  describeWorkflow(passed(validateWorkflow(workflow)).workflow).steps[1] ?? ''

const condition = {
  leftValue: '={{ $json.a }}',
  rightValue: 'b',
  operator: { type: 'string', operation: 'equals' },
}
const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 }
const filter = { options, combinator: 'and', conditions: [condition] }
const url = 'https://api.example.com/'
const nr = { redirect: { redirect: { followRedirects: false } } }

const conditionCases: readonly (readonly [string, string, number, Fields, string, RegExp])[] = [
  [
    'that case is to be ignored, where the conditions say otherwise',
    'if',
    2.2,
    { conditions: filter, options: { ignoreCase: true } },
    'options.ignoreCase',
    /"caseSensitive": false/,
  ],
  [
    'that types are to be converted, where the conditions say otherwise',
    'filter',
    2.2,
    { conditions: filter, looseTypeValidation: true },
    'looseTypeValidation',
    /"typeValidation": "loose"/,
  ],
  [
    'the same under an older version, where it stands elsewhere',
    'if',
    2,
    { conditions: filter, options: { looseTypeValidation: true } },
    'options.looseTypeValidation',
    /"typeValidation": "loose"/,
  ],
  [
    'the same of the rules of a Switch',
    'switch',
    3.2,
    { rules: { values: [{ conditions: filter }] }, options: { ignoreCase: true } },
    'options.ignoreCase',
    /"caseSensitive": false/,
  ],
  [
    'an unknown option of conditions',
    'if',
    2.2,
    { conditions: { ...filter, options: { ...options, ignoreCase: true } } },
    'conditions.options.ignoreCase',
    /caseSensitive/,
  ],
  [
    'a kind of comparison that is none',
    'if',
    2.2,
    { conditions: { ...filter, options: { ...options, typeValidation: 'lax' } } },
    'conditions.options.typeValidation',
    /"strict" or "loose"/,
  ],
  [
    'case sensitivity as a text',
    'if',
    2.2,
    { conditions: { ...filter, options: { ...options, caseSensitive: 'false' } } },
    'conditions.options.caseSensitive',
    /true or false/,
  ],
  [
    'an unknown part of an operator',
    'if',
    2.2,
    {
      conditions: {
        ...filter,
        conditions: [{ ...condition, operator: { ...condition.operator, negate: true } }],
      },
    },
    'conditions.conditions[0].operator.negate',
    /rightType/,
  ],
  [
    'the name that an older version has for a side',
    'if',
    2.2,
    { conditions: { ...filter, conditions: [{ value1: 'a', operator: condition.operator }] } },
    'conditions.conditions[0].value1',
    /"leftValue"/,
  ],
  [
    'a locator without a value',
    'dataTable',
    1,
    { operation: 'get', dataTableId: { __rl: true, mode: 'id', id: 'abc' } },
    'dataTableId',
    /"value"/,
  ],
  [
    'the program of an older node',
    'code',
    2,
    { functionCode: 'return items' },
    'functionCode',
    /"jsCode"/,
  ],
]

for (const [what, type, version, parameters, path, fix] of conditionCases)
  test(`says that n8n does not read ${what}`, () => {
    const check = validateWorkflow(flow(type, version, parameters), { policy: { allowCode: true } })
    expect(check.ok).toBe(false)
    expect(check.problems).toContainEqual(
      expect.objectContaining({
        code: 'ignored-parameter',
        severity: 'error',
        path: `nodes[1].parameters.${path}`,
        fix: expect.stringMatching(fix) as string,
      }),
    )
  })

test('never names a text of the editor as something to write', () => {
  const [problem] = problemsOf(flow('code', 2, { program: 'return items' }))
  expect(problemsOf(flow('dateTime', 2, { nothing: 1 }))[0]?.fix).not.toContain('notice')
  expect(problem?.fix ?? '').not.toContain('notice')
})

test('a text of the editor that was exported is left out', () => {
  const parameters = { operation: 'getCurrentDate', notice: 'x', options: {} }
  expect(parametersAfter(flow('dateTime', 2, parameters))).not.toHaveProperty('notice')
})

test('settings of the editor that agree with the conditions pass', () => {
  const agreed = { ...options, caseSensitive: false, typeValidation: 'loose' }
  const parameters = {
    conditions: { ...filter, options: agreed },
    looseTypeValidation: true,
    options: { ignoreCase: true },
  }
  expect(parametersAfter(flow('if', 2.2, parameters))).toEqual(parameters)
})

test('where conditions do not say how to compare, the settings beside them do', () => {
  const given = { combinator: 'and', conditions: [condition] }
  const after = parametersAfter(
    flow('if', 2.2, {
      conditions: given,
      looseTypeValidation: true,
      options: { ignoreCase: true },
    }),
  )
  expect(after['conditions']).toMatchObject({
    options: { caseSensitive: false, typeValidation: 'loose' },
  })
  const rules = { values: [{ conditions: { ...given, options: {} } }] }
  expect(
    parametersAfter(flow('switch', 3.2, { rules, options: { ignoreCase: true } })),
  ).toMatchObject({
    rules: {
      values: [{ conditions: { options: { caseSensitive: false, typeValidation: 'strict' } } }],
    },
  })
})

test('a combinator among the options of conditions moves to where n8n reads it', () => {
  const conditions = { options: { ...options, combinator: 'or' }, conditions: [condition] }
  expect(parametersAfter(flow('if', 2.2, { conditions }))).toEqual({
    conditions: { ...filter, combinator: 'or' },
  })
})

const nothing: readonly (readonly [string, number, Fields, RegExp])[] = [
  ['if', 2.2, { conditions: { ...filter, conditions: [] } }, /as if they held/],
  ['if', 2.2, { conditions: { ...filter, combinator: 'or', conditions: [] } }, /did not hold/],
  ['if', 1, { combineOperation: 'any' }, /did not hold/],
  ['filter', 2.2, { conditions: { ...filter, combinator: 'or', conditions: [] } }, /keeps no item/],
  ['filter', 1, { combineConditions: 'OR', conditions: {} }, /keeps no item/],
  ['filter', 1, { conditions: {} }, /keeps every item/],
]

for (const [type, version, parameters, words] of nothing)
  test(`${type} ${version} without a condition, ${JSON.stringify(parameters)}: the review says what n8n does, the check warns`, () => {
    const workflow = flow(type, version, parameters)
    expect(reviewOf(workflow)).toMatch(words)
    expect(problemsOf(workflow)).toContainEqual(
      expect.objectContaining({ code: 'no-conditions', severity: 'warning' }),
    )
  })

const assignments = (...list: readonly Fields[]): object =>
  flow('set', 3.4, { assignments: { assignments: list } })

test.each([
  [{ name: 'a', value: '5' }, 'missing-parameter', 'type', /"type"/],
  [{ value: '5', type: 'string' }, 'missing-parameter', 'name', /"name"/],
  [{ name: 'a', value: '5', type: 'integer' }, 'bad-parameter-value', 'type', /"number"/],
  [{ name: 'a', value: '5', type: 'stringValue' }, 'bad-parameter-value', 'type', /"string"/],
])('an assignment %j is refused', (...given) => {
  const [assignment, code, key, fix] = given
  expect(problemsOf(assignments(assignment))).toContainEqual(
    expect.objectContaining({
      code,
      severity: 'error',
      path: `nodes[1].parameters.assignments.assignments[0].${key}`,
      fix: expect.stringMatching(fix) as string,
    }),
  )
})

const body = (method: string, contentType: string): object =>
  flow('httpRequest', 4.2, {
    method,
    url,
    sendBody: true,
    contentType,
    ...(contentType === 'raw'
      ? { rawContentType: 'text/plain', body: 'hello' }
      : { bodyParameters: { parameters: [{ name: 'a', value: '1' }] } }),
    options: nr,
  })

test.each([
  ['OPTIONS', 'raw', '2.41.1', 'body'],
  ['HEAD', 'raw', '2.41.1', 'sendBody'],
  ['OPTIONS', 'form-urlencoded', '2.41.1', 'contentType'],
  ['DELETE', 'multipart-form-data', '1.123.81', 'contentType'],
  ['DELETE', 'raw', '1.123.81', 'body'],
])('%s with a body of the kind %s is refused on %s: n8n does not send it', (...given) => {
  const [method, kind, release, path] = given
  expect(problemsOf(body(method, kind), release)).toContainEqual(
    expect.objectContaining({ code: 'ignored-parameter', path: `nodes[1].parameters.${path}` }),
  )
})

test.each([
  ['DELETE', 'raw', '2.41.1'],
  ['GET', 'raw', '1.123.81'],
  ['POST', 'form-urlencoded', '1.123.81'],
  ['OPTIONS', 'json', '2.41.1'],
])('%s with a body of the kind %s passes on %s', (method, kind, release) => {
  expect(problemsOf(body(method, kind), release)).toEqual([])
})

const reference = { id: 'Cred1', name: 'CRM key' }

const unusedCases: readonly (readonly [string, object, 'error' | 'warning'])[] = [
  [
    'no authentication',
    flow('httpRequest', 4.2, { url, options: nr }, { credentials: { httpHeaderAuth: reference } }),
    'error',
  ],
  [
    'authentication switched off by the author',
    flow(
      'httpRequest',
      4.2,
      { url, authentication: 'none', options: nr },
      { credentials: { httpHeaderAuth: reference } },
    ),
    'warning',
  ],
  [
    'another one that is used',
    flow(
      'httpRequest',
      4.2,
      {
        url,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpBasicAuth',
        options: nr,
      },
      { credentials: { httpHeaderAuth: reference, httpBasicAuth: reference } },
    ),
    'warning',
  ],
  [
    'an older version and no authentication',
    flow('httpRequest', 1, { url }, { credentials: { httpHeaderAuth: reference } }),
    'error',
  ],
  [
    'an optional credential without its authentication',
    flow(
      'graphql',
      1,
      { endpoint: url, query: '{ a }' },
      { credentials: { httpHeaderAuth: reference } },
    ),
    'error',
  ],
]

for (const [what, workflow, severity] of unusedCases)
  test(`a credential beside ${what} is not used: ${severity}`, () => {
    expect(problemsOf(workflow)).toContainEqual(
      expect.objectContaining({
        code: 'unused-credential',
        severity,
        path: 'nodes[1].credentials.httpHeaderAuth',
      }),
    )
  })

test('the review says which credential is not used, and lists it as no power', () => {
  const [, , [, workflow] = []] = unusedCases
  const described = describeWorkflow(passed(validateWorkflow(workflow)).workflow)
  expect(described.credentials.map(({ type }) => type)).toEqual(['httpBasicAuth'])
  expect(described.steps[1]).toMatch(/uses the credential .*httpBasicAuth/)
  expect(described.steps[1]).toMatch(/WITHOUT EFFECT[^]*httpHeaderAuth/)
})

test('an HTTP Request that does not say which kind of credential it takes is refused', () => {
  const parameters = { url, authentication: 'genericCredentialType', options: nr }
  const credentials = { httpHeaderAuth: reference }
  expect(problemsOf(flow('httpRequest', 4.2, parameters, { credentials }))).toContainEqual(
    expect.objectContaining({
      code: 'missing-parameter',
      path: 'nodes[1].parameters.genericAuthType',
    }),
  )
})

test.each([
  [
    'the name of version 2 for a comparison of version 1',
    flow('if', 1, { conditions: { string: [{ value1: 'a', operation: 'equals', value2: 'b' }] } }),
    'conditions.string[0].operation',
    /"equal"/,
  ],
  [
    'the same for a number',
    flow('if', 1, { conditions: { number: [{ value1: 1, operation: 'gt', value2: 2 }] } }),
    'conditions.number[0].operation',
    /"larger"/,
  ],
  [
    'an order that Sort does not know, so that it sorts the other way round',
    flow('sort', 1, { sortFieldsUi: { sortField: [{ fieldName: 'id', order: 'asc' }] } }),
    'sortFieldsUi.sortField[0].order',
    /"ascending"/,
  ],
  [
    'an aggregation that Summarize does not know',
    flow('summarize', 1, {
      fieldsToSummarize: { values: [{ aggregation: 'avg', field: 'id' }] },
      options: {},
    }),
    'fieldsToSummarize.values[0].aggregation',
    /"average"/,
  ],
  [
    'a text in the place of a switch',
    flow('if', 1, { conditions: { boolean: [{ value1: '={{ $json.a }}', value2: 'true' }] } }),
    'conditions.boolean[0].value2',
    /true, without quotation marks/,
  ],
])('%s is refused', (...given) => {
  const [, workflow, path, fix] = given
  expect(problemsOf(workflow)).toContainEqual(
    expect.objectContaining({
      code: 'bad-parameter-value',
      severity: 'error',
      path: `nodes[1].parameters.${path}`,
      fix: expect.stringMatching(fix) as string,
    }),
  )
})

test('what is said of a bad combinator or condition is what n8n does with it', () => {
  const combinator = problemsOf(flow('if', 2.2, { conditions: { ...filter, combinator: 'AND' } }))
  expect(combinator[0]).toMatchObject({ fix: 'Write "and" or "or".' })
  expect(combinator[0]?.message).toContain('hold for no item')
  const nested = { combinator: 'or', conditions: [condition] }
  const [problem] = problemsOf(
    flow('if', 2.2, { conditions: { ...filter, conditions: [condition, nested] } }),
  )
  expect(problem?.message).toContain('conditions do not nest')
  expect(problem?.fix).toMatch(/^Write \{"leftValue"/)
})

const schedule = (interval: Fields): object => {
  const { nodes, ...rest } = flow('scheduleTrigger', 1.2, { rule: { interval: [interval] } }) as {
    readonly nodes: readonly object[]
  }
  return { ...rest, nodes, connections: {} }
}

test.each([
  [{ field: 'hours', hoursInterval: 5 }, 'hoursInterval'],
  [{ field: 'months', monthsInterval: 5 }, 'monthsInterval'],
  [{ field: 'days', daysInterval: 2 }, 'daysInterval'],
  [{ field: 'weeks', weeksInterval: 2, triggerAtDay: [1] }, 'weeksInterval'],
  [{ field: 'minutes', minutesInterval: 45 }, 'minutesInterval'],
])('a schedule %j that 1.x does not keep is refused there, and passes on 2.x', (interval, key) => {
  const expected = expect.objectContaining({
    code: 'bad-schedule',
    path: `nodes[1].parameters.rule.interval[0].${key}`,
  }) as object
  expect(problemsOf(schedule(interval), '1.123.81')).toContainEqual(expected)
  expect(problemsOf(schedule(interval), '2.41.1')).not.toContainEqual(expected)
})

test.each([
  [{ field: 'hours', hoursInterval: 6 }, '1.123.81'],
  [{ field: 'months', monthsInterval: 12 }, '1.123.81'],
  [{ field: 'weeks', weeksInterval: 51, triggerAtDay: [1] }, '2.41.1'],
])('a schedule %j passes on %s', (interval, release) => {
  expect(
    problemsOf(schedule(interval), release).filter(({ code }) => code === 'bad-schedule'),
  ).toEqual([])
})

test.each([
  ['maxTries', 6],
  ['maxTries', 1],
  ['waitBetweenTries', 0],
  ['waitBetweenTries', 7000],
])('%s of %i is refused: n8n does something else', (field, value) => {
  const workflow = flow('noOp', 1, {}, { retryOnFail: true, [field]: value })
  expect(problemsOf(workflow)).toContainEqual(
    expect.objectContaining({ code: 'bad-node-field', path: `nodes[1].${field}` }),
  )
})

test.each([
  ['maxTries', 2],
  ['maxTries', 5],
  ['waitBetweenTries', 1],
  ['waitBetweenTries', 5000],
])('%s of %i passes', (field, value) => {
  expect(problemsOf(flow('noOp', 1, {}, { retryOnFail: true, [field]: value }))).toEqual([])
})

const answerer = {
  name: 'Answer',
  type: 'n8n-nodes-base.respondToWebhook',
  typeVersion: 1.1,
  parameters: { respondWith: 'noData', options: {} },
}

test.each([
  [2, 'error'],
  [1, 'warning'],
])(
  'a Respond node after a webhook of version %i that does not wait for it: %s',
  (version, severity) => {
    const workflow = flow('noOp', 1, {}) as {
      readonly nodes: readonly Fields[]
      readonly connections: object
    }
    const nodes = workflow.nodes.map((node) =>
      node['name'] === 'Webhook' ? { ...node, typeVersion: version } : node,
    )
    const connections = {
      ...workflow.connections,
      Step: { main: [[{ node: 'Answer', type: 'main', index: 0 }]] },
    }
    expect(problemsOf({ ...workflow, nodes: [...nodes, answerer], connections })).toContainEqual(
      expect.objectContaining({ code: 'respond-node-unused', severity }),
    )
  },
)

describe('connections of a type that n8n does not know', () => {
  const withErrors = (onError?: string): object => {
    const base = flow(
      'httpRequest',
      4.2,
      { url, options: nr },
      { ...(onError && { onError }) },
    ) as {
      readonly nodes: readonly object[]
      readonly connections: object
    }
    const after = { name: 'After', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }
    const error = [[{ node: 'After', type: 'main', index: 0 }]]
    const Step = { main: [[{ node: 'After', type: 'error', index: 0 }]], error }
    return { ...base, nodes: [...base.nodes, after], connections: { ...base.connections, Step } }
  }

  test('are those of the output for failures where the node has one', () => {
    const { workflow } = passed(validateWorkflow(withErrors('continueErrorOutput')))
    const target = { node: 'After', type: 'main', index: 0 }
    expect(workflow.connections['Step']).toEqual({ main: [[target], [target]] })
  })

  test('are refused elsewhere', () => {
    expect(problemsOf(withErrors())).toContainEqual(
      expect.objectContaining({
        code: 'bad-connections',
        path: 'connections.Step.error',
        fix: expect.stringContaining('continueErrorOutput') as string,
      }),
    )
  })
})

test('a word in another case is written as n8n knows it', () => {
  const after = parametersAfter(flow('merge', 3.2, { mode: 'combine', combineBy: 'CombineAll' }))
  expect(after['combineBy']).toBe('combineAll')
})

test('what would need another value of what the author set is left to him', () => {
  const parameters = {
    requestMethod: 'DELETE',
    url,
    options: { bodyContentType: 'form-urlencoded' },
  }
  const [problem] = problemsOf(flow('httpRequest', 2, parameters))
  expect(problem?.fix).not.toContain('beside it')
  expect(problem?.fix).toMatch(/^Leave it out/)
})

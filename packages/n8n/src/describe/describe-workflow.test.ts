import type { JsonObject } from '@toolcrib/registry'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listTemplates, renderTemplate } from '../templates.ts'
import { type N8nNode, type N8nWorkflow, describeWorkflow } from '../workflow.ts'

const node = (type: string, parameters: JsonObject = {}, more: Partial<N8nNode> = {}): N8nNode => ({
  id: more.name ?? type,
  name: type,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  typeVersion: 4,
  position: [0, 0],
  parameters,
  ...more,
})

const webhook = node('webhook', { httpMethod: 'POST', path: 'p', responseMode: 'lastNode' })

/** A workflow whose nodes follow one another. */
const chain = (...nodes: readonly N8nNode[]): N8nWorkflow => ({
  name: 'w',
  nodes,
  connections: Object.fromEntries(
    nodes
      .slice(0, -1)
      .map(({ name }, index) => [
        name,
        { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] },
      ]),
  ),
  settings: {},
})

const stepsOf = (...nodes: readonly N8nNode[]): string =>
  describeWorkflow(chain(webhook, ...nodes)).steps.join('\n')

const condition = (leftValue: string, operation: string, rightValue: string): JsonObject => ({
  options: { version: 2 },
  combinator: 'and',
  conditions: [{ id: 'c', leftValue, rightValue, operator: { type: 'string', operation } }],
})

test('the outputs of nodes that have several are told as n8n takes them', () => {
  const steps = (many: N8nNode): string => {
    const ends = ['a', 'b', 'c'].map((name) => node('noOp', {}, { id: name, name }))
    return describeWorkflow({
      ...chain(webhook, many),
      nodes: [webhook, many, ...ends],
      connections: {
        webhook: { main: [[{ node: many.name, type: 'main', index: 0 }]] },
        [many.name]: { main: ends.map(({ name }) => [{ node: name, type: 'main', index: 0 }]) },
      },
    }).steps.join('\n')
  }
  const onError = 'continueErrorOutput' as const
  const evaluation = node(
    'evaluation',
    { operation: 'checkIfEvaluating' },
    { typeVersion: 4.7, onError },
  )
  expect(steps(evaluation)).toMatch(
    /[Ii]n an evaluation: step 3.*[Ii]f it is no evaluation: step 4.*[Ii]f it fails: step 5/s,
  )
  const respond = node(
    'respondToWebhook',
    { enableResponseOutput: true },
    { typeVersion: 1.4, onError },
  )
  expect(steps(respond)).toMatch(
    /step 3.*[Ww]ith what it answered: step 4.*[Ii]f it fails: step 5/s,
  )
  expect(steps(respond)).not.toMatch(/[Ii]f it fails: step 4/)
})

test('a host that an agent fills in is not known', () => {
  const tool = node('@n8n/n8n-nodes-langchain.toolHttpRequest', {
    url: 'https://{h}.example.com/x',
  })
  const { dynamicHosts, hosts } = describeWorkflow(chain(webhook, tool))
  expect(hosts).toEqual([])
  expect(dynamicHosts).not.toEqual([])
})

test('a timer reaches nothing', () => {
  for (const type of ['cron', 'interval', 'executeWorkflowTrigger'])
    expect(describeWorkflow(chain(node(type))).services).toEqual([])
})

describe('steps', () => {
  test.for([
    [
      'httpRequest',
      {
        method: 'POST',
        url: 'https://crm.example.com/drafts',
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '{}',
      },
      'Sends POST to https://crm.example.com/drafts with a JSON body.',
    ],
    ['httpRequest', { url: 'https://a.example/' }, 'Sends GET to https://a.example/.'],
    [
      'httpRequest',
      { method: '={{ $json.verb }}', url: 'https://a.example/' },
      'Sends a request whose method is the expression "={{ $json.verb }}" to https://a.example/.',
    ],
    [
      'if',
      { conditions: condition('={{ $json.a }}', 'equals', 'b') },
      'Looks whether "={{ $json.a }}" equals "b".',
    ],
    [
      'filter',
      { conditions: condition('={{ $json.a }}', 'contains', 'b') },
      'Keeps the items for which "={{ $json.a }}" contains "b".',
    ],
    [
      'set',
      {
        assignments: { assignments: [{ id: '1', name: 'total', value: 1, type: 'number' }] },
        includeOtherFields: true,
      },
      'Makes the fields total, and keeps other fields.',
    ],
    [
      'code',
      { jsCode: 'return []\n' },
      'Runs this JavaScript (1 line), once for all items; it may send requests to any host.',
    ],
    ['code', { language: 'python', pythonCode: 'a\nb' }, 'Runs this Python (2 lines)'],
    [
      'respondToWebhook',
      { respondWith: 'json', responseBody: '{}', options: { responseCode: 502 } },
      'Answers the call with status 502 and the JSON below.',
    ],
    ['wait', { amount: 2, unit: 'hours' }, 'Waits 2 hours.'],
    [
      'slack',
      { resource: 'message', operation: 'post', text: 'hello' },
      'Runs a node of type n8n-nodes-base.slack: resource message, operation post.',
    ],
    [
      'n8n-nodes-evil.thing',
      { a: 1 },
      'Runs a node of type n8n-nodes-evil.thing, whose code does not come with n8n.',
    ],
    ['executeCommand', { command: 'rm -rf /' }, 'Runs the command below on the machine of n8n.'],
  ] as const)('a node of type %s is told as what it does', ([type, parameters, sentence]) => {
    expect(stepsOf(node(type, parameters))).toContain(`2. [after step 1] ${sentence}`)
  })

  test('code is shown whole, line by line', () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `const a${index} = ${index}`)
    const steps = stepsOf(node('code', { jsCode: lines.join('\n') }))
    for (const line of lines) expect(steps).toContain(`│ ${line}\n`.trimEnd())
  })

  test('branches say their conditions, failures where they go, and joins what they join', () => {
    const nodes = [
      webhook,
      node('if', { conditions: condition('={{ $json.a }}', 'exists', '') }),
      node('httpRequest', { url: 'https://a.example/' }, { onError: 'continueErrorOutput' }),
      node('set', { mode: 'raw', jsonOutput: '{}' }),
      node('noOp'),
    ]
    const to = (name: string): readonly [{ node: string; type: string; index: number }] => [
      { node: name, type: 'main', index: 0 },
    ]
    const { steps } = describeWorkflow({
      ...chain(...nodes),
      connections: {
        webhook: { main: [to('if')] },
        if: { main: [to('httpRequest'), to('set')] },
        httpRequest: { main: [to('noOp'), to('set')] },
        set: { main: [to('noOp')] },
      },
    })
    const text = steps.join('\n')
    expect(text).toContain('   If so: step 3.\n   If not: step 4.\n')
    expect(text).toContain('3. [after step 2, if so] Sends GET')
    expect(text).toContain('   Then: step 5.\n   If it fails: step 4.\n')
    expect(text).toContain('4. [after step 2, if not; or step 3, if it fails] Makes')
    expect(text).toContain('5. [after step 3; or step 4] Does nothing.')
  })

  test('rules of a Switch are conditions of its branches', () => {
    const nodes = [
      webhook,
      node('switch', {
        rules: {
          values: [
            { conditions: condition('={{ $json.a }}', 'equals', 'x'), outputKey: 'safe' },
            { conditions: condition('={{ $json.a }}', 'equals', 'y') },
          ],
        },
        options: { fallbackOutput: 'extra' },
      }),
      node('noOp'),
    ]
    const to = [{ node: 'noOp', type: 'main', index: 0 }]
    const { steps } = describeWorkflow({
      ...chain(...nodes),
      connections: {
        webhook: { main: [[{ node: 'switch', type: 'main', index: 0 }]] },
        switch: { main: [to, to, to] },
      },
    })
    expect(steps.join('\n')).toContain(
      [
        '   If "={{ $json.a }}" equals "x" (labelled "safe"): step 3.',
        '   If "={{ $json.a }}" equals "y": step 3.',
        '   If no rule holds: step 3.',
      ].join('\n'),
    )
  })

  test('a loop is told once, with its way back', () => {
    const nodes = [webhook, node('splitInBatches', { batchSize: 5 }), node('noOp')]
    const to = (name: string): readonly [{ node: string; type: string; index: number }] => [
      { node: name, type: 'main', index: 0 },
    ]
    const { steps } = describeWorkflow({
      ...chain(...nodes),
      connections: {
        webhook: { main: [to('splitInBatches')] },
        splitInBatches: { main: [[], to('noOp')] },
        noOp: { main: [to('splitInBatches')] },
      },
    })
    expect(steps.join('\n')).toContain(
      '2. [after step 1; or step 3] Goes through the items in batches of 5.',
    )
    expect(steps.join('\n')).toContain(
      '3. [after step 2, for each batch] Does nothing.\n   Then: step 2.',
    )
  })

  test('a trigger that is switched off starts nothing', () => {
    const off = node('scheduleTrigger', {}, { disabled: true })
    const { schedules, steps, triggers } = describeWorkflow(chain(off, node('noOp')))
    expect({ schedules, triggers }).toEqual({ schedules: [], triggers: [] })
    expect(steps[0]).toBe('Nothing starts it.')
    expect(steps.join('\n')).toContain('1. Switched off')
  })

  test('the parts of an agent follow it', () => {
    const agent = node('@n8n/n8n-nodes-langchain.agent', {}, { name: 'agent' })
    const tool = node(
      'httpRequestTool',
      { url: 'https://a.example/x', method: 'DELETE' },
      { name: 'tool' },
    )
    const workflow = {
      ...chain(webhook, agent),
      nodes: [webhook, agent, tool],
    }
    const described = describeWorkflow({
      ...workflow,
      connections: {
        ...workflow.connections,
        tool: { ai_tool: [[{ node: 'agent', type: 'ai_tool', index: 0 }]] },
      },
    })
    expect(described.steps.join('\n')).toContain(
      '3. Sends DELETE to https://a.example/x. It follows redirects to other hosts.\n   Is used by step 2, as its ai_tool.',
    )
    expect(described.writes).toBe(true)
  })

  test.each([
    [3, '={{ true }}', true],
    [3, true, true],
    [3, false, false],
    [3, undefined, false],
    [4.2, '={{ false }}', true],
    [4.2, false, false],
    [4.2, undefined, true],
  ])(
    'a request of version %s with followRedirects %s is said to follow: %s',
    (typeVersion, followRedirects, follows) => {
      const request = node('httpRequest', {
        url: 'https://a.example/x',
        sendBody: '={{ $json.big }}',
        options:
          followRedirects === undefined ? {} : { redirect: { redirect: { followRedirects } } },
      })
      const { steps } = describeWorkflow(chain(webhook, { ...request, typeVersion }))
      expect(steps.join(' ').includes('It follows redirects')).toBe(follows)
      expect(steps.join(' ')).toContain('where sendBody says so')
    },
  )

  test('how a node runs is told: tries, failures, once only, empty output, switched off', () => {
    const steps = stepsOf(
      node(
        'httpRequest',
        { url: 'https://a.example/' },
        {
          retryOnFail: true,
          maxTries: 7,
          waitBetweenTries: 50,
          onError: 'continueRegularOutput',
          executeOnce: true,
          alwaysOutputData: true,
          disabled: true,
          notes: 'harmless',
        },
      ),
    )
    expect(steps).toContain('Switched off: items pass through it unchanged. It would be: Sends GET')
    expect(steps).toContain('5 tries in all, 50 ms apart')
    expect(steps).toContain('the run goes on as if it had not')
    expect(steps).toContain('It runs for the first item only.')
    expect(steps).toContain('the run goes on with an empty one')
    expect(steps).toContain('note of the author (does nothing): "harmless"')
  })

  test('settings, pinned data and remembered data are told', () => {
    const { steps } = describeWorkflow({
      ...chain(webhook),
      settings: {
        executionTimeout: 60,
        errorWorkflow: 'Ab12',
        timezone: 'Africa/Lagos',
        saveDataSuccessExecution: 'all',
        saveDataErrorExecution: 'none',
        callerPolicy: 'any',
        availableInMCP: true,
        madeUp: 'x',
      },
      pinData: { webhook: [{ json: { secret: 'pinned' } }] },
      staticData: { lastRun: 'remembered' },
    })
    const text = steps.join('\n')
    expect(text).toContain('A run is ended after 60 s, or earlier where the server allows less.')
    expect(text).toContain(
      'When it fails, the workflow Ab12 runs, which is not part of this review.',
    )
    expect(text).toContain('Its time zone is Africa/Lagos.')
    expect(text).toContain('Data of successful runs is stored in n8n.')
    expect(text).toContain('Data of failed runs is not stored in n8n.')
    expect(text).toContain('Any other workflow may call it.')
    expect(text).toContain("Others can call it through n8n's own MCP server.")
    expect(text).toContain('madeUp: "x"')
    expect(text).toContain('pinned')
    expect(text).toContain('remembered')
  })
})

describe('when it runs', () => {
  const at = (interval: readonly JsonObject[], timezone = 'Africa/Lagos'): readonly string[] =>
    describeWorkflow({
      ...chain(node('scheduleTrigger', { rule: { interval } })),
      settings: { timezone },
    }).schedules

  test.for([
    [
      { field: 'cronExpression', expression: '0 9 * * *' },
      'At 09:00, every day (cron "0 9 * * *"), time zone Africa/Lagos',
    ],
    [{ field: 'days', triggerAtHour: 9 }, 'Every day at 09:00, time zone Africa/Lagos'],
    [{}, 'Every day at 00:00, time zone Africa/Lagos'],
    [
      { field: 'days', daysInterval: 3, triggerAtHour: 23, triggerAtMinute: 5 },
      'Every 3 days at 23:05, time zone Africa/Lagos',
    ],
    [
      { field: 'weeks', triggerAtDay: [1, 5], triggerAtHour: 8 },
      'Every week on Monday, Friday at 08:00, time zone Africa/Lagos',
    ],
    [
      { field: 'months', triggerAtDayOfMonth: 31 },
      'Every month on day 31 at 00:00, time zone Africa/Lagos',
    ],
    [
      { field: 'hours', hoursInterval: 2, triggerAtMinute: 10 },
      'Every 2 hours at minute 10, time zone Africa/Lagos',
    ],
    [{ field: 'minutes' }, 'Every 5 minutes, time zone Africa/Lagos'],
    [
      { field: 'weeks', triggerAtDay: [], triggerAtHour: 9 },
      'Every week on every day at 09:00, time zone Africa/Lagos',
    ],
    [
      { field: 'weeks', triggerAtDay: [7, 0], triggerAtHour: 9 },
      'Every week on Sunday at 09:00, time zone Africa/Lagos',
    ],
    [
      { field: 'cronExpression', expression: '*/90 * * * *' },
      'Every hour, every day (cron "*/90 * * * *"), time zone Africa/Lagos',
    ],
    [
      { field: 'cronExpression', expression: '0 */30 * * *' },
      'At 00:00, every day (cron "0 */30 * * *"), time zone Africa/Lagos',
    ],
    [
      { field: 'cronExpression', expression: '0 9 * * 0-7' },
      'At 09:00, every day (cron "0 9 * * 0-7"), time zone Africa/Lagos',
    ],
    [
      { field: 'cronExpression', expression: '0 9 13 * 5' },
      'At 09:00, on day 13 of the month; or at 09:00, only on Friday (cron "0 9 13 * 5"), time zone Africa/Lagos',
    ],
    [
      { field: 'seconds', secondsInterval: 45 },
      'At 0 and 45 seconds past the minute, every minute, every hour, every day, time zone Africa/Lagos',
    ],
    [{ field: 'seconds', secondsInterval: 1 }, 'Every second, time zone Africa/Lagos'],
    [
      { field: 'days', triggerAtHour: '={{ 9 }}' },
      'On a schedule that its parameters give, time zone Africa/Lagos',
    ],
    [
      { field: 'cronExpression', expression: 'often' },
      'On the cron expression "often", which nobody can read, time zone Africa/Lagos',
    ],
  ] as const)('%j is a sentence', ([rule, sentence]) => {
    expect(at([rule])).toEqual([sentence])
  })

  test('without a time zone it is that of the server', () => {
    expect(at([{ field: 'minutes' }], 'DEFAULT')).toEqual([
      'Every 5 minutes, in the time zone of the server',
    ])
  })
})

test('a redirect is answered with the status of one, unless it says another', () => {
  const answer = (options: JsonObject): string =>
    describeWorkflow(
      chain(
        webhook,
        node('respondToWebhook', {
          respondWith: 'redirect',
          redirectURL: 'https://a.example',
          options,
        }),
      ),
    ).steps.join('\n')
  expect(answer({})).toContain('Answers the call with status 307 and a redirect')
  expect(answer({ responseCode: 301 })).toContain('Answers the call with status 301')
})

test('settings that mean nothing are not told as if they did', () => {
  const told = describeWorkflow({ ...chain(webhook), settings: { errorWorkflow: 'DEFAULT' } })
  expect(told.steps.join('\n')).not.toContain('the workflow DEFAULT runs')
})

describe('what is reached', () => {
  const reachOf = (...nodes: readonly N8nNode[]): ReturnType<typeof describeWorkflow> =>
    describeWorkflow(chain(webhook, ...nodes))

  test.for([
    ['https://crm.example.com/drafts', 'https://crm.example.com'],
    ['=https://crm.example.com:8443/leads/{{ $json.id }}', 'https://crm.example.com:8443'],
    ['=https://crm.example.com?x={{ $json.id }}', 'https://crm.example.com'],
    ['http://user:secret@crm.example.com/', 'http://crm.example.com'],
    ['https://good.example@evil.example/', 'https://evil.example'],
    [String.raw`https://good.example\@evil.example/`, 'https://good.example'],
    ['https://EVIL.example', 'https://evil.example'],
  ] as const)('%s reaches one host for certain', ([url, origin]) => {
    const { dynamicHosts, hosts } = reachOf(node('httpRequest', { url }))
    expect({ hosts, dynamicHosts }).toEqual({ hosts: [origin], dynamicHosts: [] })
  })

  test.for([
    '={{ $json.url }}',
    '=https://good.example{{ $json.rest }}',
    '=https://{{ "good.example" }}/x',
    '=https://good.example:{{ $json.port }}/',
    '=https://good.example@{{ $json.host }}/',
    String.raw`=https://good.example\{{ $json.host }}`.replace(String.raw`\{`, '{'),
    '={{ "https://good.example/" + $json.a && "https://evil.example" }}',
    '=http{{ "s://evil.example" }}//good.example/',
    'good.example/x',
    'ftp://good.example/',
  ])('%s may reach any host, and is said to', (url) => {
    const { dynamicHosts, hosts } = reachOf(node('httpRequest', { url }))
    expect(hosts).toEqual([])
    expect(dynamicHosts).toEqual([{ node: 'httpRequest', path: 'parameters.url', expression: url }])
  })

  test('a proxy, the address of the next page and an address that is missing are hosts too', () => {
    const { dynamicHosts, hosts } = reachOf(
      node(
        'httpRequest',
        {
          url: 'https://a.example/',
          options: {
            proxy: 'http://proxy.example:3128',
            pagination: { pagination: { nextURL: '={{ $response.body.next }}' } },
          },
        },
        { name: 'pages' },
      ),
      node('httpRequest', {}),
    )
    expect(hosts).toEqual(['http://proxy.example:3128', 'https://a.example'])
    expect(dynamicHosts.map(({ path }) => path)).toEqual([
      'parameters.options.pagination.pagination.nextURL',
      'parameters.url',
    ])
  })

  test('a second request behind the error output and one that is switched off are told like any other', () => {
    const visible = node(
      'httpRequest',
      { url: 'https://good.example/' },
      { onError: 'continueErrorOutput' },
    )
    const hidden = node(
      'httpRequest',
      { url: 'https://evil.example/', method: 'DELETE' },
      { name: 'hidden' },
    )
    const off = node(
      'httpRequest',
      { url: 'https://later.example/' },
      { name: 'off', disabled: true },
    )
    const described = describeWorkflow({
      ...chain(webhook, visible),
      nodes: [webhook, visible, hidden, off],
      connections: {
        webhook: { main: [[{ node: 'httpRequest', type: 'main', index: 0 }]] },
        httpRequest: { main: [[], [{ node: 'hidden', type: 'main', index: 0 }]] },
      },
    })
    expect(described.hosts).toEqual([
      'https://evil.example',
      'https://good.example',
      'https://later.example',
    ])
    const text = described.steps.join('\n')
    expect(text).toContain('3. [after step 2, if it fails] Sends DELETE to https://evil.example/')
    expect(text).toMatch(
      /Nothing that is known to start the workflow leads to the following[^]*4\. Switched off/,
    )
    expect(described.writes).toBe(true)
  })

  test.for([
    ['httpRequest', { url: 'https://a.example/' }, false],
    ['httpRequest', { url: 'https://a.example/', method: 'HEAD' }, false],
    ['httpRequest', { url: 'https://a.example/', method: 'OPTIONS' }, true],
    ['httpRequest', { url: 'https://a.example/', method: '={{ "GET" }}' }, true],
    ['code', { jsCode: 'return []' }, true],
    ['set', {}, false],
    ['slack', { operation: 'get' }, true],
    ['unheard.of', {}, true],
  ] as const)('%s with %j writes: %s', ([type, parameters, writes]) => {
    expect(reachOf(node(type, parameters)).writes).toBe(writes)
  })

  test('an old node that calls its method otherwise hides no POST', () => {
    const old = node(
      'httpRequest',
      { url: 'https://a.example/', method: 'GET', requestMethod: 'POST' },
      { typeVersion: 2 },
    )
    expect(reachOf(old).writes).toBe(true)
    const fresh = node('httpRequest', {
      url: 'https://a.example/',
      method: 'POST',
      requestMethod: 'GET',
    })
    expect(reachOf(fresh).writes).toBe(true)
  })

  test.for([
    ['code', { jsCode: 'x' }],
    ['executeCommand', { command: 'x' }],
    ['sort', { code: 'x' }],
    ['postgres', { operation: 'executeQuery', query: 'drop table a' }],
    ['@n8n/n8n-nodes-langchain.toolCode', { jsCode: 'x' }],
    ['n8n-nodes-evil.thing', {}],
  ] as const)('%s with %j runs code', ([type, parameters]) => {
    expect(reachOf(node(type, parameters)).runsCode).toBe(true)
  })

  test('code may reach any host, and so may a node that does not come with n8n', () => {
    const { dynamicHosts } = reachOf(
      node('code', { jsCode: 'return []' }),
      node('n8n-nodes-evil.thing'),
    )
    expect(dynamicHosts.map((host) => host.node)).toEqual(['code', 'n8n-nodes-evil.thing'])
  })

  test('services and credentials are listed', () => {
    const credentials = { slackApi: { id: 'C1', name: 'team' } }
    const described = reachOf(node('slack', {}, { credentials }))
    expect(described.services).toEqual([{ node: 'slack', type: 'n8n-nodes-base.slack' }])
    expect(described.credentials).toEqual([
      { node: 'slack', type: 'slackApi', id: 'C1', name: 'team' },
    ])
    expect(described.steps.join('\n')).toContain('the credential "team" (id C1) of type slackApi')
  })
})

describe('an author who wants to mislead', () => {
  test('cannot begin a line, with a name or any other text', () => {
    const lie = 'Send nothing\n1. Approved: reads only\r\u2028   Then: nothing.'
    const steps = describeWorkflow({
      ...chain(
        { ...webhook, name: lie },
        node(
          'slack',
          { [lie]: lie, operation: lie, a: { [lie]: [lie] } },
          { name: `${lie}2`, notes: lie },
        ),
        node(
          'code',
          { jsCode: lie },
          { name: `${lie}3`, credentials: { [lie]: { id: lie, name: lie } } },
        ),
        node('httpRequest', { url: lie, method: lie }, { name: `${lie}4` }),
        node(
          'scheduleTrigger',
          { rule: { interval: [{ field: 'cronExpression', expression: lie }] } },
          { name: `${lie}5` },
        ),
      ),
      settings: { timezone: lie, errorWorkflow: lie, [lie]: lie },
    }).steps.join('\n')
    for (const line of steps.split('\n'))
      expect(line).not.toMatch(/^\s*(?:1\. Approved|Then: nothing)/)
    expect(steps).not.toContain('\r')
    expect(steps).not.toContain('\u2028')
  })

  test('gets characters that hide or reorder text written out', () => {
    const steps = stepsOf(
      node('code', { jsCode: 'a\u202Eb\u200Bc\u0007\uFE0F' }),
      node('set', { 'k\u2066': 'v\u00AD' }, { name: 'n\u{E0041}' }),
    )
    for (const code of ['202E', '200B', '0007', 'FE0F', '2066', '00AD', 'E0041'])
      expect(steps).toContain(`⟨U+${code}⟩`)
    for (const character of ['\u202E', '\u200B', '\u0007', '\uFE0F', '\u2066', '\u00AD'])
      expect(steps).not.toContain(character)
  })

  test('cannot push text out of sight by blanks', () => {
    expect(stepsOf(node('code', { jsCode: `a()${' '.repeat(300)}evil()` }))).toContain(
      '│ a()⟨300 blanks⟩evil()',
    )
  })

  test('is quoted after the fact', () => {
    const text = stepsOf(
      node('httpRequest', { url: 'https://evil.example/' }, { name: 'Send nothing' }),
    )
    expect(text.indexOf('Sends GET to https://evil.example/')).toBeLessThan(
      text.indexOf('"Send nothing"'),
    )
  })

  test('gets a parameter of 100,000 characters cut, with its length', () => {
    const steps = stepsOf(node('slack', { text: `begin ${'x'.repeat(99_994)}` }))
    expect(steps).toContain('text (1 line, 100000 characters, cut)')
    expect(steps).toContain('cut: 20000 of 100000 characters are shown')
  })

  test('cannot use names of prototypes', () => {
    const parameters = JSON.parse(
      '{"__proto__": {"url": "https://evil.example/"}, "constructor": "x"}',
    ) as JsonObject
    const steps = stepsOf(node('constructor', parameters), node('httpRequest', parameters))
    expect(steps).toContain('https://evil.example/')
    expect(steps).toContain('Sends GET to an address that is not given')
  })

  test('cannot use two nodes of one name, or connections to none, to hide one', () => {
    const twin = node('httpRequest', { url: 'https://evil.example/' }, { name: 'twin' })
    const { steps } = describeWorkflow({
      ...chain(webhook, node('noOp', {}, { name: 'twin' })),
      nodes: [webhook, node('noOp', {}, { name: 'twin' }), twin],
      connections: { webhook: { main: [null, [{ node: 'nowhere', type: 'main', index: 0 }]] } },
    })
    expect(steps.join('\n')).toContain('Sends GET to https://evil.example/')
    expect(steps.join('\n')).toContain('"webhook" to "nowhere" (main)')
  })
})

describe('bounds', () => {
  const many = chain(
    webhook,
    ...Array.from({ length: 500 }, (_, index) =>
      node('httpRequest', { url: `https://h${index}.example/` }, { name: `n${index}` }),
    ),
  )

  test('500 nodes fit into 200 entries, and none is missing', () => {
    const { isCut, steps } = describeWorkflow(many)
    expect(isCut).toBe(false)
    expect(steps.length).toBeLessThanOrEqual(200)
    expect(Math.max(...steps.map(({ length }) => length))).toBeLessThanOrEqual(2_000)
    for (let index = 0; index < 500; index += 1)
      expect(steps.join('\n')).toContain(`https://h${index}.example/`)
  })

  test('what does not fit is said to be missing', () => {
    const { isCut, steps } = describeWorkflow(many, { maxSteps: 10 })
    expect(isCut).toBe(true)
    expect(steps).toHaveLength(10)
    expect(steps.at(-1)).toMatch(
      /^NOT SHOWN: \d+ more lines, which are all but the first \d+ of 501 paragraphs/,
    )
  })

  test('every entry is as long as it may be at most, and none of a long line is lost', () => {
    const url = `https://a.example/${'abc'.repeat(3_000)}`
    const { steps } = describeWorkflow(chain(webhook, node('code', { jsCode: url })), {
      maxStepLength: 500,
    })
    expect(Math.max(...steps.map(({ length }) => length))).toBeLessThanOrEqual(500)
    expect(steps.join('\n').replaceAll('\n   … goes on: ', '')).toContain(url)
  })

  test('options outside their range are refused', () => {
    for (const options of [
      { maxSteps: 1 },
      { maxSteps: 1.5 },
      { maxStepLength: 499 },
      { maxStepLength: Number.NaN },
    ])
      expect(() => describeWorkflow(many, options)).toThrow(
        expect.objectContaining({ code: 'N8N_OPTION_INVALID' }),
      )
    expect(describeWorkflow(many, { maxSteps: 2, maxStepLength: 500 }).steps).toHaveLength(2)
  })
})

const comparison = (mark: string): JsonObject => ({
  options: { leftValue: `${mark}1`, version: 2, typeValidation: `${mark}2` },
  combinator: 'and',
  conditions: ['equals', 'exists', `${mark}3`].map((operation, index) => ({
    id: `${mark}4.${index}`,
    leftValue: `${mark}5.${index}`,
    rightValue: `${mark}6.${index}`,
    operator: { type: `${mark}7.${index}`, operation, name: `${mark}8.${index}` },
  })),
})

test.for([
  ['if', { conditions: comparison('m') }],
  ['if', { conditions: { ...comparison('m'), combinator: 'm9' } }],
  [
    'filter',
    {
      conditions: {
        combinator: 'and',
        conditions: (comparison('m')['conditions'] as readonly JsonObject[]).slice(0, 2),
      },
    },
  ],
  [
    'switch',
    {
      rules: { values: [{ conditions: comparison('m'), outputKey: 'm9' }] },
      options: { fallbackOutput: 'm10' },
    },
  ],
  [
    'set',
    {
      mode: 'raw',
      jsonOutput: 'm1',
      assignments: { assignments: [{ id: 'm2', name: 'm3', value: 'm4', type: 'm5' }] },
    },
  ],
  [
    'set',
    {
      mode: 'm1',
      assignments: { assignments: [{ id: 'm2', name: 'm3', value: 'm4', type: 'm5' }] },
      include: 'm6',
    },
  ],
  ['code', { jsCode: 'm1', pythonCode: 'm2', language: 'pythonNative', mode: 'm3' }],
  ['code', { jsCode: 'm1', pythonCode: 'm2', language: 'm4' }],
  [
    'respondToWebhook',
    {
      respondWith: 'm1',
      responseBody: 'm2',
      options: { responseHeaders: { entries: [{ name: 'm3', value: 'm4' }] } },
    },
  ],
  ['wait', { resume: 'm1', unit: 'm2', amount: 'm3', dateTime: 'm4' }],
  ['wait', { resume: 'specificTime', unit: 'm2', amount: 'm3', dateTime: 'm4' }],
  ['webhook', { httpMethod: 'm1', responseMode: 'm2', path: 'm3' }],
  [
    'scheduleTrigger',
    { rule: { interval: [{ field: 'cronExpression', expression: 'm1' }, { field: 'm2' }] } },
  ],
  [
    'httpRequest',
    {
      method: 'm1',
      requestMethod: 'm2',
      url: 'm3',
      contentType: 'm4',
      sendBody: true,
      jsonBody: 'm5',
      specifyBody: 'm6',
      nodeCredentialType: 'm7',
    },
  ],
  ['httpRequest', { contentType: 'raw', rawContentType: 'm2', sendBody: false, body: 'm3' }],
  ['splitInBatches', { batchSize: 'm1', options: { reset: 'm2' } }],
  ['slack', { resource: 'm1', operation: { deep: 'm2' }, mode: ['m3'], action: 'm4' }],
] as const)('no text of a node of type %s is left out: %j', ([type, parameters]) => {
  const text = stepsOf(node(type, parameters))
  for (const mark of stringsIn(parameters).filter((each) => each.startsWith('m')))
    expect(text).toMatch(new RegExp(String.raw`\b${mark}\b(?!\.\d)`))
})

const types = [
  'httpRequest',
  'if',
  'switch',
  'set',
  'code',
  'respondToWebhook',
  'wait',
  'slack',
  'scheduleTrigger',
  'webhook',
  'stickyNote',
  'a.b',
]

/** Keys that sentences are made of, so that random values meet them. */
const keys = [
  'url',
  'method',
  'mode',
  'jsCode',
  'conditions',
  'assignments',
  'options',
  'resume',
  'amount',
  'operation',
  'respondWith',
  'responseMode',
  'language',
  'rule',
  'interval',
  'expression',
  'field',
]

const randomNode = fc.record({
  type: fc.constantFrom(...types),
  parameters: fc.dictionary(
    fc.oneof(fc.constantFrom(...keys), fc.string({ unit: 'binary', maxLength: 5 })),
    fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom(
          'raw',
          'python',
          '={{ $json.a }}',
          'https://a.example/',
          'each\nline',
          'a"b\'c`d',
        ),
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys, 'values', 'conditions', 'leftValue'), tie('value'), {
          maxKeys: 3,
        }),
      ),
    })).value,
    { maxKeys: 5 },
  ),
})

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const hidden = new RegExp(
  [
    String.raw`[\p{C}\p{Zl}\p{Zp}\u00A0\u034F\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F`,
    String.raw`\u2000-\u200A\u202F\u205F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0`,
    String.raw`\u{E0100}-\u{E01EF}\u{16FE4}\u{1D159}]`,
  ].join(''),
  'gu',
)

const written = (text: string): string =>
  text.replaceAll(
    hidden,
    (character) =>
      `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )

/** All texts of a node but one that the sentence says in other words: fields from JSON. */
function textsToShow({
  parameters,
  type,
}: {
  parameters: object
  type: string
}): readonly string[] {
  const { mode, ...others } = parameters as { mode?: unknown }
  return stringsIn(type === 'set' && mode === 'raw' ? others : parameters)
}

test('every text of every parameter of any workflow can be seen', () => {
  fc.assert(
    fc.property(fc.array(randomNode, { minLength: 1, maxLength: 4 }), (nodes) => {
      const workflow = chain(
        webhook,
        ...nodes.map(({ parameters, type }, index) =>
          node(type, parameters as JsonObject, { name: `n${index}` }),
        ),
      )
      const { isCut, steps } = describeWorkflow(workflow)
      expect(isCut).toBe(false)
      const text = steps.join('\n').replaceAll('\n   … goes on: ', '')
      for (const each of nodes.flatMap(textsToShow))
        for (const line of each.split('\n')) {
          const forms = [
            written(line),
            written(line.replaceAll('\t', '  ')),
            written(JSON.stringify(line).slice(1, -1)),
          ]
          if (!forms.some((form) => text.includes(form))) expect(text).toContain(forms[0])
        }
      for (const line of text.split('\n')) expect(written(line)).toBe(line)
    }),
    { numRuns: 300 },
  )
})

test('of every template the hosts are known for certain, and nothing is cut', () => {
  for (const { customizationSchema, slug } of listTemplates()) {
    const needsPhone = JSON.stringify(customizationSchema['required'] ?? []).includes('ownerPhone')
    const { hosts, workflow } = renderTemplate(
      slug,
      needsPhone ? { ownerPhone: '+2348012345678' } : {},
    )
    const described = describeWorkflow(workflow)
    expect(described).toMatchObject({
      isCut: false,
      dynamicHosts: [],
      runsCode: false,
      services: [],
    })
    expect(described.hosts).toEqual([...hosts].toSorted())
  }
})

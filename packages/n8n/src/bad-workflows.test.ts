import { expect, test } from 'vitest'
import { nodeCatalogue } from './node-catalogue.ts'
import { validateWorkflow } from './validate-workflow.ts'
import type { NodePolicy } from './workflow-check.ts'

type Fields = Readonly<Record<string, unknown>>

const base = 'n8n-nodes-base.'

/** A node of the base package, unless its type has a package, in its newest version. */
function node(name: string, type: string, parameters: Fields = {}): Fields {
  const full = type.includes('.') ? type : base + type
  const typeVersion = nodeCatalogue().nodes[full]?.versions.at(-1) ?? 1
  return { name, type: full, typeVersion, parameters }
}

const hook = node('Webhook', 'webhook', { httpMethod: 'POST', path: 'a', responseMode: 'lastNode' })

/** A webhook and then the nodes, one after the other. */
function flow(nodes: readonly Fields[], more: Fields = {}): Fields {
  const all = [hook, ...nodes]
  const connections = Object.fromEntries(
    all
      .slice(1)
      .map((each, index) => [
        String(all[index]?.['name']),
        { main: [[{ node: each['name'], type: 'main', index: 0 }]] },
      ]),
  )
  return { name: 'W', nodes: all, connections, ...more }
}

const target = (name: unknown, index: unknown = 0): Fields => ({ node: name, type: 'main', index })
const value = (text: string): Fields =>
  flow([node('Value', 'set', { mode: 'raw', jsonOutput: text })])
const program = (jsCode: string): Fields => flow([node('Code', 'code', { jsCode })])
const request = (parameters: Fields, more: Fields = {}): Fields =>
  flow([
    { ...node('Get', 'httpRequest', { url: 'https://api.example.com/', ...parameters }), ...more },
  ])
const schedule = (rule: Fields): Fields =>
  flow([], { nodes: [hook, node('Schedule', 'scheduleTrigger', { rule: { interval: [rule] } })] })
const cron = (expression: unknown): Fields => schedule({ field: 'cronExpression', expression })
const respond = node('Respond', 'respondToWebhook')
const hookWith = (parameters: Fields, nodes: readonly Fields[] = []): Fields => ({
  ...flow(nodes),
  nodes: [{ ...hook, parameters: { ...(hook['parameters'] as Fields), ...parameters } }, ...nodes],
})

const allowCode: NodePolicy = { allowCode: true }
const stays = { redirect: { redirect: { followRedirects: false } } }
const oneHost: NodePolicy = { hosts: ['api.example.com'] }

/** What is wrong, the workflow, the code, and the policy where it matters. */
const cases: readonly (readonly [string, unknown, string, NodePolicy?])[] = [
  ['a text', '{}', 'not-a-workflow'],
  ['a list', [], 'not-a-workflow'],
  ['no name', { ...flow([]), name: undefined }, 'bad-workflow-name'],
  ['a blank name', { ...flow([]), name: '  ' }, 'bad-workflow-name'],
  ['a name of 129 characters', { ...flow([]), name: 'x'.repeat(129) }, 'bad-workflow-name'],
  ['no nodes', { name: 'W', connections: {} }, 'no-nodes'],
  ['an empty list of nodes', { name: 'W', nodes: [], connections: {} }, 'no-nodes'],
  ['nodes as an object', { ...flow([]), nodes: { a: hook } }, 'no-nodes'],
  ['a node that is a text', { ...flow([]), nodes: [hook, 'set'] }, 'bad-node'],
  ['a node without a type', { ...flow([]), nodes: [hook, { name: 'A' }] }, 'bad-node-field'],
  [
    'a node without a name',
    { ...flow([]), nodes: [hook, { type: 'n8n-nodes-base.set' }] },
    'bad-node-field',
  ],
  [
    'a typeVersion that is a text',
    flow([{ ...node('A', 'noOp'), typeVersion: '1' }]),
    'bad-node-field',
  ],
  ['parameters as a list', flow([{ ...node('A', 'noOp'), parameters: [] }]), 'bad-node-field'],
  ['a position of one number', flow([{ ...node('A', 'noOp'), position: [1] }]), 'bad-node-field'],
  ['onError that is none', flow([{ ...node('A', 'noOp'), onError: 'ignore' }]), 'bad-node-field'],
  ['two nodes of one name', flow([node('A', 'noOp'), node('A', 'noOp')]), 'duplicate-node-name'],
  [
    'two nodes of one id',
    flow([
      { ...node('A', 'noOp'), id: '1' },
      { ...node('B', 'noOp'), id: '1' },
    ]),
    'duplicate-node-id',
  ],
  [
    'a credential that is a text',
    request({}, { credentials: { httpBasicAuth: 'mine' } }),
    'bad-credential',
  ],
  [
    'a credential with its value',
    request({}, { credentials: { a: { data: { key: 'k' } } } }),
    'bad-credential',
  ],
  ['settings as a text', { ...flow([]), settings: 'v1' }, 'bad-settings'],
  ...Object.entries({
    saveDataErrorExecution: 'yes',
    saveDataSuccessExecution: true,
    saveExecutionProgress: 'true',
    saveManualExecutions: 1,
    callerPolicy: 'foo',
    callerIds: ['a'],
    timeSavedPerExecution: '5',
    timeSavedMode: 'static',
    availableInMCP: 'no',
    redactionPolicy: 'some',
    errorWorkflow: 7,
    customTelemetryTags: [{ key: 'a' }],
  }).map(
    ([name, given]) =>
      [
        `a setting ${name} of another kind`,
        { ...flow([]), settings: { [name]: given } },
        'bad-settings',
      ] as const,
  ),
  [
    'a timeout that is a text',
    { ...flow([]), settings: { executionTimeout: '60' } },
    'bad-settings',
  ],
  [
    'an order of execution that is none',
    { ...flow([]), settings: { executionOrder: 'v2' } },
    'bad-settings',
  ],
  ['no such time zone', { ...flow([]), settings: { timezone: 'Africa/Nowhere' } }, 'bad-time-zone'],
  ['static data as a list', { ...flow([]), staticData: [] }, 'bad-static-data'],
  ['pinned data as a text', { ...flow([]), pinData: 'x' }, 'bad-pin-data'],
  ['connections as a list', { ...flow([]), connections: [] }, 'bad-connections'],
  [
    'outputs that are no list',
    { ...flow([]), connections: { Webhook: { main: {} } } },
    'bad-connections',
  ],
  [
    'a target that is a name only',
    { ...flow([]), connections: { Webhook: { main: [['Webhook']] } } },
    'bad-connections',
  ],
  [
    'a connection from nowhere',
    { ...flow([]), connections: { Webhok: { main: [[target('Webhook')]] } } },
    'unknown-connection-source',
  ],
  [
    'a connection to nowhere',
    { ...flow([]), connections: { Webhook: { main: [[target('Nobody')]] } } },
    'unknown-connection-target',
  ],
  ...[-1, 1.5, 256, '0'].map(
    (index) =>
      [
        `the input ${JSON.stringify(index)}`,
        {
          ...flow([node('A', 'noOp')]),
          connections: { Webhook: { main: [[target('A', index)]] } },
        },
        'bad-connection-index',
      ] as const,
  ),
  ['a type without its package', flow([{ name: 'A', type: 'httpRequest' }]), 'unknown-node-type'],
  ['a misspelled type', flow([node('A', 'htpRequest')]), 'unknown-node-type'],
  [
    'a type that is like a field of objects',
    flow([{ name: 'A', type: 'constructor' }]),
    'unknown-node-type',
  ],
  ['a tool form that does not exist', flow([node('A', 'ifTool')]), 'unknown-node-type'],
  ['version 99', flow([{ ...node('A', 'set'), typeVersion: 99 }]), 'unknown-node-version'],
  ['no trigger', { name: 'W', nodes: [node('A', 'noOp')], connections: {} }, 'no-trigger'],
  [
    'a manual trigger',
    { name: 'W', nodes: [node('A', 'manualTrigger')], connections: {} },
    'only-manual-trigger',
  ],
  [
    'a disabled trigger',
    { name: 'W', nodes: [{ ...hook, disabled: true }], connections: {} },
    'only-manual-trigger',
  ],
  ['a webhook for FETCH', hookWith({ httpMethod: 'FETCH' }), 'bad-webhook-method'],
  ['a webhook path that is a number', hookWith({ path: 5 }), 'bad-webhook-path'],
  [
    'two webhooks of one path',
    { ...flow([]), nodes: [hook, { ...hook, name: 'Second' }] },
    'duplicate-webhook-path',
  ],
  [
    'an answer by a node that is missing',
    hookWith({ responseMode: 'responseNode' }),
    'no-respond-node',
  ],
  [
    'an answer by a node that is not reached',
    { ...hookWith({ responseMode: 'responseNode' }, [respond]), connections: {} },
    'no-respond-node',
  ],
  ['no such response mode', hookWith({ responseMode: 'whenDone' }), 'bad-parameter-value'],
  ['no such mode of set', flow([node('A', 'set', { mode: 'json' })]), 'bad-parameter-value'],
  ['the method FETCH', request({ method: 'FETCH' }), 'bad-parameter-value'],
  ...[
    '=xx$env.HOME.startsWith("/")yy',
    '={{ 1 }} {{ 2 }}',
    '={{ "}}" + $env.HOME }}',
    '=a{{ 1 }}',
  ].map((completeExpression): [string, Fields, string] => [
    `an end of pages that n8n reads otherwise than it looks: ${completeExpression}`,
    request({
      options: {
        pagination: {
          pagination: { paginationMode: 'updateAParameterInEachRequest', completeExpression },
        },
      },
    }),
    'bad-parameter-value',
  ]),
  ['a request without url', request({ url: '' }), 'missing-parameter'],
  ['a feed without url', flow([node('A', 'rssFeedRead')]), 'missing-parameter'],
  ['an error without a message', flow([node('A', 'stopAndError')]), 'missing-parameter'],
  [
    'a redirect without address',
    hookWith({ responseMode: 'responseNode' }, [
      node('R', 'respondToWebhook', { respondWith: 'redirect' }),
    ]),
    'missing-parameter',
  ],
  ['slack without a credential', flow([node('A', 'slack', { text: 'x' })]), 'missing-credential'],
  [
    'basic authentication without a credential',
    hookWith({ authentication: 'basicAuth' }),
    'missing-credential',
  ],
  [
    'a request without the credential that it names',
    request({ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' }),
    'missing-credential',
  ],
  ...['', '0 9 * *', '60 * * * *', '0 0 L * *', 'daily', '* * * * * * *'].map(
    (expression) => [`the cron expression "${expression}"`, cron(expression), 'bad-cron'] as const,
  ),
  ['a cron expression that is a number', cron(5), 'bad-cron'],
  [
    'a custom cron time of an older node',
    flow([], {
      nodes: [
        hook,
        node('C', 'cron', { triggerTimes: { item: [{ mode: 'custom', cronExpression: 'x' }] } }),
      ],
    }),
    'bad-cron',
  ],
  ['every 60 seconds', schedule({ field: 'seconds', secondsInterval: 60 }), 'bad-schedule'],
  ['every 0 minutes', schedule({ field: 'minutes', minutesInterval: 0 }), 'bad-schedule'],
  ['every 1.5 hours', schedule({ field: 'hours', hoursInterval: 1.5 }), 'bad-schedule'],
  ['at 24 hours', schedule({ field: 'days', triggerAtHour: 24 }), 'bad-schedule'],
  ['on weekday 8', schedule({ field: 'weeks', triggerAtDay: [8] }), 'bad-schedule'],
  ['on day 32', schedule({ field: 'months', triggerAtDayOfMonth: 32 }), 'bad-schedule'],
  ['no such schedule', schedule({ field: 'yearly' }), 'bad-schedule'],
  ...[
    '={{ }}',
    '={{ $json.a + }}',
    '={{ a b }}',
    '={{ {a:{b:1}} }}',
    '={{ "}}" }}',
    '={{ const x = 1; x }}',
    '={{ return 5 }}',
    '={{ if (true) { 1 } }}',
    '={{{ $json.a }}}',
    "={{ 'it's' }}",
    '=ok {{ $json.a }} not {{ $json..b }}',
    // JavaScript, but none that n8n evaluates: each was tried on both releases.
    '={{ yield }}',
    '={{ await }}',
    '={{ let }}',
    '={{ arguments }}',
    '={{ $json.caller }}',
    '={{ $json.body["binding"] }}',
    '={{ $json.constructor.name }}',
    '={{ Object.getPrototypeOf($json) }}',
    '={{ (({ caller }) => caller)($json) }}',
    '={{ import("x") }}',
    '={{ () => 1 }}',
    '={{ a => b => 1 }}',
    '={{ async () => 1 }}',
    '={{ (function () { return 1 }) }}',
    '={{ $input.first }}',
    '={{ $("W").all }}',
    '={{ $json.id.toString }}',
    '={{ $if }}',
    '={{ String }}',
    '={{ ({ f() { return 1 } }).f() }}',
    '={{ ({ get a() { return 1 } }).a }}',
    '={{ (() => { using x = null; return 1 })() }}',
    '={{ $.json.id }}',
    "={{ $['a'] }}",
    '={{ $?.a }}',
    '={{ [1].map($ => 1) }}',
    '={{ ({ $: 1 }) }}',
    '={{ $json.body.x.$.y }}',
    '=see .constructor {{ $json.id }}',
    '={{ [1].map(package => package) }}',
    '={{ [1].map((static) => 1) }}',
    '={{ (function (a, a) { return 1 })(1) }}',
    '={{ (async () => 1)() }}',
    '={{ new (class A { constructor() {} })() }}',
    '={{ new (class A { #x = 1 })() }}',
    '={{ new (class B extends $json.b {})() }}',
    '={{ "a\u2028b" }}',
  ].map((expression) => [expression, value(expression), 'bad-expression'] as const),
  ...[
    "={{ $('Nobody').first() }}",
    '={{ $node["Nobody"].json }}',
    '={{ $node.Nobody.json }}',
    '={{ $items("Nobody") }}',
    '={{ $(`Nobody`).all() }}',
  ].map((expression) => [expression, value(expression), 'unknown-node-reference'] as const),
  ['a reference in code', program("return $('Nobody').all()"), 'unknown-node-reference', allowCode],
  ['code that is none', program('return ['), 'bad-code', allowCode],
  ...[
    '={{ $env.HOME }}',
    '={{ $vars.key }}',
    '={{ this["$env"] }}',
    '={{ $evaluateExpression("x") }}',
    '={{ (0, $evaluateExpression)("{" + "{ 1 }" + "}") }}',
    '={{ $evaluateExpression.call(null, "x") }}',
    '={{ this.$evaluateExpression("x") }}',
    '={{ $item(0).$env.HOME }}',
    '={{ $item(0)["$env"] }}',
    '={{ $item(0)["$e" + "nv"].HOME }}',
    '={{ ((all) => all["$e" + "nv"])($item(0)) }}',
    '={{ (({ $env: all }) => all.HOME)($item(0)) }}',
    '={{ $item.call(null, 0)["$e" + "nv"] }}',
    '={{ [$item][0](0)["$e" + "nv"] }}',
    '={{ $item(0).$item(0)["$e" + "nv"] }}',
    // Set reads its text once more by itself, and knows no escaped braces.
    String.raw`=\{{ $env.HOME }}`,
  ].map((expression) => [expression, value(expression), 'environment-access'] as const),
  [
    '$env in a template of HTML, which is evaluated without "="',
    flow([
      node('Page', 'html', { operation: 'generateHtmlTemplate', html: '<p>{{ $env.HOME }}</p>' }),
    ]),
    'environment-access',
  ],
  ['$env in code', program('return [{ json: { ...$env } }]'), 'environment-access', allowCode],
  ['code', program('return []'), 'code-not-allowed'],
  [
    'code that sorts',
    flow([node('S', 'sort', { type: 'code', code: 'return 0' })]),
    'code-not-allowed',
  ],
  [
    'code that sorts, as an expression says',
    flow([node('S', 'sort', { type: '={{ "code" }}', code: 'return 0' })]),
    'code-not-allowed',
  ],
  [
    'SQL of a merge, which may hold JavaScript',
    flow([node('M', 'merge', { mode: 'combineBySql', query: 'SELECT ``6 * 7`` AS a' })]),
    'code-not-allowed',
  ],
  ['an agent that n8n keeps', flow([node('A', 'messageAnAgent')]), 'sub-workflow-not-allowed'],
  [
    'the code of a tool',
    flow([node('A', '@n8n/n8n-nodes-langchain.toolCode')]),
    'code-not-allowed',
  ],
  ...['executeCommand', 'localFileTrigger', 'readWriteFile', 'ssh', 'git', 'n8n', 'sshTool'].map(
    (type) => [type, flow([node('A', type)]), 'powerful-node', { allow: ['*'] }] as const,
  ),
  [
    'a request to the administration of n8n',
    request(
      { authentication: 'predefinedCredentialType', nodeCredentialType: 'n8nApi' },
      { credentials: { n8nApi: { id: '1', name: 'a' } } },
    ),
    'powerful-node',
  ],
  ['another workflow', flow([node('A', 'executeWorkflow')]), 'sub-workflow-not-allowed'],
  [
    'a workflow for errors',
    flow([], { settings: { errorWorkflow: 'abc' } }),
    'sub-workflow-not-allowed',
  ],
  ['a node that is denied', flow([node('A', 'noOp')]), 'node-not-allowed', { deny: ['*.NOOP'] }],
  [
    'a node that is not on the list',
    flow([node('A', 'noOp')]),
    'node-not-allowed',
    { allow: ['n8n-nodes-base.webhook'] },
  ],
  ['redirects to anywhere', request({}), 'host-unknown', oneHost],
  ['another host', request({ url: 'https://evil.example/' }), 'host-not-allowed', oneHost],
  [
    'another port',
    request({ url: 'https://api.example.com:8443/' }),
    'host-not-allowed',
    { hosts: ['api.example.com:443'] },
  ],
  [
    'a host that only begins alike',
    request({ url: 'https://api.example.com.evil.example/' }),
    'host-not-allowed',
    oneHost,
  ],
  [
    'a host that only ends alike',
    request({ url: 'https://evilexample.com/' }),
    'host-not-allowed',
    { hosts: ['*.example.com'] },
  ],
  [
    'a host behind a user',
    request({ url: 'https://api.example.com@evil.example/' }),
    'host-not-allowed',
    oneHost,
  ],
  [
    'a host that is computed',
    request({ url: '=https://{{ $json.host }}/' }),
    'host-unknown',
    oneHost,
  ],
  [
    'a host that an expression ends',
    request({ url: '=https://api.example.com{{ $json.rest }}' }),
    'host-unknown',
    oneHost,
  ],
  ['an address that is computed', request({ url: '={{ $json.url }}' }), 'host-unknown', oneHost],
  ['a service', flow([node('A', 'hackerNews')]), 'host-unknown', oneHost],
  [
    'code, which may reach any host',
    program('return []'),
    'host-unknown',
    { ...oneHost, ...allowCode },
  ],
]

test('there are at least 60 of them', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
})

test.each(
  cases.map(([title, workflow, code, policy = {}]) => [title, { workflow, code, policy }] as const),
)('%s: refused', (_title, { workflow, code: expected, policy }) => {
  const check = validateWorkflow(workflow, { policy })
  expect(check.ok).toBe(false)
  const errors = check.problems.filter(({ severity }) => severity === 'error')
  expect(errors.map((problem) => problem.code)).toContain(expected)
  for (const { message, fix } of errors) {
    expect(message).toMatch(/^.{10,}\.$/s)
    expect(fix).toMatch(/[.?]$/)
  }
})

test.each([
  [
    'a node that nothing leads to',
    flow([], { nodes: [hook, node('A', 'noOp')] }),
    'unreachable-node',
  ],
  [
    'two webhooks',
    flow([], { nodes: [hook, node('Second', 'webhook', { httpMethod: 'POST', path: 'b' })] }),
    'several-webhooks',
  ],
  ['a webhook for GET', hookWith({ httpMethod: 'GET' }), 'webhook-not-post'],
  [
    'a respond node that answers nobody',
    flow([respond], { nodes: [{ ...hook, typeVersion: 1 }, respond] }),
    'respond-node-unused',
  ],
  ['a text with braces', value('Hello {{ $json.name }}'), 'expression-without-equals'],
  ['an expression that is not closed', value('={{ $json.name'), 'unclosed-expression'],
  ['a disabled node', flow([{ ...node('A', 'noOp'), disabled: true }]), 'disabled-node'],
  ['pinned data', { ...flow([]), pinData: { Webhook: [{ json: {} }] } }, 'pinned-data'],
  [
    'a credential that is not taken',
    flow([{ ...node('A', 'noOp'), credentials: { slackApi: { id: '1', name: 'a' } } }]),
    'unused-credential',
  ],
  [
    'an output that is not there',
    {
      ...flow([node('A', 'noOp')]),
      connections: { Webhook: { main: [[target('A')]] }, A: { main: [[], [target('A')]] } },
    },
    'no-such-output',
  ],
  [
    'an input that is not there',
    { ...flow([node('A', 'noOp')]), connections: { Webhook: { main: [[target('A', 1)]] } } },
    'no-such-input',
  ],
] as const)('%s: a warning only', (_title, workflow, expected) => {
  const check = validateWorkflow(workflow)
  expect(check).toMatchObject({ ok: true })
  expect(check.problems.map(({ code: found }) => found)).toEqual([expected])
})

test('a node that the server leaves out by default is told of where it is allowed', () => {
  const check = validateWorkflow(flow([node('A', 'executeCommand', { command: 'ls' })]), {
    policy: { allow: ['n8n-nodes-base.webhook', 'n8n-nodes-base.executeCommand'] },
  })
  expect(check.problems.map(({ code: found }) => found)).toEqual(['excluded-node-type'])
})

test.each([
  ['api.example.com', 'https://api.example.com/orders'],
  ['*.example.com', 'https://api.example.com/orders'],
  ['API.example.com:8443', 'https://api.example.com:8443/'],
  ['api.example.com:443', '=https://api.example.com/orders/{{ $json.id }}'],
])('the host %s allows %s', (host, url) => {
  expect(
    validateWorkflow(request({ url, options: stays }), { policy: { hosts: [host] } }),
  ).toMatchObject({
    ok: true,
    problems: [],
  })
})

import {
  chain,
  connect,
  type CorpusEntry,
  type CorpusNode,
  node,
  webhook,
} from './make-workflow.ts'

const credential = (type: string): object => ({
  credentials: { [type]: { id: 'aaaaaaaaaaaaaaaa', name: 'not there' } },
})

const only = (title: string, ...nodes: readonly CorpusNode[]): CorpusEntry => ({
  title,
  workflow: chain(nodes),
})

const called = (title: string, ...nodes: readonly CorpusNode[]): CorpusEntry =>
  only(title, webhook(), ...nodes)

const schedule = (rule: object, typeVersion?: number): CorpusEntry =>
  only(
    `the schedule ${JSON.stringify(rule)}`,
    {
      ...node('Schedule', 'scheduleTrigger', { rule: { interval: [rule] } }),
      ...(typeVersion !== undefined && { typeVersion }),
    },
    node('Nothing', 'noOp'),
  )

/** An interval that n8n 1.x publishes and does not keep, so that the check refuses it there. */
const keptSince2 = (rule: object): CorpusEntry => ({ ...schedule(rule), since: 2 })

/** Workflows that need a time, a person, a network or a credential to run: n8n publishes them. */
export const publishedWorkflows: readonly CorpusEntry[] = [
  schedule({}),
  schedule({ field: 'seconds', secondsInterval: 59 }),
  keptSince2({ field: 'minutes', minutesInterval: 50 }),
  keptSince2({ field: 'hours', hoursInterval: 23, triggerAtMinute: 30 }),
  keptSince2({ field: 'days', daysInterval: 2, triggerAtHour: 9, triggerAtMinute: 0 }),
  schedule({ field: 'weeks', triggerAtDay: [1, 3, 5], triggerAtHour: 8 }),
  schedule({ field: 'months', monthsInterval: 3, triggerAtDayOfMonth: 31 }),
  schedule({ field: 'cronExpression', expression: '0 9 * * MON-FRI' }),
  schedule({ field: 'cronExpression', expression: '*/30 0 9 1,15 JAN *' }),
  schedule({ field: 'cronExpression', expression: '@weekly' }),
  schedule({ field: 'cronExpression', expression: '0 9 * * *' }, 1),
  only(
    'the cron node of older releases',
    node('Cron', 'cron', {
      triggerTimes: { item: [{ mode: 'custom', cronExpression: '0 0 9 * * *' }] },
    }),
    node('Nothing', 'noOp'),
  ),
  only(
    'the interval node',
    node('Interval', 'interval', { interval: 30 }),
    node('Nothing', 'noOp'),
  ),
  only(
    'an error trigger',
    node('On error', 'errorTrigger'),
    node('Message', 'set', {
      mode: 'raw',
      jsonOutput: '={{ { m: $json.execution.error.message } }}',
    }),
    webhook(),
  ),
  only(
    'a form',
    node('Form', 'formTrigger', {
      formTitle: 'Order',
      formFields: { values: [{ fieldLabel: 'Name' }] },
      options: {},
    }),
    node('Nothing', 'noOp'),
  ),
  {
    ...only(
      'a sub-workflow',
      node('Start', 'executeWorkflowTrigger', { inputSource: 'passthrough' }),
      node('Nothing', 'noOp'),
    ),
    since: 2,
  },
  called(
    'a request',
    node('Get', 'httpRequest', { url: 'http://127.0.0.1:9/orders', options: {} }),
  ),
  called(
    'a request with everything',
    node('Post', 'httpRequest', {
      method: 'POST',
      url: '=http://127.0.0.1:9/orders/{{ $json.body.id }}',
      sendQuery: true,
      queryParameters: { parameters: [{ name: 'status', value: 'open' }] },
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'accept', value: 'application/json' }] },
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify({ name: $json.body.name }) }}',
      options: { timeout: 1000, response: { response: { neverError: true } } },
    }),
  ),
  called(
    'a request in small letters',
    node('Get', 'httpRequest', { method: 'get', url: 'http://127.0.0.1:9/' }),
  ),
  ...[1, 2, 3, 4].map((typeVersion) =>
    called(`a request of version ${typeVersion}`, {
      ...node('Get', 'httpRequest', { url: 'http://127.0.0.1:9/', options: {} }),
      typeVersion,
      ...(typeVersion === 2 && {
        parameters: { url: 'http://127.0.0.1:9/', authentication: 'none' },
      }),
    }),
  ),
  called('a request with a generic credential', {
    ...node('Get', 'httpRequest', {
      url: 'http://127.0.0.1:9/',
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
    }),
    ...credential('httpHeaderAuth'),
  }),
  called('a request with a predefined credential', {
    ...node('Get', 'httpRequest', {
      url: 'http://127.0.0.1:9/',
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'slackApi',
    }),
    ...credential('slackApi'),
  }),
  called(
    'graphql',
    node('Ask', 'graphql', { endpoint: 'http://127.0.0.1:9/graphql', query: '{ a { b } }' }),
  ),
  called('a feed', node('Feed', 'rssFeedRead', { url: 'http://127.0.0.1:9/feed', options: {} })),
  called('slack', {
    ...node('Tell', 'slack', {
      select: 'channel',
      channelId: { __rl: true, mode: 'name', value: '#general' },
      text: '={{ $json.body.name }}',
      otherOptions: {},
    }),
    ...credential('slackApi'),
  }),
  called('telegram', {
    ...node('Tell', 'telegram', { chatId: '1', text: 'Hello', additionalFields: {} }),
    ...credential('telegramApi'),
  }),
  called('e-mail', {
    ...node('Mail', 'emailSend', {
      fromEmail: 'a@example.com',
      toEmail: '={{ $json.body.to }}',
      subject: 'Order',
      html: '<p>Thank you</p>',
      options: {},
    }),
    ...credential('smtp'),
  }),
  called('postgres', {
    ...node('Rows', 'postgres', { operation: 'executeQuery', query: 'SELECT 1', options: {} }),
    ...credential('postgres'),
  }),
  called('redis', {
    ...node('Value', 'redis', { operation: 'get', propertyName: 'v', key: 'k', options: {} }),
    ...credential('redis'),
  }),
  called('google sheets', {
    ...node('Rows', 'googleSheets', {
      documentId: { __rl: true, mode: 'id', value: 'abc' },
      sheetName: { __rl: true, mode: 'id', value: 'gid=0' },
      options: {},
    }),
    ...credential('googleSheetsOAuth2Api'),
  }),
  called('a jwt', {
    ...node('Sign', 'jwt', { claims: {}, options: {} }),
    ...credential('jwtAuth'),
  }),
  called(
    'a workflow within the workflow',
    node('Call', 'executeWorkflow', {
      source: 'parameter',
      workflowJson: '{ "nodes": [], "connections": {} }',
      options: {},
    }),
  ),
  only('a webhook with authentication', {
    ...webhook({ authentication: 'headerAuth' }),
    ...credential('httpHeaderAuth'),
  }),
  only(
    'a webhook of several methods',
    webhook({ multipleMethods: true, httpMethod: ['GET', 'POST'] }),
  ),
  only('a webhook with a parameter in its path', webhook({ path: 'corpus/:id' })),
  {
    title: 'an agent with a model and tools',
    workflow: {
      name: 'corpus',
      nodes: [
        webhook(),
        node('Agent', '@n8n/n8n-nodes-langchain.agent', {
          promptType: 'define',
          text: '={{ $json.body.name }}',
          options: { systemMessage: 'Help.' },
        }),
        {
          ...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
            model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' },
            options: {},
          }),
          ...credential('openAiApi'),
        },
        node('Sum', '@n8n/n8n-nodes-langchain.toolCalculator'),
        node('Ask', 'httpRequestTool', { url: 'http://127.0.0.1:9/' }),
      ],
      connections: {
        ...connect(['Webhook', 'Agent']),
        Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
        Sum: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
        Ask: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
      },
    },
  },
]

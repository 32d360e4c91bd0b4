import type { N8nNode } from '../n8n-workflow.ts'

const core = 'n8n-nodes-base.'
const langchain = '@n8n/n8n-nodes-langchain.'

/** The last part of the type where n8n itself ships the node, such as `httpRequest`; else the whole type. */
export function kindOf({ type }: Pick<N8nNode, 'type'>): string {
  return type.startsWith(core) ? type.slice(core.length) : type
}

/** Whether the code of the node comes with n8n, not from a package that somebody installed. */
export function isShipped({ type }: Pick<N8nNode, 'type'>): boolean {
  return type.startsWith(core) || type.startsWith(langchain)
}

const oddlyNamedTriggers = new Set(['cron', 'emailReadImap', 'interval', 'start', 'webhook'])

/** Whether a node starts workflows, told by its type. */
export function isTrigger(node: Pick<N8nNode, 'type'>): boolean {
  return /trigger$/i.test(node.type) || oddlyNamedTriggers.has(kindOf(node))
}

// They work on the items alone: nothing leaves n8n.
const inward = new Set([
  'aggregate',
  'compareDatasets',
  'compression',
  'convertToFile',
  'cron',
  'crypto',
  'dateTime',
  'errorTrigger',
  'executeWorkflowTrigger',
  'executionData',
  'extractFromFile',
  'filter',
  'html',
  'if',
  'interval',
  'itemLists',
  'limit',
  'manualTrigger',
  'markdown',
  'merge',
  'moveBinaryData',
  'noOp',
  'removeDuplicates',
  'renameKeys',
  'respondToWebhook',
  'scheduleTrigger',
  'set',
  'sort',
  'splitInBatches',
  'splitOut',
  'stickyNote',
  'stopAndError',
  'summarize',
  'switch',
  'wait',
  'webhook',
  'xml',
])

/** Whether a node is known to reach nothing outside n8n. */
export function staysInside(node: Pick<N8nNode, 'type'>): boolean {
  return node.type.startsWith(core) && inward.has(kindOf(node))
}

// They run what stands in their parameters as a program; code may send requests itself, through `this.helpers`.
const programs = new Set([
  'aiTransform',
  'code',
  'executeCommand',
  'function',
  'functionItem',
  'ssh',
  `${langchain}code`,
  `${langchain}toolCode`,
])

const programKeys = new Set(['code', 'functionCode', 'jsCode', 'pythonCode'])

const databases =
  /^(?:azureCosmosDb|crateDb|databricks|googleBigQuery|merge|microsoftSql|mySql|oracleDatabase|postgres|questDb|snowflake|timescaleDb)(?:Tool)?$/

/** Whether a node runs a program. */
export function isProgram(node: Pick<N8nNode, 'type'>): boolean {
  return programs.has(kindOf(node)) || !isShipped(node)
}

/** Whether a parameter of the node is a program: code, a command, or a query. */
export function isProgramKey(node: Pick<N8nNode, 'type'>, key: string): boolean {
  if (programKeys.has(key)) return true
  if (key === 'command') return isProgram(node)
  return (key === 'query' || key === 'sqlQuery') && databases.test(kindOf(node))
}

/** Whether a node is an HTTP request, by itself or as the tool of an agent. */
export function isHttpRequest(node: Pick<N8nNode, 'type'>): boolean {
  const kind = kindOf(node)
  return (
    kind === 'httpRequest' || kind === 'httpRequestTool' || kind === `${langchain}toolHttpRequest`
  )
}

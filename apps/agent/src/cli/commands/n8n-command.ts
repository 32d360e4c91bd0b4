import type { N8nToolHealth } from '@toolcrib/kind-n8n'
import type { CommandContext } from '../program/command-context.ts'
import { shownLine, shownText } from '../review/shown-text.ts'
import { formatTable } from '../table.ts'
import type { N8nReport } from '../../tools/n8n/n8n-report.ts'
import type { N8nState } from '../../operations/n8n-operations.ts'

/** `tools n8n`: how n8n, and each tool on it, is. */
export async function runToolsN8n(context: CommandContext): Promise<void> {
  const state = await context.withHost((host) => host.call('tools.n8n', {}, context.signal))
  context.printer.result(state, () =>
    shownText(
      state === null
        ? `This host has no n8n tools. To have them, name a server under "n8n" in ${context.folder.trust}/tool-settings.json.`
        : formatState(state).join('\n'),
    ),
  )
}

function formatState(state: N8nState): readonly string[] {
  const { baseUrl, because, deployments, isOn, report, webhookBaseUrl } = state
  if (!isOn || report === undefined)
    return [`n8n tools are off: ${because}`, `Server    ${baseUrl}`]
  return [
    `Server    ${baseUrl}${webhookBaseUrl === baseUrl ? '' : `, webhooks at ${webhookBaseUrl}`}`,
    `State     ${describeServer(report.server)}`,
    `Workflows may ${describeNodes(state)}`,
    `Kept in   ${deployments}`,
    '',
    ...(report.tools.length === 0
      ? ['No n8n tools yet.']
      : [
          formatTable(
            ['TOOL', 'WORKFLOW', 'LIVE', 'STATE', 'LAST RUN', 'REASON'],
            report.tools.map(toolRow),
          ),
        ]),
    ...report.leftBehind.map(
      ({ reason, toolName, workflowId }) =>
        `✘ something of ${toolName} may be left${workflowId === undefined ? '' : `, workflow ${workflowId}`}: ${shownLine(reason, 200)}`,
    ),
  ]
}

function describeServer({
  isKeyAccepted,
  isReady,
  major,
  missingScopes,
  problem,
}: N8nReport['server']): string {
  if (!isReady) return `not ready: ${shownLine(problem ?? '', 200)}`
  if (isKeyAccepted !== true)
    return `ready, but ${isKeyAccepted === false ? 'it does not take the API key' : 'the API key could not be tried'}: ${shownLine(problem ?? '', 200)}`
  const missing =
    missingScopes === undefined || missingScopes.length === 0
      ? ''
      : `; the key lacks ${missingScopes.join(', ')}`
  return `ready, n8n ${major}.x${missing}`
}

function describeNodes({ nodes, privateAddresses }: N8nState): string {
  return [
    nodes.allow === undefined
      ? 'hold the nodes allowed by default'
      : `hold ${nodes.allow.join(', ')}`,
    ...(nodes.deny === undefined ? [] : [`never ${nodes.deny.join(', ')}`]),
    nodes.allowCode === true ? 'hold code' : 'hold no code',
    ...(nodes.allowSubWorkflows === true ? ['call other workflows'] : []),
    nodes.hosts === undefined ? 'name any public host' : `name ${nodes.hosts.join(', ')}`,
    ...(privateAddresses.length === 0
      ? []
      : [`name the private addresses ${privateAddresses.join(', ')}`]),
  ].join('; ')
}

function toolRow(health: N8nToolHealth): readonly string[] {
  const { isPublished, lastRun, reason = '', state, toolName, workflowId = '-' } = health
  return [
    toolName,
    workflowId,
    isPublished === undefined ? '?' : isPublished ? 'yes' : 'no',
    state,
    lastRun === undefined ? '-' : `${lastRun.status} ${lastRun.startedAt ?? ''}`.trim(),
    shownLine(reason, 80),
  ]
}

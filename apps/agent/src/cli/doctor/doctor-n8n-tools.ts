import type { CommandContext } from '../program/command-context.ts'
import { shownLine } from '../review/shown-text.ts'
import type { N8nReport, N8nServerReport } from '../../tools/n8n/n8n-report.ts'
import type { N8nState } from '../../operations/n8n-operations.ts'
import type { Finding } from './doctor-finding.ts'

/** How many tools or workflows are named one by one. */
const maxShown = 5

/** How n8n tools stand: whether the server can be reached, what the key may do, what was changed or left behind there. */
export async function n8nToolFindings(context: CommandContext): Promise<readonly Finding[]> {
  try {
    return await context.withHost(async (host) => {
      const state = await host.call('tools.n8n', {}, context.signal)
      if (state === null) return [{ level: 'ok', what: 'This host has no n8n tools' }]
      return describeN8nState(state, context.prefix)
    })
  } catch (error) {
    // That the host cannot be reached at all is a finding of its own.
    return context.signal.aborted ? [] : [{ level: 'problem', what: (error as Error).message }]
  }
}

/** What the doctor says of n8n tools that are in the settings. */
export function describeN8nState(state: N8nState, prefix: string): readonly Finding[] {
  const { baseUrl, because, isOn, nodes, report } = state
  if (!isOn || report === undefined)
    return [
      {
        // Switched off on purpose is fine; a key that is missing is not.
        level: because.startsWith('n8n.enabled') ? 'ok' : 'problem',
        what: `n8n tools are off: ${because}`,
      },
    ]
  return [
    ...serverFindings(report.server, baseUrl),
    ...toolFindings(report, prefix),
    ...leftFindings(report),
    ...(nodes.allowCode === true
      ? [
          {
            level: 'advice',
            what: 'Workflows may hold code (n8n.nodes.allowCode): it can send requests to any host that n8n can reach, n8n.nodes.hosts does not bind it',
          } as const,
        ]
      : []),
  ]
}

function serverFindings(server: N8nServerReport, baseUrl: string): readonly Finding[] {
  const { isKeyAccepted, isReady, major, missingScopes, ms, problem = '' } = server
  const shown = shownLine(problem, 300)
  if (!isReady)
    return [
      {
        level: 'problem',
        what: `n8n at ${baseUrl} is not ready, so n8n tools fail: ${shown}`,
      },
    ]
  const ready: Finding = {
    level: 'ok',
    what: `n8n ${major === undefined ? '' : `${major}.x `}at ${baseUrl} is ready, asking took ${ms.toFixed(0)} ms`,
  }
  if (isKeyAccepted === false)
    return [ready, { level: 'problem', what: `n8n does not take the API key: ${shown}` }]
  if (isKeyAccepted === undefined)
    return [
      ready,
      { level: 'problem', what: `Whether n8n takes the API key is not known: ${shown}` },
    ]
  return [
    ready,
    scopeFinding(missingScopes),
    ...(major === 1
      ? [
          {
            level: 'advice',
            what: 'n8n 1.x keeps no versions of workflows over its API: a roll-back writes the older version again',
          } as const,
        ]
      : []),
  ]
}

function scopeFinding(missing: readonly string[] | undefined): Finding {
  if (missing === undefined)
    return {
      level: 'ok',
      what: 'n8n takes the API key; what the key may do this release does not say',
    }
  return missing.length === 0
    ? { level: 'ok', what: 'n8n takes the API key, and it may do everything that is needed' }
    : {
        level: 'problem',
        what: `The API key of n8n may not do what is needed. Give it: ${missing.join(', ')}`,
      }
}

function toolFindings({ tools }: N8nReport, prefix: string): readonly Finding[] {
  const changed = tools.filter(({ state }) => state === 'changed')
  const intact = tools.filter(({ state }) => state === 'intact').length
  if (changed.length === 0)
    return [
      {
        level: 'ok',
        what:
          intact === 0
            ? 'No workflow of a tool is in use on n8n'
            : `Workflows in use on n8n are as they were approved: ${intact}`,
      },
    ]
  return [
    ...changed.slice(0, maxShown).map(({ reason = '', toolName }): Finding => ({
      level: 'problem',
      what: `The workflow of ${toolName} was changed in n8n: ${shownLine(reason, 300)}. See: ${prefix} versions ${toolName}`,
    })),
    ...(changed.length > maxShown
      ? [
          {
            level: 'problem',
            what: `${changed.length - maxShown} more workflows were changed in n8n. All of them: ${prefix} tools n8n`,
          } as const,
        ]
      : []),
  ]
}

function leftFindings({ leftBehind }: N8nReport): readonly Finding[] {
  const left = leftBehind
    .slice(0, maxShown)
    .map(
      ({ reason, toolName, workflowId }) =>
        `Something of ${shownLine(toolName, 200)} may still be on n8n${workflowId === undefined ? '' : ` (workflow ${workflowId})`}: ${shownLine(reason, 300)}`,
    )
  const more = leftBehind.length - left.length
  return [...left, ...(more > 0 ? [`${more} more such things on n8n`] : [])].map(
    (what): Finding => ({ level: 'problem', what }),
  )
}

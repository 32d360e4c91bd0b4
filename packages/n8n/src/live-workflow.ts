import { canonicalWorkflow } from './canonical-workflow.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nCallOptions, N8nClient, StoredWorkflow } from './n8n-client.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { findDifferences } from './workflow-difference.ts'

/** What is saved, without what only a server adds. */
export function savedWorkflow(stored: StoredWorkflow): N8nWorkflow {
  const { name, nodes, connections, settings, staticData, pinData } = stored
  return {
    name,
    nodes,
    connections,
    settings,
    ...(staticData === undefined ? {} : { staticData }),
    ...(pinData === undefined ? {} : { pinData }),
  }
}

/**
 * What runs when the webhook is called. n8n 2 keeps versions of nodes and connections only; name, settings, static and
 * pinned data are those of the last save.
 */
export function liveWorkflow(stored: StoredWorkflow): N8nWorkflow {
  const { activeVersion } = stored
  const saved = savedWorkflow(stored)
  return activeVersion === undefined
    ? saved
    : { ...saved, nodes: activeVersion.nodes, connections: activeVersion.connections }
}

/** n8n keeps static and pinned data that a save leaves out, so what is to go has to be emptied. */
export function emptied(
  before: StoredWorkflow,
  wanted: N8nWorkflow,
): Pick<N8nWorkflow, 'pinData' | 'staticData'> {
  const [had, wants] = [canonicalWorkflow(savedWorkflow(before)), canonicalWorkflow(wanted)]
  const isLeftOver = (key: string): boolean => had[key] !== undefined && wants[key] === undefined
  return {
    ...(isLeftOver('pinData') ? { pinData: {} } : {}),
    ...(isLeftOver('staticData') ? { staticData: {} } : {}),
  }
}

/** Where what is expected is looked for, and when. */
interface ReadBack {
  readonly workflowId: string
  readonly expected: N8nWorkflow
  /** The version that has to be live; what was saved last is compared where it is left out. */
  readonly liveVersionId?: string | undefined
  readonly isLive?: boolean
  readonly call: N8nCallOptions
}

/** @throws {ToolError} N8N_CHANGED when the server has something else than was sent */
export async function readBack(
  client: N8nClient,
  { workflowId, expected, liveVersionId, isLive = false, call }: ReadBack,
): Promise<StoredWorkflow> {
  const stored = await client.workflows.get(workflowId, call)
  const fields = isLive
    ? [
        ...(stored.active ? [] : ['active']),
        ...(liveVersionId !== undefined && stored.activeVersionId !== liveVersionId
          ? ['live version']
          : []),
        ...findDifferences(expected, liveWorkflow(stored)),
      ]
    : findDifferences(expected, savedWorkflow(stored))
  if (fields.length > 0)
    throw n8nError(
      'N8N_CHANGED',
      `The server has something else than was sent: ${fields.join(', ')}.`,
      { data: { fields } },
    )
  return stored
}

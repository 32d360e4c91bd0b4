import type { N8nNode } from './n8n-workflow.ts'

/** What a workflow of ours holds. Everything else is left out. */
export const workflowFields: ReadonlySet<string> = new Set([
  'name',
  'nodes',
  'connections',
  'settings',
  'staticData',
  'pinData',
])

/** What n8n's public API takes of a node. */
export const nodeFields: readonly (keyof N8nNode)[] = [
  'id',
  'name',
  'type',
  'typeVersion',
  'position',
  'parameters',
  'credentials',
  'webhookId',
  'disabled',
  'notes',
  'notesInFlow',
  'onError',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'alwaysOutputData',
  'executeOnce',
  'continueOnFail',
]

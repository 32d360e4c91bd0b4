import type { JsonValue } from '@toolcrib/registry'
import type { N8nWorkflow } from '../n8n-workflow.ts'
import { showLeaf } from './node-paragraph.ts'
import { leavesOf } from './node-parameters.ts'
import { showWord } from './show-text.ts'

const sentences: Readonly<Record<string, (value: JsonValue) => string | undefined>> = {
  availableInMCP: (value) =>
    value === true ? "Others can call it through n8n's own MCP server." : undefined,
  callerPolicy: (value) =>
    typeof value === 'string' && Object.hasOwn(callers, value) ? callers[value] : undefined,
  errorWorkflow: (value) =>
    typeof value === 'string' && value !== '' && value !== 'DEFAULT'
      ? `When it fails, the workflow ${showWord(value)} runs, which is not part of this review.`
      : undefined,
  executionTimeout: (value) =>
    typeof value === 'number' && value > 0
      ? `A run is ended after ${value} s, or earlier where the server allows less.`
      : undefined,
  saveDataErrorExecution: (value) => saving('Data of failed runs', value),
  saveDataSuccessExecution: (value) => saving('Data of successful runs', value),
  timezone: (value) =>
    typeof value === 'string' ? `Its time zone is ${showWord(value)}.` : undefined,
}

const callers: Readonly<Record<string, string>> = {
  any: 'Any other workflow may call it.',
  none: 'No other workflow may call it.',
  workflowsFromAList: 'Other workflows, by their ids, may call it.',
  workflowsFromSameOwner: 'Other workflows of the same owner may call it.',
}

function saving(what: string, value: JsonValue): string | undefined {
  if (value === 'all') return `${what} is stored in n8n.`
  return value === 'none' ? `${what} is not stored in n8n.` : undefined
}

/** The settings of a workflow: those that matter in sentences, the others as they stand. */
export function describeSettings({ settings }: N8nWorkflow): readonly (readonly string[])[] {
  const lines = Object.entries(settings).flatMap(([key, value]) => {
    const sentence = Object.hasOwn(sentences, key) ? sentences[key]?.(value) : undefined
    if (sentence !== undefined) return [`   ${sentence}`]
    return [...leavesOf(value, [key])].flatMap((leaf) => showLeaf(leaf, { indent: '   ' }))
  })
  return lines.length === 0 ? [] : [['Settings of the workflow:', ...lines]]
}

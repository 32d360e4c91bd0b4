import type { JsonObject, JsonSchema } from '@toolcrib/registry'
import type { N8nWorkflow } from './n8n-workflow.ts'

/** What people are told of a template before they use it. */
export interface TemplateSummary {
  /** Such as `lead-followup`. */
  readonly slug: string
  readonly title: string
  readonly description: string
  /** `schedule`: runs by itself too; every template can be called. */
  readonly trigger: 'call' | 'schedule'
  /** JSON Schema of the customizations, with defaults; unknown keys are refused. */
  readonly customizationSchema: JsonSchema
}

/** A template with its customizations filled in: all that a tool is made of. */
export interface RenderedTemplate {
  readonly slug: string
  /** Has one webhook, which is bound when it is deployed; see `bindWorkflow`. */
  readonly workflow: N8nWorkflow
  /** The arguments of a call; type object. */
  readonly inputSchema: JsonSchema
  /** What a call gives: `result` of the envelope `{ ok, result | error, executionId }`. */
  readonly outputSchema: JsonSchema
  /** What is in force, defaults included. */
  readonly customizations: JsonObject
  /** Origins that nodes reach, such as `https://crm.example.com`. */
  readonly hosts: readonly string[]
  /** After it n8n ends a run, in milliseconds; a caller who waits less may miss the answer. */
  readonly longestRunMs: number
}
